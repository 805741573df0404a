"""Files of games: packed or not, bytes or text, in whatever encoding."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike, fspath
from typing import IO, Any

from cotulenh.errors import install_hint

__all__ = ["Source", "open_source", "writing"]

_PIECE = 1 << 20
_SIGNS = 8  # bytes that tell what a file is


class Source:
    """Bytes of UTF-8, or close to it, read piece by piece."""

    def __init__(self, file: IO[Any], name: str, owned: bool, encoding: str | None) -> None:
        self.name, self._file, self._owned = name, file, owned
        self.given = 0  # bytes that were read, unpacked
        self._waiting = b""
        self._decoder: codecs.IncrementalDecoder | None = None
        self._unpacked: Callable[[], bytes] | None = None
        self._failed: Exception | None = None
        try:
            self._begin()
        except (EOFError, ValueError) as error:
            self._failed = error  # told to who reads: opening a damaged file is no crime
        self._set_encoding(encoding)
        # Very old files end their lines with a carriage return alone.
        self._returns = b"\r" in self._waiting and b"\n" not in self._waiting
        self._waiting = self._ended(self._waiting)

    def _begin(self) -> None:
        """Reads the first piece: it tells whether the file is packed, and the encoding."""
        first = self._raw(_PIECE)
        while len(first) < _SIGNS and (more := self._raw(_PIECE)):
            first += more
        if first.startswith(b"\x1f\x8b"):
            self._unpacked = _gzip_reader(first, self._raw)
        elif first.startswith(b"\x28\xb5\x2f\xfd"):
            self._unpacked = _zstd_reader(first, self._raw)
        self._waiting = first if self._unpacked is None else self._unpacked()

    def _ended(self, piece: bytes) -> bytes:
        return piece.replace(b"\r", b"\n") if self._returns else piece

    def _raw(self, size: int) -> bytes:
        got: bytes | str = self._file.read(size)
        return got.encode("utf-8", "replace") if isinstance(got, str) else got

    def _set_encoding(self, encoding: str | None) -> None:
        """A byte order mark tells the encoding, or where zeros stand; UTF-8 needs no decoding."""
        start = self._waiting
        if start.startswith(codecs.BOM_UTF8):
            self._waiting = start[3:]
            encoding = None
        elif encoding is None or start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            encoding = _wide_encoding(start) or encoding
        if encoding is not None and codecs.lookup(encoding).name != "utf-8":
            self._decoder = codecs.getincrementaldecoder(encoding)("replace")
            self._waiting = self._decoder.decode(start).encode("utf-8", "replace")

    def read(self, size: int) -> bytes:
        """About so many bytes; none at the end."""
        piece = self._read(size)
        self.given += len(piece)
        return piece

    def _read(self, size: int) -> bytes:
        if self._failed is not None:
            error, self._failed = self._failed, None
            raise error
        if self._waiting:
            piece, self._waiting = self._waiting, b""
            return piece
        while True:
            raw = self._raw(size) if self._unpacked is None else self._unpacked()
            if self._decoder is None:
                return self._ended(raw)
            text = self._decoder.decode(raw, final=not raw)
            if text or not raw:
                return self._ended(text.encode("utf-8", "replace"))

    def skip(self, count: int) -> None:
        """Passes over so many bytes."""
        plain = self._decoder is None and self._unpacked is None
        if plain and count >= len(self._waiting) and self._owned:
            mark = self._file.tell() - len(self._waiting)
            self._file.seek(mark + count)
            self._waiting = b""
            return
        while count > 0 and (piece := self.read(_PIECE)):
            if len(piece) > count:
                self._waiting = piece[count:]
            count -= min(count, len(piece))

    def close(self) -> None:
        """Closes the file if it was opened here."""
        if self._owned:
            self._file.close()

    def __del__(self) -> None:
        # Who stops in the middle of a file need not think of closing it.
        self.close()


def _wide_encoding(start: bytes) -> str | None:
    """UTF-32 or UTF-16, if the first characters are those of a game in one of them."""
    if start.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    low, high = start[0:_SIGNS:2], start[1:_SIGNS:2]
    if high == bytes(4) and 0 not in low:
        return "utf-16-le"
    return "utf-16-be" if low == bytes(4) and len(high) == 4 and 0 not in high else None


def open_source(where: Any, encoding: str | None) -> Source:
    """Opens a path, or takes an open file."""
    if isinstance(where, str | PathLike):
        path = fspath(where)
        file = open(path, "rb")  # noqa: SIM115  (the source closes it)
        try:
            return Source(file, path, True, encoding)
        except BaseException:
            file.close()
            raise
    name = getattr(where, "name", None)
    return Source(where, name if isinstance(name, str) else "<stream>", False, encoding)


def _gzip_reader(first: bytes, more: Callable[[int], bytes]) -> Callable[[], bytes]:
    """Unpacks gzip, several parts after one another included, never much at a time."""
    packed = first
    unpacker = zlib.decompressobj(wbits=31)

    def read() -> bytes:
        nonlocal packed, unpacker
        while True:
            if unpacker.eof:
                packed = unpacker.unused_data.lstrip(b"\0") or more(_PIECE)
                if not packed:
                    return b""
                unpacker = zlib.decompressobj(wbits=31)
            if not packed:
                packed = more(_PIECE)
                if not packed:
                    raise EOFError("the packed data ends too early")
            try:
                out = unpacker.decompress(packed, _PIECE)
            except zlib.error as error:
                raise ValueError(f"the packed data is damaged ({error})") from None
            packed = unpacker.unconsumed_tail
            if out:
                return out

    return read


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise ImportError(f"files packed with Zstandard need: {install_hint('zst')}") from error
    return zstandard


def _zstd_reader(first: bytes, more: Callable[[int], bytes]) -> Callable[[], bytes]:
    """Unpacks Zstandard, several frames after one another included.

    It is fed in small bites, because a bite may grow ten thousandfold.
    """
    zstandard = _zstandard()
    bite = 1 << 11
    packed, at = first, 0
    maker = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    unpacker = maker.decompressobj()
    fresh = False  # between frames the data may end

    def read() -> bytes:
        nonlocal packed, at, unpacker, fresh
        out: list[bytes] = []
        size = 0
        while size < _PIECE:
            if at >= len(packed):
                packed, at = more(_PIECE), 0
            if not packed:
                if not fresh and not out:
                    raise EOFError("the packed data ends too early")
                break
            piece = packed[at : at + bite]
            at += len(piece)
            try:
                got = unpacker.decompress(piece)
            except zstandard.ZstdError as error:
                raise ValueError(f"the packed data is damaged ({error})") from None
            fresh = False
            if unpacker.eof:
                at -= len(unpacker.unused_data)
                unpacker, fresh = maker.decompressobj(), True
            out.append(got)
            size += len(got)
        return b"".join(out)

    return read


@contextmanager
def writing(where: Any) -> Iterator[Callable[[str], object]]:
    """Gives a function that writes text to a path, packed by its ending, or to an open file."""
    if not isinstance(where, str | PathLike):
        is_text = hasattr(where, "encoding") or isinstance(where, io.TextIOBase)
        yield where.write if is_text else lambda text: where.write(text.encode("utf-8"))
        return
    path = fspath(where)
    with ExitStack() as stack:
        raw: Any = stack.enter_context(open(path, "wb"))
        if path.endswith(".gz"):
            raw = stack.enter_context(gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
        elif path.endswith(".zst"):
            raw = stack.enter_context(_zstandard().ZstdCompressor().stream_writer(raw))
        yield lambda text: raw.write(text.encode("utf-8", "replace"))
