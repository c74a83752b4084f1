"""Long and deep kernels are lowered in linear time and without running out of stack."""

from __future__ import annotations

import time

from lowering_kit import HEAD, program

from s2sad import ir, parse
from s2sad.source import Source


def _lines(count: int) -> str:
    return "\n".join(f"    x[i + {k}] = a * c[i] + sinf(b) * {k}.0f;" for k in range(count))


def test_time_grows_with_the_number_of_statements() -> None:
    def seconds(count: int) -> float:
        source = Source("k.cu", HEAD + _lines(count) + "\n}\n")
        start = time.process_time()
        result = parse.program(source)
        assert len(result.kernel.body) == count
        return time.process_time() - start

    seconds(50)  # tables are read on first use
    short, long = seconds(250), seconds(1000)
    assert long < 8 * short + 0.5, f"250 statements take {short:.2f} s, 1000 take {long:.2f} s"


def test_a_sum_of_a_thousand_terms_is_read() -> None:
    (assign,) = program("a = " + " + ".join(f"x[{k}]" for k in range(1000)) + ";").kernel.body
    assert isinstance(assign, ir.Assign)
    assert sum(isinstance(part, ir.Place) for part in ir.walk(assign.value)) == 1000


def test_four_hundred_else_ifs_are_read() -> None:
    body = "if (n == 0) a = b;\n" + "\n".join(f"else if (n == {k}) a = {k};" for k in range(1, 400))
    (stmt,) = program(body).kernel.body
    assert sum(isinstance(s, ir.If) for s in ir.statements((stmt,))) == 400


def test_three_hundred_nested_parentheses_are_read() -> None:
    (assign,) = program("a = " + "(" * 300 + "b" + ")" * 300 + ";").kernel.body
    assert isinstance(assign, ir.Assign)
