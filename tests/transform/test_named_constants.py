# ruff: noqa: E501
"""The author's constants stay names: one changed in the adjoint does what one changed in the kernel does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tiers import sampled_pairs

import s2sad
from s2sad.emit.batch_block_adds import OWN_NAMES
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

MACROS = ("#define {} {}", "#define {} ({} + 0)", "constexpr int {} = {};", "enum {{ {} = {} }};")
HEAD = 'extern "C" __global__ void k(const float *x, const float *w, const int *at, float *y, int n, int m)'
AT = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = x[i];"

# A body, and for each constant two values.
LOOPS = {
    "steps": ("for (int k = 0; k < m; k += T) s = s * sinf(s * k) + x[k];", {"T": (16, 24)}),
    "from": ("for (int k = F; k < m; k += T) s = s * sinf(s * k) + x[k];", {"F": (2, 3), "T": (16, 24)}),
    "negative": ("for (int k = -R; k < m; k += 4) s = s * sinf(s * k) + x[k + R];", {"R": (2, 3)}),
    "both ways": ("for (int k = -R; k <= R; ++k) s = s * sinf(s * k) + x[k + R];", {"R": (2, 3)}),
    "down": ("for (int k = m; k >= F; k -= T) s = s * sinf(s * k) + x[k];", {"F": (2, 3), "T": (16, 24)}),
    "literals": ("for (int k = 0; k < N; k += T) s = s * sinf(s * k) + w[at[k]];", {"N": (20, 24), "T": (3, 5)}),
    "unsigned": ("for (unsigned k = F; k < N; k += T) s = s * sinf(s * k) + x[k];", {"F": (2, 3), "N": (20, 24), "T": (3, 4)}),
    "unsigned, to a size": ("for (unsigned k = 0; k < m; k += T) s = s * sinf(s * k) + x[k];", {"T": (3, 4)}),
    "unsigned, down": ("for (unsigned k = N; k > F; k -= 2) s = s * sinf(s * k) + x[at[k]];", {"F": (2, 3), "N": (20, 24)}),
    "while": ("int b = N; while (b >= 0) { s = s * sinf(s) + x[b]; if (s > 9.0f) break; b -= T; }", {"N": (20, 24), "T": (3, 5)}),
    "left early": ("for (int k = F; k < N; ++k) { if (s > 9.0f) break; s = s * sinf(s) + x[k]; }", {"F": (2, 3), "N": (20, 24)}),
    "as long as": ("for (int k = 0; k < T && k < at[i]; ++k) s = s * sinf(s) + x[k];", {"T": (16, 24)}),
    "nested": ("for (int j = 0; j < m; j += T) for (int k = 0; k < T && j + k < m; ++k) s = s * sinf(s) + x[j + k];", {"T": (16, 24)}),
    "doubled": ("for (int d = N * 4; d > N; d /= 2) s = s * sinf(s) + x[d];", {"N": (8, 16)}),
    "unbounded": (
        "float q[S]; for (int k = 0; k < S; ++k) q[k] = x[k]; while (s > 0.1f) { s = 0.0f; for (int k = 1; k < S; ++k) {"
        " q[k] = sinf(q[k] * q[k - 1]); s += q[k]; } } for (int k = 0; k < S; ++k) s += q[k];",
        {"S": (6, 7)},
    ),
    "sums": ("for (int k = 0; k < T; ++k) s += w[k] * sinf(s);", {"T": (9, 10)}),
    "sums from": ("for (int k = F; k < T; ++k) s += w[k] * sinf(s);", {"F": (2, 3), "T": (13, 14)}),
    "sums down": ("for (int k = T - 1; k >= F; --k) s += w[k + 1] * sinf(s);", {"F": (2, 3), "T": (13, 14)}),
    "sums turned round": ("for (int k = F; k < T; ++k) s += w[T - k] * sinf(s);", {"F": (2, 3), "T": (13, 14)}),
    "sums of a row": ("for (int k = 0; k < T; ++k) s += w[at[0] * T + k] * sinf(s);", {"T": (9, 10)}),
    "sums both ways": ("for (int k = -R; k <= R; ++k) s += w[k + R] * sinf(s);", {"R": (5, 6)}),
    "copied": ("float a[S]; memcpy(a, x + S * i, sizeof(a)); for (int k = 0; k < S; ++k) s *= a[k];", {"S": (6, 7)}),
    "groups": (
        "s += sinf(__shfl_sync(0xffffffffu, s, 0, G)); s *= __shfl_down_sync(0xffffffffu, s, 1, G);"
        " s *= __shfl_sync(0xffffffffu, s, at[i], G);",
        {"G": (8, 16)},
    ),
}  # fmt: skip


def kernel(text: str) -> str:
    """An emitted file from its first function on, without comments; lines are broken anywhere."""
    bare = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"\s+", " ", bare[re.search(r"\b(static|extern \"C\"|__global__)", bare).start() :])  # type: ignore[union-attr]


def adjoint(body: str, before: str) -> str:
    source = f"{before}\n{HEAD}\n{{ {AT} {body} y[i] = s; }}\n"
    return transform(Source("k.cu", source), Options(of=("y",), wrt=("x", "w"))).text


@pytest.mark.parametrize(("name", "form"), sampled_pairs(LOOPS, MACROS))
def test_the_kernel_does_not_have_the_value_of_a_constant(name: str, form: str) -> None:
    body, constants = LOOPS[name]
    one, two = (
        adjoint(body, "\n".join(form.format(c, values[k]) for c, values in constants.items())) for k in (0, 1)
    )
    assert kernel(one) == kernel(two)


@pytest.mark.parametrize("form", ["#define C {}", "constexpr float C = {};", "#define C ({} * 1.0f)"])
def test_a_partial_does_not_have_the_value_of_a_constant(form: str) -> None:
    one, two = (adjoint("s = C * s * s + 0.5f * s;", form.format(value)) for value in ("0.5f", "1.5f"))
    assert kernel(one) == kernel(two)
    assert "2.0f * C * s" in kernel(one)


def test_a_first_element_is_not_spelled_by_a_macro_that_names_the_counter() -> None:
    done = adjoint(
        "for (int k = F; k < T; ++k) s += w[AT] * sinf(s);", "#define F 2\n#define T 9\n#define AT (k + 3)"
    )
    assert "block_add_array(&adj_w[F + 3], adj_w_sum)" in done


def test_a_name_that_a_parameter_hides_is_a_number() -> None:
    step = "__device__ float f(const float *w, float s) { for (int k = 0; k < m; ++k) s *= sinf(s) * w[k]; return s; }"
    done = adjoint("for (int j = 0; j < n; ++j) s *= f(w, s);", f"constexpr int m = 7;\n{step}")
    assert "float adj_w_sum[7]" in done
    assert "k < 7" in kernel(done)[kernel(done).index("k_adj") :]
    helper = done[done.index("block_add_") : done.index("k_adj(")]
    assert re.search(r"sums\[\d+\]\[7\]", helper)
    assert "k < 7" in helper
    assert "k < m" not in helper


def test_functions_that_add_up_an_array_have_no_variable_of_a_constants_name() -> None:
    """`for (int m = 1; …)` would hide the author's `constexpr int m`."""
    folder = Path(s2sad.__file__).parents[1] / "templates"
    names = ("helpers/block_add_array.cuh.j2", "_halved.cuh.j2", "_thread_number.cuh.j2")
    texts = "".join((folder / name).read_text(encoding="utf-8") for name in names)
    declared = set(re.findall(r"(?:int|bool|\}\}) \*?(\w+)(?:\[| =|,|\))", texts))
    assert {"m", "k", "where", "sums", "warps"} <= declared
    assert declared <= OWN_NAMES


def test_an_index_does_not_have_the_value_of_a_constant() -> None:
    done = adjoint("const float *p = w + T; s *= p[1] * (x + 2)[T] * p[T - 1];", "constexpr int T = 16;")
    assert not re.search(r"\b1[78]\b", kernel(done))
