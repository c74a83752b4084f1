"""Test every entry of the rule table.

All functions and all partials are compiled into one library: the functions in
long double, differentiated by extrapolated differences, and the partials as a kernel in double
would evaluate them. A difference whose own error isn't small fails, so a
sample too near to a jump can't pass untested.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from s2sad import rules
from s2sad.diagnostics import Rejected
from s2sad.emit.helpers import text as helper_text
from s2sad.ir import (
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    AddressOf,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Function,
    Parameter,
    Place,
    Program,
    Scalar,
    Select,
    Special,
    Sym,
    Unary,
)
from s2sad.parse.types.builtins import BUILTINS
from s2sad.partial_expressions import HELPERS

HERE = Path(__file__).parent
TABLE = rules.load()
ENTRIES = tomllib.loads((HERE.parent / "s2sad" / "rules.toml").read_text(encoding="utf-8"))
DIFFERENTIATED = [n for n in TABLE if any(TABLE[n].jacobian.values())]
CONSTANT = [n for n in TABLE if TABLE[n].constant and "try" in ENTRIES[n]]
SAMPLES = 24
# Rule, argument, the literal argument, the partial for that literal.
LITERALS = [
    (n, arg, name, expr)
    for n in TABLE
    for arg, partial in TABLE[n].partials.items()
    for name, expr in partial.literal.items()
]

# The results of rules that aren't calls of the function of that name.
VALUES = {
    "operator+": {"r": "x + y"},
    "operator-": {"r": "x - y"},
    "operator*": {"r": "x * y"},
    "operator/": {"r": "x / y"},
    "neg": {"r": "-x"},
    "convert": {"r": "x"},
    "sincos": {"s": "sin(x)", "c": "cos(x)"},
    "sincospi": {"s": "sinpi(x)", "c": "cospi(x)"},
    "modf": {"r": "fraction(x)"},
    "frexp": {"r": "mantissa(x)"},
    "remquo": {"r": "remquo(x, y)"},
    "to_integer": {"r": "lrint(x)"},
}


def c(expr: Expr) -> str:
    """Return an expression as C, fully parenthesised."""
    match expr:
        case Const(value, _, _, spelling):
            return spelling or (f"({value})" if value < 0 else str(value))
        case Place(sym):
            return sym.name
        case Unary(op, arg):
            return f"({op}{c(arg)})"
        case Binary(op, left, right):
            return f"({c(left)} {op} {c(right)})"
        case Select(cond, then, other):
            return f"({c(cond)} ? {c(then)} : {c(other)})"
        case Cast(arg, type_):
            assert isinstance(type_, Scalar)
            return f"(({type_.name}){c(arg)})"
        case Call(name, args):
            return f"{name}({', '.join(c(a) for a in args)})"
        case Special() | AddressOf():
            raise AssertionError(expr)


# ---- the library ------------------------------------------------------------


@dataclass(frozen=True)
class Evaluated:
    difference: float
    error: float
    partial: float
    singular: bool
    value: float


class Library:
    def __init__(self, path: Path) -> None:
        self._dll = ctypes.CDLL(str(path))

    def __call__(self, function: str, args: list[float]) -> Evaluated:
        out = (ctypes.c_double * 5)()
        getattr(self._dll, function)((ctypes.c_double * len(args))(*args), out)
        return Evaluated(out[0], out[1], out[2], bool(out[3]), out[4])

    def value(self, function: str, args: list[float]) -> float:
        f = getattr(self._dll, function)
        f.restype = ctypes.c_double
        return float(f((ctypes.c_double * len(args))(*args)))


def function_name(rule: str, result: str, arg: str) -> str:
    key = rule.translate(str.maketrans({"+": "add", "-": "sub", "*": "mul", "/": "div"}))
    return f"test_{key}_{result}_{arg}"


def inputs(rule: rules.Rule) -> list[str]:
    return [p for p in rule.parameters if p not in rule.outputs]


def c_function(rule: rules.Rule, result: str, arg: str) -> str:
    """Return a C function for difference, its error, partial, singularity and value at given arguments."""
    args = inputs(rule)
    values = VALUES.get(rule.name) or {"r": f"{rule.name}({', '.join(args)})"}
    partial = rule.jacobian[result].get(arg)
    lines = [f'extern "C" void {function_name(rule.name, result, arg)}(const double *a, double *out)', "{"]
    for k, name in enumerate(args):
        lines.append(f"    const {'int' if name in rule.integers else 'R'} {name} = a[{k}];")
    lines.append(f"    differentiate([=](R {arg}) -> R {{ return {values[result]}; }}, {arg}, out, out + 1);")
    known = {name: double(name) if name not in rule.integers else integer(name) for name in args}
    known |= {name: double(name) for name in rule.outputs if name in values}
    names = {name: f"(double)({text})" for name, text in values.items()}
    reals = [f"double {n} = {v};" for n, v in names.items()]
    lines.append(f"    out[4] = {values[result]};")
    lines.append(f"    {' '.join(reals)}")
    lines.append("    {")
    for name in args:
        if name not in rule.integers:
            lines.append(f"        const double {name}_ = {name};")
    for name in args:
        if name not in rule.integers:
            lines.append(f"        const double {name} = {name}_;")
    zero = Const(0.0, DOUBLE)
    at = rules.instantiate(partial, known, double("r"), DOUBLE) if partial else zero
    where = rules.singular(partial, known, double("r"), DOUBLE) if partial else None
    lines.append(f"        out[2] = {c(at)};")
    lines.append(f"        out[3] = {c(where) if where else '0'};")
    lines += ["    }", "}", ""]
    return "\n".join(lines)


def c_literal(rule: rules.Rule, arg: str, name: str, other: Expr) -> str:
    """Return a C function for the partial with a literal argument."""
    head = f'extern "C" double literal_{name}_{function_name(rule.name, "r", arg)}(const double *a)'
    reads = " ".join(f"const double {p} = a[{k}];" for k, p in enumerate(inputs(rule)))
    return f"{head} {{ {reads} return {c(other)}; }}"


def double(name: str) -> Place:
    return Place(Sym(name, DOUBLE), (), DOUBLE)


def integer(name: str) -> Place:
    return Place(Sym(name, INT), (), INT)


def cases(name: str) -> Iterator[tuple[str, str]]:
    """Yield (result, argument) of every partial; for a constant rule, of every real argument."""
    rule = TABLE[name]
    for result, partials in rule.jacobian.items():
        for arg in inputs(rule):
            stated = arg in partials or rule.constant or (result == "r" and rule.partials)
            if arg not in rule.integers and stated:
                yield result, arg


# The library is compiled on demand.
one_process = pytest.mark.xdist_group("rules")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("rules")
    parts = [f'#include "{HERE / "rules_reference.hpp"}"', "namespace reference {"]
    parts += [helper_text(name, "double", "") for name in HELPERS]
    parts += [c_function(TABLE[n], *case) for n in (*DIFFERENTIATED, *CONSTANT) for case in cases(n)]
    parts += [c_literal(TABLE[n], arg, name, expr) for n, arg, name, expr in LITERALS]
    source = folder / "rules.cpp"
    source.write_text("\n".join([*parts, "}"]), encoding="utf-8")
    command = [
        "g++",
        "-std=c++17",
        "-O1",
        "-ffp-contract=off",
        "-shared",
        "-fPIC",
        "-o",
        str(folder / "rules.so"),
    ]
    subprocess.run([*command, str(source)], check=True)
    return Library(folder / "rules.so")


def samples(name: str) -> list[list[float]]:
    """Return points spread over the entry's ranges, the same in every run."""
    rule, spread = TABLE[name], ENTRIES[name]["try"]
    points = []
    for k in range(SAMPLES):
        point = []
        for j, arg in enumerate(inputs(rule)):
            low, high = spread[arg] if isinstance(spread, dict) else spread
            at = math.modf(0.5 + (k + 1) * math.sqrt((2, 3, 5, 7)[j]))[0]
            integral = arg in rule.integers
            point.append(math.floor(low + (high + 1 - low) * at) if integral else low + (high - low) * at)
        points.append(point)
    return points


# ---- every entry ------------------------------------------------------------


def test_every_function_of_the_prelude_has_a_rule() -> None:
    missing = {b.rule for name in BUILTINS for b in BUILTINS[name]} - set(TABLE)
    assert not missing


def test_every_rule_serves_an_operator_or_a_function() -> None:
    served = {b.rule for name in BUILTINS for b in BUILTINS[name]}
    assert {n for n in TABLE if n not in served and not n.startswith("operator")} == {
        "neg",
        "sum",  # of transform/normalise/tree_sums.py
    }


def test_every_rule_is_differentiated_or_says_why_not() -> None:
    for name in TABLE:
        rule = TABLE[name]
        why = (rule.constant, rule.exchange, rule.refused)
        ways = [any(rule.jacobian.values()), *map(bool, why)]
        assert ways.count(True) == 1, name
        assert not rule.refused or rule.instead, name
        assert "try" in ENTRIES[name] or not any(rule.jacobian.values()), name


@one_process
@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_partials_agree_with_differences(name: str, library: Library) -> None:
    for result, arg in cases(name):
        for point in samples(name):
            at = library(function_name(name, result, arg), point)
            scale = 1 + abs(at.difference) + abs(at.value)
            assert at.error < 1e-11 * scale, f"{point}: a kink or a jump is too near"
            assert not at.singular, point
            # The partial is a short formula in double: its error is a few roundings of its largest term.
            assert abs(at.partial - at.difference) < 2e-12 * scale + at.error, (result, arg, point, at)


@one_process
@pytest.mark.parametrize("name", CONSTANT)
def test_what_has_no_derivative_has_derivative_zero(name: str, library: Library) -> None:
    for result, arg in cases(name):
        for point in samples(name):
            at = library(function_name(name, result, arg), point)
            assert at.difference == 0, point
            assert at.error == 0, point


STATED = [(name, k) for name in TABLE for k in range(len(ENTRIES[name].get("at", ())))]


@one_process
@pytest.mark.parametrize(("name", "k"), STATED)
def test_stated_values_at_kinks_and_singular_points(name: str, k: int, library: Library) -> None:
    stated = ENTRIES[name]["at"][k]
    point = [float(stated[arg]) for arg in inputs(TABLE[name])]
    for arg, partial in TABLE[name].partials.items():
        at = library(function_name(name, "r", arg), point)
        wanted = float(stated[f"d{arg}"]) if f"d{arg}" in stated else None
        if wanted is not None:
            assert at.partial == wanted or (math.isnan(wanted) and math.isnan(at.partial))
        assert at.singular == (not math.isfinite(at.partial))
        assert math.isfinite(at.value) or partial.singular is None


@pytest.mark.parametrize(("name", "arg", "literal"), [case[:3] for case in LITERALS])
def test_the_partial_for_a_literal_is_the_same_number(
    name: str, arg: str, literal: str, library: Library
) -> None:
    args = inputs(TABLE[name])
    function = function_name(name, "r", arg)
    for point in itertools.product((-1.0, -0.0, 0.0, 2.0, math.inf, math.nan), repeat=len(args)):
        if not math.isnan(point[args.index(literal)]):  # NaN never equals a literal
            simpler = library.value(f"literal_{literal}_{function}", list(point))
            full = library(function, list(point)).partial
            assert simpler == full or math.isnan(full), point  # 0 * inf in the general formula


@pytest.mark.parametrize("name", DIFFERENTIATED)
def test_a_partial_needs_what_it_reads(name: str) -> None:
    rule = TABLE[name]
    for partials in rule.jacobian.values():
        for partial in partials.values():
            known = {n: double(n) if n not in rule.integers else integer(n) for n in partial.needs - {"r"}}
            result = double("r") if "r" in partial.needs else None
            assert rules.instantiate(partial, known, result, DOUBLE).type == DOUBLE
            assert partial.needs <= {*rule.parameters, "r"}


# ---- partials in kernels ----------------------------------------------------


def written(name: str, call: str, *args: Expr, arg: str = "x", type_: Scalar = FLOAT) -> str:
    rule = TABLE[name]
    known = dict(zip(rule.parameters, args, strict=True))
    author = Call(call, args, type_, rule=name)
    return c(
        rules.instantiate(rule.partials[arg], known, Place(Sym("v", type_), (), type_), type_, call=author)
    )


S = Place(Sym("s", FLOAT), (), FLOAT)
D = Place(Sym("d", DOUBLE), (), DOUBLE)


@pytest.mark.parametrize(
    ("call", "partial"),
    [("sinf", "cosf(s)"), ("__sinf", "__cosf(s)"), ("sin", "cos(s)")],
)
def test_a_partial_is_spelled_as_the_author_spells_the_call(call: str, partial: str) -> None:
    assert written("sin", call, S) == partial


def test_literals_have_the_precision_of_the_call_and_all_digits() -> None:
    assert written("exp2", "exp2f", S) == "(0.6931471805599453f * v)"
    assert written("sqrt", "sqrt", D, type_=DOUBLE) == "(0.5 / v)"
    assert written("log1p", "log1pf", S) == "(1.0f / (1.0f + s))"


def test_what_has_no_overload_of_the_short_name_gets_the_long_one() -> None:
    assert written("asin", "asinf", S) == "rsqrtf(((1.0f - s) * (1.0f + s)))"
    assert written("lgamma", "lgamma", S) == "lgamma_slopef(s)"
    assert written("j1", "j1", S) == "((s == 0.0f) ? 0.5f : (j0(s) - (v / s)))"


@pytest.mark.parametrize(
    ("exponent", "partial"),
    [
        (2.0, "(2.0f * s)"),
        (1.0, "1.0"),
        (0.0, "0.0f"),
        (3.0, "(3.0f * (s * s))"),
        (0.5, "(0.5f * powf(s, (-0.5)))"),
        (-1.0, "((-1.0) * powf(s, (-2.0)))"),
    ],
)
def test_a_constant_exponent_is_computed_with(exponent: float, partial: str) -> None:
    spelled = f"{exponent}f" if exponent > 0 else None
    assert written("pow", "powf", S, Const(exponent, FLOAT, spelling=spelled)) == partial


def test_a_constant_exponent_of_at_least_one_leaves_no_singular_point() -> None:
    partial = TABLE["pow"].partials["x"]
    known: dict[str, Expr] = {"x": S, "y": Cast(Const(2, INT), FLOAT, implicit=True)}
    assert rules.singular(partial, known, None, FLOAT) is None
    known["y"] = Const(0.5, FLOAT)
    where = rules.singular(partial, known, None, FLOAT)
    assert where is not None
    assert c(where) == "(s == 0.0f)"


def test_a_comparison_with_a_literal_needs_no_second_call() -> None:
    zero = Const(0.0, FLOAT, spelling="0.0f")
    assert written("fmax", "fmaxf", S, zero) == "((s >= 0.0f) ? 1.0f : 0.0f)"
    assert written("fmin", "fminf", zero, S, arg="y") == "((s < 0.0f) ? 1.0f : 0.0f)"
    assert written("fmax", "fmaxf", S, S) == "((v == s) ? 1.0f : 0.0f)"


def test_integer_arguments_stay_integers() -> None:
    n = integer("n")
    assert written("ldexp", "ldexpf", S, n) == "ldexpf(1.0f, n)"
    assert "jnf((n - 1), s)" in written("jn", "jnf", n, S)


def test_arguments_of_another_precision_are_converted() -> None:
    assert written("copysign", "copysign", S, D, type_=DOUBLE) == "((v == ((double)s)) ? 1.0 : (-1.0))"


def test_exp_needs_its_result_alone() -> None:
    assert TABLE["exp"].partials["x"].needs == {"r"}
    assert TABLE["operator/"].partials["y"].needs == {"r", "y"}
    assert TABLE["sincos"].jacobian["s"]["x"].needs == {"c"}


def test_a_partial_says_what_it_reads_more_than_once() -> None:
    assert TABLE["tanh"].partials["x"].repeated == {"r"}
    assert TABLE["hypot"].partials["x"].repeated == frozenset()


def test_outputs_are_not_smooth_arguments() -> None:
    assert TABLE["sincos"].smooth == {0}
    assert TABLE["jn"].smooth == {1}
    assert TABLE["ldexp"].smooth == {0}
    assert TABLE["copysign"].smooth == {0}
    assert TABLE["floor"].smooth == frozenset()


def test_rules_are_found_by_the_names_a_user_knows() -> None:
    for name, key in (("__sinf", "sin"), ("+", "operator+"), ("sin", "sin"), ("fmaxf", "fmax")):
        found = TABLE.find(name)
        assert found is not None
        assert found.name == key
    assert TABLE.find("sinh_") is None


def test_a_rule_describes_itself() -> None:
    told = rules.describe(TABLE["sqrt"])
    assert told["partials"] == {"dx": "0.5 / r"}
    assert told["needs"] == ["r"]
    assert "__fsqrt_rn" in str(told["serves"])
    assert rules.describe(TABLE["bits"])["refused"]


# ---- the user's own rules ---------------------------------------------------


def load(tmp_path: Path, text: str) -> rules.Table:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    return rules.load([path])


def test_a_user_rule_replaces_an_entry_and_adds_others(tmp_path: Path) -> None:
    table = load(tmp_path, '[sin]\ndx = "1"\n[act]\nargs = "int n, x"\ndx = "x > 0 ? n * r : 0"\n')
    assert table["sin"].partials["x"].needs == frozenset()
    assert table["act"].smooth == {1}
    assert table["cos"] is not None
    assert table.of(Call("act", (), FLOAT, callee="act")) is table["act"]
    assert table.of(Call("__sinf", (), FLOAT, rule="sin")) is table["sin"]
    assert table.of(Call("g", (), FLOAT, callee="g")) is None
    assert rules.load()["sin"].partials["x"].text == "cos(x)"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ('[f]\ndx = "1\n', "rules-not-toml", 2, 8),
        ('[f]\ndx = "1"\npartial = "x"\n', "rule-key", 3, 1),
        ('[f]\ndx = "2 * q"\n', "rule-formula", 2, 11),
        ('[f]\ndx = "2 * "\n', "rule-formula", 2, 7),
        ('[f]\ndx = "sine(x)"\n', "rule-formula", 2, 7),
        ('[f]\ndx = "sin(x, x)"\n', "rule-formula", 2, 7),
        ('[f]\ndx = "x $ 2"\n', "rule-formula", 2, 7),
        ('[f]\ndx = "1 / 2 * x"\n', "rule-formula", 2, 7),
        ('[f]\ndx = "(float)x"\n', "rule-formula", 2, 7),
        ('[f]\ndx = "x = 2"\n', "rule-formula", 2, 7),
        ('[f]\ndx = "2 * sinf(x)"\n', "rule-formula", 2, 11),
        ('[f]\ndx = "x * threadIdx.x"\n', "rule-formula", 2, 11),
        ('[f]\ndx = "1"\nsingular = "x"\n', "rule-formula", 3, 13),
        ("[f]\ndx = 1\n", "rule-value", 2, 1),
        ('[f]\nargs = "x, 2"\ndx = "1"\n', "rule-parameter", 2, 1),
        ('[f]\nargs = "x"\ndy = "1"\n', "rule-argument", 3, 1),
        ('[f]\nargs = "int n"\ndn = "1"\n', "rule-argument", 3, 1),
        ('[f]\nargs = "x"\ndx = { s = "1" }\n', "rule-argument", 3, 1),
        ('# nothing\n[f]\nargs = "x"\n', "rule-empty", 2, 1),
        ("f = 1\n", "rule-value", 1, 1),
    ],
)
def test_a_bad_rule_is_refused_where_it_is(
    tmp_path: Path, text: str, code: str, line: int, column: int
) -> None:
    with pytest.raises(Rejected) as refused:
        load(tmp_path, text)
    (found,) = refused.value.diagnostics
    assert found.span is not None
    assert (found.code.slug, found.span.line, found.span.column) == (code, line, column)
    assert found.title
    assert found.label
    assert found.help or code in ("rules-not-toml", "rule-value")


def test_all_bad_rules_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(Rejected) as refused:
        load(tmp_path, '[f]\ndx = "q"\n[g]\ndx = ")"\n')
    assert len(refused.value.diagnostics) == 2


def test_a_rule_for_other_parameters_than_the_functions_is_found(tmp_path: Path) -> None:
    table = load(tmp_path, '[f]\nargs = "x, y"\ndx = "1"\n')
    params = (Parameter(Sym("n", INT)), Parameter(Sym("u", FLOAT)))
    function = Function("f", params, FLOAT, (), is_kernel=False)
    kernel = Function("k", (), VOID, (), is_kernel=True)
    (found,) = rules.misfits(table, Program(kernel, {"f": function}))
    assert found.code.slug == "rule-misfit"
    assert "x, y" in found.title
