"""Map addresses of a compiled library to lines of the text and to variables.

This reads an ELF file's symbol table and two tables of its debugging
information: the line program, which maps each address to the line it was compiled
from, and inlined calls, which map an address inside a function of our header
to the line of the text that called it. Other formats aren't supported: their
faults are reported without lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elftools.dwarf.compileunit import CompileUnit
    from elftools.dwarf.die import DIE
    from elftools.dwarf.dwarfinfo import DWARFInfo
    from elftools.dwarf.lineprogram import LineProgram
    from elftools.elf.elffile import ELFFile


@dataclass(frozen=True)
class Row:
    """The line of the instructions from this address on; an empty file ends a sequence."""

    address: int
    file: str
    line: int


@dataclass(frozen=True)
class Call:
    """A call inlined to these addresses, and its place."""

    low: int
    high: int
    file: str
    line: int


@dataclass(frozen=True)
class Variable:
    """A variable of the library: its unmangled name and its addresses.

    A `guard` is the compiler's flag that the constructor of a static variable has run.
    """

    name: str
    start: int
    size: int
    guard: bool = False


@dataclass(frozen=True)
class Lines:
    """The tables of one library; empty if there are none."""

    rows: tuple[Row, ...] = ()
    calls: tuple[Call, ...] = ()
    variables: tuple[Variable, ...] = ()
    _starts: tuple[int, ...] = field(default=(), repr=False)

    def line(self, place: int, file: str) -> int | None:
        """Return the line of `file` with the call that returns to `place`; None if it isn't known.

        If that call is in an inlined function of another file, return the line that calls the function.
        """
        inside = place - 1
        wanted = _base(file)  # compilers store a file's folder separately or with its name
        at = bisect_right(self._starts, inside) - 1
        if at >= 0 and _base(self.rows[at].file) == wanted and self.rows[at].line:
            return self.rows[at].line
        around = [c for c in self.calls if c.low <= inside < c.high and _base(c.file) == wanted]
        return around[-1].line if around else None

    def variable(self, place: int) -> Variable | None:
        """Return the variable at an address."""
        for variable in self.variables:
            if variable.start <= place < variable.start + max(variable.size, 1):
                return variable
        return None


def _base(file: str) -> str:
    return file.rsplit("/", 1)[-1]


@cache
def read(path: Path) -> Lines:
    """Read a library's tables."""
    from elftools.elf.elffile import ELFFile  # seldom needed, and slow to import

    # malformed files raise many kinds of errors, and only lines in messages are lost
    data = BytesIO(path.read_bytes())
    try:
        library = ELFFile(data)
        variables = tuple(_variables(library))
    except Exception:
        return Lines()
    try:
        rows, calls = _tables(library.get_dwarf_info()) if library.has_dwarf_info() else ([], [])
    except Exception:
        return Lines(variables=variables)
    return Lines(tuple(rows), tuple(calls), variables, tuple(row.address for row in rows))


def _variables(library: ELFFile) -> Iterator[Variable]:
    from elftools.elf.sections import SymbolTableSection

    table = library.get_section_by_name(".symtab")
    if isinstance(table, SymbolTableSection):
        for symbol in table.iter_symbols():
            if symbol["st_info"]["type"] == "STT_OBJECT" and symbol["st_shndx"] != "SHN_UNDEF":
                yield Variable(
                    plain_name(symbol.name),
                    symbol["st_value"],
                    symbol["st_size"],
                    symbol.name.startswith(_GUARD),
                )


def _tables(told: DWARFInfo) -> tuple[list[Row], list[Call]]:
    """Return rows by address, and calls, outer ones before those inside them."""
    rows: list[Row] = []
    calls: list[Call] = []
    for unit in told.iter_CUs():
        program = told.line_program_for_CU(unit)
        if program is not None:
            files = _files(program)
            rows += _rows(program, files)
            calls += _calls(unit, files)
    rows.sort(key=lambda row: (row.address, bool(row.file)))
    return rows, calls


def _files(program: LineProgram) -> dict[int, str]:
    """Number the files that a line program names: from 1 before DWARF 5, then from 0."""
    first = 0 if program["version"] >= 5 else 1
    return {n: entry.name.decode("utf-8", "replace") for n, entry in enumerate(program["file_entry"], first)}


def _rows(program: LineProgram, files: dict[int, str]) -> Iterator[Row]:
    for entry in program.get_entries():
        if (state := entry.state) is not None:
            ends = state.end_sequence
            yield Row(state.address, "" if ends else files.get(state.file, "?"), 0 if ends else state.line)


def _calls(unit: CompileUnit, files: dict[int, str]) -> Iterator[Call]:
    for entry in unit.iter_DIEs():
        if entry.tag == "DW_TAG_inlined_subroutine" and "DW_AT_call_line" in entry.attributes:
            where = entry.attributes.get("DW_AT_call_file")
            file = files.get(where.value, "?") if where else "?"
            for low, high in _extent(entry, unit):
                yield Call(low, high, file, entry.attributes["DW_AT_call_line"].value)


def _extent(entry: DIE, unit: CompileUnit) -> Iterator[tuple[int, int]]:
    """Yield the address ranges that an entry covers."""
    from elftools.dwarf.ranges import BaseAddressEntry

    low, high, ranges = (entry.attributes.get(f"DW_AT_{name}") for name in ("low_pc", "high_pc", "ranges"))
    lists = unit.dwarfinfo.range_lists()
    if ranges and lists:
        top = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
        base = top.value if top else 0
        for stretch in lists.get_range_list_at_offset(ranges.value, unit):
            if isinstance(stretch, BaseAddressEntry):
                base = stretch.base_address
            else:
                start = 0 if stretch.is_absolute else base
                yield start + stretch.begin_offset, start + stretch.end_offset
    elif low and high:
        yield low.value, high.value if high.form == "DW_FORM_addr" else low.value + high.value


_GUARD = "_ZGV"  # Itanium C++ ABI, 5.1.5.1


def plain_name(symbol: str) -> str:
    """Return the last name in a mangled one: `tile` of `_ZZN11cuda_on_cpu4stepEPfE4tile_0`."""
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
