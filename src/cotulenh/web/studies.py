"""Studies: trees of moves in chapters, kept under an address, shared to read or to edit.

Who has the address may read. Who has the key of the owner or the secret of the edit link may
change. Every change names the version it started from; a change that comes too late is refused with
``conflict`` and loses nobody's work.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
import time
from collections.abc import Callable
from typing import Any

import msgspec

from cotulenh.games import move_text, parse_move
from cotulenh.web import forms as f
from cotulenh.web import trees
from cotulenh.web.messages import Refusal, StudyChanged
from cotulenh.web.room import Viewer, hashed
from cotulenh.web.store import Store

__all__ = ["Studies"]

#: Studies kept at most, of all and of one owner; chapters of a study; bytes of a chapter.
MAX_STUDIES, MAX_OWN, MAX_CHAPTERS, MAX_TREE = 50_000, 1_000, 64, 1_000_000


class Studies:
    """All studies of a store, and who watches them."""

    def __init__(self, store: Store, most: int = MAX_STUDIES) -> None:
        self._most = most
        self._store = store
        self._watchers: dict[Viewer, str] = {}

    # Reading --------------------------------------------------------------------------------------

    async def load(self, study: str) -> f.StudyData:
        """A study with all its chapters."""

        def work(base: sqlite3.Connection) -> f.StudyData:
            row = _row(base, study)
            chapters = base.execute(
                "SELECT title, tree, id, version FROM chapters WHERE study=? ORDER BY n", (study,)
            ).fetchall()
            made = [f.Chapter(t, _unpack(tree), name, v) for t, tree, name, v in chapters]
            return f.StudyData(study, **_public(row), chapters=made)

        return await asyncio.to_thread(_respell, await self._store.do(work))

    async def of_key(self, key: str) -> list[f.StudyLine]:
        """The studies of an owner, the latest first."""

        def work(base: sqlite3.Connection) -> list[f.StudyLine]:
            rows = base.execute(
                "SELECT id, title, updated,"
                " (SELECT count(*) FROM chapters c WHERE c.study = s.id)"
                " FROM studies s WHERE owner=? ORDER BY updated DESC LIMIT 200",
                (hashed(key),),
            )
            return [f.StudyLine(*row) for row in rows]

        return await self._store.do(work)

    async def pgn(self, study: str) -> str:
        """All chapters as PGN."""
        found = await self.load(study)
        return trees.write_trees((chapter.title, chapter.tree) for chapter in found.chapters)

    # Changing -------------------------------------------------------------------------------------

    async def create(self, ask: f.NewStudy) -> f.MadeStudy:
        """A new study with its first chapters."""
        study, edit, owner = secrets.token_urlsafe(9), secrets.token_urlsafe(18), hashed(ask.key)
        rows = await asyncio.to_thread(_rows, [f.Chapter(c.title, c.tree) for c in ask.chapters])

        def work(base: sqlite3.Connection) -> None:
            _check_room(base, owner, self._most)
            now = time.time()
            base.execute(
                "INSERT INTO studies VALUES (?, ?, ?, 1, ?, ?, ?)",
                (study, now, now, ask.title, owner, hashed(edit)),
            )
            for n, (name, title, tree) in enumerate(rows):
                base.execute(
                    "INSERT INTO chapters VALUES (?, ?, ?, 1, ?, ?)", (study, name, n, title, tree)
                )

        await self._store.do(work)
        return f.MadeStudy(study, edit, 1, [name for name, _, _ in rows])

    async def save(self, study: str, ask: f.SaveStudy) -> f.SavedStudy:
        """The whole study anew."""
        rows = await asyncio.to_thread(_rows, ask.chapters)
        if len({name for name, _, _ in rows}) < len(rows):
            raise Refusal("bad_tree", "two chapters have the same id")

        def work(base: sqlite3.Connection, version: int) -> list[str]:
            if ask.version != version:
                raise _conflict(version)
            base.execute("DELETE FROM chapters WHERE study=?", (study,))
            for n, (name, title, tree) in enumerate(rows):
                base.execute(
                    "INSERT INTO chapters VALUES (?, ?, ?, ?, ?, ?)",
                    (study, name, n, version + 1, title, tree),
                )
            base.execute("UPDATE studies SET title=? WHERE id=?", (ask.title, study))
            return [name for name, _, _ in rows]

        return await self._change(study, ask, work)

    async def save_chapter(self, study: str, ask: f.SaveChapter) -> f.SavedStudy:
        """One chapter, new or anew."""
        tree = await asyncio.to_thread(_packed, ask.tree)

        def work(base: sqlite3.Connection, version: int) -> list[str]:
            name = ask.id or _new_id()
            found = base.execute(
                "SELECT n, version FROM chapters WHERE study=? AND id=?", (study, name)
            ).fetchone()
            if ask.id and found is None:
                raise Refusal("no_such_chapter", "there is no such chapter", 404)
            if found is not None and found[1] != ask.version:
                raise _conflict(found[1])
            count = base.execute("SELECT count(*) FROM chapters WHERE study=?", (study,))
            n = found[0] if found else count.fetchone()[0]
            if n >= MAX_CHAPTERS:
                raise Refusal("too_large", f"at most {MAX_CHAPTERS} chapters", most=MAX_CHAPTERS)
            base.execute(
                "INSERT OR REPLACE INTO chapters VALUES (?, ?, ?, ?, ?, ?)",
                (study, name, n, version + 1, ask.title, tree),
            )
            return [name]

        return await self._change(study, ask, work)

    async def order(self, study: str, ask: f.OrderStudy) -> f.SavedStudy:
        """Title and order; chapters left out go."""

        def work(base: sqlite3.Connection, version: int) -> list[str]:
            if ask.version != version:
                raise _conflict(version)
            known = {r[0] for r in base.execute("SELECT id FROM chapters WHERE study=?", (study,))}
            if not set(ask.chapters) <= known or len(set(ask.chapters)) < len(ask.chapters):
                raise Refusal("no_such_chapter", "there is no such chapter", 404)
            for name in known - set(ask.chapters):
                base.execute("DELETE FROM chapters WHERE study=? AND id=?", (study, name))
            for n, name in enumerate(ask.chapters):
                base.execute("UPDATE chapters SET n=? WHERE study=? AND id=?", (n, study, name))
            base.execute("UPDATE studies SET title=? WHERE id=?", (ask.title, study))
            return ask.chapters

        return await self._change(study, ask, work)

    async def add_pgn(self, study: str, ask: f.ImportStudy, read: list[f.Tree]) -> f.SavedStudy:
        """The games of a PGN text as new chapters."""
        made = [f.Chapter(_title_of(tree, n), tree) for n, tree in enumerate(read, 1)]
        rows = await asyncio.to_thread(_rows, made)

        def work(base: sqlite3.Connection, version: int) -> list[str]:
            count = base.execute("SELECT count(*) FROM chapters WHERE study=?", (study,))
            first = count.fetchone()[0]
            if first + len(rows) > MAX_CHAPTERS:
                raise Refusal("too_large", f"at most {MAX_CHAPTERS} chapters", most=MAX_CHAPTERS)
            for n, (name, title, tree) in enumerate(rows, first):
                base.execute(
                    "INSERT INTO chapters VALUES (?, ?, ?, ?, ?, ?)",
                    (study, name, n, version + 1, title, tree),
                )
            return [name for name, _, _ in rows]

        return await self._change(study, ask, work)

    async def new_link(self, study: str, ask: f.EditStudy) -> f.EditLink:
        """A new edit link; the old one ends."""
        edit = secrets.token_urlsafe(18)

        def work(base: sqlite3.Connection, _version: int) -> list[str]:
            base.execute("UPDATE studies SET edit=? WHERE id=?", (hashed(edit), study))
            return []

        await self._change(study, ask, work)
        return f.EditLink(edit)

    async def delete(self, study: str, key: str) -> None:
        """The owner deletes a study."""

        def work(base: sqlite3.Connection) -> None:
            if _row(base, study)["owner"] != hashed(key):
                raise Refusal("not_your_study", "only its owner may delete a study", 403)
            base.execute("DELETE FROM studies WHERE id=?", (study,))

        await self._store.do(work)

    async def _change(
        self, study: str, ask: f.EditStudy, work: Callable[[sqlite3.Connection, int], list[str]]
    ) -> f.SavedStudy:
        """A change by someone who may, with a new version of the study."""

        def changed(base: sqlite3.Connection) -> f.SavedStudy:
            row = _row(base, study)
            owns = ask.key is not None and hashed(ask.key) == row["owner"]
            edits = ask.edit is not None and hashed(ask.edit) == row["edit"]
            if not owns and not edits:
                raise Refusal("not_your_study", "this study is not yours to change", 403)
            ids = work(base, row["version"])
            version = row["version"] + 1
            base.execute(
                "UPDATE studies SET version=?, updated=? WHERE id=?", (version, time.time(), study)
            )
            return f.SavedStudy(version, ids)

        saved = await self._store.do(changed)
        for viewer, watched in list(self._watchers.items()):
            if watched == study:
                viewer.send(StudyChanged(study, saved.version))
        return saved

    # Watching -------------------------------------------------------------------------------------

    def watch(self, viewer: Viewer, study: str) -> None:
        """Tells a page of changes from now on."""
        self._watchers[viewer] = study

    def unwatch(self, viewer: Viewer) -> None:
        """No longer."""
        self._watchers.pop(viewer, None)


def _row(base: sqlite3.Connection, study: str) -> dict[str, Any]:
    found = base.execute(
        "SELECT created, updated, version, title, owner, edit FROM studies WHERE id=?", (study,)
    )
    row = found.fetchone()
    if row is None:
        raise Refusal("no_such_study", "there is no such study", 404)
    return dict(zip(("created", "updated", "version", "title", "owner", "edit"), row, strict=True))


def _public(row: dict[str, Any]) -> dict[str, Any]:
    """What anyone may know of a study."""
    return {name: row[name] for name in ("title", "version", "created", "updated")}


def _check_room(base: sqlite3.Connection, owner: str, most: int) -> None:
    count = base.execute("SELECT count(*), sum(owner=?) FROM studies", (owner,)).fetchone()
    if count[0] >= most or (count[1] or 0) >= MAX_OWN:
        raise Refusal("too_many_studies", "no room for another study", 503)


def _conflict(version: int) -> Refusal:
    text = "someone else has changed this since"
    return Refusal("conflict", text, 409, version=version)


def _new_id() -> str:
    return secrets.token_urlsafe(6)


def _title_of(tree: f.Tree, number: int) -> str:
    event = tree.tags.get("Event", "?")
    return event[:100] if event not in ("", "?") else f"{number}"


def _rows(chapters: list[f.Chapter]) -> list[tuple[str, str, bytes]]:
    """Id, title and packed tree of each chapter."""
    return [(c.id or _new_id(), c.title, _packed(c.tree)) for c in chapters]


def _packed(tree: f.Tree) -> bytes:
    """A tree as it is kept: all its moves are legal and have their notation."""
    spell(tree)
    packed = msgspec.json.encode(tree)
    if len(packed) > MAX_TREE:
        raise Refusal("too_large", f"at most {MAX_TREE} bytes a chapter", most=MAX_TREE)
    return packed


def _unpack(data: bytes) -> f.Tree:
    try:
        return msgspec.json.decode(data, type=f.Tree)
    except msgspec.DecodeError as error:
        raise Refusal("damaged", f"a chapter is damaged on the disk: {error}", 500) from None


def _respell(study: f.StudyData) -> f.StudyData:
    """Gives notation to chapters that were kept without; what cannot be played stays as it is."""
    for chapter in study.chapters:
        if not all(node.san for node in chapter.tree.nodes):
            with contextlib.suppress(Refusal):
                spell(chapter.tree)
    return study


def spell(tree: f.Tree) -> None:
    """Writes every move and its notation as the page does; a move that is not legal is refused.

    Other programs may leave the notation out, and may write moves in any form that can be read.
    """
    children: list[list[int]] = [[] for _ in range(len(tree.nodes) + 1)]
    for number, node in enumerate(tree.nodes):
        if node.parent >= number:
            raise Refusal("bad_tree", "a move comes before its parent")
        children[node.parent + 1].append(number)
    board = tree.board()
    waiting = [(number, 0) for number in children[0]]
    depth = 0
    while waiting:
        number, above = waiting.pop()
        while depth > above:
            board.pop()
            depth -= 1
        node = tree.nodes[number]
        try:
            move = parse_move(board, node.move)
        except ValueError as error:
            raise Refusal("bad_tree", str(error), reason=error) from None
        node.move, said = move_text(board, move), trees.said(board, move)
        node.san, node.label = said.san, said.label
        board.push(move)
        depth += 1
        waiting.extend((child, depth) for child in children[number + 1])
