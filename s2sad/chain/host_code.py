"""Read a chain from plain host code: launches, swaps of pointers, and loops over steps.

    for (int t = 0; t < steps; ++t) {
        diffuse<<<grid, block>>>(u, k, v, rate, width, height);
        std::swap(u, v);
    }

Whatever else stands between the first launch and the last is refused, with its place: it might change
what the launches compute.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..diagnostics import Code, Rejected, diagnose
from ..run.float_widening import tokens
from ..source import Source, Span
from ..validate.elements import is_floating
from ..validate.expressions import ExpressionError, parse
from .linking import Linked
from .model import Launch, Repeat, Step, Swap

_INTEGERS = frozenset(
    {
        "int",
        "unsigned",
        "long",
        "short",
        "size_t",
        "const",
        "constexpr",
        "auto",
        "signed",
        "uint32_t",
        "int64_t",
    }
)
_WAITS = frozenset(
    {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaGetLastError", "cudaPeekAtLastError"}
)
_FOR = re.compile(r"(?:\w+ )+(\w+) = 0 ; (\w+) < (?!=)(.+) ; (?:\+ \+ (\w+)|(\w+) \+ \+|(\w+) \+ = 1)")

Parameters = Callable[[str], Sequence[tuple[str, bool]]]
"""The parameters of a kernel, each with whether it is a pointer."""


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read(source: Source, parameters: Parameters, function: str = "") -> tuple[Step, ...]:
    """Return what a host function does. Raises Rejected."""
    every = list(_tokens(source.text))
    found = {name: body for name, body in _functions(every) if _launches(body)}
    if function:
        found = {name: body for name, body in found.items() if name == function}
    if len(found) != 1:
        names = ", ".join(found)
        what = f"several functions launch kernels: {names}" if found else "no function launches a kernel"
        help = "choose one with --function NAME" if found else ""
        span = Span(source, 0, 0)
        raise Rejected(diagnose(Code.CASE_VALUE, span, what=what, label="", help=help))
    (body,) = found.values()
    return tuple(_Reader(source, parameters, body).whole())


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    for token in tokens(text):
        if token.kind not in ("comment", "space", "include"):
            yield _Token(token.kind, token.text, at)
        at += len(token.text)


def _functions(every: list[_Token]) -> Iterator[tuple[str, list[_Token]]]:
    """Yield the functions with their names and the tokens of their bodies."""
    at = 0
    while at < len(every):
        if every[at].text == "{" and at and every[at - 1].text == ")":
            end, begin = _closing(every, at), _opening(every, at - 1)
            yield every[begin - 1].text, every[at + 1 : end]
            at = end
        at += 1


def _closing(every: list[_Token], at: int) -> int:
    depth = 0
    for number in range(at, len(every)):
        depth += (every[number].text in "([{") - (every[number].text in ")]}")
        if depth == 0:
            return number
    return len(every)


def _opening(every: list[_Token], at: int) -> int:
    depth = 0
    for number in range(at, 0, -1):
        depth += (every[number].text == ")") - (every[number].text == "(")
        if depth == 0:
            return number
    return 1


def _launches(body: Sequence[_Token]) -> bool:
    return "< < <" in " ".join(token.text for token in body)


@dataclass
class _Reader:
    source: Source
    parameters: Parameters
    body: list[_Token]
    at: int = 0
    numbers: dict[str, str] = field(default_factory=dict)  # integers that are defined, as expressions
    extents: dict[str, list[str]] = field(default_factory=dict)  # of dim3

    def refuse(self, part: Sequence[_Token], what: str, help: str = "") -> Rejected:
        span = Span(self.source, part[0].start, part[-1].end)
        return Rejected(diagnose(Code.CASE_VALUE, span, what=what, label="", help=help))

    def whole(self) -> Iterator[Step]:
        """Yield the steps from the first statement with a launch to the last; sizes may stand before."""
        statements = list(_statements(self.body))
        launching = [number for number, one in enumerate(statements) if _launches(one)]
        first, last = launching[0], launching[-1]
        for number, one in enumerate(statements[: last + 1]):
            if number >= first:
                yield from self.steps(one)
            elif not self.size(one):
                self.forget(one)
        for one in statements[last + 1 :]:
            if step := self.swap(one):
                yield step
            elif any(token.text == "swap" for token in one):
                raise self.refuse(one, "this swap isn't plain", "std::swap(u, v);")

    def forget(self, one: list[_Token]) -> None:
        """Take numbers that a statement may change as they are at the first launch."""
        named = {token.text for token in one if token.kind == "name"}
        for name, text in list(self.numbers.items()):
            if name in named or named & set(re.findall(r"\w+", text)):
                del self.numbers[name]
        for name, extents in list(self.extents.items()):
            if name in named or named & set(re.findall(r"\w+", " ".join(extents))):
                del self.extents[name]

    def steps(self, one: list[_Token]) -> Iterator[Step]:
        """Yield what a statement does."""
        if not one or one[0].text in _WAITS:
            return
        if one[0].text == "{":
            yield from self.block(one[1:-1])
        elif one[0].text == "for":
            yield self.loop(one)
        elif _launches(one):
            yield self.launch(one)
        elif step := self.swap(one):
            yield step
        elif not self.size(one):
            help = "a chain has launches, std::swap, loops from 0 with a step of one, and integers for sizes"
            raise self.refuse(one, "this can't be part of a chain", help)

    def block(self, body: list[_Token]) -> Iterator[Step]:
        outside = dict(self.numbers), dict(self.extents)
        for one in _statements(body):
            yield from self.steps(one)
        self.numbers, self.extents = outside

    def loop(self, one: list[_Token]) -> Repeat:
        end = _closing(one, 1)
        head = " ".join(token.text for token in one[2:end])
        match = _FOR.fullmatch(head)
        names = set() if match is None else {name for name in match.group(1, 2, 4, 5, 6) if name}
        if match is None or len(names) != 1:
            help = "for (int t = 0; t < steps; ++t)"
            raise self.refuse(one[: end + 1], "this loop isn't one over steps from 0", help)
        condition = [token.text for token in one].index(";")
        count = one[condition + 3 : end]
        count = count[: [token.text for token in count].index(";")]
        text = self.expression(count)
        outside = dict(self.numbers), dict(self.extents)
        self.numbers.pop(match[1], None)
        steps = tuple(step for part in _statements(one[end + 1 :]) for step in self.steps(part))
        self.numbers, self.extents = outside
        return Repeat(text, steps, match[1])

    def launch(self, one: list[_Token]) -> Launch:
        texts = [token.text for token in one]
        opens = next(i for i in range(len(texts)) if texts[i : i + 3] == ["<", "<", "<"])
        closes = next((i for i in range(len(texts)) if texts[i : i + 3] == [">", ">", ">"]), None)
        if opens != 1 or closes is None or texts[closes + 3] != "(" or texts[-1] != ")":
            raise self.refuse(one, "this launch isn't plain", "kernel<<<grid, block>>>(arguments);")
        kernel = one[0].text
        geometry = _split(one[4:closes])
        given = _split(one[closes + 4 : -1])
        names = self.parameters(kernel)
        if len(names) != len(given) or not 2 <= len(geometry) <= 4:
            raise self.refuse(one, f"{kernel} takes {len(names)} arguments, not {len(given)}")
        args = {
            name: self.argument(value, pointer) for (name, pointer), value in zip(names, given, strict=True)
        }
        return Launch(
            Path(self.source.name).name,
            kernel,
            self.sizes(geometry[0]),
            self.sizes(geometry[1]),
            self.expression(geometry[2]) if len(geometry) > 2 else 0,
            {name: value for name, value in args.items() if value != name},
        )

    def argument(self, value: list[_Token], pointer: bool) -> str | float:
        if len(value) == 1 and value[0].kind == "name" and value[0].text not in self.numbers:
            return value[0].text
        if pointer:
            help = 'leave it out, and write the part into the chain: x = "x[t * n : (t + 1) * n]"'
            raise self.refuse(value, "the end of this part of an array isn't known", help)
        plain = "".join(token.text for token in value).rstrip("fF")
        if re.fullmatch(r"-?(\d+\.\d*|\.\d+|\d+)([eE][-+]?\d+)?", plain) and not plain.lstrip("-").isdigit():
            return float(plain)
        return self.expression(value)

    def sizes(self, value: list[_Token]) -> list[int | str]:
        if len(value) == 1 and value[0].text in self.extents:
            return list(self.extents[value[0].text])
        if value[0].text == "dim3" and value[1].text == "(":
            return [self.expression(part) for part in _split(value[2:-1])]
        return [self.expression(value)]

    # ---- other statements -------------------------------------------------------

    def swap(self, one: list[_Token]) -> Swap | None:
        texts = [token.text for token in one]
        if texts[:3] == ["std", ":", ":"]:
            texts = texts[3:]
        if len(texts) == 6 and texts[:2] == ["swap", "("] and texts[3] == "," and texts[5] == ")":
            return Swap(texts[2], texts[4])
        return None

    def size(self, one: list[_Token]) -> bool:
        """Note a definition of an integer or of a dim3; return whether it is one."""
        texts = [token.text for token in one]
        if len(one) > 3 and texts[0] == "dim3" and texts[2] == "(" and texts[-1] == ")":
            self.extents[texts[1]] = [self.expression(part) for part in _split(one[3:-1])]
            return True
        if "=" not in texts or texts.index("=") < 2 or not set(texts[: texts.index("=") - 1]) <= _INTEGERS:
            return False
        name, value = texts[texts.index("=") - 1], one[texts.index("=") + 1 :]
        try:
            text = self.expression(value)
        except Rejected:
            return False
        self.numbers[name] = text if re.fullmatch(r"\w+", text) else f"({text})"
        return True

    def expression(self, value: list[_Token]) -> str:
        """Return an integer expression in terms of what isn't defined here. Raises Rejected."""
        if not value:
            raise self.refuse(self.body[:1], "an expression is missing")
        out: list[str] = []
        for token in value:
            text = self.numbers.get(token.text, token.text) if token.kind == "name" else token.text
            tight = not out or token.text in ".)" or out[-1][-1] in "(.!~"
            call = token.text == "(" and bool(out) and out[-1].strip().isidentifier()
            out.append(text if tight or call else f" {text}")
        text = "".join(out)
        try:
            parse(text)
        except ExpressionError as error:
            raise self.refuse(value, f"{text}: {error}") from None
        return text


def _statements(body: list[_Token]) -> Iterator[list[_Token]]:
    """Split a body into statements, without their semicolons."""
    at = 0
    while at < len(body):
        end = at
        if body[at].text == "for" and at + 1 < len(body):
            end = _closing(body, at + 1) + 1
        if end < len(body) and body[end].text == "{":
            end = _closing(body, end)
            yield body[at : end + 1]
        else:
            while end < len(body) and body[end].text != ";":
                end = _closing(body, end) + 1 if body[end].text in "([{" else end + 1
            if end > at:
                yield body[at:end]
        at = end + 1


def _split(part: list[_Token]) -> list[list[_Token]]:
    """Split at commas outside of parentheses."""
    found: list[list[_Token]] = [[]]
    depth = 0
    for token in part:
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            found.append([])
        else:
            found[-1].append(token)
    return found if found != [[]] else []


# ---- as a file -----------------------------------------------------------------------


def written(steps: Sequence[Step], chain: Linked) -> str:
    """Return the steps as a chain's file, with the values in [args] left to fill in."""
    lines = [f"of = {_list(chain.of)}", f"wrt = {_list(chain.wrt)}", "", "[args]"]
    lines += ["# numbers and arrays, as they are before the first launch"]
    lines += [f"# {name} = {'1.0' if is_floating(type) else 1}" for name, type in chain.scalars.items()]
    lines += [f'# {name} = {{ shape = 1, fill = "{_fill(type)}" }}' for name, type in chain.arrays.items()]
    for step in steps:
        lines += ["", *_step(step, "step", "")]
    return "\n".join(lines) + "\n"


def _step(step: Step, table: str, margin: str) -> Iterator[str]:
    yield f"{margin}[[{table}]]"
    match step:
        case Swap():
            yield f"{margin}swap = {_list([step.first, step.second])}"
        case Launch():
            yield f'{margin}launch = "{step.file}"'
            yield f'{margin}kernel = "{step.kernel}"'
            for key, value in (("grid", step.grid), ("block", step.block)):
                sizes = [value] if isinstance(value, int | str) else list(value)
                yield f"{margin}{key} = {_value(sizes[0]) if len(sizes) == 1 else _list(sizes)}"
            if step.shared_bytes not in (0, "0"):
                yield f"{margin}shared_bytes = {_value(step.shared_bytes)}"
            if step.args:
                bound = ", ".join(f"{name} = {_value(value)}" for name, value in step.args.items())
                yield f"{margin}args = {{ {bound} }}"
        case Repeat():
            yield f"{margin}repeat = {_value(step.count)}"
            yield f'{margin}counter = "{step.counter}"'
            for inner in step.do:
                yield ""
                yield from _step(inner, f"{table}.do", f"{margin}  ")


def _fill(type: str) -> str:
    return "normal" if is_floating(type) else "randint(0, 1)"


def _value(value: object) -> str:
    if isinstance(value, str) and value.isdigit():
        return value
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _list(values: Sequence[object]) -> str:
    return f"[{', '.join(_value(value) for value in values)}]"
