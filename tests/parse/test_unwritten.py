"""What functions only read through pointers that aren't const, and what may be written."""

from __future__ import annotations

import pytest
from front import kernel, parsed
from pycparser import c_ast

from s2sad.parse.desugar import readonly_params

BEFORE = """\
typedef float real;
typedef float *reals;
struct View { float *at; float own[4]; };
__device__ float read(float *u, int i) { real v = u[i]; return v * u[i + 1]; }
__device__ void set(float *u, int i) { u[i] = 0.0f; }
__device__ float &at(float *u, int i) { return u[i]; }
"""

CASES = [
    ("float f(float *u, int i) { return u[i] + *(u + 1); }", ""),
    ("float f(float *u, float *v) { v[0] = u[0]; return 0.0f; }", "v"),
    ("float f(float *u, float *v, bool c) { (c ? u : v)[0] = 1.0f; return 0.0f; }", "u v"),
    ("float f(float *u, int i) { return read(u, i) + read(&u[i], 0); }", ""),
    ("float f(float *u, int i) { set(u + i, 0); return 1.0f; }", "u"),
    ("float f(float *u, int i) { at(u, i) = 1.0f; return 1.0f; }", "u"),
    ("float f(float *u, int i) { float *v = u + i; return v[0]; }", "u"),
    ("float f(float *u, int i) { float *v; v = &u[i]; v[0] = 1.0f; return 1.0f; }", "u"),
    ("float f(float *u, int i) { const float *v = &u[i]; return v[0]; }", ""),
    ("float f(float *u, int i) { const float *v = u; ((float *)v)[i] = 1.0f; return v[0]; }", "u"),
    ("float f(float *u, int i) { float &v = u[i]; v = 1.0f; return v; }", "u"),
    ("float f(float *u, int i) { const float &v = u[i]; return v; }", ""),
    ("float f(float *u, int i) { View v = {u}; v.at[i] = 1.0f; return 1.0f; }", "u"),
    ("float f(float *u, int i) { View v; v.own[0] = u[i]; return v.own[0]; }", ""),
    ("float f(float *u, int i) { View v; v.at = u; v.at[i] = 1.0f; return 1.0f; }", "u"),
    ("float f(float *u, int i) { return atomicAdd(&u[i], 1.0f); }", "u"),
    ("float f(float *u, float *v) { sincosf(u[0], v, v + 1); return v[0]; }", "v"),
    ("float f(float *u, int i) { auto v = u; v[i] = 1.0f; return 1.0f; }", "u"),
    ("float f(float *u, int i) { auto v = u[i]; v = 1.0f; return v; }", ""),
    ("float f(float *u, int i) { auto g = [&](int k) { u[k] = 1.0f; }; g(i); return 1.0f; }", "u"),
    ("float f(float *u, int i) { { float *u = 0; } return u[i]; }", ""),
    ("float f(reals u, int i) { u[i] = 1.0f; return 1.0f; }", "u"),
    ("float f(reals u, int i) { return -u[i]; }", ""),
    ("float f(View *v, int i) { return v->own[i]; }", ""),
    ("float f(View *v, int i) { float *w = v->at; w[i] = 1.0f; return 1.0f; }", "v"),
    ("float f(View *v, View w) { w = *v; w.at[0] = 1.0f; return 1.0f; }", "v w"),
    ("float f(float (&u)[4], float &v) { return u[0] * v; }", ""),
    ("float f(float (&u)[4], float &v) { v += u[1]; return v; }", "v"),
    ("float f(float &u) { return ++u; }", "u"),
    ("float *f(float *u, int i) { return u + i; }", "u"),
    ("View f(float *u, int i) { return {u}; }", "u"),
    ("float f(float *u, float *v) { float *w[2] = {u, v}; w[0][0] = 1.0f; return 1.0f; }", "u v"),
]


USES = "View v; reals r; real s; y[0] = read(y, 0) + f(y, n); set(y, 0); at(y, 0) = 1.0f;"


def _known(text: str) -> tuple[c_ast.Node, readonly_params.Known]:
    """The function `f` and what the file says."""
    syntax = parsed(kernel(USES, f"{BEFORE}{text}\n"))
    names = [node for nodes, _ in syntax.declarations for node in nodes if isinstance(node, c_ast.Typedef)]
    (function,) = (node for node in syntax.functions if node.decl.name == "f")
    return function, readonly_params.known(syntax.functions, names)


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_a_function_may_write_is_found_or_feared(text: str, expected: str) -> None:
    function, known = _known(f"__device__ {text}")
    names = [p.name for p in function.decl.type.args.params]
    found = {names[k] for k in readonly_params.writes(function, known)} - {"i"}
    assert found == set(expected.split())


def test_a_template_that_opens_no_fields_is_one_of_numbers() -> None:
    text = "template <typename T> __device__ T f(T *u, int i) { T v = u[i]; return v; }"
    assert not readonly_params.writes(*_known(text))
    text = "template <typename T> __device__ float f(T *u, int i) { T v = u[i]; return v.at[0] = 1.0f; }"
    assert readonly_params.writes(*_known(text)) == {0}
