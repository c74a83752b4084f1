"""Printed expressions mean their trees: parentheses, casts, literals."""

from __future__ import annotations

import math
import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from emit_kit import implicit, local, num, op, pointer, var
from evaluator import SYMS, TYPES, VALUES, Undefined, evaluate, tree
from pycparser import c_ast, c_parser

from s2sad.decimals import decimal
from s2sad.emit.c_printer import Printer, declarator, literal
from s2sad.emit.words import identifiers
from s2sad.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    UCHAR,
    UINT,
    AddressOf,
    Array,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Place,
    Pointer,
    Scalar,
    Select,
    Sym,
    Type,
    Unary,
)

P = Printer()
a, b, c = (var(local(name)) for name in "abc")
i, j, n = (var(local(name, INT)) for name in "ijn")
d = var(local("d", DOUBLE))
u = var(local("u", UINT))


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (op("-", a, op("-", b, c)), "a - (b - c)"),
        (op("-", op("-", a, b), c), "a - b - c"),
        (op("+", a, op("+", b, c)), "a + (b + c)"),
        (op("*", a, op("/", b, c)), "a * (b / c)"),
        (op("/", op("*", a, b), c), "a * b / c"),
        (op("*", op("+", a, b), c), "(a + b) * c"),
        (Unary("-", Unary("-", a, FLOAT), FLOAT), "-(-a)"),
        (Unary("-", op("*", a, b), FLOAT), "-(a * b)"),
        (op("*", Unary("-", a, FLOAT), b), "-a * b"),
        (Unary("!", op("<", a, b), BOOL), "!(a < b)"),
        (op("||", op("&&", op("<", a, b), op("<", b, c)), op("<", a, c)), "(a < b && b < c) || a < c"),
        (op("&", i, op("<<", j, n)), "i & (j << n)"),
        (op("==", op("&", i, num(1)), num(0)), "(i & 1) == 0"),
        (Select(op("<", i, n), a, Select(op("<", j, n), b, c, FLOAT), FLOAT), "i < n ? a : j < n ? b : c"),
        (Select(op("<", i, n), Select(op("<", j, n), a, b, FLOAT), c, FLOAT), "i < n ? (j < n ? a : b) : c"),
        (op("*", a, Select(op("<", i, n), b, c, FLOAT)), "a * (i < n ? b : c)"),
        (Cast(op("/", i, n), FLOAT), "(float)(i / n)"),
        (op("/", Cast(i, FLOAT), implicit(n, FLOAT)), "(float)i / n"),
        (AddressOf(a, Pointer(FLOAT)), "&a"),
    ],
)
def test_parentheses_are_those_the_tree_needs(expr: Expr, text: str) -> None:
    assert P.expr(expr) == text


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (op("*", implicit(num(2, "2"), FLOAT), a), "2 * a"),
        (op("*", implicit(a, DOUBLE), d), "a * d"),
        # The other operand is a float: without the cast this would be a float's product.
        (op("*", implicit(a, DOUBLE), implicit(b, DOUBLE)), "(double)a * b"),
        (op("*", implicit(d, FLOAT), a), "(float)d * a"),
        (implicit(op("/", i, n), FLOAT), "(float)(i / n)"),
        (op("*", a, implicit(op("/", i, n), FLOAT)), "a * (i / n)"),
        (op("/", implicit(i, FLOAT), implicit(n, FLOAT)), "(float)i / n"),
        (op("<", implicit(i, UINT), u), "i < u"),
        (op("<", i, implicit(u, INT)), "i < (int)u"),
        (op("+", u, Const(1, UINT)), "u + 1"),
        (op("*", implicit(implicit(i, FLOAT), DOUBLE), d), "(float)i * d"),
        (op("&&", implicit(i, BOOL), op("<", a, b)), "i && a < b"),
        (Call("sinf", (implicit(d, FLOAT),), FLOAT, "sin"), "sinf(d)"),
        (Call("sin", (implicit(a, DOUBLE),), DOUBLE, "sin"), "sin((double)a)"),
        (Call("erf", (implicit(a, DOUBLE),), DOUBLE, "erf"), "erf((double)a)"),
        (Call("g", (implicit(i, FLOAT),), FLOAT, None, "g"), "g(i)"),
    ],
)
def test_casts_are_printed_where_cpp_would_convert_otherwise(expr: Expr, text: str) -> None:
    assert P.expr(expr) == text


def test_an_overloaded_device_function_keeps_the_casts_that_choose_it() -> None:
    call = Call("g", (implicit(i, FLOAT),), FLOAT, None, "g#1")
    assert Printer(overloaded=frozenset({"g"})).expr(call) == "g((float)i)"


def test_assignments_drop_the_conversion_they_make_themselves() -> None:
    assert P.assignment(Assign(a, implicit(d, FLOAT))) == ("a", "=", "d")
    assert P.assignment(Assign(a, implicit(i, FLOAT), "+")) == ("a", "+=", "i")
    # `a += d` computes in double; here the operation is done in float.
    assert P.assignment(Assign(a, implicit(d, FLOAT), "+")) == ("a", "+=", "(float)d")
    assert P.assignment(Assign(a, implicit(b, DOUBLE), "+")) == ("a", "+=", "(double)b")


def test_a_whole_number_that_is_a_float_needs_no_cast_on_its_way_to_double() -> None:
    def times_d(value: int, *types: Type) -> str:
        factor: Expr = Const(value, INT)
        for type in (*types, DOUBLE):
            assert isinstance(type, Scalar)
            factor = implicit(factor, type)
        return P.expr(op("*", factor, d))

    assert times_d(2, FLOAT) == "2 * d"
    assert times_d(16777217, FLOAT) == "(float)16777217 * d"  # isn't a float
    assert times_d(300, UCHAR, FLOAT) == "(unsigned char)300 * d"  # is 44


def test_spelling_is_printed_instead_of_the_tree() -> None:
    quarter = num(0.25, ".25f")
    assert P.expr(op("*", quarter, a)) == ".25f * a"
    size = Binary("*", num(4), num(2), INT, spelling="N", macro="N")
    assert P.expr(op("/", i, size)) == "i / N"
    assert P.expr(op("-", n, Const(-1, INT, spelling="-1"))) == "n - -1"
    assert P.expr(op("*", n, Binary("+", i, j, INT, spelling="i + j"))) == "n * (i + j)"
    assert P.expr(op("*", n, Binary("+", i, j, INT, spelling="SUM(i, j)"))) == "n * SUM(i, j)"


def test_a_macro_that_names_a_renamed_variable_is_spelled_out() -> None:
    x = pointer("x")
    at = Place(x, (i,), FLOAT, spelling="HERE", macro="HERE")
    assert P.expr(at) == "HERE"
    assert Printer({x: "x_2"}).expr(at) == "x_2[i]"


def test_the_sign_of_a_negative_product_goes_to_its_first_factor() -> None:
    assert P.negative(op("*", op("*", a, b), c)) == "-a * b * c"
    assert P.negative(op("+", a, b)) == "-(a + b)"
    assert P.negative(Unary("-", a, FLOAT)) == "-(-a)"
    assert P.negative(a) == "-a"


@pytest.mark.parametrize(
    ("value", "t", "text"),
    [
        (2.0, FLOAT, "2.0f"),
        (0.5, FLOAT, "0.5f"),
        (0.1, FLOAT, "0.1f"),
        (1e-5, FLOAT, "1e-5f"),
        (1e-5, DOUBLE, "1e-5"),
        (1 / 3, DOUBLE, "0.3333333333333333"),
        (1e20, FLOAT, "1e20f"),
        (-2.0, FLOAT, "-2.0f"),
        (math.inf, FLOAT, "1.0f / 0.0f"),
        (True, BOOL, "true"),
        (3, UINT, "3u"),
        (2**40, LLONG, "1099511627776LL"),
        (-(2**31), INT, "-2147483647 - 1"),
    ],
)
def test_a_constant_nobody_spelled_is_short_and_exact(value: float, t: Type, text: str) -> None:
    assert literal(value, t)[0] == text  # type: ignore[arg-type]


def test_decimals_read_back_as_the_same_number() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        bits = rng.getrandbits(32)
        value = struct.unpack("f", struct.pack("I", bits))[0]
        if math.isfinite(value):
            assert struct.pack("f", float(decimal(value, 4))) == struct.pack("f", value)


def test_declarators_follow_the_shape_of_the_type() -> None:
    assert declarator(Pointer(FLOAT, const=True, restrict=True), "x") == "const float *__restrict__ x"
    assert declarator(Pointer(FLOAT), "p", const=True) == "float *const p"
    assert declarator(Pointer(Pointer(FLOAT, const=True)), "p") == "const float **p"
    assert declarator(Array(FLOAT, (3, 4)), "p") == "float p[3][4]"
    assert declarator(Array(FLOAT, (66,), ("BLOCK + 2",)), "t") == "float t[BLOCK + 2]"
    assert declarator(INT, "k", const=True) == "const int k"
    assert declarator(Pointer(FLOAT), "") == "float *"
    assert P.declared(Sym("t", Array(FLOAT, (4,)), "shared")) == "__shared__ float t[4]"


def test_identifiers_leave_out_comments_and_strings() -> None:
    assert identifiers('a + b1 /* c */ + "d" // e\n + a') == ["a", "b1"]


# ---- random trees ------------------------------------------------------------


def _plain(rng: random.Random, depth: int) -> Expr:
    """A random tree without conversions, all of one type."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([i, j, n, num(3), num(-2)])
    kind = rng.random()
    if kind < 0.2:
        return Unary(rng.choice("-+~"), _plain(rng, depth - 1), INT)  # type: ignore[arg-type]
    if kind < 0.3:
        cond = op(rng.choice(["<", "=="]), _plain(rng, depth - 1), _plain(rng, depth - 1))
        return Select(cond, _plain(rng, depth - 1), _plain(rng, depth - 1), INT)
    if kind < 0.4:
        return Cast(_plain(rng, depth - 1), INT)
    operator = rng.choice(["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"])
    return op(operator, _plain(rng, depth - 1), _plain(rng, depth - 1))


def _shape(expr: Expr) -> object:
    match expr:
        case Place():
            return expr.sym.name
        case Const():
            return str(expr.value) if expr.value >= 0 else ("-", str(-expr.value))
        case Unary():
            return (expr.op, _shape(expr.arg))
        case Cast():
            return ("cast", _shape(expr.arg))
        case Select():
            return ("?", _shape(expr.cond), _shape(expr.then), _shape(expr.other))
        case Binary():
            return (expr.op, _shape(expr.left), _shape(expr.right))
        case _:
            raise AssertionError


def _parsed(node: c_ast.Node) -> object:
    match node:
        case c_ast.ID():
            return node.name
        case c_ast.Constant():
            return node.value
        case c_ast.UnaryOp():
            return (node.op, _parsed(node.expr))
        case c_ast.Cast():
            return ("cast", _parsed(node.expr))
        case c_ast.TernaryOp():
            return ("?", _parsed(node.cond), _parsed(node.iftrue), _parsed(node.iffalse))
        case c_ast.BinaryOp():
            return (node.op, _parsed(node.left), _parsed(node.right))
        case _:
            raise AssertionError


def test_random_trees_parse_back_as_the_same_trees() -> None:
    rng = random.Random(7)
    trees = [_plain(rng, 5) for _ in range(400)]
    lines = "".join(f"int f{k}(int i, int j, int n) {{ return {P.expr(t)}; }}\n" for k, t in enumerate(trees))
    file = c_parser.CParser().parse(lines)
    for expr, function in zip(trees, file.ext, strict=True):
        assert _parsed(function.body.block_items[0].expr) == _shape(expr), P.expr(expr)


def test_a_long_chain_needs_no_deep_recursion() -> None:
    chain: Expr = a
    for _ in range(20000):
        chain = op("+", chain, b)
    assert P.expr(chain).count("+") == 20000


def test_random_typed_trees_are_worth_in_cpp_what_the_ir_says(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("c++")
    assert compiler, "a C++ compiler is needed, as for the CPU backend"
    seed = 20
    rng = random.Random(seed)
    expected: list[float | int] = []
    prints: list[str] = []
    while len(expected) < 600:
        expr = tree(rng, 4)
        try:
            value = evaluate(expr)
        except (Undefined, OverflowError):
            continue
        assert not isinstance(expr.type, Pointer | Array)
        text = P.converted(expr, expr.type)
        form = f"{expr.type.name.replace(' ', '_')}_"
        prints.append(f"    {{ {form} r = {text}; show(r); }}")
        expected.append(value)
    declared = "".join(
        f"typedef {t.name} {t.name.replace(' ', '_')}_;\n"
        f"volatile {t.name} {SYMS[t].name} = {literal(VALUES[t], t)[0]};\n"
        for t in TYPES
    )
    source = tmp_path / "trees.cpp"
    source.write_text(
        "#include <cstdio>\n"
        'template <class T> void show(T r) { std::printf("%.17g\\n", (double)r); }\n'
        'template <> void show(long long r) { std::printf("%lld\\n", r); }\n'
        'template <> void show(unsigned long long r) { std::printf("%llu\\n", r); }\n'
        f"{declared}int main()\n{{\n" + "\n".join(prints) + "\n}\n"
    )
    binary = tmp_path / "trees"
    flags = ["-std=c++17", "-O0", "-fwrapv", "-ffp-contract=off", "-w"]
    subprocess.run([compiler, *flags, str(source), "-o", str(binary)], check=True)
    lines = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.split()
    assert len(lines) == len(expected)
    for got, value, line in zip(lines, expected, prints, strict=True):
        same = (int(got) if got.lstrip("-").isdigit() else float(got)) == value
        assert same, (seed, line, got, value)
