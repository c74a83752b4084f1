"""Hessians by name: a diagonal only where it is one, and columns as directions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sad
from s2sad.diagnostics import Code, Rejected

N = 12
HEAD = (
    "__global__ void k(const float *x, const float *w, const int *at, float a, float b, float *y, int n)\n{\n"
)
HEAD += "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n"

# A body, and the independent.
DIAGONAL = {
    "one statement": ("y[i] = expf(x[i]) * w[i] + x[i] * x[i];", "x"),
    "through a variable": ("float s = sinf(x[i]); float t = s * w[i]; y[i] = t * t;", "x"),
    "through an index": ("int j = n - 1 - i; float s = x[j]; y[i] = s * s * s;", "x"),
    "a loaded index": ("float s = x[at[i]]; y[i] = s * s * w[i];", "x"),
    "in a loop": (
        "float s = 0.0f; LOOP { float d = x[START + k]; s += d * d * d; } y[i] = s;",
        "x",
    ),
    "a branch": ("if (w[i] > 0.0f) y[i] = x[i] * x[i] * x[i]; else y[i] = cosf(x[i]);", "x"),
    "a choice by another element": ("y[i] = x[(i + 1) % n] > 0.0f ? x[i] * x[i] : x[i];", "x"),
    "of a number": ("y[i] = expf(a * w[i]) * a;", "a"),
    "a linear function of others": ("y[i] = x[i] * x[i] + 3.0f * x[(i + 1) % n];", "x"),
}
# Each is near one of those.
OTHERS = {
    "a product with another element": ("y[i] = x[i] * x[(i + 1) % n];", "x"),
    "two independents": ("y[i] = x[i] * x[i] * w[i];", "x,w"),
    "two numbers": ("y[i] = a * a * b * w[i];", "a,b"),
    "a number and an array": ("y[i] = a * x[i] * x[i];", "x,a"),
    "a variable of the iteration before": (
        "float s = 0.0f, d = 1.0f; LOOP { s += d * x[START + k]; d = x[START + k]; } y[i] = s;",
        "x",
    ),
    "a sum": ("float s = 0.0f; LOOP s += x[START + k]; y[i] = s * s;", "x"),
    "a step that carries": (
        "float s = 0.0f; LOOP s = s * s + x[START + k]; y[i] = s;",
        "x",
    ),
    "an index that changes": ("int j = i; float s = x[j]; j = (j + 1) % n; y[i] = s * x[j];", "x"),
    "a variable that a break leaves": (
        "float s = 0.0f; LOOP { s = x[k] * x[i]; if (w[k] > 0.2f) break; s = 1.0f; } y[i] = s;",
        "x",
    ),
    "a switch that falls through": (
        "float s = x[0]; switch (at[i] % 3) {"
        " case 0: s = 1.0f; case 1: s = s * x[i]; break; default: s = 2.0f; }"
        " y[i] = s;",
        "x",
    ),
    "a local array": ("float s[2] = {x[i], x[(i + 1) % n]}; y[i] = s[0] * s[at[i] % 2];", "x"),
    "a device function": ("y[i] = both(x, i, n);", "x"),
}
FUNCTION = "__device__ float both(const float *x, int i, int n) { return x[i] * x[(i + 1) % n]; }\n"


def text(body: str) -> str:
    body = body.replace("LOOP", "for (int k = 0; k < 3; ++k)").replace("START", "i / 3 * 3")
    return f"{FUNCTION if 'both(' in body else ''}{HEAD}    {body}\n}}\n"


def args() -> dict[str, Any]:
    random = np.random.default_rng(5)
    return {
        "x": random.uniform(0.3, 0.9, N).astype(np.float32),
        "w": random.uniform(0.3, 0.9, N).astype(np.float32),
        "at": random.permutation(N).astype(np.int32),
        "a": 0.7,
        "b": 0.4,
        "y": np.zeros(N, np.float32),
        "n": N,
    }


def hessians(body: str, wrt: str, **how: Any) -> dict[tuple[str, str], Any]:
    return s2sad.hessian(text(body), of="y", wrt=wrt, args=args(), grid=1, block=16, backend="cpu", **how)


@pytest.mark.parametrize("name", DIAGONAL)
def test_a_diagonal_is_known_and_ones_give_it(name: str) -> None:
    body, wrt = DIAGONAL[name]
    ((_, whole),) = hessians(body, wrt).items()
    size = np.size(args()[wrt])
    whole = whole.reshape(size, size)
    made = s2sad.transform(text(body), of="y", wrt=wrt, hessian="diag")
    assert f"The Hessian is diagonal: with ones for tan_{wrt}," in made.source
    assert "tan_adj_y" not in made.source
    ones = np.ones(np.shape(args()[wrt]), np.float32)
    found = s2sad.hvp(made, args=args(), tangents={wrt: ones}, grid=1, block=16, backend="cpu").products[wrt]
    assert np.allclose(np.diag(whole), np.ravel(found), rtol=1e-5, atol=1e-6)
    assert np.allclose(whole, np.diag(np.diag(whole)), atol=1e-6)
    assert whole.any()


@pytest.mark.parametrize("name", OTHERS)
def test_a_hessian_that_may_have_more_is_refused(name: str) -> None:
    body, wrt = OTHERS[name]
    with pytest.raises(Rejected) as refused:
        s2sad.transform(text(body), of="y", wrt=wrt, hessian="diag")
    for found in refused.value.diagnostics:
        assert found.code is Code.NOT_DIAGONAL
        assert "--hessian dense" in (found.help or "")
    blocks = hessians(body, wrt)
    names = wrt.split(",")
    mixed = [blocks[a, b] for a in names for b in names if a != b]
    own = [np.atleast_2d(blocks[a, a]) for a in names]
    assert any(m.any() for m in mixed) or any((m - np.diag(np.diag(m))).any() for m in own), (
        "it is a near miss"
    )


# Statements of an adjoint, written by hand: those that s2sad writes are hardly ever in such a form.
OWN = (
    "adj_x[i] += x[i] * adj_y[i];",
    "atomicAdd(&adj_x[i], sinf(x[i]) * adj_y[i]);",
    "float s = x[i]; for (int k = 0; k < 3; ++k) { adj_x[i] += s * adj_y[k]; }",
    "for (int k = 0; k < 3; ++k) { float s = x[k]; s = s * s; adj_x[k] += s * adj_y[k]; }",
    "float s; if (adj_y[i] > 0.0f) s = x[i]; else s = 2.0f * x[i]; adj_x[i] += s;",
)
NOT_OWN = (
    "int j = i; float s = x[j]; j = j + 1; adj_x[j] += s * adj_y[i];",
    "float s = 0.0f; for (int k = 0; k < 3; ++k) { s = x[k]; if (k > i) break; s = 1.0f; } adj_x[i] += s;",
    "float s = 0.0f; int k = 0; while (k < n) { s = x[k++]; if (k > i) break; s = 1.0f; } adj_x[i] += s;",
    "float s = x[0]; for (int k = 0; k < n; ++k) { s = 1.0f; } adj_x[i] += s;",
    "float s = x[0]; switch (n) { case 0: s = 1.0f; case 1: adj_x[i] += s; break; default: s = 2.0f; }",
    "int k = 0; for (float s = x[0]; k < 3; s = s * x[i]) { adj_x[i] += s; ++k; }",
    "for (int k = 0; k < 3; ++k) { adj_x[k] += x[k + 1] * adj_y[k]; }",
    "atomicAdd(&adj_x[i + 1], x[i] * adj_y[i]);",
    "__shared__ float t[32]; t[threadIdx.x] = x[i]; __syncthreads(); adj_x[i] += t[0];",
    "adj_x[i] += __shfl_xor_sync(0xffffffffu, x[i], 1);",
    "float s = x[i]; s = __shfl_xor_sync(0xffffffffu, s, 1); adj_x[i] += s;",
    "float s, c; sincosf(x[0], &s, &c); adj_x[i] += s;",
    "float s[2]; s[0] = x[0]; s[1] = x[i]; adj_x[i] += s[1];",
    "adj_x[i] += x[i] * x[0];",
)


def of_adjoint(body: str) -> s2sad.Adjoint:
    head = "__global__ void k_adj(const float *x, float *adj_x, const float *adj_y, int n)\n{\n"
    text = f"{head}    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {body}\n}}\n"
    return s2sad.transform(text, of="adj_x", wrt="x", mode="tangent", hessian="diag")


@pytest.mark.parametrize("body", OWN)
def test_an_element_of_its_own_is_known(body: str) -> None:
    assert "tan_adj_x" in of_adjoint(body).source


@pytest.mark.parametrize("body", NOT_OWN)
def test_what_may_be_of_another_element_is_refused(body: str) -> None:
    with pytest.raises(Rejected, match="cannot prove that the Hessian is diagonal"):
        of_adjoint(body)


def test_check_tests_that_the_hessian_is_diagonal() -> None:
    body, wrt = DIAGONAL["one statement"]
    how: dict[str, Any] = {"args": args(), "grid": 1, "block": 16, "backend": "cpu"}
    report = s2sad.check(s2sad.transform(text(body), of="y", wrt=wrt, hessian="diag"), **how)
    assert report.ok, report.text()
    assert any("the Hessian by x is diagonal" in finding.what for finding in report.findings)


def test_numbers_have_a_direction_each() -> None:
    body = "y[i] = a * a * b * w[i] + expf(b);"
    made = s2sad.transform(text(body), of="y", wrt="a,b", hessian="dense")
    assert made.signature.directions == 2
    several = s2sad.hessian(made, args=args(), grid=1, block=16, backend="cpu")
    for pair, block in hessians(body, "a,b").items():
        assert np.allclose(several[pair], block, rtol=1e-5), pair


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"hessian": "dense", "wrt": "x"}, "how many elements x has isn't known"),
        ({"hessian": "diag", "directions": 3, "wrt": "x"}, "--hessian diag along several directions"),
    ],
)
def test_what_is_asked_for_in_vain(how: dict[str, Any], said: str) -> None:
    with pytest.raises(Rejected) as refused:
        s2sad.transform(text("y[i] = x[i] * x[i];"), of="y", **how)
    (found,) = refused.value.diagnostics
    assert said in found.title
