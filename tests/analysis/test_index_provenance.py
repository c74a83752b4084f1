"""Stores that no lemma covers: which of them the launch gives, and which stay refused."""

from __future__ import annotations

import re

import pytest

from s2sad import parse
from s2sad.analysis.access import global_access
from s2sad.analysis.access.index_provenance import Given
from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

HEAD = "__global__ void k(const float *x, const int *idx, float *y, int w, int h, int n)"
AT = "int g = blockIdx.x * blockDim.x + threadIdx.x; int t = threadIdx.x;"
XY = "int i = blockIdx.x * blockDim.x + threadIdx.x; int j = blockIdx.y * blockDim.y + threadIdx.y;"


def contested(body: str, before: str = "") -> bool | None:
    """Whether y's adjoint is exchanged; None if a proof covers every store."""
    program = parse.program(Source("k.cu", f"{before}\n{HEAD}\n{{\n{body}\n}}\n"))
    kernel = structure(program.kernel)
    found = global_access.survey(kernel, functions=program.functions)
    y = next(s for s in kernel.syms if s.name == "y")
    if found.store_problem(y) is None:
        return None
    return found.contested(y, Given(kernel, program.functions))


@pytest.mark.parametrize(
    "body",
    [
        f"{AT} int c = g % w, r = g / w % h, b = g / (w * h); y[(b * w + c) * h + r] = x[g];",
        f"{AT} y[t ^ w] = x[t];",
        f"{AT} y[(t * 5 + w) % n] = x[t];",
        f"{AT} int o = t % w * h; for (int k = t / w; k < h; ++k) {{ y[o] = x[k]; o += w; }}",
        f"{AT} int o = g % w; if (t > w) o = g / w + n; y[o * o] = x[g];",
        f"{AT} for (int k = n * g / w; k < n * (g + 1) / w; ++k) y[k % h * w + k / h] = x[k];",
        f"{AT} for (int k = 0; k < idx[g]; ++k) y[k * w + g * g] = x[k];",
        f"{AT} if (idx[g]) {{ int o = g ^ w; y[o] = x[g]; }}",
        f"{AT} if (t % 32 == 0) y[g / 32 * (g / 32)] = x[g];",
        f"{AT} if (t & 31) return; y[g / 32 * (g / 32)] = x[g];",
        f"{XY} y[i ^ w] = x[i];",  # the same for all j
        f"{AT} int table[3] = {{2, 0, 1}}; y[table[t % 3] + t / 3 * w] = x[t];",
        f"{AT} y[at(g, w)] = x[g];",
        f"{AT} int o = (int)floorf(w * 0.3f) * t; y[o + t] = x[t];",
        f"{XY} switch (j) {{ case 0: y[i ^ w] = x[j + i]; break; case 2: y[i ^ n] = x[j]; }}",
        # rows of pitched memory: bytes that make whole elements
        f"{AT} float *row = (float *)((char *)y + g * w); row[h] = x[g];",
        f"{AT} float *at = (float *)((char *)y + g * w); at = (float *)((char *)at + h); *at = x[g];",
        # a counter that serves two loops, of which only the other one's has data in it
        f"{AT} int k; float v = 0; for (k = idx[g]; k < n; ++k) v += x[k]; "
        "for (k = 0; k < n; ++k) y[k ^ g] = v;",
    ],
)
def test_an_index_of_coordinates_and_integers_is_given(body: str) -> None:
    assert contested(body, "__device__ int at(int i, int w) { return i ^ w; }") is True


@pytest.mark.parametrize(
    "body",
    [
        f"{AT} y[idx[g]] = x[g];",
        f"{AT} int o = t; o += idx[g]; y[o] = x[g];",
        f"{AT} int o = 0; if (x[g] > 0.0f) o = t; y[o] = x[g];",
        f"{AT} int o = t ^ w; if (idx[g]) o = n; y[o] = x[g];",
        f"{AT} int o = t ^ w; for (int k = 0; k < n; ++k) if (idx[k]) {{ y[o] = x[k]; o += w; }}",
        f"{AT} int o = t ^ w; for (int k = 0; k < idx[g]; ++k) o += w; y[o] = x[g];",
        f"{AT} int o = t ^ w; while (x[o] > 0.0f) {{ o += w; }} y[o] = x[g];",
        f"{AT} int o = 0; for (; o < n; ++o) {{ if (x[o] > 0.0f) break; }} y[(o + t) ^ w] = x[g];",
        f"{AT} int k; for (k = 0; k < n; ++k) {{ if (idx[k]) k += 2; y[k ^ g] = x[k]; }}",
        f"{AT} int k; for (k = idx[g]; k < n; ++k) if (x[k] > 0) break; y[k ^ g] = x[g];",
        f"{AT} int k = idx[g]; for (; k < n; ++k) y[k ^ g] = x[g];",
        f"{AT} int k = idx[g]; for (int m = k = k + 1; m < n; ++m) y[k ^ g] = x[g];",
        f"{AT} y[t ^ (int)x[g]] = x[g];",
        f"{AT} __shared__ int s[64]; s[t] = t; y[s[t ^ 1]] = x[g];",
        f"{AT} y[__shfl_sync(0xffffffffu, t, 0)] = x[g];",
        f"{AT} y[at(idx, t)] = x[g];",
    ],
)
def test_an_index_that_memory_has_a_part_in_is_not(body: str) -> None:
    assert contested(body, "__device__ int at(const int *idx, int t) { return idx[t]; }") is False


@pytest.mark.parametrize(
    "body",
    [
        f"{AT} y[0] = x[g];",
        f"{AT} y[blockIdx.x ^ w] = x[g];",
        f"{AT} y[g / 32] = x[g];",
        f"{AT} if (g < n) y[g / 32] = x[g];",
        f"{AT} y[g * w / (long)sizeof(float)] = x[g];",
        f"{AT} float *row = (float *)((char *)y + g / 32 * w); row[h] = x[g];",
        f"{AT} y[min(g, n - 1)] = x[g];",
        f"{AT} int o = min(g, n - 1); if (g > n) return; y[o] = x[g];",
        f"{AT} y[(unsigned char)g] = x[g];",
        f"{AT} y[(int)(t * 0.5f)] = x[g];",
        f"{XY} y[i ^ w] = x[j];",
        f"{XY} float v = 0.0f; for (int k = j; k < n; ++k) v += x[k]; y[i ^ w] = v;",
        f"{XY} float v = x[0]; if (j > 2) v = x[1]; y[i ^ w] = v;",
        f"{XY} y[i ^ w] += x[j];",
        f"{XY} switch (j) {{ case 0: case 1: y[i ^ w] = x[j]; }}",
        f"{XY} switch (j) {{ case 0: h = 1; default: y[i ^ w] = x[j]; }}",
        f"{AT} float v = x[g]; v += __shfl_down_sync(0xffffffffu, v, 16); y[g / 32] = v;",
    ],
)
def test_an_element_for_several_threads_takes_a_value_that_they_share(body: str) -> None:
    assert contested(body) is False


S = "__shared__ float s[32];"


@pytest.mark.parametrize(
    ("body", "alone"),
    [
        (f"{XY} y[i] = x[j * w + i];", {"threadIdx.y", "blockIdx.y"}),
        (f"{XY} if (i < w && j < h) y[i] = x[j * w + i];", {"threadIdx.y", "blockIdx.y"}),
        (f"{XY} y[i] += x[0] * (j > 1 ? 2.0f : 1.0f);", {"threadIdx.y", "blockIdx.y"}),
        (f"{AT} if (t == 0) y[0] = x[blockIdx.x];", {"blockIdx.x"}),
        (f"{AT} y[t] = x[g];", {"blockIdx.x"}),
        (f"{AT} {S} s[t] = x[g]; __syncthreads(); if (t == 0) y[0] = s[1] + s[2];", {"blockIdx.x"}),
        (
            f"{XY} float v = 0; for (int k = j; k < n; k += h) v += x[k]; y[i] = v;",
            {"threadIdx.y", "blockIdx.y"},
        ),
        # the threads of a row, who are many
        (f"{AT} y[0] = x[g];", None),
        (f"{AT} y[blockIdx.x] = x[g];", None),
        # chosen by a guard in a way that isn't followed
        (f"{XY} if (idx[i] == j) y[i] = x[j];", None),
        (f"{XY} if (x[j * w + i] > 0) y[i] = x[j];", None),
        # data
        (f"{XY} y[idx[i]] = x[j];", None),
        (f"{XY} y[i + idx[j]] = x[j];", None),
        # what all of them may have
        (f"{AT} {S} s[t] = x[t]; __syncthreads(); y[threadIdx.x] = s[0] * threadIdx.z;", {"threadIdx.z"}),
        (f"{XY} y[i] = x[i];", frozenset()),
        (f"{XY} if (j == w) y[i] = x[j];", frozenset()),
        (f"{XY} switch (j) {{ case 1: y[i] = x[j]; }}", frozenset()),
        (f"{AT} {S} if (threadIdx.y == 0) s[t] = x[t]; __syncthreads(); y[t] = s[t];", None),
    ],
)
def test_there_is_one_of_what_threads_would_race_in(body: str, alone: set[str] | None) -> None:
    program = parse.program(Source("k.cu", f"{HEAD}\n{{\n{body}\n}}\n"))
    kernel = structure(program.kernel)
    found = global_access.survey(kernel, functions=program.functions)
    y = next(s for s in kernel.syms if s.name == "y")
    one = found.alone(y, Given(kernel, program.functions))
    assert one == alone
    if one:
        narrow = global_access.survey(kernel, functions=program.functions, alone=one)
        assert narrow.store_problem(y) is None


ROTATED = (
    f"{HEAD}\n{{\n{AT}\n    if (g >= n) return;\n    int o = g ^ w;\n"
    "    y[o] = y[o] * x[g];\n    y[o] += x[g];\n}\n"
)


def test_what_an_exchanged_array_owes_itself_is_added_atomically() -> None:
    done = transform(Source("k.cu", ROTATED), Options(of=("y",), wrt=("x", "y")))
    assert re.search(r"float (\w+) = atomicExch\(&adj_y\[o\], 0.0f\);", done.text)
    assert "atomicAdd(&adj_y[o], x[g] * " in done.text
    assert "no two threads store different values to the same y[o]" in " ".join(done.adjoint.plan.assumptions)
    assert any(a.how == "exchange" and a.target == "adj_y[..]" for a in done.adjoint.plan.accumulations)


def test_sums_that_must_not_depend_on_the_order_of_threads_refuse_who_comes_first() -> None:
    source = Source("k.cu", ROTATED)
    with pytest.raises(Rejected) as refused:
        transform(source, Options(of=("y",), wrt=("x", "y"), accumulate="deterministic"))
    assert [d.code.slug for d in refused.value.diagnostics] == ["shared-writer"]


def test_an_assumption_of_the_authors_makes_the_store_plain() -> None:
    options = Options(of=("y",), wrt=("x", "y"))
    plain = transform(Source("k.cu", "// s2sad: --assume injective:y\n" + ROTATED), options)
    assert "atomicExch" not in plain.text


def test_the_helper_for_doubles_makes_way_for_the_authors_names() -> None:
    text = (
        ROTATED.replace("float", "double").replace("g ^ w", "g ^ exchange").replace("int w", "int exchange")
    )
    done = transform(Source("k.cu", text), Options(of=("y",), wrt=("x", "y")))
    assert "static __device__ double exchange_(double *where, double value)" in done.text
    assert "exchange_(&adj_y[o], 0.0)" in done.text
