"""Text may nest deeply and be long: never a recursion error, never quadratic time."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable

import pytest
from calls_kit import calls
from front import kernel, parsed, refusal

from s2sad.diagnostics import Rejected
from s2sad.parse.depth import deep


@pytest.mark.parametrize(
    "text",
    [
        "s = " + "(" * 3900 + "s" + ")" * 3900 + ";",
        "s = " + " + ".join(["s"] * 2000) + ";",
        "if (n == 0) s = 1;" + "".join(f" else if (n == {i}) s = {i};" for i in range(2000)),
        "s = " + "".join(f"n == {i} ? {i} : " for i in range(2000)) + "0;",
        "s = " + "- " * 2000 + "s;",
        "s = " + "(float)" * 2000 + "s;",
        "s = " + "sinf(" * 1000 + "s" + ")" * 1000 + ";",
        "s = " * 2000 + "1;",
        "{" * 1000 + "s = 1;" + "}" * 1000,
        "for (;;) " * 1000 + "s = 1;",
    ],
    ids=["parentheses", "sum", "else-if", "choice", "minus", "cast", "call", "assignment", "block", "loop"],
)
def test_what_people_and_generators_write_is_parsed(text: str) -> None:
    parsed(kernel("    float s = x[0];\n    " + text))


@pytest.mark.parametrize(
    "text",
    [
        "s = " + "(" * 9_000 + "s" + ")" * 9_000 + ";",
        "s = " + "x[" * 9_000 + "0" + "]" * 9_000 + ";",
        "s = " + "- " * 9_000 + "s;",
        "s = " + "!" * 9_000 + "s;",
        "s = " + " + ".join(["s"] * 11_000) + ";",
        "{" * 9_000 + "}" * 9_000,
        "s = " * 9_000 + "1;",
        "s = " + "n ? 1 : " * 9_000 + "0;",
        "s = " + "n ? " * 9_000 + "1" + " : 2" * 9_000 + ";",
        "s = " + "(float)" * 9_000 + "s;",
        "float a = " + "{" * 9_000 + "1" + "}" * 9_000 + ";",
        "if (n) " * 9_000 + "s = 1;",
    ],
)
def test_what_nests_too_deep_is_refused(text: str) -> None:
    assert refusal(kernel("    float s = x[0];\n    " + text)).code.slug == "too-deep"


@pytest.mark.parametrize("text", ["(" * 9_000, "float " + "*" * 9_000 + "p;", "f(" * 9_000, "x[" * 9_000])
def test_unfinished_depth_is_a_diagnostic_too(text: str) -> None:
    with contextlib.suppress(Rejected):
        parsed(kernel("    " + text))


@pytest.mark.parametrize(
    "make",
    [
        lambda n: kernel("".join(f"    y[{i}] = SQ(x[{i}]) * N + sinf(x[{i}]);\n" for i in range(n)),
                         "#define N 4\n#define SQ(a) ((a) * (a))\n"),
        lambda n: kernel("    y[0] = 1;") + "".join(f"void f{i}() {{ g<a>({i}); }}\n" for i in range(2 * n)),
        lambda n: "".join(f"__device__ float f{i}(float x) {{ return {f'f{i - 1}' if i else 'sinf'}(x); }}\n"
                          for i in range(n // 4)) + kernel(f"    y[0] = f{n // 4 - 1}(x[0]);"),
        lambda n: kernel("    y[0] = 0" + "".join(f" + x[{i}]" for i in range(4 * n)) + ";"),
    ],
    ids=["statements", "host code", "functions", "sum"],
)  # fmt: skip
def test_work_grows_with_the_length_of_the_text(make: Callable[[int], str]) -> None:
    small, large = make(100), make(800)
    parsed(small)  # what is done once
    short, long = calls(lambda: parsed(small)), calls(lambda: parsed(large))
    assert long < 9 * short, f"{short} calls, {long} for eight times the text"


# ---- deep itself -------------------------------------------------------------


def test_deep_gives_what_the_function_gives() -> None:
    def count(n: int) -> int:
        return 0 if n == 0 else 1 + count(n - 1)

    assert deep(lambda: count(50_000)) == 50_000
    assert sys.getrecursionlimit() < 50_000


def test_deep_raises_what_the_function_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        deep(lambda: 1 // 0)


def test_deep_inside_deep_needs_no_second_thread() -> None:
    assert deep(lambda: deep(lambda: 3)) == 3
