"""Random messages, right in shape and wrong in sense: answered or refused by name, never an error.

The shapes come from the same structs that check the messages, so a new one is tried at once.
"""

import json
import random
import time

import pytest

from cotulenh.web.rest import ENDPOINTS

WORDS = [
    *("", "official", "online", "chess", "nonsense", "Mg5g6", "e2e4", "g1f3", "a12", "l12", "*"),
    *(
        "1-0",
        "k" * 20,
        "0" * 16,
        "mate1",
        "hello",
        "1. e4 e5 *",
        '[FEN "x"]\n\n1. e4',
        "\x00",
        "💥",
    ),
    "4c6/11/11/5t5/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    *("c3<", "Nb6xb7", "rC", "bC", "b+T", "wK", "G", "marine", "air", "x" * 3000),
]
NUMBERS = [-1, 0, 1, 2, 3, 7, 59, 255, 5000, 10**6, 2**63, -(2**63), 0.5, 1e308]


def anything(rng, depth=0):
    kind = rng.randrange(8 if depth < 3 else 5)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice(NUMBERS)
    if kind < 5:
        return rng.choice(WORDS)
    if kind < 7:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(WORDS)[:20]: anything(rng, depth + 1) for _ in range(rng.randrange(4))}


def shaped(rng, schema, schemas, depth=0):
    """A value that a schema describes, now and then something else."""
    if rng.random() < 0.04 or depth > 7:
        return anything(rng)
    if "$ref" in schema:
        return shaped(rng, schemas[schema["$ref"].rsplit("/", 1)[1]], schemas, depth + 1)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return shaped(rng, rng.choice(schema[union]), schemas, depth + 1)
    match schema.get("type"):
        case "object" if "properties" in schema:
            needed = schema.get("required", [])
            return {
                name: shaped(rng, part, schemas, depth + 1)
                for name, part in schema["properties"].items()
                if name in needed or rng.random() < 0.6
            }
        case "object":
            inner = schema.get("additionalProperties") or {}
            squares = ["g1", "e12", "c3", "a1", "k12", "zz"]
            return {rng.choice(squares): shaped(rng, inner, schemas, depth + 1) for _ in range(3)}
        case "array" if "prefixItems" in schema:
            return [shaped(rng, part, schemas, depth + 1) for part in schema["prefixItems"]]
        case "array":
            size = rng.randrange(max(1, schema.get("minItems", 0)), 4)
            items = schema.get("items") or {}
            return [shaped(rng, items, schemas, depth + 1) for _ in range(size)]
        case "string":
            return fitting(rng, schema)
        case "integer" | "number":
            low, high = schema.get("minimum", -5), schema.get("maximum", 50)
            return rng.choice([low, high, rng.randint(int(low), int(max(low, min(high, 99))))])
        case "boolean":
            return rng.random() < 0.5
        case "null":
            return None
    return schema["const"] if "const" in schema else rng.choice(schema.get("enum") or WORDS)


def fitting(rng, schema):
    most, least = schema.get("maxLength", 10**6), schema.get("minLength", 0)
    fit = [word for word in WORDS if least <= len(word) <= most]
    if "pattern" in schema and rng.random() < 0.9:
        choices = schema["pattern"].strip("^$()?").split("|")
        return rng.choice(choices) if len(choices) > 1 else rng.choice(["k" * max(least, 1), "G"])
    return rng.choice(fit or WORDS)


def try_requests(server, count, seed):
    document = server.get("/api/openapi.json")
    schemas = document["components"]["schemas"]
    asks = [e for e in ENDPOINTS if e.asks is not None]
    rng = random.Random(seed)
    statuses = {}
    for _ in range(count):
        what = rng.choice(asks)
        content = document["paths"][what.path][what.method.lower()]["requestBody"]["content"]
        body = shaped(rng, content["application/json"]["schema"], schemas)
        raw = json.dumps(body).encode()
        status, answer = server.ask(what.path.replace("{id}", "x" * 12), raw=raw)
        assert status < 500, (what.path, body, answer)
        if status == 429:  # faster than one address may be
            time.sleep(0.2)
        if status >= 400:
            assert answer["code"] != "internal", (what.path, body)
        statuses[status // 100] = statuses.get(status // 100, 0) + 1
    return statuses


def try_messages(player, count, seed):
    schemas = socket_schemas()
    rng = random.Random(seed)
    names = [name for name, schema in schemas.items() if "t" in schema.get("properties", {})]
    one = player()
    for n in range(count):
        if n % 50 == 0:
            one = player()
        name = rng.choice([name for name in names if name not in ("Analyse", "Review")] + names)
        body = shaped(rng, schemas[name], schemas)
        if isinstance(body, dict):
            body["t"] = schemas[name]["properties"]["t"]["enum"][0]
        one.socket.send(json.dumps(body))
        one.send("stop")
        one.send("ping", id=n + 1)
        while True:
            answer = one.hear("pong", "refused")
            assert answer.get("code") != "internal", body
            if answer.get("code") == "too_fast" or answer == {"t": "pong", "id": n + 1}:
                break


def socket_schemas():
    import msgspec

    from cotulenh.web.messages import Asked

    return msgspec.json.schema_components([Asked])[1]


def test_requests(server):
    found = try_requests(server, 200, seed=1)
    assert found[2] > 10
    assert found[4] > 10


def test_messages(player):
    try_messages(player, 100, seed=1)


@pytest.mark.long
def test_many_requests_and_messages(server, player):
    for seed in range(2, 12):
        try_requests(server, 2000, seed)
        try_messages(player, 500, seed)
