"""Where in the text an instruction comes from, and what stands at an address of a compiled library.

Reads what a library carries of itself: an ELF file's symbol table, and its debugging
information (dwarf.py). Other formats have neither here, and what is found there is
then told without its line.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from .dwarf import Call, Row, string, tables

_COMPRESSED = 0x800
_OBJECT = 1  # the type of a symbol that names data


@dataclass(frozen=True)
class Variable:
    """A variable of the library: its name as the text has it, and where it lies."""

    name: str
    start: int
    size: int


@dataclass(frozen=True)
class Lines:
    """The tables of one library; empty where there are none."""

    rows: tuple[Row, ...] = ()
    calls: tuple[Call, ...] = ()
    variables: tuple[Variable, ...] = ()
    _starts: tuple[int, ...] = field(default=(), repr=False)

    def line(self, place: int, file: str) -> int | None:
        """The line of `file` that made the call which returns to `place`; None if it isn't known.

        In a function of another file that was inlined, the line that calls it.
        """
        inside = place - 1
        wanted = _base(file)  # compilers keep a file's folder elsewhere, or with its name
        at = bisect_right(self._starts, inside) - 1
        if at >= 0 and _base(self.rows[at].file) == wanted and self.rows[at].line:
            return self.rows[at].line
        around = [c for c in self.calls if c.low <= inside < c.high and _base(c.file) == wanted]
        return around[-1].line if around else None

    def variable(self, place: int) -> Variable | None:
        """The variable that an address belongs to."""
        for variable in self.variables:
            if variable.start <= place < variable.start + max(variable.size, 1):
                return variable
        return None


def _base(file: str) -> str:
    return file.rsplit("/", 1)[-1]


@cache
def read(path: Path) -> Lines:
    """What the library says of itself."""
    try:
        sections = dict(_sections(path.read_bytes()))
        variables = tuple(_variables(sections))
    except (struct.error, IndexError, ValueError, zlib.error):
        return Lines()
    try:
        rows, calls = tables(sections)
    except (IndexError, KeyError, ValueError):
        return Lines(variables=variables)
    return Lines(tuple(rows), tuple(calls), variables, tuple(row.address for row in rows))


def _sections(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data[:6] != b"\x7fELF\x02\x01":
        return
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    text = headers[names][4]
    for name, kind, flags, _, offset, length, *_ in headers:
        body = b"" if kind == 8 else data[offset : offset + length]
        if flags & _COMPRESSED:
            body = zlib.decompress(body[24:])
        yield string(data, text + name), body


def _variables(sections: dict[str, bytes]) -> Iterator[Variable]:
    table, names = sections.get(".symtab", b""), sections.get(".strtab", b"")
    for at in range(0, len(table) - 23, 24):
        name, info, _, section, start, size = struct.unpack_from("<IBBHQQ", table, at)
        if info & 15 == _OBJECT and section:
            yield Variable(plain_name(string(names, name)), start, size)


def plain_name(symbol: str) -> str:
    """The last name in a mangled one: `tile` of `_ZZN11cuda_on_cpu4stepEPfE4tile_0`."""
    if not symbol.startswith("_Z"):
        return symbol
    found, at = symbol, 0
    while at < len(symbol):
        if not symbol[at].isdigit() or symbol[at - 1] in "_S":
            at += 1
            continue
        end = at
        while end < len(symbol) and symbol[end].isdigit():
            end += 1
        length = int(symbol[at:end])
        if 0 < length <= len(symbol) - end:
            found, at = symbol[end : end + length], end + length
        else:
            at = end
    return found
