"""Keep apart overloads that differ in `float` and `double` where one type is compiled as the other.

    __device__ float f(float v) { return v * v; }
    __device__ double f(double v) { return v * v * v; }              s2sad_f_1(double v)
    y[i] = f(x[i]) + f(2.0 * x[i]);                                  f(x[i]) + s2sad_f_1(2.0 * x[i])

Both would be `f(double)`. If they do the same, one is left out (overload_twins.py). If they don't, the
compiler is asked which one the author's text calls: it is given the text as it is, with each of the
overloads deprecated, and warns where one is used. One that isn't used is left out, others get a name
of their own. A place that means several, in a template, can't be written so: that is refused.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..backend import CompileFailed
from ..float_widening import doubled, tokens
from ..overload_twins import Scopes, definitions, signature
from . import compiler

Written = Callable[[str], str]
"""Makes a translation unit of a text as it is."""

MARKS = "s2sad_marks"
"""The name of that text's file."""

_WARNED = re.compile(rf"^{MARKS}:(\d+):.*?deprecated: {MARKS}_(\d+)", re.MULTILINE)
_NOT_CALLED = frozenset(
    {"__launch_bounds__", "__align__", "alignas", "__attribute__", "decltype", "noexcept", "operator"}
)
_SPECIFIERS = frozenset(
    {"__device__", "__host__", "__forceinline__", "inline", "explicit", "constexpr", "public", "private", ":"}
)
_GENERIC = ("template",)


@dataclass(frozen=True)
class Rival:
    """A function, declared or defined: its tokens, the bracket of its parameters, and its name."""

    begin: int
    end: int
    bracket: int
    name: str
    widened: bool  # whether `float` is among its parameters
    given: tuple[str, ...]  # its parameters as written
    own: tuple[str, ...]  # these and its namespace: what distinguishes it from its rivals
    body: tuple[str, ...] | None


@dataclass(frozen=True)
class Use:
    """A place that uses a rival, as the token of its name; negative if it isn't one."""

    at: int
    rival: Rival
    of_double: bool  # of a template: whether it is the instance for double


def settled(text: str, written: Written, name: str) -> str:
    """Return the text with different overloads for float and double under different names.

    Raises CompileFailed if that isn't possible.
    """
    found = list(tokens(text))
    before = [token.text for token in found]
    groups = _groups(before, [doubled(token) for token in found])
    if not groups:
        return text
    rivals = [rival for group in groups for rival in group]
    marked, lines = _marked(before, rivals)
    try:
        warned = _warned(written(marked))
    except CompileFailed:
        return text  # the compiler says why where the text is compiled as double
    uses = [Use(lines.get(line, -line), rivals[mark], of_double) for line, mark, of_double in warned]
    for group in groups:
        _keep_apart(before, group, [use for use in uses if use.rival in group], name)
    return "".join(before)


def _groups(before: Sequence[str], after: Sequence[str]) -> list[list[Rival]]:
    """Return the functions of which one would be called for another, if they don't do the same."""
    plain: dict[tuple[object, ...], list[Rival]] = defaultdict(list)
    generic: dict[tuple[object, ...], list[Rival]] = defaultdict(list)
    for scope, branch, begin, head, end in definitions(after, declared=True):
        bracket = _bracket(before, begin, head)
        if bracket is None:
            continue
        name = _name(before, begin, bracket)
        of_class, of_space = _parted(scope)
        taken = signature(after[bracket:head])
        given = signature(before[bracket:head])
        body = tuple(t for t in after[head:end] if t.strip()) if before[head] == "{" else None
        is_template = "template" in before[begin:bracket]
        own = _GENERIC if is_template else (*of_space, *given)
        rival = Rival(begin, end, bracket, name, "float" in given, given, own, body)
        if not is_template:
            plain[of_class, branch, name, taken].append(rival)
        if is_template or rival.widened:
            generic[of_class, branch, name, taken.count(",")].append(rival)
    beside = [group for group in generic.values() if any(rival.own == _GENERIC for rival in group)]
    return [group for group in (*plain.values(), *beside) if _differ(group)]


def _differ(group: Sequence[Rival]) -> bool:
    """Whether these are several functions, one of them for float, with different bodies."""
    bodies = {rival.body for rival in group if rival.body is not None}
    each = {rival.own for rival in group}
    several = len({rival.given for rival in group}) > 1 and len(bodies) > 1
    several = several or (len(each) > 1 and _GENERIC in each)
    return several and group[0].name != ">" and any(rival.widened for rival in group)


def _parted(scope: Scopes) -> tuple[Scopes, tuple[str, ...]]:
    """Return the classes around a function, and the words of the namespaces."""
    spaces = [part for part in scope if part and isinstance(part[0], str)]
    return tuple(part for part in scope if part not in spaces), tuple(str(w) for part in spaces for w in part)


def _name(before: Sequence[str], begin: int, bracket: int) -> str:
    """Return the name before the parameters; of a constructor, one that is no identifier."""
    words = [t for t in before[begin:bracket] if t.strip() and not t.startswith(("//", "/*"))]
    if "operator" in words:
        return " ".join(words[words.index("operator") :])
    return f"{words[-1]}()" if _SPECIFIERS.issuperset(words[:-1]) else words[-1]


def _bracket(before: Sequence[str], begin: int, head: int) -> int | None:
    """Return where the parameters of a function begin."""
    words: list[str] = []
    depth = 0
    for k in range(begin, head):
        token = before[k]
        if not token.strip() or token.startswith(("//", "/*")):
            continue
        if token == "(" and depth == 0 and words and words[-1] not in _NOT_CALLED:
            return k
        depth += (token in ("(", "[")) - (token in (")", "]"))
        words.append(token)
    return None


def _marked(before: Sequence[str], rivals: Sequence[Rival]) -> tuple[str, dict[int, int]]:
    """Return the text with rivals deprecated, each of their names on a line of its own, and these lines."""
    marks = {rival.bracket: number for number, rival in enumerate(rivals)}
    names = {rival.name for rival in rivals}
    out: list[str] = []
    lines: dict[int, int] = {}
    line, directive = 1, ""  # the directive of this line
    for k, token in enumerate(before):
        if token == "#" and not directive:
            directive = next((t for t in before[k + 1 :] if t.strip()), "#")
        elif "\n" in token and not token.startswith("/*") and before[k - 1 : k] != ["\\"]:
            directive = ""
        if directive == "line":
            continue
        if k in marks:
            out.append(f' [[deprecated("{MARKS}_{marks[k]}")]] ')
        if token in names:
            out.append("\\\n" if directive else "\n")
            line += 1
            lines[line] = k
        out.append(token)
        line += token.count("\n")
    return "".join(out), lines


@lru_cache(maxsize=64)
def _warned(unit: str) -> tuple[tuple[int, int, bool], ...]:
    """Return the lines that use something deprecated, and its number."""
    found = _WARNED.finditer(compiler.deprecated(unit, MARKS))
    return tuple((int(match[1]), int(match[2]), "double" in match[0]) for match in found)


def _keep_apart(out: list[str], group: Sequence[Rival], uses: Sequence[Use], file: str) -> None:
    """Leave out what isn't used of a group, and give all but one of the others names of their own."""
    generic = any(rival.own == _GENERIC for rival in group)
    if generic and not any(use.of_double for use in uses if use.rival.own == _GENERIC):
        return
    alive = {use.rival.own for use in uses}
    if not generic:
        for rival in group:
            if alive and rival.own not in alive:
                gone = range(rival.begin, rival.end)
                out[rival.begin : rival.end] = ["\n" * out[k].count("\n") for k in gone]
    # the one for float keeps the name
    first = sorted(alive, key=lambda own: (not any(r.widened for r in group if r.own == own), own))
    for number, own in enumerate(first[1:], 1):
        name = group[0].name
        ours = {use.at for use in uses if use.rival.own == own}
        others = {use.at for use in uses if use.rival.own != own}
        if not name.isidentifier() or ours & others or any(at < 0 or out[at] != name for at in ours):
            raise CompileFailed(
                f"{file}: `{name}` does different things for float and for double, and both are used, so "
                "the text can't be compiled with float as double; give one of them another name"
            )
        places = [r.bracket - 1 for r in group if r.own == own]
        for at in (*ours, *(_before(out, at) for at in places)):
            out[at] = f"s2sad_{name}_{number}"


def _before(out: Sequence[str], at: int) -> int:
    while not out[at].strip():
        at -= 1
    return at
