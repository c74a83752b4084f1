"""The user's request for a transformation, as values; and the command that repeats it.

The command line, the Python API and a line in the source file all fill the same
`Options`. Nothing here reads a file: the command line refuses options that are wrong
by themselves, the pipeline those that are wrong for this kernel.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal, TypeVar

Mode = Literal["joint", "split", "tangent", "second-order"]
Names = Literal["adj", "grad"]
Skin = Literal["plain", "lesson"]
Sums = Literal["fastest", "deterministic"]
Choice = TypeVar("Choice")

Hessian = Literal["diag", "dense"]
HESSIANS: Mapping[str, Hessian] = {"diag": "diag", "dense": "dense"}
MODES: Mapping[str, Mode] = {
    "joint": "joint",
    "split": "split",
    "tangent": "tangent",
    "second-order": "second-order",
}
NAMES: Mapping[str, Names] = {"adj": "adj", "grad": "grad"}
SKINS: Mapping[str, Skin] = {"plain": "plain", "lesson": "lesson"}
SUMS: Mapping[str, Sums] = {"fastest": "fastest", "deterministic": "deterministic"}

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_EXTENTS = re.compile(r"(\w+)(:\w+){0,2}", re.ASCII)  # of x, y and z
_SIZES = re.compile(r"\d{1,4}(:\d{1,4}){0,2}", re.ASCII)
_RANGE = re.compile(r"[\w\s()+*/%.-]+<=?[\w\s()+*/%.-]+", re.ASCII)
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?", re.ASCII)


@dataclass(frozen=True)
class Assumption:
    """`injective:idx`, `launch:1d`, `covers:n`, `block:256`, `range:cols<=ld`: no analysis knows them."""

    kind: Literal["injective", "sorted", "earlier", "launch", "covers", "block", "range"]
    what: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.what}"


def block_size(assumed: Iterable[Assumption]) -> tuple[int, ...]:
    """Return the declared size of a block along each axis; empty if it isn't declared."""
    found = [a.what.split(":") for a in assumed if a.kind == "block"]
    return tuple(int(size) for size in [*found[-1], "1", "1"][:3]) if found else ()


@dataclass(frozen=True)
class Options:
    """One request. None or empty means unspecified: the source may specify it, else a default holds.

    `kernel` may be empty if the file has one kernel. `bounds` are pairs of a line of the
    primal and a C expression for the trip count of its loop. `forward` and `reverse` are lines of loops.
    `tape_budget` is in bytes per thread.
    """

    kernel: str = ""
    of: tuple[str, ...] = ()
    wrt: tuple[str, ...] = ()
    mode: Mode | None = None
    directions: int | None = None
    hessian: Hessian | None = None
    seeds: int | None = None
    names: Names | None = None
    skin: Skin | None = None
    accumulate: Sums | None = None
    defines: tuple[tuple[str, str], ...] = ()
    includes: tuple[str, ...] = ()
    template: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()
    store: tuple[str, ...] = ()
    recompute: tuple[str, ...] = ()
    bounds: tuple[tuple[int, str], ...] = ()
    assume: tuple[Assumption, ...] = ()
    forward: tuple[int, ...] = ()
    reverse: tuple[int, ...] = ()
    companion: bool = False
    keep_template: bool = False
    separate: bool = False
    tape_budget: int | None = None

    def over(self, other: Options) -> Options:
        """Return these options, with the other's where unspecified."""
        said = {f.name: getattr(self, f.name) or getattr(other, f.name) for f in fields(Options)}
        return Options(**said)

    def with_more(self, other: Options) -> Options:
        """Return these options, with the other's where unspecified, and more macros, folders and files.

        What is given here comes first.
        """
        given = {name for name, _ in self.defines}
        return replace(
            self.over(other),
            defines=(*self.defines, *(d for d in other.defines if d[0] not in given)),
            includes=tuple(dict.fromkeys((*self.includes, *other.includes))),
            rules=tuple(dict.fromkeys((*self.rules, *other.rules))),
            assume=tuple(dict.fromkeys((*self.assume, *other.assume))),
        )

    def spelled(self, path: Callable[[str], str]) -> Options:
        """The same with other spellings of the folders and files."""
        return replace(self, includes=tuple(map(path, self.includes)), rules=tuple(map(path, self.rules)))


class Unclear(Exception):
    """A text isn't a valid option value; with the reason, and what would be valid."""

    def __init__(self, why: str, help: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.help = help


def names(text: str) -> tuple[str, ...]:
    """Parse a list of names such as `x, w`. Raises Unclear."""
    found = tuple(part.strip() for part in text.split(","))
    for name in found:
        if not _NAME.fullmatch(name):
            raise Unclear(f"{name!r} isn't a name", "write NAME or NAME,NAME")
    return found


def define(text: str) -> tuple[str, str]:
    """Parse the name and the value of `N=16`; a name alone is defined as 1. Raises Unclear.

    A macro with parameters is defined as by the compiler: `LOOP(i, n)=for (…)`.
    """
    name, equals, value = text.partition("=")
    if not _MACRO.fullmatch(name):
        raise Unclear(f"{name!r} isn't the name of a macro", "write NAME=VALUE")
    return name, value if equals else "1"


def template(text: str) -> tuple[tuple[str, str], ...]:
    """Parse the parameters and their values in `T=float,M=4`. Raises Unclear."""
    return tuple(template_argument(part) for part in re.split(r",(?![^<(]*[>)])", text))


def template_argument(text: str) -> tuple[str, str]:
    """Parse the parameter and its value in `T=float`. Raises Unclear."""
    name, _, value = (part.strip() for part in text.partition("="))
    if not _NAME.fullmatch(name) or not value:
        raise Unclear(f"{text!r} isn't a parameter and its value", "write T=float or T=float,M=4")
    return name, value


def bound(text: str) -> tuple[int, str]:
    """Parse the line and the expression of `12=n / 2`. Raises Unclear."""
    line, _, limit = (part.strip() for part in text.partition("="))
    if not (line.isascii() and line.isdigit() and 0 < len(line) < 10 and int(line) and limit):
        raise Unclear(f"{text!r} isn't a line and a bound", "write LINE=EXPR, as in 12=n/2")
    return int(line), limit


def line_of(text: str) -> int:
    """Parse the number of a line. Raises Unclear."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise Unclear(f"{text!r} isn't a line", "write the line on which a loop begins")
    return int(text)


def assumption(text: str) -> Assumption:
    """Parse the kind and the subject of `injective:idx`, `covers:width:height`. Raises Unclear."""
    kind, _, what = (part.strip() for part in text.partition(":"))
    if kind == "injective" and _NAME.fullmatch(what):
        return Assumption("injective", what)
    if kind == "sorted" and _NAME.fullmatch(what):
        return Assumption("sorted", what)
    if kind == "earlier" and _NAME.fullmatch(what):
        return Assumption("earlier", what)
    if kind == "launch" and what in ("1d", "2d"):
        return Assumption("launch", what)
    if kind == "covers" and _EXTENTS.fullmatch(what):
        return Assumption("covers", what)
    if kind == "block" and _SIZES.fullmatch(what) and 0 < math.prod(map(int, what.split(":"))) <= 1024:
        return Assumption("block", ":".join(str(int(size)) for size in what.split(":")))
    if kind == "range" and _RANGE.fullmatch(what):
        return Assumption("range", re.sub(r"\s", "", what))
    arrays = "injective:ARRAY, sorted:ARRAY, earlier:ARRAY"
    launches = "launch:1d, launch:2d, covers:N, covers:WIDTH:HEIGHT, block:256, block:16:16"
    known = f"{arrays}, {launches} or range:0<n"
    raise Unclear(f"{text!r} isn't an assumption", f"write {known}")


def tape_budget(text: str) -> int:
    """Parse a number of bytes per thread. Raises Unclear."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise Unclear(f"{text!r} isn't a number of bytes", "write the bytes of a thread, as in 4096")
    return int(text)


MOST_DIRECTIONS = 64


def directions(text: str) -> int:
    """Parse a number of tangents of each number. Raises Unclear."""
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= MOST_DIRECTIONS):
        raise Unclear(f"{text!r} isn't a number of directions", f"write 1 to {MOST_DIRECTIONS}")
    return int(text)


MOST_SEEDS = 64


def seeds(text: str) -> int:
    """Parse a number of adjoints of each number. Raises Unclear."""
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= MOST_SEEDS):
        raise Unclear(f"{text!r} isn't a number of seeds", f"write 1 to {MOST_SEEDS}")
    return int(text)


def command(verb: str, file: str, options: Options, *more: str) -> str:
    """Return the shell command for a request: options in a fixed order, without defaults.

    `command("transform", "relax.cu", Options(of=("y",), wrt=("x", "w")))` is
    `s2sad transform relax.cu --of y --wrt x,w`.
    """
    words = ["s2sad", verb, file]
    if options.kernel:
        words += ["--kernel", options.kernel]
    for flag, listed in (("--of", options.of), ("--wrt", options.wrt)):
        if listed:
            words += [flag, ",".join(listed)]
    for flag, value, default in (
        ("--mode", options.mode, "joint"),
        ("--names", options.names, "adj"),
        ("--skin", options.skin, "plain"),
        ("--accumulate", options.accumulate, "fastest"),
    ):
        if value is not None and value != default:
            words += [flag, value]
        if flag == "--mode" and options.directions is not None and options.directions != 1:
            words += ["--directions", str(options.directions)]
        if flag == "--mode" and options.hessian is not None:
            words += ["--hessian", options.hessian]
        if flag == "--mode" and options.seeds is not None and options.seeds != 1:
            words += ["--seeds", str(options.seeds)]
    if options.companion:
        words.append("--companion")
    if options.keep_template:
        words.append("--keep-template")
    if options.separate:
        words.append("--separate")
    for name, text in options.defines:
        words += ["--define", f"{name}={text}"]
    for folder in options.includes:
        words += ["--include", folder]
    if options.template:
        words += ["--template", ",".join(f"{name}={text}" for name, text in options.template)]
    for table in options.rules:
        words += ["--rules", table]
    for flag, listed in (("--store", options.store), ("--recompute", options.recompute)):
        if listed:
            words += [flag, ",".join(listed)]
    for line, limit in options.bounds:
        words += ["--bound", f"{line}={limit}"]
    if options.tape_budget is not None:
        words += ["--tape-budget", str(options.tape_budget)]
    for flag, lines in (("--forward", options.forward), ("--reverse", options.reverse)):
        for line in lines:
            words += [flag, str(line)]
    for assumed in options.assume:
        words += ["--assume", str(assumed)]
    return shlex.join([*words, *more])


_VALUES: Mapping[str, tuple[str, Callable[[str], tuple[object, ...]]]] = {
    "--kernel": ("kernel", lambda text: (text,)),
    "--of": ("of", names),
    "--wrt": ("wrt", names),
    "--mode": ("mode", lambda text: (MODES[text],)),
    "--directions": ("directions", lambda text: (directions(text),)),
    "--hessian": ("hessian", lambda text: (HESSIANS[text],)),
    "--seeds": ("seeds", lambda text: (seeds(text),)),
    "--names": ("names", lambda text: (NAMES[text],)),
    "--skin": ("skin", lambda text: (SKINS[text],)),
    "--accumulate": ("accumulate", lambda text: (SUMS[text],)),
    "--define": ("defines", lambda text: (define(text),)),
    "--include": ("includes", lambda text: (text,)),
    "--template": ("template", template),
    "--rules": ("rules", lambda text: (text,)),
    "--store": ("store", names),
    "--recompute": ("recompute", names),
    "--bound": ("bounds", lambda text: (bound(text),)),
    "--tape-budget": ("tape_budget", lambda text: (tape_budget(text),)),
    "--forward": ("forward", lambda text: (line_of(text),)),
    "--reverse": ("reverse", lambda text: (line_of(text),)),
    "--assume": ("assume", lambda text: (assumption(text),)),
}
_SWITCHES = {"--companion": "companion", "--keep-template": "keep_template", "--separate": "separate"}


def of_command(text: str) -> Options:
    """Parse what `command` returns: the options of `s2sad VERB FILE …`. Raises Unclear.

    Options of later versions are unclear, as the request can't be repeated without them.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Unclear(f"not a command: {str(error).lower()}") from None
    return of_words(words[3:])


def of_words(words: Sequence[str]) -> Options:
    """Parse options: `--of`, `y`, `--companion`. Raises Unclear."""
    found: dict[str, tuple[object, ...]] = {}
    left = iter(words)
    for word in left:
        value = "" if word in _SWITCHES else next(left, None)
        if value is None or word not in {*_VALUES, *_SWITCHES}:
            raise Unclear(f"{word} isn't an option" if value is not None else f"{word} has no value")
        if word in _SWITCHES:
            found[_SWITCHES[word]] = (True,)
            continue
        name, read = _VALUES[word]
        try:
            found[name] = (*found.get(name, ()), *read(value))
        except KeyError:
            raise Unclear(f"{word} {value} isn't known") from None
    plain = {f.name for f in fields(Options) if not isinstance(f.default, tuple)}
    return Options(**{name: value[-1] if name in plain else value for name, value in found.items()})  # type: ignore[arg-type]
