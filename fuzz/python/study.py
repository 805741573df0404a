"""Study data: any tree is refused by name, or kept, read again and written as PGN and back."""

import _atheris
import atheris

with atheris.instrument_imports(include=["cotulenh.web", "cotulenh.game", "cotulenh.pgn"]):
    import msgspec

    from cotulenh.web import forms, studies, trees
    from cotulenh.web.messages import Refusal


def target(data: bytes) -> None:
    try:
        tree = msgspec.json.decode(data, type=forms.Tree)
    except msgspec.MsgspecError:
        with_pgn(data)
        return
    try:
        packed = studies._packed(tree)
    except Refusal as refusal:
        assert refusal.code, refusal
        return
    assert msgspec.json.encode(studies._unpack(packed)) == packed
    again(trees.write_tree(tree))


def with_pgn(data: bytes) -> None:
    """What is no tree may be a PGN that is imported."""
    try:
        read = trees.read_trees(_atheris.text_of(data))
    except Refusal:
        return
    for tree in read:
        studies._packed(tree)
        again(trees.write_tree(tree))


def again(text: str) -> None:
    tree = trees.read_tree(text)
    assert trees.write_tree(tree) == text, text


_atheris.run(target)
