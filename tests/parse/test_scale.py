"""Long and deep kernels are lowered in linear time and without running out of stack."""

from __future__ import annotations

from calls_kit import calls
from lowering_kit import HEAD, program

from s2sad import ir, parse
from s2sad.source import Source


def _lines(count: int) -> str:
    return "\n".join(f"    x[i + {k}] = a * c[i] + sinf(b) * {k}.0f;" for k in range(count))


def test_work_grows_with_the_number_of_statements() -> None:
    def cost(count: int) -> int:
        source = Source("k.cu", HEAD + _lines(count) + "\n}\n")
        return calls(lambda: parse.program(source))

    cost(50)  # tables are read on first use
    short, long = cost(250), cost(1000)
    assert long < 4.4 * short, f"250 statements take {short} calls, 1000 take {long}"


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
