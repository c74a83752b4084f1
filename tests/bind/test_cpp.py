"""The C++ library, built for the CPU with the engine's headers, and for a GPU where there is nvcc."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bind_kit import FOLDER
from nvcc_kit import NVCC, nvcc

from s2sad.engine import INCLUDE
from s2sad.run.cpu.compiler import FLAGS, compiler

RELAX = FOLDER / "relax_cpp"
REFUSED = """\
#include <cstdio>
#include "relax.hpp"
using namespace relax_op;
int main()
{
    float u[4] = {}, w[4] = {};
    Tape tape;
    for (const Status &status : {relax(u, w, -1, 1), relax(nullptr, w, 4, 1), relax(u, w, 1ll << 40, 1),
                                 relax(u, w, 0, 1), relax_forward(u, w, 4, 100, tape)})
        std::puts(status.error.c_str());
    std::printf("%zu\\n", tape.bytes);
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the objects of the library for the CPU."""
    made = tmp_path_factory.mktemp("cpp")
    command = compiler().command
    engine = [flag for flag in FLAGS if flag != "-shared"]
    for name in ("relax.cpp", "device_cpu.cpp", "primal_cpu.cpp", "adjoint_cpu.cpp"):
        kernels = name in ("primal_cpu.cpp", "adjoint_cpu.cpp")
        flags = [*engine, f"-I{INCLUDE}"] if kernels else ["-std=c++17", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(
            [*command, *flags, f"-I{RELAX}", "-c", RELAX / name, "-o", made / f"{name}.o"], check=True
        )
    return made


def program(library: Path, source: Path) -> str:
    """Link a program with the library, run it, and return what it printed."""
    made = library / source.stem
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{RELAX}"]
    subprocess.run([*compiler().command, *flags, source, *library.glob("*.o"), "-o", made, "-lm"], check=True)
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout


def test_the_library_passes_its_own_test(library: Path) -> None:
    assert "relative error" in program(library, RELAX / "test_relax.cpp")


def test_the_library_returns_errors(library: Path) -> None:
    source = library / "refused.cpp"
    source.write_text(REFUSED)
    assert program(library, source).splitlines() == [
        "relax: n = -1 isn't in the range 0 to 2147483647",
        "relax: u is null: pass memory of the device",
        "relax: n = 1099511627776 isn't in the range 0 to 2147483647",
        "",
        "",
        str(16 + 128 * 100 * 4),
    ]


@pytest.mark.skipif(not NVCC, reason="nvcc is missing")
@pytest.mark.parametrize("name", ["device_cuda.cu", "relax.cu", "relax_adj.cu"])
def test_nvcc_compiles_the_library(name: str, tmp_path: Path) -> None:
    assert nvcc("-std=c++17", "-c", str(RELAX / name), "-o", str(tmp_path / "made.o")) == ""
