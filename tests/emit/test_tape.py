"""The host function that sizes the tape counts what the protocol says, in 64 bits."""

from __future__ import annotations

import ctypes
import dataclasses
import shutil
import subprocess
from pathlib import Path

from emit_kit import implicit, kernel, local, num, op, relax, var

from s2sad.emit import render
from s2sad.emit.c_printer import Printer
from s2sad.emit.tape import widened
from s2sad.ir import INT, LLONG, UINT, Select, Sym
from s2sad.transform.unit import Adjoint, TapeRegion

N = Sym("n", INT, "parameter")
DIM3 = "struct dim3 { unsigned x, y, z; };\n#include <cstddef>\n"


def _host_function(text: str) -> str:
    return text[text.index("#ifndef __CUDACC_RTC__") :].split("#endif")[0] + "#endif\n"


class Dim3(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))


def _bytes(adjoint: Adjoint, tmp_path: Path, grid: Dim3, block: Dim3, *scalars: int) -> int:
    compiler = shutil.which("g++") or shutil.which("c++")
    assert compiler, "a C++ compiler is needed, as for the CPU backend"
    file, library = tmp_path / "host.cpp", tmp_path / "host.so"
    macros = "".join(m.text + "\n" for m in adjoint.program.macros.values())
    file.write_text(DIM3 + macros + _host_function(render(adjoint)))
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(file)], check=True)
    function = ctypes.CDLL(str(library)).relax_adj_tape_bytes
    function.restype = ctypes.c_size_t
    return int(function(grid, block, *scalars))


def test_each_region_is_rounded_up_to_sixteen_bytes_and_nothing_overflows(tmp_path: Path) -> None:
    n = relax().program.kernel.syms[-1]
    regions = (
        TapeRegion("tape_s", "float", op("+", op("*", var(n), var(n)), num(1))),
        TapeRegion("tape_b", "unsigned char", num(3)),
        TapeRegion("tape_d", "double", Select(op(">", op("*", var(n), num(2)), num(0)), var(n), num(0), INT)),
    )
    adjoint = dataclasses.replace(relax(), tape=regions)
    size, threads = 70000, 3 * 5 * 2 * 32 * 1 * 1
    counted = 16
    for elements, each in ((size * size + 1, 4), (3, 1), (size, 8)):
        counted += (threads * elements * each + 15) // 16 * 16
    assert _bytes(adjoint, tmp_path, Dim3(3, 5, 2), Dim3(32, 1, 1), size) == counted


def test_parameters_called_as_ours_get_their_way() -> None:
    grid = Sym("grid", INT, "parameter")
    adjoint = relax(tape=True)
    program = dataclasses.replace(adjoint.program, kernel=kernel("relax", (grid,), ()))
    text = render(dataclasses.replace(adjoint, program=program))
    assert "relax_adj_tape_bytes(dim3 grid_, dim3 block, int grid)" in text
    assert "(size_t)grid_.x * grid_.y" in text


def test_counts_are_widened_where_they_could_overflow_and_only_there() -> None:
    m, u = local("m", INT), local("u", UINT)
    shown = [
        (var(N), "n"),
        (op("*", var(N), var(m)), "(long long)n * m"),
        (op("/", op("+", var(N), num(3)), num(4)), "((long long)n + 3) / 4"),
        (implicit(var(u), INT), "(int)u"),
        (Select(op(">", var(N), num(0)), var(N), num(0), INT), "n > 0 ? n : 0"),
    ]
    for expr, text in shown:
        assert Printer().converted(widened(expr), LLONG) == text
