"""The description of the REST part, made from the same structs that check the messages."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from cotulenh.web.assets import Asset
from cotulenh.web.messages import Error
from cotulenh.web.rest import ENDPOINTS

__all__ = ["document"]


@cache
def document() -> Asset:
    """The OpenAPI 3.1 document."""
    types: list[Any] = [t for e in ENDPOINTS for t in (e.asks, e.answers) if t]
    schemas, components = msgspec.json.schema_components(
        [*types, Error], ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip(map(str, [*types, Error]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for e in ENDPOINTS:
        ask, answer = by_type.get(str(e.asks)), by_type.get(str(e.answers))
        operation = _operation(e.path, e.summary, ask, answer, by_type[str(Error)])
        paths.setdefault(e.path, {})[e.method.lower()] = operation
    paths["/api/openapi.json"] = {
        "get": _operation("", "This description", None, None, by_type[str(Error)])
    }
    body = {
        "openapi": "3.1.0",
        "info": {"title": "cotulenh", "version": "1", "description": __doc__},
        "paths": paths,
        "components": {"schemas": components},
    }
    return Asset(msgspec.json.encode(body), "application/json")


def _operation(path: str, summary: str, ask: Any, answer: Any, error: Any) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    content = {"application/json": {"schema": answer or {}}}
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {
            "200": {"description": "the answer", "content": content},
            "4XX": {
                "description": "a refusal with a named reason",
                "content": {"application/json": {"schema": error}},
            },
        },
    }
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ]
    if ask is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": ask}},
        }
    return operation
