"""Declarations as the scanner reads them, and what parameters hold and mean."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import s2sad
from s2sad.auditing import reading, structs, types, wrapping
from s2sad.auditing.matching import Match, match
from s2sad.diagnostics import Diagnostic, Rejected
from s2sad.source import Source

TEXT = """\
#include <torch/extension.h>
#define DEVICE __device__ __forceinline__
#define KERNEL __global__ void
typedef float real;
using row_t = const real *;
namespace outer { namespace {
template <typename T> struct Vec { T x, y; DEVICE T dot(Vec o) const { return x * o.x + y * o.y; } };
struct Mixed { float a; int b; };
struct Two { float *p, *q; };
template <typename T, int N> struct View { T *p; int sizes[N]; };
DEVICE float used(float v) { return v; }
DEVICE float unused(float v) { return v; }
template <typename scalar_t, int N = 4, bool kFlag = true>
KERNEL k(const scalar_t *__restrict__ const a, row_t b, real c[3], Vec<scalar_t> *v, Vec<double> w,
         const at::PackedTensorAccessor32<scalar_t, 3, at::RestrictPtrTraits> t, View<float, 2> view,
         unsigned long long int n = 3, const std::int64_t m = 4, float3 *f)
{
    a[0]; used(1);
}
KERNEL mixed(Mixed m) {}
KERNEL two(Two t) {}
KERNEL deep(float **p) {}
KERNEL half_precision(__half *h) {}
template <int N> KERNEL open_size(float *p) {}
} }
void host() { outer::k<float, 8, false><<<1, 2>>>(); }
"""


def file() -> reading.File:
    return reading.read(Source("text.cu", TEXT))


def held(name: str) -> dict[str, types.Held]:
    read = file()
    kernel = read.kernel(name)
    assert kernel is not None
    entry = wrapping.entry(read, kernel, {})
    return {n: entry.holds(n) for n in entry.names}


def test_a_kernel_is_read_with_its_namespaces_and_template() -> None:
    kernel = file().kernel("k")
    assert kernel is not None
    assert kernel.scope == "outer::"
    assert [(p.name, p.kind, p.default) for p in kernel.template] == [
        ("scalar_t", "typename", ""),
        ("N", "int", "4"),
        ("kFlag", "bool", "true"),
    ]
    assert [p.name for p in kernel.parameters] == ["a", "b", "c", "v", "w", "t", "view", "n", "m", "f"]


def test_parameters_hold_numbers_arrays_structs_and_tensors() -> None:
    found = held("k")
    assert found["a"] == types.Held("array", "float", True)
    assert found["b"] == types.Held("array", "float", True)
    assert found["c"] == types.Held("array", "float", False)
    assert found["v"] == types.Held("array", "float", False, 0)
    assert found["w"] == types.Held("object", "double", True, 0)
    assert found["t"] == types.Held("tensor", "float", False, rank=3)
    assert found["view"] == types.Held("tensor", "float", False)
    assert found["n"] == types.Held("number", "unsigned long long int", True)
    assert found["m"] == types.Held("number", "int64_t", True)
    assert found["f"] == types.Held("array", "float", False, 3)


def test_a_launch_says_the_template_arguments_that_it_can() -> None:
    read = file()
    kernel = read.kernel("k")
    assert kernel is not None
    assert wrapping.entry(read, kernel, {}).template == ("float", "8", "false")
    assert wrapping.entry(read, kernel, {"N": "2", "scalar_t": "double"}).template == ("double", "2", "false")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("mixed", "audit-parameter"),
        ("two", "audit-parameter"),
        ("deep", "audit-parameter"),
        ("half_precision", "unsupported-type"),
        ("open_size", "audit-template"),
    ],
)
def test_what_cannot_be_passed_is_refused_at_its_place(name: str, code: str) -> None:
    with pytest.raises(Rejected) as refused:
        held(name)
    (found,) = refused.value.diagnostics
    assert isinstance(found, Diagnostic)
    assert found.code.slug == code
    assert found.span is not None


def test_members_of_structs_are_found() -> None:
    assert structs.find(file(), "Vec") == structs.Struct(("T",), (), ("T", "T"))
    assert structs.find(file(), "Two") == structs.Struct((), ("float", "float"), ())
    assert structs.find(file(), "View") == structs.Struct(("T", "N"), ("T",), ("int",))
    assert structs.find(file(), "nothing") is None


def test_the_text_that_is_compiled_has_what_the_kernel_needs_on_its_lines() -> None:
    read = file()
    kernel = read.kernel("k")
    assert kernel is not None
    text = wrapping.text([wrapping.entry(read, kernel, {})], {"k": {"t": (2, 3, 4), "view": (5, 6)}})
    assert "float used (" in text
    assert "unused" not in text
    assert "host" not in text.replace("__host__", "")
    assert '#line 14 "text.cu"' in text or '#line 13 "text.cu"' in text


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("x", Match("value", "x")),
        ("adj_x", Match("adjoint", "x")),
        ("grad_x", Match("adjoint", "x")),
        ("x_grad", Match("adjoint", "x")),
        ("dx", Match("adjoint", "x")),
        ("d_x", Match("adjoint", "x")),
        ("dL_dx", Match("adjoint", "x")),
        ("gradInputData", Match("adjoint", "input_data")),
        ("inputData", Match("value", "input_data")),
        ("dh", Match("value", "dh")),
        ("ddh", Match("adjoint", "dh")),
        ("special", Match("adjoint", "h")),
        ("saved", Match("value", "x")),
        ("tape", Match("own")),
        ("workspace", Match("own")),
    ],
)
def test_a_parameter_means_what_its_name_says(name: str, meaning: Match) -> None:
    forward = ("x", "h", "dh", "input_data")
    assert match(name, forward, {"h": "special"}, {"saved": "x"}) == meaning


def test_an_audit_knows_nothing_of_the_transformation() -> None:
    folder = Path(s2sad.__file__).parent / "auditing"
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 2 and node.module:
                part = node.module.split(".")[0]
                # options: what is asked of the reader, for the forward as s2sad reads it (`Job.printed`)
                known = ("source", "diagnostics", "signature", "options", "parse", "run", "validate")
                assert part in (*known, "case_options", "entries", "python_strings", "toml_file"), path.name
                if part == "parse":
                    modules = {node.module.split(".")[-1]} | {alias.name for alias in node.names}
                    texts = {"pp_tokens", "toplevel", "brackets", "preprocess", "self_contained_text"}
                    assert modules & texts, path.name
                    assert node.module.startswith("parse.source"), path.name
