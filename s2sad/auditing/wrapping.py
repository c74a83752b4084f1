"""The text to compile from a file: the kernels with their dependencies, and entries with plain types.

The author's tokens are unchanged and keep their lines; only a kernel's own name gets a
prefix, because its entry has that name. An entry takes plain arrays and numbers and
converts them to the kernel's parameters: structs, accessors, template arguments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..parse.source import pp_tokens, self_contained_text
from ..parse.source.pp_tokens import Lexeme
from ..parse.source.toplevel import Item
from ..signature import Argument
from ..validate.elements import dtype
from . import types
from .reading import File, Kernel, TemplateParameter
from .types import Held

_PREFIX = "s2sad_"
_ELSEWHERE = frozenset({"kernel", "host", "other"})
_EXTENSIONS = re.compile(
    r"\b(?:\w*PackedTensorAccessor\w*|CUDA_\w*KERNEL_\w+|gpuAtomicAdd\w*|C10_\w+|at|torch|c10)\b"
)
_STANDARD = re.compile(r"\bstd\b")
_INDEX = re.compile(r"index|idx|int|size", re.IGNORECASE)
_LITERAL = re.compile(r"true|false|-?\d\w*")


@dataclass(frozen=True)
class Entry:
    """A kernel with its template arguments, and the content of its parameters."""

    file: File
    kernel: Kernel
    template: tuple[str, ...]
    held: tuple[Held, ...]

    @property
    def name(self) -> str:
        return self.kernel.name

    def holds(self, name: str) -> Held:
        """Return the content of the parameter of that name. Raises KeyError."""
        for parameter, held in zip(self.kernel.parameters, self.held, strict=True):
            if parameter.name == name:
                return held
        raise KeyError(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that take arguments."""
        both = zip(self.kernel.parameters, self.held, strict=True)
        return tuple(parameter.name for parameter, held in both if held.kind != "nothing")


def entry(file: File, kernel: Kernel, template: Mapping[str, str]) -> Entry:
    """Make the entry of a kernel. Raises Rejected with every parameter that can't be passed."""
    wrong: list[Diagnostic] = []
    arguments = []
    launched = file.launches.get(kernel.name, ())
    for i, parameter in enumerate(kernel.template):
        written = launched[i] if i < len(launched) else ""
        value = template.get(parameter.name) or _argument(file, parameter, written)
        if value:
            arguments.append(value)
        else:
            wrong.append(
                diagnose(
                    Code.AUDIT_TEMPLATE,
                    kernel.span,
                    kernel=kernel.name,
                    name=parameter.name,
                    kind=parameter.kind,
                )
            )
    if wrong:
        raise Rejected(*wrong)
    given = {p.name: a for p, a in zip(kernel.template, arguments, strict=True) if p.is_type}
    meanings = {**file.aliases, **given}
    if "scalar_t" not in meanings:
        meanings["scalar_t"] = "float"  # otherwise declared by a dispatch macro
    found = [types.held(file, parameter, meanings) for parameter in kernel.parameters]
    wrong = [each for each in found if isinstance(each, Diagnostic)]
    if wrong:
        raise Rejected(*wrong)
    return Entry(file, kernel, tuple(arguments), tuple(h for h in found if isinstance(h, Held)))


def arguments(entry: Entry) -> tuple[Argument, ...]:
    """Return the entry's parameters: arrays and numbers, with the author's names."""
    return tuple(
        Argument(
            parameter.name,
            held.element,
            held.kind != "number",
            const=held.const and held.kind != "number",
            written=not held.const,
        )
        for parameter, held in zip(entry.kernel.parameters, entry.held, strict=True)
        if held.kind != "nothing"
    )


def text(entries: Sequence[Entry], shapes: Mapping[str, Mapping[str, tuple[int, ...]]]) -> str:
    """Return the text to compile: kernels of one file with their dependencies, and their entries.

    `shapes` has the shapes of each kernel's array arguments.
    """
    file = entries[0].file
    body = "".join(_closure(file, entries))
    whole = "".join((_prelude(body), body, "\n", _own("entries.h")))
    return whole + "\n".join(_entry(each, shapes.get(each.name, {})) for each in entries) + "\n"


def sizes(name: str) -> tuple[str, str]:
    """Return the names of the size functions of a kernel's tape and dynamic shared memory."""
    return f"{name}_tape_bytes", f"{name}_shared_bytes"


def _argument(file: File, parameter: TemplateParameter, written: str) -> str:
    """Infer a template argument that the case file omits; empty if it is unknown."""
    if parameter.is_type:
        for known in (types.replaced(written, file.aliases), parameter.default):
            if known and dtype(known) is not None:
                return known
        if parameter.default:
            return parameter.default
        return "int" if _INDEX.search(parameter.name) else "float"
    declared = {name for item in file.items if item.kind in ("variable", "enum") for name in item.names}
    if written and (_LITERAL.fullmatch(written) or written in declared):
        return written
    return parameter.default


# ---- the author's text ------------------------------------------------------------------------------


def _closure(file: File, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the items that the kernels need, in their namespaces."""
    kernels = {entry.kernel.item: entry.kernel for entry in entries}
    needed = _needed(file, entries)
    at = 0
    for item in file.items:
        yield _between(file.tokens[at : item.first])
        at = item.end
        if item in needed:
            yield "\n" + "".join(self_contained_text.lines(list(_item(file, item, kernels.get(item))))) + "\n"
    yield _between(file.tokens[at:])


def _between(tokens: Sequence[Lexeme]) -> str:
    """Return the text between items: heads of namespaces and their ends."""
    return "".join(f"{token.value} " for token in tokens if token.type != pp_tokens.PRAGMA)


def _item(file: File, item: Item, kernel: Kernel | None) -> Iterator[Lexeme]:
    """Yield an item's tokens; rename the kernel, and replace the global namespace by the header's."""
    for i in range(item.first, item.end):
        token = file.tokens[i]
        if kernel is not None and i == item.at:
            token = copy(token)
            token.value = _PREFIX + token.value
        elif token.value == "::" and _is_global(file.tokens[i - 1] if i > item.first else None):
            token = copy(token)
            token.value = "::cuda_on_cpu::"
        yield token


def _is_global(before: Lexeme | None) -> bool:
    """Whether a `::` isn't preceded by a scope."""
    if before is None or before.type == pp_tokens.ID:
        return before is None or before.value in ("return", "case", "else", "new")
    return before.value not in (">", ")")


def _needed(file: File, entries: Sequence[Entry]) -> set[Item]:
    """Return the kernels and all items they mention, transitively; operators and members always."""
    named: dict[str, list[Item]] = {}
    for item in file.items:
        if item.kind not in _ELSEWHERE or _is_constant(item):
            for name in item.names:
                named.setdefault(name, []).append(item)
    mentioned = [word for entry in entries for word in re.findall(r"\w+", " ".join(entry.template))]
    todo = [entry.kernel.item for entry in entries]
    todo += [item for entry in entries for item in file.items if set(item.names) & set(sizes(entry.name))]
    todo += [item for name in mentioned for item in named.get(name, ())]
    todo += [item for item in file.items if _is_nameless(file, item)]
    kernels = {kernel.item for kernel in file.kernels}
    needed: set[Item] = set()
    while todo:
        item = todo.pop()
        if item in needed:
            continue
        needed.add(item)
        for token in file.tokens[item.first : item.end]:
            if token.type == pp_tokens.ID:
                todo += (other for other in named.get(token.value, ()) if other not in kernels)
    return needed


def unset(entries: Sequence[Entry]) -> list[str]:
    """Return variables of the file that kernels mention and only the host could have set."""
    file = entries[0].file
    return [
        name
        for item in file.items
        if item.kind == "variable" and item.words & {"__constant__", "__device__"}
        if "=" not in {token.value for token in file.tokens[item.first : item.end]}
        if item in _needed(file, entries)
        for name in item.names
    ]


def _is_constant(item: Item) -> bool:
    """Whether device code may call the function although it isn't marked: a constexpr one."""
    return item.kind == "host" and "constexpr" in item.words


def _is_nameless(file: File, item: Item) -> bool:
    """Whether an item is used without being mentioned: operators, members of classes, using directives."""
    operator = any(name.startswith("operator") for name in item.names)
    if item.kind not in ("other", "template", "device") or (item.names and not operator):
        return False
    return operator or "__device__" in item.words or file.tokens[item.first].value == "using"


def _prelude(body: str) -> str:
    """Return replacements for headers of extensions and the standard library, if they are mentioned."""
    parts = []
    if _STANDARD.search(body):
        parts.append("standard.h")
    groups = [
        self_contained_text.header(word)
        for word in self_contained_text.HEADERS
        if re.search(rf"\b{word}\b", body)
    ]
    if _EXTENSIONS.search(body) and not re.search(r"\bclass \w*PackedTensorAccessor", body):
        parts.append("extensions.h")
    text = "".join((*groups, *(_own(name) for name in parts)))
    if re.search(r"\bscalar_t\b", body) and not re.search(r"(typename|class|float|double) scalar_t", body):
        text += "typedef float scalar_t;\n"
    return text


def _own(name: str) -> str:
    """Return a header of ours as text."""
    return f'#line 1 "{name}"\n{Path(__file__).with_name(name).read_text(encoding="utf-8")}'


# ---- entries ----------------------------------------------------------------------------------------


def _entry(entry: Entry, shapes: Mapping[str, tuple[int, ...]]) -> str:
    found = arguments(entry)
    parameters = ", ".join(f"{argument.c_type} {argument.name}" for argument in found)
    passed = ", ".join(
        _passed(parameter.name, held, shapes.get(parameter.name, ()))
        for parameter, held in zip(entry.kernel.parameters, entry.held, strict=True)
    )
    scopes = [scope for scope in entry.kernel.scope.split("::") if scope]
    using = "".join(f"using namespace {'::'.join(scopes[: i + 1])}; " for i in range(len(scopes)))
    given = f"<{', '.join(entry.template)}>" if entry.kernel.template else ""
    name = f"{_PREFIX}{entry.name}"
    return (
        f'#line 1 "entry of {entry.name}"\n'
        f"__global__ void {entry.name}({parameters}) {{ {using}{name}{given}({passed}); }}"
    )


def _passed(name: str, held: Held, shape: tuple[int, ...]) -> str:
    match held.kind:
        case "nothing":
            return "{}"
        case "array" if held.width != 1:
            width = held.width or (shape[-1] if len(shape) > 1 else 0)
            return f"s2sad_array<{width}, {held.element}>{{{name}}}"
        case "object":
            return f"s2sad_object<{held.width or math.prod(shape)}, {held.element}>{{{name}}}"
        case "tensor":
            sizes = ", ".join(str(extent) for extent in shape)
            kind = "s2sad_placed_tensor" if held.placed else "s2sad_tensor"
            return f"{kind}<{held.rank or len(shape)}, {held.element}>{{{name}, {{{sizes}}}}}"
        case _:
            return name
