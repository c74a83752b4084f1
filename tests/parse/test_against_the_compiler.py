"""The order of effects and the types of expressions are those of a C++17 compiler.

Each block of lowering/effects.txt is compiled twice, as written and as lowered, and
run on the same random arguments: every variable and array must end the same. The
types of random expressions are put to the compiler as static assertions.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lowering_kit import lowered, refusals

from s2sad import ir, irtext, parse
from s2sad.ir import Sym

SEED = 1
FOLDER = Path(__file__).parent / "lowering"

PRELUDE = """\
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#define sincosf(x, s, c) (*(s) = std::sin(x), *(c) = std::cos(x), (void)0)
#define __ldg(p) (*(p))
#define __stcs(p, v) (*(p) = (v))
using std::abs; using std::isnan; using std::isinf;
struct State {
    float x[64], c[64]; double d[64]; int m[64]; int n, i, j; float a, b; unsigned u;
};
static State start(int seed)
{
    State s; std::memset(&s, 0, sizeof s); std::srand(seed);
    for (int k = 0; k < 64; ++k) {
        s.x[k] = std::rand() % 9 - 4; s.c[k] = std::rand() % 9 - 4;
        s.d[k] = std::rand() % 9 - 4; s.m[k] = std::rand() % 9;
    }
    s.n = std::rand() % 8 + 2; s.i = std::rand() % 8 + 2; s.j = std::rand() % 8 + 2;
    s.u = std::rand() % 8 + 2; s.a = std::rand() % 5; s.b = std::rand() % 5;
    return s;
}
"""

FRAME = """\
static State %s(State s)
{
    float *x = s.x, *c = s.c; double *d = s.d; int *m = s.m; (void)x; (void)c; (void)d; (void)m;
    int &n = s.n, &i = s.i, &j = s.j; float &a = s.a, &b = s.b; unsigned &u = s.u;
    (void)n; (void)i; (void)j; (void)a; (void)b; (void)u;
    [&]() -> void {
%s
    }();
    return s;
}
"""


def _blocks(name: str) -> list[tuple[str, str]]:
    text = "\n" + (FOLDER / name).read_text()
    return [
        (title, rest.split("\n=>\n")[0])
        for title, rest in (block.split("\n", 1) for block in text.split("\n# ")[1:])
    ]


def _as_cpp(text: str) -> str:
    """IR text as C++: implicit conversions are left to the compiler."""
    text = re.sub(r"<(?:unsigned |signed |long )*\w+>", "", text)
    text = re.sub(r"for \((\w+) (\w+ = [^;]*), \1 ", r"for (\1 \2, ", text)
    text = re.sub(r":\n(\s*)\}", r":;\n\1}", text)
    return re.sub(r"^\s*#pragma.*$", "", text, flags=re.M)


def _run(tmp_path: Path, source: str, *flags: str) -> str:
    compiler = shutil.which("g++") or shutil.which("clang++")
    assert compiler, "these tests need a C++ compiler: install g++"
    file = tmp_path / "t.cpp"
    file.write_text(source)
    made = subprocess.run(
        [compiler, "-std=c++17", "-O0", "-w", *flags, str(file), "-o", str(tmp_path / "t")],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr[:4000]
    if "-fsyntax-only" in flags:
        return ""
    return subprocess.run(
        [str(tmp_path / "t")], capture_output=True, text=True, timeout=60, check=True
    ).stdout


def _compare(cases: list[tuple[str, str]], tmp_path: Path) -> str:
    """The titles of the cases that do something else after lowering."""
    functions: list[str] = []
    calls: list[str] = []
    for k, (title, body) in enumerate(cases):
        functions.append(FRAME % (f"before{k}", re.sub(r"^\s*#pragma.*$", "", body, flags=re.M)))
        functions.append(FRAME % (f"after{k}", _as_cpp(lowered(body))))
        calls.append(
            f"    for (int seed = 1; seed < 40; ++seed) {{\n"
            f"        State s = start(seed), p = before{k}(s), q = after{k}(s);\n"
            f'        if (std::memcmp(&p, &q, sizeof p)) {{ std::puts("{title}"); break; }}\n'
            f"    }}"
        )
    main = "int main()\n{\n" + "\n".join(calls) + "\n}\n"
    return _run(tmp_path, PRELUDE + "\n".join(functions) + main)


@pytest.mark.parametrize("name", ["effects.txt", "statements.txt"])
def test_lowering_keeps_what_a_kernel_does(name: str, tmp_path: Path) -> None:
    cases = [(title, body) for title, body in _blocks(name) if "blockIdx" not in body]
    assert _compare(cases, tmp_path) == ""


def _effect(rng: random.Random, depth: int) -> str:
    """A random integer expression, most often with effects on i, j, n and m."""
    if depth == 0:
        return rng.choice(["i", "j", "n", "1", "3", "i++", "--j", "n--", "++i", "m[i & 63]", "m[j & 63]++"])
    left, right, third = (_effect(rng, depth - 1) for _ in range(3))
    place = rng.choice(["i", "j", "n", f"m[({third}) & 63]"])
    return rng.choice(
        [
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} < {right})",
            f"({left} && {right})",
            f"({left} || {right})",
            f"({left} ? {right} : {third})",
            f"({left}, {right})",
            f"({place} = {right})",
            f"({place} += {right})",
            f"({place} = {right})",
            f"m[({left}) & 63]",
            f"(({left} & 7) << ({right} & 3))",
            f"(!{left})",
        ]
    )


def _statement(rng: random.Random) -> str:
    text = _effect(rng, rng.randrange(1, 4))
    bounded = f"a < 40 && {text} > 0"
    loop = rng.choice(["", "if (a == 7) continue; ", "if (a == 9) break; "])
    form = rng.choice(["{};", "{};", "n = {};", "int q = {}; n -= q;", "if ({}) j += 2;",
                       "switch ({}) {{ case 0: j = 5; }}",
                       "if ({}) j += 2; else j -= 3;"])  # fmt: skip
    loops = [
        f"while ({bounded}) {{ ++a; {loop}x[1] += 1; }}",
        f"do {{ ++a; {loop}x[1] += 1; }} while ({bounded});",
        f"for (; {bounded}; j++) {{ ++a; {loop}x[1] += 1; }}",
        f"for (int t = 0; t < 5; ++t, {text}) {{ {loop}a += 1; }}",
    ]
    return rng.choice([form.format(text), form.format(text), rng.choice(loops)])


def test_random_effects_keep_their_order(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    cases: list[tuple[str, str]] = []
    while len(cases) < 80:
        body = _statement(rng)
        found = refusals(body)
        if not found:
            cases.append((body, body))
        else:
            assert {code for code, _, _ in found} <= {
                "unsequenced-effects",
                "compilers-differ",
                "type-error",
            }, body
    assert _compare(cases, tmp_path) == "", f"seed {SEED}"


TYPES = {
    "f": ir.FLOAT, "g": ir.DOUBLE, "t": ir.BOOL, "c": ir.CHAR, "h": ir.UCHAR, "s": ir.SHORT, "r": ir.USHORT,
    "n": ir.INT, "u": ir.UINT, "l": ir.LONG, "z": ir.ULONG, "w": ir.LLONG, "v": ir.ULLONG,
}  # fmt: skip
LITERALS = ["1", "2u", "3L", "4ull", "5.0f", "6.0", "'a'", "true", "0xffffffff", "4294967296"]
FLOATING = ["sin({})", "exp({})", "pow({}, {})", "fmax({}, {})", "atan2({}, {})", "fabs({})", "floor({})"]


def _expression(rng: random.Random, depth: int, integer: bool = False) -> str:
    names = [n for n, t in TYPES.items() if not (integer and t.is_float)]
    if depth == 0:
        literals = [x for x in LITERALS if not (integer and "." in x)]
        return rng.choice(names + literals)
    kind = rng.randrange(9)
    if kind < 4:
        op = rng.choice("+-*/")
        return f"({_expression(rng, depth - 1, integer)} {op} {_expression(rng, depth - 1, integer)})"
    if kind == 4:
        op = rng.choice(["%", "<<", ">>", "&", "|", "^"])
        return f"({_expression(rng, depth - 1, True)} {op} {_expression(rng, depth - 1, True)})"
    if kind == 5:
        op = rng.choice(["<", "==", "&&", "||"])
        return f"({_expression(rng, depth - 1, integer)} {op} {_expression(rng, depth - 1, integer)})"
    if kind == 6:
        return f"({rng.choice('-+!')}{_expression(rng, depth - 1, integer)})"
    if kind == 7:
        parts = [_expression(rng, depth - 1, integer) for _ in range(3)]
        return f"({parts[0]} ? {parts[1]} : {parts[2]})"
    if integer:
        return f"(~{_expression(rng, depth - 1, True)})"
    call = rng.choice(FLOATING)
    return call.format(*(_expression(rng, depth - 1) for _ in range(call.count("{}"))))


def test_expressions_have_the_compilers_types(tmp_path: Path) -> None:
    rng = random.Random(4)
    names = {name: Sym(name, type) for name, type in TYPES.items()}
    lines = [f"static {type.name} {name};" for name, type in TYPES.items()]
    for _ in range(400):
        text = _expression(rng, rng.randrange(1, 4))
        type = irtext.type_text(parse.expression(text, names).type)
        lines.append(f"static_assert(std::is_same_v<std::decay_t<decltype(({text}))>, {type}>);")
    prelude = "#include <cmath>\n#include <type_traits>\nusing namespace std;\n"
    _run(tmp_path, prelude + "\n".join(lines) + "\n", "-fsyntax-only")
