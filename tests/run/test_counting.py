"""Marks in a text: which lines and which sides ran, whatever the C++ around them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from s2sad.run.coverage import Coverage
from s2sad.run.cpu import CpuBackend, counting
from s2sad.run.cpu.lexemes import Unbalanced
from s2sad.signature import Argument, Signature

ARGUMENTS = (
    Argument("x", "float", True, True),
    Argument("y", "float", True, written=True),
    Argument("n", "int", False),
    Argument("m", "int", False),
)
KERNEL = Signature("k", ARGUMENTS)
HEAD = 'extern "C" __global__ void k(const float *x, float *y, int n, int m)\n{\n'
START = (
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n)\n        return;\n"  # lines 3 to 5
)


def reached(text: str, m: int = 2, n: int = 100, x: np.ndarray | None = None) -> Coverage:
    """What a launch of 128 threads reaches."""
    module = CpuBackend().watch(text, [KERNEL], real="double", name="k.cu", counted=True)
    values = np.linspace(-1, 1, n) if x is None else x
    args = {"x": values, "y": np.zeros(n), "n": n, "m": m}
    found = module.inspect(KERNEL, (2, 1, 1), (64, 1, 1), args)
    assert found.faults == ()
    assert found.coverage is not None
    return found.coverage


def body(*lines: str) -> str:
    """A kernel whose own lines begin with line 6."""
    return HEAD + START + "".join(f"    {line}\n" for line in lines) + "}\n"


@pytest.mark.parametrize(
    ("lines", "missed"),
    [
        (("y[i] = x[i];",), []),
        (("if (x[i] > 5.0f)", "    y[i] = 1.0f;"), ["7"]),
        (("if (x[i] < 5.0f)", "    y[i] = 1.0f;"), ["6 (else)"]),
        (("if (x[i] > 5.0f) y[i] = 1.0f; else y[i] = 2.0f;",), ["6 (then)"]),
        (("if (x[i] < 5.0f) {", "    y[i] = 1.0f;", "} else if (m > 1) {", "    y[i] = 2;", "}"), ["8", "9"]),
        (("y[i] = x[i] > 5.0f ? 1.0f : 2.0f;",), ["6 (x[i] > 5.0 true)"]),
        (("y[i] = x[i] > 0 ? m > 1 ? 1 : 2 : 3;",), ["6 (m > 1 false)"]),
        (("bool ok = x[i] > 0 && m > 1;", "y[i] = ok;"), ["6 (m > 1 false)"]),
        (("if (x[i] > 0 || m > 1)", "    y[i] = 1;"), ["6 (m > 1 false)", "6 (else)"]),
        (("for (int k = 0; k < m; ++k)", "    y[i] += x[i];"), ["6 (no trip)"]),
        (("for (int k = 0; k < m >> 1; ++k)", "    y[i] += x[i];"), ["6 (no trip)", "6 (second trip)"]),
        (("for (int k = i; k < m; ++k)", "    y[i] += x[i];"), []),
        (("for (int k = m; k-- > 0;)", "    y[i] += x[i];"), ["6 (no trip)"]),
        (("for (int k = m; --k > 0;)", "    y[i] += x[i];"), ["6 (no trip)", "6 (second trip)"]),
        (("for (int k = m; (k -= 1) >= 0;)", "    y[i] += x[i];"), ["6 (no trip)"]),
        (("for (int k = 0; k < 8; ++k)", "    y[i] += x[i];"), []),
        (("for (;;) {", "    y[i] += x[i];", "    if (m > 1) break;", "}"), ["6 (second trip)", "8 (else)"]),
        (("#pragma unroll", "for (int k = 1; k < m; ++k)", "y[i]++;"), ["7 (no trip)", "7 (second trip)"]),
        (("while (m > 0) {", "    y[i] += x[i];", "    --m;", "}"), ["6 (no trip)"]),
        (("do y[i] += x[i]; while (--m > 5);",), ["6 (second trip)"]),
        (("do { y[i] += x[i]; } while (0);",), []),
        (("y[i] = x[i] > 5 ? m > 1 ? 1 : 2 : m > 2 ? 3 : 4;",), ["6 (x[i] > 5 true)", "6 (m > 2 true)"]),
        (("switch (m) {", "case 1: y[i] = 1; break;", "case 2: y[i] = 2;", "}"), ["6 (no case)", "7"]),
        (("switch (m) {", "case 2: y[i] = 1; break;", "default: y[i] = 2;", "}"), ["8"]),
        (("auto f = [&](float v) { return v > 5.0f ? v : -v; };", "y[i] = f(x[i]);"), ["6 (v > 5.0 true)"]),
        (("const int N = 3;", "if (N > 4)", "    y[i] = 1;", "y[i] = N > 2 ? 1 : 2;"), []),
        (("if constexpr (sizeof(double) > 99) {", "    y[i] = 1;", "}"), []),
        (("float t[4 > 3 ? 4 : 3] = {x[i], m > 1 ? 1.0f : 2.0f};", "y[i] = t[0];"), ["6 (m > 1 false)"]),
        (("if (float q = x[i] * 0.0f)", "    y[i] = q;"), ["7"]),
        (("struct P { float u, v; } p = {x[i], x[i]};", "y[i] = p.u;"), []),
        (("if (m > 5 && x[i] > 0) {", "    if (m > 7)", "    y[i]++;", "}"), ["6 (m > 5 true)", "7", "8"]),
    ],
)  # fmt: skip
def test_what_did_not_run_is_named(lines: tuple[str, ...], missed: list[str]) -> None:
    found = reached(body(*lines))
    assert found.counted
    assert not found.coarse
    assert sorted(found.names()) == sorted(missed)


HELPED = """struct V {
    float a, b;
    __device__ V(float p, float q) : a(p), b{q} { if (p > 9.0f) a = 0; }
    __device__ float sum() const { return a + b; }
};
__device__ V operator+(V p, V q) { return V(p.a + q.a, p.b + q.b); }
__device__ float never(float v)
{
    return v;
}
template <int N> __device__ float power(float v)
{
    float r = 1.0f;
    for (int k = 0; k < N; ++k)
        r *= v;
    if (N > 4)
        r += 1.0f;
    return r;
}
"""


def test_functions_that_the_kernel_calls_count_and_constants_are_those_of_all_instances() -> None:
    start = body("V v = V(x[i], 1.0f) + V(2.0f, 3.0f);", "y[i] = v.sum() + power<2>(x[i]);")
    assert reached(HELPED + start).names() == ["3 (then)"]
    both = body("V v = V(x[i], 1.0f) + V(2.0f, 3.0f);", "y[i] = v.sum() + power<2>(x[i]) + power<8>(x[i]);")
    assert reached(HELPED + both).names() == ["3 (then)"]


def test_macros_count_where_they_are_used_and_what_is_left_out_does_not() -> None:
    text = "#define POS(v) ((v) > 5.0f ? (v) : 0.0f)\n#if 0\nint never() { return 1; }\n#endif\n"
    found = reached(text + body("y[i] = POS(x[i]);"))
    assert [point.line for point in found.missed] == [10]


def test_more_launches_reach_more() -> None:
    text = body("y[i] = x[i] > 0.5f && m > 1 ? 1.0f : 2.0f;")
    one, two = reached(text, m=0), reached(text, m=2)
    assert one.names() == ["6 (x[i] > 0.5 && m > 1 true)", "6 (m > 1 true)"]
    assert one.joined(two).whole
    why = {"x[i] > 0.5f && m > 1 (true)": "never", "m > 1 (true)": "never"}
    excused = one.excused(why)
    assert excused.whole
    assert [reason for _, reason in excused.given] == ["never", "never"]


def test_a_launch_with_nothing_to_add_up_is_not_asked_for() -> None:
    head = "__device__ void block_add(float *y, float v) { atomicAdd(y, v); }\n"
    text = head + body("if (n > 0 && m > 0)", "    block_add(&y[i], x[i]);")
    assert reached(text).excused({}).whole
    plain = reached(body("if (n > 0)", "    y[i] = x[i];"))
    assert plain.excused({}).names() == ["6 (else)"]


def test_a_text_that_takes_no_marks_in_expressions_has_those_of_statements() -> None:
    head = "template <bool B> __device__ float pick(float v) { return B ? v : -v; }\n"
    found = reached(head + body("if (m > 5)", "    y[i] = 1;", "y[i] = pick<1 && 1>(x[i]);"))
    assert found.coarse
    assert found.names() == ["8"]


def test_what_is_no_text_is_said() -> None:
    with pytest.raises(Unbalanced):
        counting.count("void f( {", ["f"])


def test_points_have_names_that_do_not_move() -> None:
    found = reached(body("if (x[i] > 5.0f)", "    y[i] = 1.0f;"))
    (missed,) = found.missed
    assert missed.key == "y[i] = 1.0"
    assert found.excused({"y[i]=1.0f": "it is so"}).whole


GCOV = """
__attribute__((visibility("default"))) extern "C" void __gcov_dump();
"""


@pytest.mark.skipif(shutil.which("gcov") is None or shutil.which("g++") is None, reason="no gcov")
def test_lines_are_those_that_gcov_finds(tmp_path: Path) -> None:
    """Another tool's opinion of which lines ran, on a text with everything that a line can be."""
    lines = (
        "float s = 0, t[3] = {1, 2, 3};",
        "while (m > 0) {",
        "    s += t[m % 3];",
        "    --m;",
        "    if (m == 7)",
        "        continue;",
        "}",
        "switch (i % 3) {",
        "case 0:",
        "    s += 1;",
        "    break;",
        "case 5:",
        "    s += 2;",
        "}",
        "if (x[i] > 5) {",
        "    s = 0;",
        "    for (int k = 0; k < 3; ++k)",
        "        s += k;",
        "} else",
        "    s += x[i];",
        "y[i] = s;",
    )
    found = reached(body(*lines))
    text = (
        body(*lines)
        .replace('extern "C" __global__ ', "")
        .replace("blockIdx.x * blockDim.x + threadIdx.x", "at")
    )
    main = "int main() { static float x[100], y[100]; for (at = 0; at < 128; ++at) k(x, y, 100, 2); }"
    (tmp_path / "k.cpp").write_text(f'int at;\n#line 1 "k.cu"\n{text}\n#line 1 "main.cpp"\n{main}\n')
    (tmp_path / "k.cu").write_text(text)

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    run("g++", "-O0", "--coverage", "k.cpp", "-o", "k")
    run("./k")
    (data,) = tmp_path.glob("*.gcda")
    told = json.loads(run("gcov", "--json-format", "--stdout", data.name))
    (file,) = [f for f in told["files"] if f["file"] == "k.cu"]
    theirs = {line["line_number"]: line["count"] > 0 for line in file["lines"]}
    ours = {line: ran for (_, line), ran in found.lines.items()}
    assert ours
    assert {line: theirs[line] for line in ours} == ours


def test_faults_are_told_at_the_lines_of_the_author() -> None:
    text = body(
        "float s = m > 1 && x[i] > 0",
        "    ? x[i] : 1;",
        "#pragma unroll",
        "for (int k = 0; k < m; ++k)",
        "    y[i / 2] += s;",
    )
    places = []
    for counted in (False, True):
        module = CpuBackend().watch(text, [KERNEL], real="double", name="k.cu", counted=counted)
        args = {"x": np.linspace(-1, 1, 100), "y": np.zeros(100), "n": 100, "m": 2}
        found = module.inspect(KERNEL, (2, 1, 1), (64, 1, 1), args)
        places.append([[a.line for a in fault.accesses] for fault in found.faults])
    assert places[0] == places[1]
    assert places[0]


def test_overloads_that_nothing_calls_do_not_count() -> None:
    helpers = (
        "struct A { float v; };\nstruct B { float v; };\n"
        "__device__ float twice(A a) { return 2.0f * a.v; }\n"
        "__device__ float twice(B b) { return 2.0f * b.v; }\n"
    )
    assert reached(helpers + body("A a = {x[i]};", "y[i] = twice(a);")).whole
    rare = body("A a = {x[i]};", "B b = {x[i]};", "y[i] = twice(a);", "if (m > 5)", "    y[i] = twice(b);")
    assert reached(helpers + rare).names() == ["4", "14"]


@pytest.mark.parametrize("name", ["k.cu", "<stdin>", "<string>", "<string>_adj.cu"])
def test_a_text_that_is_no_file_is_counted_too(name: str) -> None:
    text = f"{HEAD}{START}    y[i] = x[i];\n}}\n"
    module = CpuBackend().watch(text, [KERNEL], name=name, counted=True)
    args = {"x": np.ones(8, np.float32), "y": np.zeros(8, np.float32), "n": 8, "m": 0}
    seen = module.inspect(KERNEL, (1, 1, 1), (8, 1, 1), args).coverage
    assert seen is not None
    assert seen.lines == {(name, 3): True, (name, 4): True, (name, 5): False, (name, 6): True}
