"""The functions of half precision are CUDA's: each that lowering knows, in both types, is declared there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from nvcc_kit import NVCC, nvcc

from s2sad import ir, irtext
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.parse.lower import half_precision
from s2sad.parse.types import half_functions, types
from s2sad.pipeline import read
from s2sad.run.float_widening import Real
from s2sad.run.registry import find
from s2sad.signature import Argument, Signature
from s2sad.source import Source
from s2sad.validate.elements import nearest

TESTS = ("__heq", "__hne", "__hlt", "__hle", "__hgt", "__hge")


def calls() -> Iterator[str]:
    """A statement for each function."""
    for name, function in half_functions.FUNCTIONS.items():
        for half, end in (("__half", ""), ("__nv_bfloat16", "2")):
            made = f"{half}2" if function.pairs else half
            args = ", ".join(v + end for v in ("pqr" if function.pairs else "abc")[: function.count])
            if name in TESTS:
                both = ", ".join(v + end for v in "pq")
                yield f"{{ bool made = __hb{name[3:]}2({both}); (void)made; }}"
                made = "bool"
            yield f"{{ {made} made = {name}({args}); (void)made; }}"
    for name, (source, target) in half_precision._CONVERSIONS.items():
        value = {"__half": "a", "__nv_bfloat16": "a2"}.get(source.name, f"({source.name})3")
        yield f"{{ {target.name} made = {name}({value}); (void)made; }}"
    for word, value in (("half", "a"), ("bfloat16", "a2")):
        for whole, type in (("int", "int"), ("uint", "unsigned"), ("ll", "long long")):
            for mode in ("rn", "rz", "rd", "ru"):
                yield f"{{ {type} made = __{word}2{whole}_{mode}({value}); (void)made; }}"
    for name, (source, which, made_of) in half_precision._FROM_NUMBERS.items():
        value = {"__half": "a", "__nv_bfloat16": "a2"}.get(source.name, "3.0f")
        yield f"{{ {made_of.name} made = {name}({', '.join([value] * len(set(which)))}); (void)made; }}"
    for name in half_precision._FROM_PAIRS:
        ends = ("", "2") if name == "__lowhigh2highlow" else ("2",) if "bfloat" in name else ("",)
        for end in ends:
            given = "v" if name.startswith("__float2") else f"p{end}"
            made = "float2" if "2float2" in name else pair(end)
            yield f"{{ {made} made = {name}({given}); (void)made; }}"
    for name in half_precision._OF_TWO:
        end = "2" if "bfloat" in name else ""
        yield f"{{ {pair(end)} made = {name}(p{end}, q{end}); (void)made; }}"
    for name, (_, wide) in half_precision._PARTS.items():
        for half, end in (("__half", ""), ("__nv_bfloat16", "2")):
            if wide or ("bfloat" in name) == bool(end):
                yield f"{{ {'float' if wide else half} made = {name}(p{end}); (void)made; }}"


def pair(end: str) -> str:
    return "__nv_bfloat162" if end else "__half2"


def unit() -> str:
    parameters = "__half a, __half b, __half c, __half2 p, __half2 q, __half2 r, float2 v, "
    parameters += "__nv_bfloat16 a2, __nv_bfloat16 b2, __nv_bfloat16 c2, "
    parameters += "__nv_bfloat162 p2, __nv_bfloat162 q2, __nv_bfloat162 r2, float *out"
    body = "\n".join(f"    {call}" for call in calls())
    headers = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
    return f'{headers}extern "C" __global__ void all({parameters})\n{{\n{body}\n    out[0] = v.x;\n}}\n'


@pytest.mark.skipif(NVCC is None, reason="NO NVCC")
def test_cuda_has_each_of_them(tmp_path: Path) -> None:
    file = tmp_path / "all.cu"
    file.write_text(unit(), encoding="utf-8")
    assert nvcc("-c", "-o", str(tmp_path / "all.o"), str(file)) == ""


@pytest.mark.parametrize("real", ["float", "double"])
def test_the_cpu_has_each_of_them(real: Real) -> None:
    find("cpu").compile(unit(), [], real=real)


def test_lowering_knows_each_of_them() -> None:
    read(Source("all.cu", unit()), Options())


CASES = np.concatenate(
    [
        np.random.default_rng(1).normal(size=500) * 10.0 ** np.random.default_rng(2).integers(-9, 9, 500),
        [0.0, -0.0, 1.0, 65504.0, 65519.9, 65520.0, 2.0**-24, 2.0**-25, 3 * 2.0**-25, 6.0e-5, 1e30, -3e38],
        [1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, np.inf, -np.inf],
    ]
).astype(np.float32)


@pytest.mark.parametrize("half", [ir.HALF, ir.BFLOAT16], ids=lambda t: t.name)
def test_all_round_in_one_way(half: ir.Scalar) -> None:
    """The compiled header, constants in the front end, and what a check rounds its data to."""
    to = "__float2half" if half == ir.HALF else "__float2bfloat16"
    text = f"__global__ void k(const float *x, {half.name} *y) {{ y[threadIdx.x] = {to}(x[threadIdx.x]); }}"
    signature = Signature("k", (Argument("x", "float", True, const=True), Argument("y", half.name, True)))
    module = find("cpu").compile(text, [signature])
    made = np.zeros(CASES.size, np.float16 if half == ir.HALF else np.float32)
    module.launch(signature, (1, 1, 1), (CASES.size, 1, 1), {"x": CASES, "y": made})
    with np.errstate(over="ignore"):
        assert np.array_equal(made, nearest(CASES, half.name))
    assert [float(v) for v in made] == [types.wrap(float(x), half) for x in CASES]


def test_a_pair_may_first_be_named_where_it_is_added() -> None:
    text = """#include <cuda_fp16.h>
__global__ void k(const half *x, half *y)
{ atomicAdd((half2 *)&y[2 * threadIdx.x], __halves2half2(x[0], x[1])); }"""
    shown = irtext.show(read(Source("k.cu", text), Options()).kernel)
    assert shown.count("atomicAdd(&y[") == 2, shown


def refused(statement: str) -> str:
    text = f"#include <cuda_fp16.h>\n__global__ void k(half *x, half2 *p, float *f) {{ {statement} }}"
    with pytest.raises(Rejected) as caught:
        read(Source("k.cu", text), Options())
    return str(caught.value.diagnostics[0].title)


@pytest.mark.parametrize(
    ("statement", "title"),
    [
        ("x[0] = x[1] * f[0];", "`*` of __half and float"),
        ("x[0] = __hadd2(p[0], p[1]);", "`__hadd2` gives a pair where a number is expected"),
        ("p[0] = __hadd2(x[0], x[1]);", "no `__hadd2` takes (__half, __half)"),
        ("x[0] = __hadd(f[0], f[1]);", "no `__hadd` takes (float, float)"),
        (
            "x[0] = __float2half_rz(f[0]);",
            "unsupported half-precision function `__float2half_rz`",
        ),
        ("f[0] = *(float *)&x[0];", "the bits of a value are read as another type"),
    ],
)
def test_what_isnt_known_is_refused(statement: str, title: str) -> None:
    assert refused(statement) == title
