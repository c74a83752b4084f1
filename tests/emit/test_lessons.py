"""The lesson skin: its lines belong to the statements under them, and its formulas are right by numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from golden_kit import KERNELS, asked, fresh, text
from lesson_kit import amounts, names, parsed, partials

import s2sad
from s2sad import emit
from s2sad.emit.file import lessons_of, printer_for
from s2sad.emit.formulas import Formulas
from s2sad.emit.lessons import Lessons
from s2sad.emit.pipelines import AS_WRITTEN, Emitted
from s2sad.emit.words import identifiers
from s2sad.ir import Body, Function, Stmt, statements, substituted
from s2sad.passes import PLAIN
from s2sad.transform.unit import Adjoint

SAMPLE = ("biquad", "cholesky", "block_norm", "particles", "taped_partials", "warp_softmax", "phong")

ONE_NAME_FOR_TWO = {
    "channels_last": "y[o] is stored and read in one statement, and its adjoint is cleared in another",
    "complex_waves": "the operator's r and the kernel's r",
    "ray_sphere": "self and what it is divided by",
    "drawn_in_an_expression": "the value before and after it is drawn",
    "early_returns": "v before and after line 9",
    "log_softmax": "the sign is that of the sum below",
    "result_kept": "v before and after it is overwritten",
    "struct_of_pointers": "two copies of one struct",
    "weighted_centre": "the sign is that of the sum below",
}
"""Kernels in which a name stands for two values, so that numbers by name can't agree."""


def written(adjoint: Adjoint) -> Iterator[tuple[Function, Lessons, Formulas]]:
    """The functions of a file as they are printed."""
    for function in (*adjoint.functions, adjoint.forward, adjoint.kernel):
        if function is not None:
            last = PLAIN.run(AS_WRITTEN, Emitted(function, adjoint)).function
            printer = printer_for(last, adjoint)
            yield last, lessons_of(adjoint, printer), Formulas(printer, adjoint.prefix)


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-6)


def check_formulas(name: str) -> int:
    """Check all formulas of a kernel; return how many were evaluated."""
    checked = 0
    adjoint = fresh(name, asked(name)).adjoint
    known = {*identifiers(emit.render(adjoint)), *identifiers(text(name)), "self"}  # a method's object
    for function, lessons, formulas in written(adjoint):
        for said, ours, exact in (*partials(function, formulas), *amounts(function, lessons, formulas)):
            assert close(ours, exact) or name in ONE_NAME_FOR_TWO, (said, ours, exact)
            checked += 1
        for stmt in statements(function.body):
            for line in lessons.of((stmt,)):
                if line.formula:
                    for side in re.split(r" [-+]?= ", line.formula, maxsplit=1):
                        for one in names(parsed(side)):
                            assert one in known or one.removeprefix(adjoint.prefix) in known, line
    return checked


@pytest.mark.parametrize("name", SAMPLE)
def test_formulas_are_right_by_numbers(name: str) -> None:
    assert check_formulas(name) > 0


@pytest.mark.thorough
@pytest.mark.parametrize("name", KERNELS)
def test_all_formulas_are_right_by_numbers(name: str) -> None:
    check_formulas(name)
    adjoint = fresh(name, asked(name)).adjoint
    assert code(emit.render(adjoint)) == code(emit.render(adjoint, "lesson"))


def test_formulas_come_before_the_code_with_their_rules() -> None:
    lines = lesson("cholesky")
    at = lines.index("adj_L[i][j] = 0.0;")
    assert "// adj_L[i][j] = 0" in lines[at - 3 : at]
    assert "// the old L[i][j] is overwritten here and changes nothing later" in "\n".join(lines[at - 3 : at])
    at = lines.index("adj_L[j][k] -= 2.0 * adj_d * L[j][k];")
    assert lines[at - 1] == "// adj_L[j][k] -= 2 * L[j][k] * adj_d    d(u^n)/du = n * u^(n - 1)"
    at = lines.index("adj_b[s * N + i] += adj_u[i];")
    assert lines[at - 1] == "// a plain addition is enough: disjoint elements per thread"


def test_the_forward_sweep_says_why_a_value_is_recorded() -> None:
    lines = lesson("cholesky")
    at = lines.index("tape_u_4[i] = u[i];")
    assert lines[at - 1] == "// u[i] is recorded for the reverse of line 33: line 33 overwrites it"
    assert "// the loop of line 24 backwards: its last iteration is undone first" in lines


def lesson(name: str) -> list[str]:
    """The lines of a kernel's lesson."""
    emitted = emit.render(fresh(name, asked(name)).adjoint, "lesson")
    return list(map(str.strip, emitted.splitlines()))


@pytest.mark.parametrize("name", ["biquad", "cholesky"])
def test_a_line_goes_with_its_statement(name: str) -> None:
    adjoint = fresh(name, asked(name)).adjoint
    for function, lessons, _ in written(adjoint):
        if function.name != adjoint.kernel.name:
            continue
        every = said(function.body, lessons)
        for stmt in statements(function.body):
            own = [line.formula or line.note for line in lessons.of((stmt,))]
            inner = said((stmt,), lessons)
            rest = said(without(function.body, stmt), lessons)
            assert sorted(rest + inner) == sorted(every)
            assert all(line in inner for line in own)


def said(body: Body, lessons: Lessons) -> list[str]:
    return [line.formula or line.note for stmt in statements(body) for line in lessons.of((stmt,))]


def without(body: Body, gone: Stmt) -> Body:
    return substituted(body, lambda stmt: () if stmt is gone else None)


@pytest.mark.parametrize("name", ["biquad", "warp_softmax", "particles"])
def test_without_its_comments_a_lesson_is_the_plain_text(name: str) -> None:
    adjoint = fresh(name, asked(name)).adjoint
    plain, taught = emit.render(adjoint), emit.render(adjoint, "lesson")
    assert code(plain) == code(taught)
    assert len(taught) > len(plain)


def code(emitted: str) -> str:
    """The text without comments, braces and white space: lines of lessons need braces around them."""
    bare = re.sub(r"//.*", "", emitted)
    return re.sub(r"[\s{}]+", "", bare)


def test_a_statement_without_its_sites_has_no_formula() -> None:
    adjoint = fresh("biquad", "joint").adjoint
    for function, lessons, _ in written(adjoint):
        for stmt in statements(function.body):
            if any(line.formula for line in lessons.of((stmt,))):
                bare = replace(stmt, sites=(), told=())  # type: ignore[call-arg]
                assert not any(line.formula for line in lessons.of((bare,)))


@pytest.mark.parametrize("mode", ["tangent", "second-order"])
def test_only_adjoints_have_lessons(mode: str) -> None:
    kernel = "__global__ void k(const float *x, float *y) { y[threadIdx.x] = sinf(x[threadIdx.x]); }"
    with pytest.raises(s2sad.Rejected, match=f"--skin lesson with --mode {mode}"):
        s2sad.transform(kernel, of="y", wrt="x", mode=mode, skin="lesson")  # type: ignore[arg-type]
