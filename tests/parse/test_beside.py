"""Further files of a project, which define what a file only declares: `--include FILE`."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2sad import files, parse
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform

MAIN = """
#include "shared.h"
#define N 4
__device__ float far(float v);
__device__ float near(float v) { return v * N; }
static __device__ float own(float v) { return 2.0f * v; }
__global__ void kernel(const float *x, float *y) { y[threadIdx.x] = far(x[threadIdx.x]) + near(own(x[0])); }
"""
TWO = ("means-two-things",)
SHARED = "typedef float real;\nconst float HALF = 0.5f;\n"


def refused(folder: Path, there: str, main: str = MAIN, shared: str = SHARED) -> tuple[str, ...]:
    """The codes for what a file says beside the main one."""
    (folder / "main.cu").write_text(main)
    (folder / "shared.h").write_text(shared)
    (folder / "far.cu").write_text(there)
    try:
        parse.program(files.read(str(folder / "main.cu")), includes=(folder / "far.cu",))
    except Rejected as rejected:
        return tuple(d.code.slug for d in rejected.diagnostics)
    return ()


@pytest.mark.parametrize(
    ("there", "codes"),
    [
        ("__device__ float far(float v) { return v * v; }", ()),
        ('#include "shared.h"\n__device__ float far(real v) { return HALF * v; }', ()),
        ("const float HALF = 0.5f;\n__device__ float far(float v) { return HALF * v; }", ()),
        ("__global__ void kernel(float *x) { x[0] = 1; } __device__ float far(float v) { return v; }", ()),
        ("int main() { return 0; }\n__device__ float far(float v) { return v; }", ()),
        ("__device__ float nearer(float v) { return v; }", ("not-defined",)),
        ("const float HALF = 0.25f;\n__device__ float far(float v) { return HALF * v; }", TWO),
        (
            "static __device__ float own(float v) { return v; }\n"
            "__device__ float far(float v) { return own(v); }",
            TWO,
        ),
        (
            "__device__ float far(float v) { return v; }\n__device__ float far(int v) { return 2.0f * v; }",
            TWO,
        ),
        ("__device__ float far(float v) { return v; }\nstruct real { float v; };", TWO),
        ("#define HALF_TOO\n__device__ float far(float v) { return near(v); }", ()),
    ],
)
def test_what_a_file_defines_is_taken_where_it_means_the_same(
    there: str, codes: tuple[str, ...], tmp_path: Path
) -> None:
    assert refused(tmp_path, there) == codes


def test_a_function_of_cuda_that_one_file_has_itself_is_refused(tmp_path: Path) -> None:
    own = "static __device__ float sinf(float v) { return v; }\n__device__ float far(float v) { return v; }"
    assert refused(tmp_path, own) == ()
    assert refused(tmp_path, own, MAIN.replace("far(x", "sinf(x")) == TWO
    here = MAIN.replace("own", "sinf")
    assert refused(tmp_path, "__device__ float far(float v) { return sinf(v); }", here) == TWO


def test_a_header_that_reads_otherwise_in_the_other_file_is_refused(tmp_path: Path) -> None:
    shared = "#ifdef FINE\n#define STEP 1\nconst float STEPS = 2;\n#else\nconst float STEPS = 1;\n#endif\n"
    there = '#define FINE\n#include "shared.h"\n__device__ float far(float v) { return STEPS * v; }'
    assert refused(tmp_path, there, shared=shared) == ("files-differ",)


def test_each_file_has_macros_of_its_own(tmp_path: Path) -> None:
    there = "#define N 3\n__device__ float far(float v) { return v * v * N; }"
    assert refused(tmp_path, there) == ()
    options = Options(of=("y",), wrt=("x",), includes=(str(tmp_path / "far.cu"),))
    text = transform(files.read(str(tmp_path / "main.cu")), options).text
    assert "2.0f * v * 3 * adj_far" in text
    assert "4 * g_y" in text
    assert "#define N" not in text
