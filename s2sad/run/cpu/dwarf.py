"""Debugging information of a library, as far as it says which line an instruction comes from.

Two tables: the line program, which gives each address the line it was compiled from, and
the calls that were inlined, which give an address inside a function of our header the
line of the text that called it. DWARF 4 and 5, as g++ and clang++ write them with -g1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Sections = Mapping[str, bytes]


@dataclass(frozen=True)
class Row:
    """From this address on, instructions come from this line; an empty file ends a run."""

    address: int
    file: str
    line: int


@dataclass(frozen=True)
class Call:
    """A call that was inlined to these addresses, and where it stands."""

    low: int
    high: int
    file: str
    line: int


def tables(sections: Sections) -> tuple[list[Row], list[Call]]:
    """Rows by address, and calls, outer ones before those inside them. Raises IndexError or KeyError."""
    rows: list[Row] = []
    files: dict[int, dict[int, str]] = {}
    for offset, named, found in _programs(sections):
        files[offset] = named
        rows += found
    rows.sort(key=lambda row: (row.address, bool(row.file)))
    return rows, [call for unit in _units(sections) for call in unit.calls(files)]


class Reader:
    """A place in some bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def number(self, size: int) -> int:
        self.at += size
        if self.at > len(self.data):
            raise IndexError("debugging information ends early")
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
        text = string(self.data, self.at)
        self.at = self.data.index(0, self.at) + 1
        return text

    def length(self) -> tuple[int, int]:
        """Where a unit ends, and the size of its offsets."""
        length, offset = self.number(4), 4
        if length == 0xFFFFFFFF:
            length, offset = self.number(8), 8
        return self.at + length, offset


def string(data: bytes, at: int) -> str:
    """The text that begins there and ends with a zero byte."""
    return data[at : data.index(0, at)].decode("utf-8", "replace")


# ---- the line program -----------------------------------------------------------------------------------


def _programs(sections: Sections) -> Iterator[tuple[int, dict[int, str], list[Row]]]:
    """Each program: its offset, its files by number, its rows."""
    reader = Reader(sections.get(".debug_line", b""))
    while reader.at + 4 < len(reader.data):
        begun = reader.at
        end, offset = reader.length()
        files, rows = _program(reader, end, offset, sections)
        yield begun, files, rows
        reader.at = end


def _program(reader: Reader, end: int, offset: int, sections: Sections) -> tuple[dict[int, str], list[Row]]:
    version = reader.number(2)
    if version >= 5:
        reader.number(2)  # sizes of an address and of a segment selector
    start = reader.number(offset) + reader.at
    least = reader.number(1)
    if version >= 4:
        reader.number(1)
    reader.number(1)
    base = reader.number(1)
    base = base - 256 if base > 127 else base
    span, first = reader.number(1), reader.number(1)
    lengths = [reader.number(1) for _ in range(first - 1)]
    files = _files5(reader, offset, sections) if version >= 5 else _files4(reader)
    reader.at = start
    rows: list[Row] = []
    address, file, line = 0, 1, 1
    while reader.at < end:
        code = reader.number(1)
        if code >= first:
            address += (code - first) // span * least
            line += base + (code - first) % span
            rows.append(Row(address, files.get(file, "?"), line))
        elif code == 0:
            size = reader.uleb()
            following = reader.at + size
            what = reader.number(1)
            if what == 1:
                rows.append(Row(address, "", 0))
                address, file, line = 0, 1, 1
            elif what == 2:
                address = reader.number(size - 1)
            reader.at = following
        elif code == 1:
            rows.append(Row(address, files.get(file, "?"), line))
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
    return files, rows


def _files4(reader: Reader) -> dict[int, str]:
    while reader.string():
        pass
    found: dict[int, str] = {}
    while name := reader.string():
        found[len(found) + 1] = name
        for _ in range(3):
            reader.uleb()
    return found


def _files5(reader: Reader, offset: int, sections: Sections) -> dict[int, str]:
    found: dict[int, str] = {}
    for table in ("folders", "files"):
        formats = [(reader.uleb(), reader.uleb()) for _ in range(reader.number(1))]
        for number in range(reader.uleb()):
            for what, form in formats:
                value = _value(reader, form, offset, 8, sections)
                if table == "files" and what == 1:
                    found[number] = str(value)
    return found


# ---- entries: of interest are inlined calls -------------------------------------------------------------

_INLINED = 0x1D
_LOW, _HIGH, _RANGES, _CALL_FILE, _CALL_LINE = 0x11, 0x12, 0x55, 0x58, 0x59
_LINES, _ADDRESSES, _RANGE_LISTS = 0x10, 0x73, 0x74
_SIZES = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16, 0x0C: 1, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x20: 8}
_SIZES |= {0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4}
_BLOCKS = {0x0A: 1, 0x03: 2, 0x04: 4}
_INDEXED = (0x1B, 0x29, 0x2A, 0x2B, 0x2C)  # an address by its number
_RANGE_BY_NUMBER = 0x23


def _value(reader: Reader, form: int, offset: int, address: int, sections: Sections) -> str | int:
    """An attribute's value; numbers for all that isn't a text in place."""
    match form:
        case 0x01:
            return reader.number(address)
        case 0x08:
            return reader.string()
        case 0x1F:
            return string(sections[".debug_line_str"], reader.number(offset))
        case 0x0E:
            return string(sections[".debug_str"], reader.number(offset))
        case 0x0F | 0x15 | 0x1A | 0x1B | 0x22 | 0x23:
            return reader.uleb()
        case 0x0D:
            return reader.sleb()
        case 0x10 | 0x17:
            return reader.number(offset)
        case 0x19:
            return 1
        case 0x18 | 0x09:
            size = reader.uleb()
            reader.at += size
            return 0
        case _ if form in _BLOCKS:
            size = reader.number(_BLOCKS[form])
            reader.at += size
            return 0
        case _ if form in _SIZES:
            return reader.number(_SIZES[form])
        case _:
            raise IndexError(f"form {form:#x}")


@dataclass(frozen=True)
class _Shape:
    """What an entry of one kind consists of: tag, and attributes with forms and constants."""

    tag: int
    parent: bool
    attributes: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class _Unit:
    """A unit of .debug_info: from its first entry to its end."""

    sections: Sections
    start: int
    end: int
    version: int
    offset: int
    address: int
    shapes: Mapping[int, _Shape]

    def calls(self, files: Mapping[int, Mapping[int, str]]) -> Iterator[Call]:
        reader = Reader(self.sections[".debug_info"], self.start)
        top: dict[int, tuple[int, int]] | None = None
        named: Mapping[int, str] = {}
        while reader.at < self.end:
            shape = self.shapes.get(reader.uleb())
            if shape is None:
                continue  # the end of a list of children
            values: dict[int, tuple[int, int]] = {}
            for name, form, constant in shape.attributes:
                value = constant if form == 0x21 else self._read(reader, form)
                if isinstance(value, int):
                    values[name] = form, value
            if top is None:
                top = values
                named = files.get(top.get(_LINES, (0, 0))[1], {})
            elif shape.tag == _INLINED and _CALL_LINE in values:
                file = named.get(values.get(_CALL_FILE, (0, 0))[1], "?")
                for low, high in self._extent(values, top):
                    yield Call(low, high, file, values[_CALL_LINE][1])

    def _read(self, reader: Reader, form: int) -> str | int:
        return _value(reader, form, self.offset, self.address, self.sections)

    def _extent(
        self, values: Mapping[int, tuple[int, int]], top: Mapping[int, tuple[int, int]]
    ) -> Iterator[tuple[int, int]]:
        base = top.get(_ADDRESSES, (0, 0))[1]
        if _RANGES in values:
            start = self._address(top[_LOW], base) if _LOW in top else 0
            form, at = values[_RANGES]
            if form == _RANGE_BY_NUMBER:
                lists = top.get(_RANGE_LISTS, (0, 0))[1]
                entry = Reader(self.sections[".debug_rnglists"], lists + at * self.offset)
                at = lists + entry.number(self.offset)
            yield from self._ranges(at, start, base)
        elif _LOW in values and _HIGH in values:
            low = self._address(values[_LOW], base)
            form, high = values[_HIGH]
            yield low, high if form == 0x01 else low + high

    def _address(self, value: tuple[int, int], base: int) -> int:
        form, number = value
        if form not in _INDEXED:
            return number
        return Reader(self.sections[".debug_addr"], base + number * self.address).number(self.address)

    def _ranges(self, at: int, base: int, addresses: int) -> Iterator[tuple[int, int]]:
        if self.version < 5:
            reader = Reader(self.sections[".debug_ranges"], at)
            while True:
                low, high = reader.number(self.address), reader.number(self.address)
                if low == high == 0:
                    return
                if low == (1 << 8 * self.address) - 1:
                    base = high
                else:
                    yield base + low, base + high
        reader = Reader(self.sections[".debug_rnglists"], at)
        while code := reader.number(1):
            match code:
                case 1:
                    base = self._address((0x1B, reader.uleb()), addresses)
                case 2:
                    low = self._address((0x1B, reader.uleb()), addresses)
                    yield low, self._address((0x1B, reader.uleb()), addresses)
                case 3:
                    low = self._address((0x1B, reader.uleb()), addresses)
                    yield low, low + reader.uleb()
                case 4:
                    low = reader.uleb()
                    yield base + low, base + reader.uleb()
                case 5:
                    base = reader.number(self.address)
                case 6:
                    low = reader.number(self.address)
                    yield low, reader.number(self.address)
                case 7:
                    low = reader.number(self.address)
                    yield low, low + reader.uleb()
                case _:
                    raise IndexError(f"range of kind {code}")


def _units(sections: Sections) -> Iterator[_Unit]:
    reader = Reader(sections.get(".debug_info", b""))
    while reader.at + 4 < len(reader.data):
        end, offset = reader.length()
        version = reader.number(2)
        if version >= 5:
            kind = reader.number(1)
            address = reader.number(1)
            shapes = reader.number(offset)
            if kind != 1:  # type units and skeletons have no code
                reader.at = end
                continue
        else:
            shapes = reader.number(offset)
            address = reader.number(1)
        yield _Unit(sections, reader.at, end, version, offset, address, _shapes(sections, shapes))
        reader.at = end


def _shapes(sections: Sections, at: int) -> dict[int, _Shape]:
    reader = Reader(sections[".debug_abbrev"], at)
    found = {}
    while number := reader.uleb():
        tag, parent = reader.uleb(), bool(reader.number(1))
        attributes = []
        while True:
            name, form = reader.uleb(), reader.uleb()
            constant = reader.sleb() if form == 0x21 else 0
            if name == form == 0:
                break
            attributes.append((name, form, constant))
        found[number] = _Shape(tag, parent, tuple(attributes))
    return found
