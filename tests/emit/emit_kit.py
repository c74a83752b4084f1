"""Small builders of IR, for tests that need no parser."""

from __future__ import annotations

from s2sad.analysis.plan import Accumulation, Decision, Plan, Recovery
from s2sad.ir import (
    BOOL,
    FLOAT,
    INT,
    VOID,
    Accumulate,
    Array,
    Assign,
    Banner,
    Binary,
    Call,
    Cast,
    Clear,
    Const,
    Declare,
    Expr,
    For,
    Function,
    If,
    Macro,
    Parameter,
    Place,
    Pointer,
    Program,
    Quote,
    Record,
    Restore,
    Return,
    Scalar,
    Share,
    Site,
    Special,
    Stmt,
    Sym,
    Type,
)
from s2sad.signature import Argument, Signature
from s2sad.source import Source, Span
from s2sad.transform.unit import Adjoint, Contract, TapeRegion


def var(sym: Sym, *index: Expr) -> Place:
    """A variable or an element, with its type."""
    t: Type = sym.type
    for _ in index:
        t = t.target if isinstance(t, Pointer) else t
    if isinstance(t, Array):
        t = t.element if index else t
    return Place(sym, index, t)


def op(operator: str, left: Expr, right: Expr) -> Binary:
    """An operation on operands of one type."""
    logical = operator in ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
    return Binary(operator, left, right, BOOL if logical else left.type)


def num(value: int | float, spelling: str | None = None, macro: str | None = None) -> Const:
    """An `int` or a `float`."""
    return Const(value, FLOAT if isinstance(value, float) else INT, spelling=spelling, macro=macro)


def implicit(expr: Expr, t: Scalar) -> Cast:
    return Cast(expr, t, implicit=True)


def local(name: str, t: Type = FLOAT, of: Sym | None = None, span: Span | None = None) -> Sym:
    """A variable of the author's, if it stands somewhere in the text, or one of the tool's."""
    return Sym(name, t, of=of, span=span, origin="tool" if span is None else "author")


def pointer(name: str, const: bool = False, restrict: bool = False) -> Sym:
    return Sym(name, Pointer(FLOAT, const=const, restrict=restrict), "parameter")


def kernel(name: str, params: tuple[Sym, ...], body: tuple[Stmt, ...], span: Span | None = None) -> Function:
    attributes = ('extern "C"', "__global__")
    return Function(name, tuple(map(Parameter, params)), VOID, body, True, attributes, span)


RELAX = """\
#define BLOCK 64
#define STEPS 8

extern "C" __global__ void relax(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;

    float s = x[i];  // a start
    for (int k = 0; k < STEPS; ++k)
        s = s + w[k] * sinf(s);
    y[i] = s;
}
"""


def relax(tape: bool = False) -> Adjoint:
    """The adjoint of a small kernel, as the transformer builds it."""
    source = Source("kernels/relax.cu", RELAX)

    def at(text: str) -> Span:
        start = RELAX.index(text)
        return Span(source, start, start + len(text))

    x, w, y = pointer("x", const=True), pointer("w", const=True), pointer("y")
    n = Sym("n", INT, "parameter")
    i, s, k = (local(name, t, span=at(name)) for name, t in (("i", INT), ("s", FLOAT), ("k", INT)))
    block, steps = num(64, "BLOCK", "BLOCK"), num(8, "STEPS", "STEPS")
    position = op("+", op("*", Special("blockIdx", "x"), implicit(block, Special("blockIdx", "x").type)),
                  Special("threadIdx", "x"))  # fmt: skip
    make_i = Declare(i, implicit(position, INT), at("int i = blockIdx.x * BLOCK + threadIdx.x;"))
    guard = If(op(">=", var(i), var(n)), (Return(span=at("return")),), span=at("if (i >= n)"))
    make_s = Declare(s, var(x, var(i)), at("float s = x[i]"))
    sine = Call("sinf", (var(s),), FLOAT, "sin")
    step = Assign(var(s), op("+", var(s), op("*", var(w, var(k)), sine)), span=at("s = s + w[k] * sinf(s);"))
    more = Assign(var(k), num(1), "+", spelling="++k")
    loop_head = (Declare(k, num(0)),), op("<", var(k), steps), (more,)
    loop = For(*loop_head, (step,), at("for (int k = 0; k < STEPS; ++k)"))
    store = Assign(var(y, var(i)), var(s), span=at("y[i] = s"))
    primal = kernel("relax", (x, w, y, n), (make_i, guard, make_s, loop, store), at("relax"))

    adj_x, adj_w = pointer("adj_x"), pointer("adj_w")
    adj_y = pointer("adj_y", const=True)
    adj_s = local("adj_s", of=s)
    tape_s = local("tape_s", Array(FLOAT, (8,), ("STEPS",)))
    back = (
        (Declare(k, op("-", steps, num(1))),),
        op(">=", var(k), num(0)),
        (Assign(var(k), num(1), "-", spelling="--k"),),
    )
    by_product = Share(var(s), var(w, var(k)), sine, ("d(u * v)/du = v",))
    cosine = Call("cosf", (var(s),), FLOAT, "cos")
    body: tuple[Stmt, ...] = (
        Banner("forward sweep: relax again, recording what it overwrites"),
        make_i,
        guard,
        Declare(tape_s),
        make_s,
        For(*loop_head, (Record(var(tape_s, var(k)), var(s)), step), loop.span),
        Banner("reverse sweep: same statements, last to first"),
        Declare(adj_s, num(0.0)),
        Quote(store),
        Accumulate(var(adj_s), var(adj_y, var(i)), "local"),
        For(
            *back,
            (
                Quote(step),
                Restore(var(s), var(tape_s, var(k))),
                Accumulate(
                    var(adj_w, var(k)),
                    op("*", sine, var(adj_s)),
                    "atomic",
                    why="every thread reads the same w[k]",
                    sites=(Site(step, var(w, var(k)), by_product),),
                ),
                Accumulate(var(adj_s), op("*", op("*", var(w, var(k)), cosine), var(adj_s)), "local"),
            ),
        ),
        Quote(make_s),
        Accumulate(var(adj_x, var(i)), var(adj_s), "owner"),
        Clear(var(adj_s)),
    )
    params = (x, adj_x, w, adj_w, y, adj_y, n)
    plan = Plan(
        decisions=(
            Decision(
                "s",
                12,
                Recovery.TAPE,
                "sinf(s) needs it; line 12 overwrites it",
                (12,),
                "registers",
                "tape_s[STEPS]",
                "32 bytes",
                "8 more calls of sinf",
            ),
            Decision("i", 6, Recovery.RECOMPUTE, "thread index only", (13,)),
        ),
        accumulations=(
            Accumulation("adj_x[i]", "owner", "i is the thread's own", (10,)),
            Accumulation("adj_w[k]", "atomic", "every thread reads the same w[k]", (12,)),
        ),
        assumptions=("relax has no races", "x, w and y don't overlap", "no index overflows"),
    )
    signature = Signature(
        "relax_adj",
        tuple(
            Argument(sym.name, "float", True, role="adjoint", of=sym.name[4:])
            if sym.name.startswith("adj_")
            else Argument(sym.name, "float", sym is not n)
            for sym in params
        ),
    )
    macros = {
        "BLOCK": Macro("BLOCK", "#define BLOCK 64"),
        "UNUSED": Macro("UNUSED", "#define UNUSED 1"),
        "STEPS": Macro("STEPS", "#define STEPS (HALF * 2)", ("HALF",)),
        "HALF": Macro("HALF", "#define HALF 4"),
    }
    region = TapeRegion("tape_s", "float", op("+", op("*", var(n), steps), num(1)))
    return Adjoint(
        program=Program(primal, {}, macros=macros),
        kernel=kernel("relax_adj", params, body),
        signature=signature,
        plan=plan,
        contract=Contract(
            (
                ("x, w", "in", "values before relax"),
                ("adj_y", "in", "dJ/dy; not modified (y has at most one store per element)"),
                ("adj_x, adj_w", "in/out", "dJ/dx, dJ/dw are added"),
            )
        ),
        command="s2sad transform relax.cu --of y --wrt x,w",
        tape=(region,) if tape else (),
    )
