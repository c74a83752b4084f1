"""Where in the text an instruction comes from, and what stands at an address of a compiled library.

Reads what a watched build carries of an ELF file: the symbol table, and DWARF's line
table. Other formats have neither here, and a fault is then told without its line.
"""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_COMPRESSED = 0x800
_OBJECT = 1  # the type of a symbol that names data


@dataclass(frozen=True)
class Variable:
    """A variable of the library: its name as the text has it, and where it lies."""

    name: str
    start: int
    size: int


@dataclass(frozen=True)
class Row:
    """From this address on, instructions come from this line."""

    address: int
    file: str
    line: int


@dataclass(frozen=True)
class Lines:
    """The tables of one library; empty where there are none."""

    rows: tuple[Row, ...] = ()
    variables: tuple[Variable, ...] = ()
    _starts: tuple[int, ...] = field(default=(), repr=False)

    def line(self, place: int, file: str) -> int | None:
        """The line of `file` that made the call which returns to `place`; None if it isn't known.

        A call in a function of another file, inlined there, is the line before it.
        """
        at = bisect_right(self._starts, place - 1) - 1
        for row in reversed(self.rows[max(at - 400, 0) : at + 1]):
            if row.file == file and row.line:
                return row.line
            if not row.file:
                return None
        return None

    def variable(self, place: int) -> Variable | None:
        """The variable that an address belongs to."""
        for variable in self.variables:
            if variable.start <= place < variable.start + max(variable.size, 1):
                return variable
        return None


@cache
def read(path: Path) -> Lines:
    """What the library says of itself."""
    data = path.read_bytes()
    try:
        sections = dict(_sections(data))
        rows = sorted(
            _rows(sections.get(".debug_line", b""), sections), key=lambda row: (row.address, not row.file)
        )
        variables = tuple(_variables(sections))
    except (struct.error, IndexError, UnicodeDecodeError, zlib.error):
        return Lines()
    return Lines(tuple(rows), variables, tuple(row.address for row in rows))


# ---- ELF ------------------------------------------------------------------------------------------------


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
        yield _string(data, text + name), body


def _string(data: bytes, at: int) -> str:
    return data[at : data.index(0, at)].decode()


def _variables(sections: dict[str, bytes]) -> Iterator[Variable]:
    table, names = sections.get(".symtab", b""), sections.get(".strtab", b"")
    for at in range(0, len(table) - 23, 24):
        name, info, _, section, start, size = struct.unpack_from("<IBBHQQ", table, at)
        if info & 15 == _OBJECT and section:
            yield Variable(plain_name(_string(names, name)), start, size)


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


# ---- DWARF's line table ---------------------------------------------------------------------------------


class _Reader:
    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def number(self, size: int) -> int:
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little")

    def uleb(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def sleb(self) -> int:
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def string(self) -> str:
        text = _string(self.data, self.at)
        self.at += len(text.encode()) + 1
        return text


def _rows(data: bytes, sections: dict[str, bytes]) -> Iterator[Row]:
    reader = _Reader(data)
    while reader.at + 4 < len(data):
        length, wide = reader.number(4), False
        if length == 0xFFFFFFFF:
            length, wide = reader.number(8), True
        end = reader.at + length
        yield from _program(reader, end, wide, sections)
        reader.at = end


def _program(reader: _Reader, end: int, wide: bool, sections: dict[str, bytes]) -> Iterator[Row]:
    version = reader.number(2)
    if version >= 5:
        reader.number(2)  # sizes of an address and of a segment selector
    start = reader.number(8 if wide else 4) + reader.at
    least = reader.number(1)
    if version >= 4:
        reader.number(1)
    reader.number(1)
    base = reader.number(1)
    base = base - 256 if base > 127 else base
    span, first = reader.number(1), reader.number(1)
    lengths = [reader.number(1) for _ in range(first - 1)]
    files = _files5(reader, wide, sections) if version >= 5 else _files(reader)
    reader.at = start
    address, file, line = 0, 1, 1
    while reader.at < end:
        code = reader.number(1)
        if code >= first:
            address += (code - first) // span * least
            line += base + (code - first) % span
            yield Row(address, files.get(file, "?"), line)
        elif code == 0:
            size = reader.uleb()
            following = reader.at + size
            what = reader.number(1)
            if what == 1:
                yield Row(address, "", 0)
                address, file, line = 0, 1, 1
            elif what == 2:
                address = reader.number(size - 1)
            reader.at = following
        elif code == 1:
            yield Row(address, files.get(file, "?"), line)
        elif code == 2:
            address += reader.uleb() * least
        elif code == 3:
            line += reader.sleb()
        elif code == 4:
            file = reader.uleb()
        elif code == 8:
            address += (255 - first) // span * least
        elif code == 9:
            address += reader.number(2)
        else:
            for _ in range(lengths[code - 1]):
                reader.uleb()


def _files(reader: _Reader) -> dict[int, str]:
    """Names of files by number, as versions 2 to 4 write them."""
    while reader.string():
        pass
    found: dict[int, str] = {}
    while name := reader.string():
        found[len(found) + 1] = name
        for _ in range(3):
            reader.uleb()
    return found


def _files5(reader: _Reader, wide: bool, sections: dict[str, bytes]) -> dict[int, str]:
    """Names of files by number, as version 5 writes them."""
    found: dict[int, str] = {}
    for table in ("folders", "files"):
        formats = [(reader.uleb(), reader.uleb()) for _ in range(reader.number(1))]
        for number in range(reader.uleb()):
            for what, form in formats:
                value = _value(reader, form, wide, sections)
                if table == "files" and what == 1:
                    found[number] = str(value)
    return found


def _value(reader: _Reader, form: int, wide: bool, sections: dict[str, bytes]) -> str | int:
    match form:
        case 0x08:
            return reader.string()
        case 0x1F:
            return _string(sections[".debug_line_str"], reader.number(8 if wide else 4))
        case 0x0E:
            return _string(sections[".debug_str"], reader.number(8 if wide else 4))
        case 0x0B:
            return reader.number(1)
        case 0x05:
            return reader.number(2)
        case 0x06:
            return reader.number(4)
        case 0x0F:
            return reader.uleb()
        case 0x1E:
            return reader.number(16)
        case _:
            raise IndexError(f"form {form:#x}")
