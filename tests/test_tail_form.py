"""Bodies in tail form: loops that run once, switches that fall through, and jumps out of them."""

from __future__ import annotations

import pytest

from s2sad import irtext, parse
from s2sad.analysis.loops.counted_loops import counted
from s2sad.analysis.ssa_construction import survey
from s2sad.ir import For, statements
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import check_tail_form, structure

HEAD = "__global__ void k(const float *x, float *y, float v, int n, int s)\n{\n"


def tail(body: str) -> str:
    """Return a kernel's body in tail form, with its lines joined."""
    whole = structure(parse.program(Source("k.cu", f"{HEAD}{body}\n}}\n")).kernel)
    check_tail_form(whole.body)
    return " ".join(irtext.show(whole.body).split())


ONCE = {
    "do { v = v * v; } while (0);": "v = v * v;",
    "do { v = v * v; } while (false);": "v = v * v;",
    "do { if (n > 1) break; v = v * v; } while (0); y[0] = v;": (
        "if (n > 1) { } else { v = v * v; } y[0] = v;"
    ),
    "do { if (n > 1) continue; v = v * v; } while (0); y[0] = v;": (
        "if (n > 1) { } else { v = v * v; } y[0] = v;"
    ),
    "while (0) v = v * v; y[0] = v;": "y[0] = v;",
    "for (s = 3; 0;) v = v * v; y[0] = v;": "s = 3; y[0] = v;",
    "while (1) { v = v * v; break; } y[0] = v;": "v = v * v; y[0] = v;",
    "for (;;) { if (n > 1) { v = 1.0f; break; } v = v * v; break; }": (
        "if (n > 1) { v = 1.0f; } else { v = v * v; }"
    ),
    "while (n > s) { v = v * v; break; } y[0] = v;": "if (n > s) { v = v * v; } y[0] = v;",
    "do { if (n > 1) return; v = v * v; } while (0); y[0] = v;": (
        "if (n > 1) { return; } else { v = v * v; y[0] = v; }"
    ),
}


@pytest.mark.parametrize("body", ONCE)
def test_a_loop_that_runs_once_at_most_is_none(body: str) -> None:
    assert tail(body) == ONCE[body]


@pytest.mark.parametrize(
    "body",
    [
        "do { v = v * v; } while (n);",
        "while (1) { if (n > 1) continue; v = v * v; break; }",
        "while (1) { v = v * v; if (v > 1.0f) break; }",
    ],
)
def test_a_loop_that_may_run_again_stays_one(body: str) -> None:
    assert "while (" in tail(body)


def test_a_short_segment_that_is_fallen_into_is_written_again() -> None:
    assert tail("switch (s) { case 1: v = v * v; case 2: v = 2.0f * v; break; case 3: v = 1.0f; }") == (
        "switch (s) { case 1: v = v * v; v = 2.0f * v; case 2: v = 2.0f * v; case 3: v = 1.0f; }"
    )


def test_what_is_written_again_has_variables_of_its_own() -> None:
    body = "switch (s) { case 1: v = v * v; default: { float t = v * v; v = t; } }"
    kernel = structure(parse.program(Source("k.cu", f"{HEAD}{body}\n}}\n")).kernel)
    first, second = kernel.body[0].cases  # type: ignore[union-attr]
    again, own = first.body[1], second.body[0]
    assert again is not own
    assert again.sym is not own.sym  # type: ignore[union-attr]
    assert again.sym.name == own.sym.name  # type: ignore[union-attr]


LONG = "for (int j = 0; j < n; j++) v = v * v;"


def test_a_long_one_asks_the_selector_where_control_entered() -> None:
    text = tail(f"switch (s) {{ case 1: v = 1.0f; case 2: {LONG} break; default: v = 2.0f; }}")
    assert text.startswith("switch (s) { case 1: case 2: if (s == 1) { v = 1.0f; } for (")
    text = tail(f"switch (s) {{ default: v = 1.0f; case 2: {LONG} }}")
    assert text.startswith("switch (s) { default: case 2: if (s != 2) { v = 1.0f; } for (")


def test_a_selector_that_changes_inside_is_kept() -> None:
    text = tail(f"switch (s) {{ case 1: s = 0; case 2: {LONG} }}")
    assert text.startswith("int selector = s; switch (selector) { case 1: case 2: if (selector == 1) {")


def test_stores_are_never_written_twice() -> None:
    text = tail("switch (s) { case 1: v = v * v; case 2: y[n] = v; }")
    assert text == "switch (s) { case 1: case 2: if (s == 1) { v = v * v; } y[n] = v; }"


def test_an_exit_inside_a_case_never_runs_into_the_next() -> None:
    text = tail(
        "for (int j = 0; j < n; j++) { switch (s) { case 1: continue; case 2: v = v * v; } y[j] = v; }"
    )
    assert "case 1: left = true; case 2: v = v * v; }" in text
    assert "if (left) { } else { y[j] = v; }" in text


def test_what_follows_a_switch_moves_into_the_one_case_that_goes_on() -> None:
    assert tail(
        "switch (s) { case 1: y[0] = 1.0f; return; default: return; case 2: v = v * v; } y[0] = v;"
    ) == ("switch (s) { case 1: y[0] = 1.0f; default: case 2: v = v * v; y[0] = v; }")
    assert tail("switch (s) { case 1: y[0] = 1.0f; return; } y[0] = v;") == (
        "switch (s) { case 1: y[0] = 1.0f; default: y[0] = v; }"
    )


def test_a_step_written_out_is_a_compound_one() -> None:
    assert "k -= 2" in tail("for (int k = n; k > 0; k = k - 2) v = v * v;")
    assert "k += 1" in tail("for (int k = 0; k < n; k = 1 + k) v = v * v;")
    assert "k = 2 - k" in tail("for (int k = 0; k < n; k = 2 - k) v = v * v;")
    assert "k = k + k" in tail("for (int k = 1; k < n; k = k + k) v = v * v;")


COUNTS = {
    "const int d = gridDim.x * blockDim.x; for (int k = s; k < n; k += d) v = v * v;": True,
    "int d = 2 * blockDim.x; for (int k = s; k < n; k = k + d) v = v * v;": True,
    "int d = 3; int e = d * d; for (int k = n; k > s; k -= e) v = v * v;": True,
    "int d = blockDim.x; d = d + 1; for (int k = s; k < n; k += d) v = v * v;": False,
    "int d = blockDim.x; for (int k = s; k < n; k += d) { v = v * v; d++; }": False,
    "int d = s; for (int k = s; k < n; k += d) v = v * v;": False,
    "int d = blockDim.x - 1; for (int k = s; k < n; k += d) v = v * v;": False,
    "int d = 0 * blockDim.x; for (int k = s; k < n; k += d) v = v * v;": False,
    "char d = blockDim.x; for (int k = s; k < n; k += d) v = v * v;": False,
    "int d = 0.5f * blockDim.x; for (int k = s; k < n; k += d) v = v * v;": False,
    "for (int k = s; k < n; k += n) v = v * v;": False,
}


@pytest.mark.parametrize("body", COUNTS)
def test_a_loop_counts_only_by_a_step_that_is_surely_positive(body: str) -> None:
    function = structure(parse.program(Source("k.cu", f"{HEAD}{body}\n}}\n")).kernel)
    versions = survey(function)
    (loop,) = [s for s in statements(function.body) if isinstance(s, For)]
    assert (counted(loop, versions) is not None) == COUNTS[body]
