"""The benchmarks' own arithmetic: their counts, and that their kernels can be differentiated."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import s2sad

FOLDER = Path(__file__).resolve().parent.parent / "benchmarks"
NAMES = ("sass", "generated", "length", "report", "candidates", "coverage", "cost")


@pytest.fixture(scope="module")
def benchmarks() -> Iterator[dict[str, ModuleType]]:
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        yield {name: importlib.import_module(name) for name in NAMES}
    finally:
        sys.path.remove(str(FOLDER))
        for name in set(sys.modules) - before:
            if name in NAMES:
                del sys.modules[name]


PRAGMA = "\n#pragma unroll 1\n"


@pytest.mark.parametrize(
    "loop",
    [
        "for (int k = 0; k < n; ++k) s += x[k];",
        "for (int k = last; k >= 0; --k) s += x[k];",
        "for (; k < 8; ++k) s += x[k];",
        "for (;;) { if (s > 9.0f) break; }",
        "while (s < 1.0f) s += 0.5f;",
        "do { s += 0.5f; } while (s < 1.0f);",
    ],
)
def test_a_loop_whose_trip_count_is_a_run_time_value_is_rolled_once(
    benchmarks: dict[str, ModuleType], loop: str
) -> None:
    text = f"void f() {{ {loop} }}"
    assert benchmarks["sass"].rolled(text) == f"void f() {{ {PRAGMA}{loop} }}"


@pytest.mark.parametrize(
    "loop",
    [
        "for (int k = 0; k < 8; ++k) s += x[k];",
        "for (int k = STEPS - 2; k >= 0; --k) s += x[k];",
        "for (int m = 4; m > 0; m /= 2) for (int k = 0; k < m; ++k) s += x[k];",
        "for (unsigned int k = 0u; k < 0x10; k += 2) s += x[k]; // while (n)",
    ],
)
def test_a_loop_of_constant_trips_is_left_to_the_compiler(
    benchmarks: dict[str, ModuleType], loop: str
) -> None:
    text = f"#define HALF 4\n#define STEPS (2 * HALF)\nvoid f() {{\n{loop}\n}}"
    assert benchmarks["sass"].rolled(text) == text


def test_the_counter_of_a_constant_loop_is_no_constant_behind_it(benchmarks: dict[str, ModuleType]) -> None:
    first = "for (int m = 0; m < 4; ++m) s += x[m];"
    second = "for (int k = 0; k < m; ++k) s += x[k];"
    assert benchmarks["sass"].rolled(f"{first} {second}") == f"{first} {PRAGMA}{second}"


def test_padding_and_the_last_branch_are_no_instructions(benchmarks: dict[str, ModuleType]) -> None:
    listing = (
        "\n.text.k:\n        /*0000*/                   MOV R1, c[0x0][0x28] ;\n"
        "        /*0010*/              @!P0 EXIT ;\n.L_x_0:\n"
        "        /*0020*/                   BRA `(.L_x_0);\n        /*0030*/                   NOP;\n"
        '\n\t.section\t.text.other,"ax"\n.text.other:\n        /*0000*/                   EXIT ;\n'
    )
    assert list(benchmarks["sass"]._instructions(listing, "k")) == ["MOV", "EXIT"]


def test_comments_and_blank_lines_are_no_lines_of_code(benchmarks: dict[str, ModuleType]) -> None:
    text = "// one\nint a; // two\n\n/* three\n   four */\nint b;\n"
    assert benchmarks["length"].code_lines(text) == ["int a; ", "int b;"]


def test_the_reverse_sweep_is_what_stands_below_its_banner(benchmarks: dict[str, ModuleType]) -> None:
    bytes_ = 'extern "C" size_t k_adj_tape_bytes(dim3 grid)\n{\n    return 16;\n}\n'
    kernel = (
        'extern "C" __global__ void k_adj(int n,\n                float *x)\n{\n    float y = x[0];\n'
        "    // ---- reverse sweep ------\n\n    // y\n    x[0] += y;\n    x[1] += y;\n}\n"
    )
    without = "__device__ void f_adj(float v)\n{\n    v = 1.0f;\n}\n"
    assert benchmarks["length"].reverse_lines(bytes_ + kernel + without) == 3


def test_what_two_adjoints_execute(benchmarks: dict[str, ModuleType]) -> None:
    """By hand there are eight sums over each block; without them, one atomic per thread and sum."""
    cost, kernels = benchmarks["cost"], FOLDER / "hand"
    pair = s2sad.transform(kernels / "horner.cu", of="y", wrt="x,c")._pair
    (mine, ours), (theirs, hand) = (
        cost.ran(p, "horner") for p in (pair, cost.beside(pair, kernels, "horner"))
    )
    assert cost.differ(ours, hand) == []
    assert theirs.global_memory.atomics == 4 * 8
    assert theirs.barriers == 4
    assert mine.global_memory.atomics in (4 * 8, 1000 * 8)


def test_what_is_compared_is_there() -> None:
    for name, asked in tomllib.loads((FOLDER / "comparisons.toml").read_text()).items():
        assert (FOLDER / asked.get("primal", f"hand/{name}.cu")).exists()
        for file in asked["hand"]:
            assert f"{name}_adj(" in (FOLDER / f"hand/{file}.cu").read_text()


@pytest.mark.parametrize(
    "shape",
    [
        *("straight", "loops", "chain", "in place", "choices"),
        *("one sum", "local stores", "row stores", "ifs"),
    ],
)
def test_generated_kernels_have_an_adjoint(benchmarks: dict[str, ModuleType], shape: str) -> None:
    text = benchmarks["generated"].SHAPES[shape](40)
    assert text.count(";") + text.count("if (") >= 40
    assert "adj_x[i] += " in s2sad.transform(text, name="big.cu", of="y", wrt="x,w").source


FOUND = """
typedef struct { float4 at; int id; } Body;
typedef unsigned char byte;
template <typename T, int N> __global__ void filtered(const T *x, T *y) { }
__global__ void moved(Body *bodies, int n) { bodies[0].id = n; }
__global__ void summed(const float *x, int *count) { }
__global__ void packed(const float *x, byte *y) { }
__global__ void scaled(const float *x, float *y) { y[0] = 2 * x[0]; }
__global__ void strewn(const float *x, const int *to, float *y) { y[to[threadIdx.x]] = x[threadIdx.x]; }
__global__ void filled(float *y) { y[0] = 1; }
__global__ void jumped(const float *x, float *y) { goto end; end: y[0] = x[0]; }
"""


def test_a_candidate_has_a_floating_array_that_it_may_write(
    benchmarks: dict[str, ModuleType], tmp_path: Path
) -> None:
    (tmp_path / "k.cu").write_text(FOUND)
    found = list(benchmarks["candidates"].candidates(tmp_path))
    assert [f.kernel for f in found] == ["filtered", "moved", "scaled", "strewn", "filled", "jumped"]


def test_a_file_that_another_one_includes_is_read_there(
    benchmarks: dict[str, ModuleType], tmp_path: Path
) -> None:
    (tmp_path / "k.cu").write_text("__global__ void scaled(const float *x, float *y) { y[0] = BY * x[0]; }\n")
    (tmp_path / "main.cu").write_text('#define BY 2\n#include "./k.cu"\n')
    (found,) = benchmarks["candidates"].candidates(tmp_path)
    assert (found.path.name, found.kernel) == ("main.cu", "scaled")


MAKEFILE = """
DP = no
FLAGS = -DBY=3
ifeq ($(DP),yes)
  FLAGS += -DDOUBLE
else
  FLAGS += -DSINGLE
endif
ifdef DEBUG
  FLAGS += -DDEBUG
endif
"""


def test_of_a_makefile_counts_what_make_without_arguments_reads(
    benchmarks: dict[str, ModuleType], tmp_path: Path
) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "k.cu").write_text("__global__ void scaled(const float *x, float *y) { y[0] = BY * x[0]; }\n")
    (found,) = benchmarks["candidates"].candidates(tmp_path)
    assert found.flags.defines == (("BY", "3"), ("SINGLE", "1"))


def test_coverage_says_what_becomes_of_each_candidate(
    benchmarks: dict[str, ModuleType], tmp_path: Path
) -> None:
    (tmp_path / "k.cu").write_text(FOUND)
    coverage = benchmarks["coverage"]
    asked = ("scaled", "strewn", "filled", "jumped")
    kernels = [f for f in benchmarks["candidates"].candidates(tmp_path) if f.kernel in asked]
    done = [coverage.judged(kernel, s2sad.options.Options()) for kernel in kernels]
    assert [(r.outcome, r.codes) for r in done] == [
        ("transformed", ()),
        ("parsed", ("shared-writer",)),
        ("no candidate", ("no-independent",)),
        ("refused", ("goto",)),
    ]
    figures = coverage.summary(done)
    assert (figures["candidates"], figures["parsed"], figures["refused at parsing"]) == (3, 2, {"goto": 1})
    assert (figures["transformed"], figures["with --assume as the refusal says"]) == (1, 1)
    assert done[1].assumed == "injective:to"
