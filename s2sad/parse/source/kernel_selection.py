"""Select a kernel where a file has several of one name: overloads, specialisations, namespaces.

C++ selects at the launch, but host code isn't parsed. A kernel is identified by its namespace,
`fluid::step`, or its position, `step@40`, `step@fluid.cuh:40`. Without that it is the one that the
parameters in --template fit, or the only one that the file's launches can mean; nothing else is guessed.
For a template, the explicit specialisation for the arguments is selected, as the compiler does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...diagnostics import Code, Diagnostic, Rejected
from ...source import Source, Span
from ..types import types
from . import mentions, pp_tokens
from .brackets import count, launch, spell, within
from .kernel_template_args import Argument
from .pp_tokens import Lexeme
from .toplevel import Item

_ASKED = re.compile(r"\s*(::)?((?:\w+::)*)(\w+)(?:@(?:(.+):)?(\d+))?\s*", re.ASCII)


@dataclass(frozen=True)
class Wanted:
    """A kernel's name as requested: `::fluid::step@fluid.cuh:40`."""

    name: str
    scope: tuple[str, ...] = ()
    outermost: bool = False
    file: str = ""
    line: int = 0

    @staticmethod
    def read(text: str) -> Wanted:
        """Parse the name with its namespace and position; a text that is no name matches no kernel."""
        found = _ASKED.fullmatch(text)
        if found is None:
            return Wanted(text)
        outermost, scope, name, file, line = found.groups()
        return Wanted(name, tuple(scope.split("::")[:-1]), outermost is not None, file or "", int(line or 0))

    def fits(self, tokens: Sequence[Lexeme], item: Item) -> bool:
        """Whether the kernel has that name, namespace and position."""
        if self.name != tokens[item.at].value:
            return False
        if self.outermost and item.scope != self.scope:
            return False
        if self.scope and item.scope[-len(self.scope) :] != self.scope:
            return False
        place = tokens[item.at].span
        if self.file and not f"/{place.source.name}".endswith(f"/{self.file}"):
            return False
        return not self.line or self.line in _lines(tokens, item)


def entries(tokens: Sequence[Lexeme], items: Sequence[Item]) -> list[Item]:
    """Return the kernels of a file, including templates and specialisations."""
    return [i for i in items if i.kind in ("kernel", "template") and "__global__" in i.words and i.body]


def spelled(tokens: Sequence[Lexeme], among: Sequence[Item], item: Item, file: str) -> str:
    """Return the name by which to request this one of a file's kernels."""
    name = tokens[item.at].value
    others = [i for i in among if i is not item and tokens[i.at].value == name]
    if not others:
        return name
    if all(i.scope != item.scope for i in others):
        return "::".join((*item.scope, name)) if item.scope else f"::{name}"
    span = tokens[item.at].span
    where = "" if span.source.name == file else f"{Path(span.source.name).name}:"
    return f"{name}@{where}{span.line}"


def choose(
    tokens: Sequence[Lexeme], items: Sequence[Item], asked: str, given: Collection[str], file: str
) -> tuple[Item, tuple[Diagnostic, ...]] | None:
    """Return the requested kernel, and a note if launches selected it; None if there is no such kernel.

    `given` are the parameters in --template. Raises Rejected if several kernels are possible.
    """
    wanted = Wanted.read(asked)
    found = [i for i in entries(tokens, items) if wanted.fits(tokens, i)]
    if len(found) < 2:
        return (found[0], ()) if found else None
    several = [i for i in found if not is_special(tokens, i)] or found
    left = [i for i in several if set(given) <= _parameters(tokens, i)] or several
    if len(left) == 1:
        return left[0], ()
    left = _launched(tokens, items, left)
    if len(left) > 1:
        raise Rejected(_ambiguous(tokens, items, found, file))
    choice = spelled(tokens, entries(tokens, items), left[0], file)
    values = {"choice": choice, "kernel": tokens[left[0].at].value}
    return left[0], (Diagnostic(Code.KERNEL_TAKEN, tokens[left[0].at].span, values),)


def _ambiguous(
    tokens: Sequence[Lexeme], items: Sequence[Item], found: Sequence[Item], file: str
) -> Diagnostic:
    commands = []
    for item in found:
        first, last = tokens[item.at + 1], tokens[item.body - 1]
        written = spell(tokens[item.at + 1 : item.body])
        if first.origin is last.origin:
            written = " ".join(Span(first.origin, first.start, last.end).text.split())
        one = spelled(tokens, entries(tokens, items), item, file)
        commands.append(f"s2sad transform {file} --kernel {one}  # {written}")
    values = {"name": tokens[found[0].at].value, "count": str(len(found)), "commands": "\n".join(commands)}
    related = tuple((tokens[i.at].span, "another one") for i in found[1:])
    return Diagnostic(Code.OVERLOADED_KERNEL, tokens[found[0].at].span, values, related)


# ---- specialisations ---------------------------------------------------------


def is_special(tokens: Sequence[Lexeme], item: Item) -> bool:
    """Whether an item is `template <> …`."""
    return item.kind == "template" and tokens[item.first + 2].value == ">"


def specialised(
    tokens: Sequence[Lexeme], items: Sequence[Item], kernel: Item, arguments: Sequence[Argument], file: str
) -> Item:
    """Return the explicit specialisation of a kernel template for these arguments, else the template.

    Raises Rejected if it is unknown whether a specialisation matches them.
    """
    if kernel.kind != "template" or is_special(tokens, kernel):
        return kernel
    name, known = tokens[kernel.at].value, _Types(tokens, items)
    given = [known.meaning(a.text) for a in arguments]
    every = [i for i in entries(tokens, items) if tokens[i.at].value == name and i.scope == kernel.scope]
    for item in every:
        if not is_special(tokens, item) or count(tokens, item) != count(tokens, kernel):
            continue
        theirs = [known.meaning(text) for text in _arguments(tokens, item)]
        pairs = list(zip(theirs, given, strict=False))
        if any(one is not None and other is not None and one != other for one, other in pairs):
            continue
        if None in theirs or None in given or len(theirs) != len(given):
            said = ", ".join(f"{a.name} = {a.text}" for a in arguments)
            choice = spelled(tokens, entries(tokens, items), item, file)
            values = {"name": name, "arguments": said, "choice": choice}
            raise Rejected(Diagnostic(Code.SPECIALISATION_OPEN, tokens[item.at].span, values))
        return item
    return kernel


def arguments_of(tokens: Sequence[Lexeme], items: Sequence[Item], special: Item) -> tuple[Argument, ...]:
    """Return the arguments of the template in a specialisation of it."""
    name = tokens[special.at].value
    for item in items:
        primary = item.kind == "template" and name in item.names and item.scope == special.scope
        if primary and not is_special(tokens, item) and count(tokens, item) == count(tokens, special):
            params, given = mentions.head(tokens, item), _arguments(tokens, special)
            if len(params) == len(given):
                line = tokens[special.at].span.line
                origin = f"its specialisation in line {line}"
                return tuple(
                    Argument(p.name, text, origin, p.is_type) for p, text in zip(params, given, strict=True)
                )
    return ()


def _arguments(tokens: Sequence[Lexeme], item: Item) -> list[str]:
    """Return the arguments in brackets after a specialisation's name; none if they are deduced."""
    parts = within(tokens, item.at + 1) if tokens[item.at + 1].value == "<" else None
    return [spell(part) for part in parts or ()]


class _Types:
    """The meanings of texts as template arguments, as far as tokens show them."""

    def __init__(self, tokens: Sequence[Lexeme], items: Sequence[Item]) -> None:
        self._aliases: dict[str, list[str]] = {}
        tags = [n for i in items if tokens[i.first].value in ("struct", "class") for n in i.types]
        self._structs = {name for name in tags if tags.count(name) == 1}
        twice: set[str] = set()
        for item in items:
            if item.kind in ("alias", "typedef"):
                text = [t.value for t in tokens[item.first : item.end]]
                own = text[3:-1] if item.kind == "alias" else text[1:-2]
                twice.update(n for n in item.names if n in self._aliases)
                self._aliases.update(dict.fromkeys(item.names, own))
        for name in twice | (self._structs & self._aliases.keys()):
            self._aliases[name] = ["?"]

    def meaning(self, text: str) -> str | None:
        """Return a string that is equal for texts of equal meaning; None if the meaning is unknown."""
        words = [t.value for t in pp_tokens.scan(Source("--template", text)) if t.type not in pp_tokens.BLANK]
        for _ in range(16):
            words = [w for w in words if w not in ("std", "::")]
            if not any(w in self._aliases for w in words):
                break
            words = [each for w in words for each in self._aliases.get(w, [w])]
        stars = len(words) - len([w for w in words if w != "*"])
        words = words[: len(words) - stars] if words[len(words) - stars :] == ["*"] * stars else ["?"]
        if (scalar := types.scalar(words)) is not None:
            name = "unsigned long" if scalar.name == "size_t" else scalar.name
        elif len(words) == 1 and words[0] in self._structs:
            name = f"struct {words[0]}"
        elif len(words) == 1 and words[0] in _OF_HEADERS:
            name = words[0].lstrip("_")
        elif len(words) == 1 and not stars and re.fullmatch(r"(?:\d+|0[xX][\da-fA-F]+)[uUlL]*", words[0]):
            digits = words[0].rstrip("uUlL")
            return str(int(digits, 8 if re.fullmatch("0[0-7]+", digits) else 0))
        elif words in (["true"], ["false"]) and not stars:
            return str(int(words == ["true"]))
        else:
            return None
        return name + "*" * stars


_OF_HEADERS = pp_tokens.words(
    "half __half half2 __half2 nv_bfloat16 __nv_bfloat16 nv_bfloat162 __nv_bfloat162"
)
_OF_HEADERS |= {f"{scalar}{n}" for scalar in ("float", "double", "int", "uint") for n in "234"}


# ---- distinguishing overloads --------------------------------------------------


def _parameters(tokens: Sequence[Lexeme], item: Item) -> set[str]:
    """Return the names in a template's head."""
    return {p.name for p in mentions.head(tokens, item)} if item.kind == "template" else set()


def _lines(tokens: Sequence[Lexeme], item: Item) -> range:
    """Return the lines of a kernel in the file that contains its name."""
    name = tokens[item.at]
    own = [t for t in (tokens[item.first], name, tokens[item.end - 1]) if t.origin is name.origin]
    return range(own[0].span.line, own[-1].span.line + 1)


def _launched(tokens: Sequence[Lexeme], items: Sequence[Item], found: list[Item]) -> list[Item]:
    """Return the one that all launches in the file can mean, by their number of arguments; else all."""
    counts = list(_launches(tokens, items, tokens[found[0].at].value))
    if not counts or None in counts:
        return found
    limits = [count(tokens, item) for item in found]
    fitting = [
        {k for k, (least, most) in enumerate(limits) if least <= given <= most}
        for given in counts
        if given is not None
    ]
    first = fitting[0]
    return [found[k] for k in first] if len(first) == 1 and all(each == first for each in fitting) else found


def _launches(tokens: Sequence[Lexeme], items: Sequence[Item], name: str) -> Iterator[int | None]:
    """Yield how many arguments each use of a kernel's name gives it; None for one that is no launch."""
    own = {item.at for item in items if name in item.names}
    for i, token in enumerate(tokens):
        if token.value == name and token.type == pp_tokens.ID and i not in own:
            yield launch(tokens, i)
