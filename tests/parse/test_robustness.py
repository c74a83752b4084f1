"""Damaged files: whatever is wrong is a diagnostic, never a traceback.

Seeds are fixed; a failure prints the text.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from s2sad.diagnostics import Rejected
from s2sad.parse import reading
from s2sad.parse.depth import deep
from s2sad.parse.syntax.translation_unit import Syntax
from s2sad.source import Source

EXAMPLE = (Path(__file__).parents[2] / "examples" / "relax.cu").read_text()
OTHER = """\
#include "params.h"
#define N 16
#define SQ(x) ((x) * (x))
#ifdef FAST
#define F(x) __sinf(x)
#else
#define F(x) sinf(x)
#endif
typedef float real;
enum Mode { A, B = 3 };
const real w[N] = {1.f, 0x1p-3f};
template <typename T> T twice(T t) { return t + t; }
__device__ __forceinline__ real f(real v) { return SQ(v) * w[1] + F(v); }
// s2sad: --of y --wrt x
extern "C" __global__ void __launch_bounds__(256) k(const float *__restrict__ x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j(0);
    real t[N] = {};
#pragma unroll
    for (int q = 0; q < N; ++q)
        t[q] = float(q) - static_cast<real>(n) * f(x[i]);
    switch (n) { case A: case B: y[i] = t[0]; break; default: y[i] += std::max(t[1], (real)j); }
    do { y[i] *= i < n ? -1.5e-3f : 'a'; } while (--n > 0 && !j);
}
int main() { auto l = [&](int x) { return x; }; k<<<1, 2>>>(nullptr, nullptr, 3); }
"""
PIECES = re.findall(
    r"\S+",
    """
        ( ) { } [ ] ; , < > << >> = ? : :: & && . -> ... # ## \\ " ' ` @ $ % ~ ! /* */ // 0x 1'0 1.2.3
    08 1uu     '' 'ab' if else for while do switch case default break continue return goto struct union
    enum class     typedef template typename auto const static extern "C" void int float double unsigned
    long bool char sizeof     new delete throw try catch this operator namespace using static_cast<
    reinterpret_cast< __global__ __device__     __shared__ __constant__ __launch_bounds__( asm inline
    float( (float) float{ noexcept nullptr true R"( )"     u8"a" <<< >>> std:: _Pragma( __VA_ARGS__
    __LINE__ real N SQ( F x y
    """,
)
LINES = [
    *(
        "#if 1",
        "#else",
        "#endif",
        "#elif N",
        "#define",
        "#define N",
        "#define SQ",
        "#undef N",
        '#include "a"',
    ),
    *("#pragma", "#pragma once", "#pragma unroll", "#error", "#line 3", "#pragma s2sad of(y)"),
    "// s2sad: --wrt x",
]


def damaged(rng: random.Random) -> str:
    text = rng.choice([EXAMPLE, OTHER])
    for _ in range(rng.choice([1, 1, 2, 4])):
        words = re.findall(r"\w+|\s+|.", text, re.DOTALL)
        at = rng.randrange(len(words))
        match rng.randrange(6):
            case 0:
                del words[at:]
            case 1:
                del words[at : at + rng.randrange(1, 9)]
            case 2:
                words.insert(at, rng.choice(PIECES))
            case 3:
                words[at] = rng.choice(PIECES)
            case 4:
                words.insert(at, f"\n{rng.choice(LINES)}\n")
            case _:
                other = rng.randrange(len(words))
                words[at], words[other] = words[other], words[at]
        text = "".join(words) or " "
    return text


def read_all(text: str) -> None:
    """List the kernels, parse each, and ask for the place of every node."""
    source = Source("k.cu", text)
    try:
        file = reading.File.read(source)
        names = dict.fromkeys(kernel.name for kernel in file.kernels)
    except Rejected as error:
        check(error)
        return
    for name in names:
        try:
            found = file.parse(name)
        except Rejected as error:
            check(error)
            continue
        for root in (found.kernel, *found.functions, *found.constants, *found.types):
            visit(found, root)


def visit(found: Syntax, node: Any) -> None:
    span = found.span(node)
    assert 0 <= span.start <= span.end <= len(span.source.text)
    found.spelling(node)
    for _, child in node.children():
        visit(found, child)


def check(error: Rejected) -> None:
    assert error.diagnostics
    for d in error.diagnostics:
        assert d.title
        assert d.span is not None
        assert "None" not in f"{d.span} {d.title} {d.label} {d.note} {d.help}"


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_file_is_parsed_or_refused(seed: int) -> None:
    rng = random.Random(seed)

    def run() -> None:
        for _ in range(40):
            text = damaged(rng)
            try:
                read_all(text)
            except Exception:
                print(text)
                raise

    deep(run)


def test_every_beginning_of_a_file_is_parsed_or_refused() -> None:
    words = re.findall(r"\w+|\s+|.", OTHER, re.DOTALL)
    deep(lambda: [read_all("".join(words[:n])) for n in range(0, len(words), 3)])


def test_a_file_without_each_of_its_tokens_is_parsed_or_refused() -> None:
    words = re.findall(r"\w+|\s+|.", OTHER, re.DOTALL)
    deep(lambda: [read_all("".join(words[:n] + words[n + 1 :])) for n in range(0, len(words), 5)])
