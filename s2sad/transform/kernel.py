"""A kernel's adjoint, whole: its sweeps, its parameters, its plan and its contract."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..analysis.plan import Plan
from ..ir import (
    CHAR,
    INT,
    SIZE_T,
    Accumulate,
    Array,
    Binary,
    Const,
    Declare,
    Expr,
    Function,
    Parameter,
    Place,
    Pointer,
    Program,
    Scalar,
    Stmt,
    Sym,
    bodies,
)
from ..options import Options
from ..rules import Table
from ..signature import Argument, Signature, Use
from .adjoint import Assembly, Choices, Facts, examine, global_tape
from .builder import Frame
from .exits import structure
from .functions import Functions
from .ownership import Ownership, touched
from .planning import plan_of
from .report import contract
from .syms import symbols
from .tidy import tidy
from .unit import Adjoint, TapeRegion


def build(program: Program, options: Options, table: Table, command: str) -> Adjoint:
    """The adjoint of a program's kernel. Raises Rejected."""
    kernel = program.kernel
    names = {s.name: s for s in kernel.syms}
    of = tuple(names[n] for n in options.of)
    wrt = tuple(names[n] for n in options.wrt)
    prefix = prefix_for(program, options)
    choices = Choices(options.of, options.wrt, command, options.mode == "split", prefix, options.store)
    functions = Functions(program, table, choices)
    body = structure(kernel)
    read, written = touched(body)
    ownership = Ownership(kernel, body, options)
    constant_seeds = frozenset(s for s in of if s not in wrt and s not in read and ownership.stored_once(s))
    facts = examine(body, wrt, of, functions.smooth, table, choices, constant_seeds)
    ownership.judge(facts)

    made = _Parameters(kernel, of, wrt, written, constant_seeds, prefix, facts)
    threads = Sym("threads", SIZE_T)
    assembly = Assembly(
        facts, prefix, made.adjoints, ownership.how, functions.adjoint_of, made.constant, threads
    )
    forward, reverse = assembly.builder.reverse(Frame(facts.versions.root, None))
    statements = tidy([*forward, *reverse])
    for total, pointer in made.totals:
        statements = _added(statements, total, pointer)
    statements = tidy(statements)
    parameters, arguments = list(made.parameters), list(made.arguments)
    if assembly.regions:
        parameters.append(Parameter(assembly.tape_parameter))
        arguments.append(Argument("tape", "char", True, role="tape", use="tape"))
        statements = [*global_tape(assembly.regions, threads, assembly.tape_parameter), *statements]
    seen = symbols(statements)
    arguments = [_used(a, names, seen) for a in arguments]
    name = kernel.name + "_adj"
    function = Function(name, tuple(parameters), kernel.result, tuple(statements), True, kernel.attributes, kernel.span)
    signature = Signature(name, tuple(arguments), options.of, options.wrt, bool(assembly.regions))
    return Adjoint(
        program,
        function,
        signature,
        plan_of(facts, assembly, ownership),
        contract(signature, kernel.name),
        command,
        functions=functions.emitted([statements]),
        tape=tuple(TapeRegion(t.sym.name, t.element.name, _product(t.counts)) for t in assembly.regions),
        prefix=prefix,
    )


def prefix_for(program: Program, options: Options) -> str:
    """`adj_`, or `adj2_` where the primal itself has such names."""
    wanted = "adj_" if options.names == "adj" else "grad_"
    taken = any(s.name.startswith(wanted) for s in program.kernel.syms) or any(
        isinstance(s, Declare) and s.sym.name.startswith(wanted) for s in _every(program.kernel.body)
    )
    return wanted[:-1] + "2_" if taken else wanted


def _every(body: Iterable[Stmt]) -> Iterable[Stmt]:
    for stmt in body:
        yield stmt
        for inner in bodies(stmt):
            yield from _every(inner)


class _Parameters:
    """The adjoint kernel's parameters, and where each variable's adjoint lies."""

    def __init__(
        self,
        kernel: Function,
        of: tuple[Sym, ...],
        wrt: tuple[Sym, ...],
        written: frozenset[Sym],
        constant_seeds: frozenset[Sym],
        prefix: str,
        facts: Facts,
    ) -> None:
        self.parameters: list[Parameter] = []
        self.arguments: list[Argument] = []
        self.adjoints: dict[Sym, Sym] = {}
        self.totals: list[tuple[Sym, Sym]] = []
        self.constant = frozenset[Sym]()
        constant: list[Sym] = []
        ever = facts.activity.ever
        for sym in kernel.syms:
            self.parameters.append(Parameter(sym))
            element = sym.type.target if isinstance(sym.type, Pointer) else sym.type
            assert isinstance(element, Scalar)
            pointer = isinstance(sym.type, Pointer)
            self.arguments.append(
                Argument(
                    sym.name,
                    element.name,
                    pointer,
                    const=isinstance(sym.type, Pointer) and sym.type.const,
                    of=sym.name,
                    written=sym in written,
                )
            )
            if isinstance(sym.type, Pointer):
                if not (sym in of or sym in wrt or (sym in written and sym in ever)):
                    continue
                still = sym in constant_seeds
                adj = Sym(prefix + sym.name, replace(sym.type, const=still), "parameter", of=sym)
                if still:
                    constant.append(adj)
                self.adjoints[sym] = adj
                self.parameters.append(Parameter(adj))
                use: Use = "accumulates"
                if still:
                    use = "seed"
                elif sym in written:
                    use = "replaced" if sym in of or sym in wrt else "scratch"
                self.arguments.append(Argument(adj.name, element.name, True, still, "adjoint", use, sym.name))
            elif sym in wrt:
                out = Sym(prefix + sym.name, Pointer(element), "parameter", of=sym)
                self.parameters.append(Parameter(out))
                self.arguments.append(
                    Argument(out.name, element.name, True, False, "adjoint", "accumulates", sym.name)
                )
                total = Sym(f"{prefix}{sym.name}_sum", element, of=sym)
                self.adjoints[sym] = total
                self.totals.append((total, out))
        for sym in sorted(ever, key=lambda s: s.name):
            if sym not in self.adjoints:
                self.adjoints[sym] = Sym(prefix + sym.name, sym.type, of=sym)
        self.constant = frozenset(constant)


def _used(argument: Argument, names: dict[str, Sym], seen: dict[Sym, None]) -> Argument:
    """An array whose values the adjoint doesn't touch says so."""
    if argument.role == "value" and argument.pointer and names[argument.name] not in seen:
        return replace(argument, use="unused")
    return argument


def _added(body: list[Stmt], total: Sym, pointer: Sym) -> list[Stmt]:
    """What a thread owes to a by-value scalar goes to memory: where it is made, if that is one place."""
    if total not in symbols(body):
        return body
    assert isinstance(total.type, Scalar)
    why = "every thread has its share in it"
    target = Place(pointer, (Const(0, INT),), total.type)
    uses = [s for s in _every(body) if total in symbols([_shallow(s)])]
    if len(uses) == 1 and isinstance(uses[0], Declare) and isinstance(uses[0].init, Expr_):
        only = uses[0]
        return _replaced(body, only, Accumulate(target, only.init, "atomic", why=why))  # type: ignore[arg-type]
    return [*body, Accumulate(target, Place(total, (), total.type), "atomic", why=why)]


def _shallow(stmt: Stmt) -> Stmt:
    from ..ir import If

    match stmt:
        case If():
            return replace(stmt, then=(), other=())
        case _:
            return stmt


def _replaced(body: list[Stmt], old: Stmt, new: Stmt) -> list[Stmt]:
    from ..ir import If

    out: list[Stmt] = []
    for stmt in body:
        if stmt is old:
            out.append(new)
        elif isinstance(stmt, If):
            out.append(
                replace(
                    stmt,
                    then=tuple(_replaced(list(stmt.then), old, new)),
                    other=tuple(_replaced(list(stmt.other), old, new)),
                )
            )
        else:
            out.append(stmt)
    return out


def _product(counts: tuple[Expr, ...]) -> Expr:
    value = counts[0]
    for count in counts[1:]:
        value = Binary("*", value, count, value.type)
    return value


from ..ir import AddressOf, Call, Cast, Select, Special, Unary  # noqa: E402

Expr_ = (Const, Place, Special, Unary, Binary, Select, Cast, Call, AddressOf)
_ = (Array, Plan, SIZE_T)
