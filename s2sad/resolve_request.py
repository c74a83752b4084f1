"""Decide which parameters are differentiated: by options, by the source, or by the signature.

The result fits the kernel: every dependent is a floating array, every independent a
floating array or a floating scalar. Everything that doesn't fit is refused, all at
once, and choices that the user didn't make are reported.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from . import options
from .compile_commands import Build
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .fields import by_value, is_held
from .ir import (
    Array,
    Block,
    Body,
    Break,
    Cast,
    Const,
    Continue,
    Declare,
    DoWhile,
    Expr,
    For,
    Function,
    If,
    Parameter,
    Pointer,
    Program,
    Return,
    Scalar,
    Stmt,
    Struct,
    Sym,
    Type,
    While,
    statements,
)
from .options import MODES, NAMES, SKINS, SUMS, Options, Unclear
from .source import Span
from .transform.plan.accumulation_policy import touched

Value = TypeVar("Value")
_ONE_DIMENSION = options.assumption("launch:1d")


def settled(
    program: Program, given: Options, project: Options, *, complete: bool = False
) -> tuple[Options, tuple[Diagnostic, ...]]:
    """Complete the options, and return notes for the user about it. Raises Rejected.

    `project`: the options of the project, which come last.

    `complete`: the options are complete, and the source's requests aren't read again.
    """
    kernel = program.kernel
    wrong: list[Diagnostic] = []
    asked = given if complete else given.over(_in_source(program, wrong)).with_more(project)
    counted = program.one_dimensional and _ONE_DIMENSION not in asked.assume
    if counted:
        asked = replace(asked, assume=(*asked.assume, _ONE_DIMENSION))
    for flag, listed in (("--of", asked.of), ("--wrt", asked.wrt)):
        wrong += _misfits(kernel, flag, listed)
    wrong += _unknown_variables(program, asked)
    read, written = touched(kernel, program.functions)
    of = asked.of or _floating_arrays(kernel, written)
    wrt = asked.wrt or _floating_arrays(kernel, read)
    stored = touched(replace(kernel, body=_reached(kernel.body)), program.functions)[1]
    if not wrong and asked.of and {s.variable for s in stored}.isdisjoint(asked.of):
        outputs = _floating_arrays(kernel, stored)
        help = f"it stores to {', '.join(outputs)}: --of {outputs[0]}" if outputs else ""
        it = asked.of[0] if len(asked.of) == 1 else "any of them"
        values = {"names": ",".join(asked.of), "kernel": kernel.name, "it": it, "help": help}
        wrong.append(diagnose(Code.NEVER_STORED, kernel.span, **values))
    if not of:
        wrong.append(diagnose(Code.NO_DEPENDENT, kernel.span, kernel=kernel.name))
    if not wrt:
        wrong.append(diagnose(Code.NO_INDEPENDENT, kernel.span, kernel=kernel.name))
    if wrong:
        raise Rejected(*wrong)
    taken = [f"--of {','.join(of)}"] * (not asked.of) + [f"--wrt {','.join(wrt)}"] * (not asked.wrt)
    notes = (
        [diagnose(Code.TAKEN_FROM_SIGNATURE, None, options=" ".join(taken), kernel=kernel.name)]
        if taken
        else []
    )
    if counted:
        notes.append(diagnose(Code.RANKS_TAKEN, kernel.span, kernel=kernel.name))
    if asked.mode == "tangent":
        asked = _forward(given, asked)
    elif given.directions is not None:
        help = "add --mode tangent or second-order: only tangents have directions"
        raise Rejected(diagnose(Code.USAGE, None, what="--directions without tangents", help=help))
    else:
        asked = replace(asked, directions=None)  # the source may say how many its tangents have
    settled = replace(
        asked,
        of=of,
        wrt=wrt,
        mode=asked.mode or "joint",
        names=asked.names or "adj",
        skin=asked.skin or "plain",
        accumulate=asked.accumulate or "fastest",
    )
    return settled, tuple(notes)


_REVERSE = {
    "store": "--store",
    "recompute": "--recompute",
    "bounds": "--bound",
    "accumulate": "--accumulate",
    "forward": "--forward",
    "reverse": "--reverse",
    "separate": "--separate",
    "seeds": "--seeds",
    "companion": "--companion",
    "keep_template": "--keep-template",
}
"""Options of a reverse sweep or of its file; a tangent kernel has neither."""


def _forward(given: Options, asked: Options) -> Options:
    """Return the options of a tangent kernel: those of a reverse sweep mean nothing. Raises Rejected.

    The source may say how its adjoint is made; on the command line they are mistakes.
    """
    none = Options()
    idle = [flag for name, flag in _REVERSE.items() if getattr(given, name)]
    idle += ["--skin lesson"] * (given.skin == "lesson")
    if idle:
        help = "leave it out: a tangent kernel has no reverse sweep"
        raise Rejected(
            *(diagnose(Code.USAGE, None, what=f"{f} with --mode tangent", help=help) for f in idle)
        )
    return replace(asked, skin=None, **{name: getattr(none, name) for name in _REVERSE})


def _reached(body: Body) -> Body:
    """Return the statements that may be reached: none after a jump, none under a false condition."""
    found: list[Stmt] = []
    for stmt in body:
        match stmt:
            case If(cond, then, other):
                known = _known(cond)
                yes = () if known is False else _reached(then)
                found.append(replace(stmt, then=yes, other=() if known is True else _reached(other)))
            case Block() | DoWhile():
                found.append(replace(stmt, body=_reached(stmt.body)))
            case For(cond=cond) | While(cond=cond):
                never = cond is not None and _known(cond) is False
                found.append(replace(stmt, body=() if never else _reached(stmt.body)))
            case _:
                found.append(stmt)
        if isinstance(stmt, Return | Break | Continue):
            break
    return tuple(found)


def _known(cond: Expr) -> bool | None:
    """Return the value of a condition that is a constant: `if (0)`."""
    while isinstance(cond, Cast):
        cond = cond.arg
    return bool(cond.value) if isinstance(cond, Const) else None


def symbols(function: Function) -> tuple[Sym, ...]:
    """Return the parameters and the locals of a function, in order."""
    declared = (stmt.sym for stmt in statements(function.body) if isinstance(stmt, Declare))
    return (*function.syms, *declared)


def _in_source(program: Program, wrong: list[Diagnostic]) -> Options:
    """Return the source's requests as options."""
    said = program.pragma

    def bad(what: str) -> None:
        wrong.append(diagnose(Code.BAD_PRAGMA, program.kernel.span, what=what))

    def each(key: str, read: Callable[[str], Value]) -> tuple[Value, ...]:
        found = []
        for text in said.get(key, ()):
            try:
                found.append(read(text))
            except Unclear as unclear:
                bad(f"{key}: {unclear.why}")
        return tuple(found)

    def choice(key: str, known: Mapping[str, Value]) -> Value | None:
        for text in said.get(key, ()):
            if text in known:
                return known[text]
            bad(f"{key} {text}: valid values are {', '.join(known)}")
        return None

    return Options(
        of=said.get("of", ()),
        wrt=said.get("wrt", ()),
        mode=choice("mode", MODES),
        directions=next(iter(each("directions", options.directions)), None),
        seeds=next(iter(each("seeds", options.seeds)), None),
        names=choice("names", NAMES),
        skin=choice("skin", SKINS),
        accumulate=choice("accumulate", SUMS),
        template=each("template", options.template_argument),
        rules=said.get("rules", ()),
        store=said.get("store", ()),
        recompute=said.get("recompute", ()),
        bounds=each("bound", options.bound),
        assume=each("assume", options.assumption),
        companion="companion" in said,
        keep_template="keep-template" in said,
        separate="separate" in said,
        tape_budget=next(iter(each("tape-budget", options.tape_budget)), None),
    )


def _unknown_variables(program: Program, asked: Options) -> Iterator[Diagnostic]:
    """Report options that name a variable that the kernel doesn't have."""
    kernel = program.kernel
    every = [s for f in (kernel, *program.functions.values()) for s in symbols(f)]
    locals_ = dict.fromkeys(name for s in every for name in (s.variable, s.name))
    found = [s for s in kernel.syms if isinstance(s.type, Pointer)]
    found += [s for s in symbols(kernel) if s.storage == "shared"]
    arrays = [*dict.fromkeys(name for s in found for name in (s.variable, s.name))]
    asked_names = [("--store", name, list(locals_)) for name in asked.store]
    asked_names += [("--recompute", name, list(locals_)) for name in asked.recompute]
    data = [a for a in asked.assume if a.kind in ("injective", "sorted", "earlier")]
    asked_names += [(f"--assume {a.kind}:", a.what, arrays) for a in data]
    sizes = [s.name for s in kernel.syms if isinstance(s.type, Scalar) and s.type.is_integer]
    extents = [e for a in asked.assume if a.kind == "covers" for e in a.what.split(":")]
    asked_names += [("--assume covers:", e, sizes) for e in extents if not e.isdigit()]
    for option, name, known in asked_names:
        if name not in known:
            if option.startswith("--assume") and name in {s.name for s in kernel.syms}:
                what = "an array" if known is arrays else "an integer"
                kinds = f"is {what}; valid: {', '.join(known)}" if known else f"is {what}"
                yield diagnose(Code.NOT_SUCH_A_VARIABLE, kernel.span, option=option, name=name, what=what,
                               help=f"the subject of the assumption {kinds}")  # fmt: skip
                continue
            near = difflib.get_close_matches(name, known, 1, 0.5)
            help = f"did you mean {near[0]}" if near else f"valid: {', '.join(known)}" if known else ""
            yield diagnose(
                Code.NO_SUCH_VARIABLE, kernel.span, option=option, name=name, kernel=kernel.name, help=help
            )


def floating(type: Type) -> bool:
    """Whether a parameter of that type can carry derivatives."""
    match type:
        case Scalar():
            return type.is_float
        case Pointer(Array(target)) | Pointer(target):
            return isinstance(target, Scalar) and target.is_float
        case _:
            return False


def _floating_arrays(kernel: Function, among: frozenset[Sym]) -> tuple[str, ...]:
    found = (s for s in kernel.syms if s in among and isinstance(s.type, Pointer) and floating(s.type))
    return tuple(dict.fromkeys(s.variable for s in found if not by_value(s) or is_held(s)))


def taken_from_build(asked: Options, used: Options, found: Build | None) -> tuple[Diagnostic, ...]:
    """Note what the compilation database added to the options."""
    if found is None:
        return ()
    words = [f"--define {name}={value}" for name, value in used.defines if (name, value) not in asked.defines]
    words += [f"--include {folder}" for folder in used.includes if folder not in asked.includes]
    if not words:
        return ()
    return (diagnose(Code.BUILD_TAKEN, None, options=" ".join(words), file=str(found.database)),)


def taken_from_file(program: Program) -> tuple[Diagnostic, ...]:
    """Note the parameters of the kernel's template that the user didn't specify."""
    found = [a for a in program.template if a.origin != "--template"]
    if not found:
        return ()
    option = ",".join(f"{a.name}={a.text}" for a in found)
    why = ", ".join(a.why for a in found)
    return (diagnose(Code.TEMPLATE_TAKEN, None, option=option, kernel=program.kernel.name, why=why),)


def _misfits(kernel: Function, flag: str, names: tuple[str, ...]) -> Iterator[Diagnostic]:
    params: dict[str, Parameter] = {}
    for p in kernel.params:  # a struct is represented by the floating field that fits best
        if p.sym.variable not in params or _fit(p.sym) > _fit(params[p.sym.variable].sym):
            params[p.sym.variable] = p
    fitting = [name for name, p in params.items() if _fit(p.sym) > (flag == "--of")]
    help = f"valid for {flag}: {', '.join(fitting)}" if fitting else ""
    for name in names:
        parameter = params.get(name)
        if parameter is None:
            near = difflib.get_close_matches(name, fitting, 1, 0.5)
            yield diagnose(
                Code.NO_SUCH_PARAMETER,
                kernel.span,
                option=flag,
                name=name,
                kernel=kernel.name,
                parameters=", ".join(params) or "none",
                help=f"did you mean {flag} {near[0]}" if near else help,
            )
        elif not floating(parameter.sym.type):
            yield diagnose(
                Code.NOT_FLOATING,
                _name_span(parameter.span, parameter.sym),
                option=flag,
                name=name,
                type=_spelled((parameter.sym.within or parameter.sym).type),
                help=help,
            )
        elif flag == "--of" and not _fit(parameter.sym) > 1 and not _is_const_array(parameter.sym):
            yield diagnose(
                Code.NOT_AN_OUTPUT, _name_span(parameter.span, parameter.sym), name=name, help=help
            )


def _fit(sym: Sym) -> int:
    """Rank a parameter: 0 if it carries no derivatives, 2 if the kernel may write it for its caller."""
    if not floating(sym.type):
        return 0
    array = isinstance(sym.type, Pointer) and (not by_value(sym) or is_held(sym))
    return 1 + (array and isinstance(sym.type, Pointer) and not sym.type.const)


def _is_const_array(sym: Sym) -> bool:
    """Whether a symbol is an array that the kernel can't write: its adjoint stays as passed."""
    return isinstance(sym.type, Pointer) and not by_value(sym)


def _name_span(span: Span | None, sym: Sym) -> Span | None:
    return span or sym.span


def _spelled(type: Type) -> str:
    match type:
        case Scalar():
            return type.name
        case Pointer(Array(target, extents), const):
            return f"{'const ' if const else ''}{_spelled(target)} (*){''.join(f'[{n}]' for n in extents)}"
        case Pointer(target, const):
            return f"{'const ' if const else ''}{_spelled(target)} *"
        case Struct():
            return type.name
        case _:
            return "array"
