"""An option without effect is an error, and so is a dependent that no launch changes."""

from __future__ import annotations

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import Transformed, transform
from s2sad.source import Source

HEAD = 'extern "C" __global__ void k(const float *a, float *x, float *y, float v, int n)\n{\n'
INDEX = "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n)\n        return;\n"
POWERS = """    float s = a[i];
    float t = 0.0f;
    for (int k = 0; k < 8; ++k) {
        float u = s * s;
        t += sinf(u) * u;
        s = cosf(s) * a[k];
    }
    y[i] = t + 2.0f * v;
"""
SUMS = """    float s = a[i];
    for (int k = 0; k < 8; ++k)
        s += a[k] * v;
    int j = 0;
    while (j < n && s < 4.0f)
        j += 2;
    y[i] = j > 4 ? s : 2.0f * s;
"""
UNBOUNDED = """    float s = a[i];
    float t = a[i + 1];
    int rounds = 0;
    while (s > 1e-3f) {
        s = s * 0.5f * sinf(t * s) + 1e-4f * v;
        t = cosf(t) * s;
        ++rounds;
    }
    y[i] = s * t + rounds;
"""
TILES = """    __shared__ float ta[4][4], tb[4][4];
    int row = threadIdx.y, col = threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < n / 4; ++k) {
        ta[row][col] = a[row * n + k * 4 + col];
        tb[row][col] = a[(k * 4 + row) * n + col];
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            acc += ta[row][j] * tb[j][col];
        __syncthreads();
    }
    y[row * n + col] = acc;
"""


def done(body: str, options: Options, index: str = INDEX) -> Transformed:
    return transform(Source("k.cu", f"{HEAD}{index}{body}}}\n"), options)


def refused(body: str, options: Options, index: str = INDEX) -> list[tuple[str, str, str]]:
    """Return code, title and label of each error."""
    with pytest.raises(Rejected) as found:
        done(body, options, index)
    return [(d.code.slug, d.title, d.label) for d in found.value.diagnostics]


ASKED = Options(of=("y",), wrt=("a",))


@pytest.mark.parametrize(
    ("body", "index", "options", "why"),
    [
        (POWERS, INDEX, Options(recompute=("i",)), "i of line 3 is reloaded: still in its variable"),
        (POWERS, INDEX, Options(recompute=("v",)), "the reverse sweep needs no value of v"),
        (POWERS, INDEX, Options(store=("t",)), "the reverse sweep needs no value of t"),
        (POWERS, INDEX, Options(store=("i",)), "i of line 3 is reloaded"),
        (POWERS, INDEX, Options(store=("a",)), "a[..] of line 11 is reloaded: never stored to"),
        (POWERS, INDEX, Options(recompute=("n",)), "the reverse sweep needs no value of n"),
        (POWERS, INDEX, Options(store=("v",)), "the reverse sweep needs no value of v"),
        (SUMS, INDEX, Options(bounds=((7, "8"),)), "the loop in line 7 needs none"),
        (SUMS, INDEX, Options(bounds=((10, "n"),)), "the loop in line 10 needs none"),
        (TILES, "", Options(recompute=("ta",)), "ta[..] of line 11 is reloaded"),
        (TILES, "", Options(recompute=("tb",)), "tb[..] of line 11 is reloaded"),
        (TILES, "", Options(store=("acc",)), "the reverse sweep needs no value of acc"),
        (TILES, "", Options(bounds=((6, "n"),)), "the loop in line 6 needs none"),
        (POWERS, INDEX, Options(separate=True), "no adjoint has fields"),
    ],
)
def test_an_option_that_changes_nothing_is_an_error(
    body: str, index: str, options: Options, why: str
) -> None:
    found = refused(body, options.over(ASKED), index)
    assert [code for code, _, _ in found] == ["option-without-effect"]
    assert found[0][1].endswith("has no effect")
    assert why in found[0][2]


@pytest.mark.parametrize(
    ("body", "options"),
    [
        (POWERS, Options(store=("s",))),
        (POWERS, Options(store=("u",))),
        (UNBOUNDED, Options(bounds=((9, "40"),))),
    ],
)
def test_an_option_that_changes_something_is_taken(body: str, options: Options) -> None:
    assert done(body, options.over(ASKED)).text != done(body, ASKED).text


def test_each_value_is_judged_and_all_are_named() -> None:
    found = refused(POWERS, Options(store=("s", "t"), recompute=("i",)).over(ASKED))
    assert [title for _, title, _ in found] == ["--store t has no effect", "--recompute i has no effect"]


def test_what_the_source_asks_for_is_judged_as_well() -> None:
    text = f"// s2sad: --of y --wrt a --store t\n{HEAD}{INDEX}{POWERS}}}\n"
    with pytest.raises(Rejected) as found:
        transform(Source("k.cu", text), Options())
    assert [d.code.slug for d in found.value.diagnostics] == ["option-without-effect"]
    assert transform(Source("k.cu", text.replace("store t", "store s")), Options()).text


NEVER = [
    "    y[i] = x[i] * x[i];\n",
    "    if (0)\n        x[i] = 2.0f;\n    y[i] = x[i];\n",
    "    y[i] = x[i];\n    return;\n    x[i] = 2.0f;\n",
    "    while (false)\n        x[i] = 2.0f;\n    y[i] = x[i];\n",
    "    for (; 0;)\n        x[i] += a[i];\n    y[i] = a[i];\n",
    "    if (1)\n        y[i] = a[i];\n    else\n        x[i] = a[i];\n",
    "    constexpr bool go = false;\n    if constexpr (go)\n        x[i] = a[i];\n    y[i] = a[i];\n",
    "    for (int k = 0; k < 3; ++k) {\n        y[i] = a[i];\n        break;\n        x[i] = a[i];\n    }\n",
    "    const float *p = x + i;\n    y[i] = *p * p[0];\n",
    "    float copy[2] = {x[i], a[i]};\n    copy[0] *= 2.0f;\n    y[i] = copy[0];\n",
    "    { float *x = y; x[i] = a[i]; }\n",
]


@pytest.mark.parametrize("wrt", ["x", "a"])
@pytest.mark.parametrize("body", NEVER)
def test_a_dependent_that_is_never_stored_to_is_an_error(body: str, wrt: str) -> None:
    found = refused(body, Options(of=("x",), wrt=(wrt,)))
    title = "--of x: k never stores to x"
    assert found == [("never-stored", title, "the launch does not change it")]


def test_the_help_names_what_is_stored_to() -> None:
    with pytest.raises(Rejected) as found:
        done(NEVER[0], Options(of=("x",), wrt=("x",)))
    assert found.value.diagnostics[0].help == "it stores to y: --of y"


@pytest.mark.parametrize(
    "body",
    [
        "    x[i] = x[i] * x[i];\n",
        "    x[i] *= a[i];\n",
        "    if (i > n)\n        x[i] = 2.0f * x[i];\n",
        "    atomicAdd(&x[i], a[i]);\n",
        "    float *p = x + i;\n    *p = *p * a[i];\n",
        "    float &r = x[i];\n    r += a[i] * r;\n",
        "    x[i] = x[i];\n",
        "    for (int k = 0; k < n; ++k) {\n        if (k > 2) break;\n        x[i] += a[k];\n    }\n",
    ],
)
def test_an_array_that_is_stored_to_is_differentiated_in_place(body: str) -> None:
    assert "adj_x" in done(body, Options(of=("x",), wrt=("x",))).text


def test_a_value_s_own_copy_is_no_dependent() -> None:
    assert (
        refused("    v = 2.0f * v;\n    y[i] = v;\n", Options(of=("v",), wrt=("v",)))[0][0] == "not-an-output"
    )


def test_beside_one_that_is_stored_to_a_dependent_may_be_read_alone() -> None:
    text = done(NEVER[0], Options(of=("x", "y"), wrt=("x",))).text
    assert "adj_x[i] +=" in text
