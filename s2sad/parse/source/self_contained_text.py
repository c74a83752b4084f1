"""Extract the text of a kernel and of what it uses, for a compiler that can't compile the file.

Host code may be any C++ and need anything; a kernel needs little. The output consists of
the author's tokens after preprocessing, on the author's lines, of the kernel and,
transitively, of every top-level item whose name it mentions. Nothing has been through
the parser or the IR, so running it shares no mistake with the transformation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path

from ...source import Source, Span
from ..types.types import scalar
from . import cooperative_groups, item_placement, linked_files, pp_tokens
from .brackets import angle_end
from .cub_reductions import CUB
from .include_resolution import OWN
from .keywords import is_name
from .name_lookup import Lookup
from .pp_tokens import Lexeme
from .preprocess import preprocess
from .toplevel import DEVICE, Item, split

_LIBRARY = {
    "s2sad_swap": "template <class T> __device__ void s2sad_swap(T &a, T &b) { T was = a; a = b; b = was; }",
    "s2sad_max": "template <class T> __device__ T s2sad_max(T a, T b) { return max(a, b); }",
    "s2sad_min": "template <class T> __device__ T s2sad_min(T a, T b) { return min(a, b); }",
    "s2sad_numeric_limits": """template <class T> struct s2sad_numeric_limits {
static __device__ bool whole() { return T(1) / T(2) == T(0); }
static __device__ bool wide() { return sizeof(T) > 4; }
static __device__ T largest() { return T(-1) < T(0) ? T((1ull << (8 * sizeof(T) - 1) % 64) - 1) : T(~0ull); }
static __device__ double huge() { return wide() ? 1.7976931348623157e+308 : 3.402823466e+38; }
static __device__ double tiny() { return wide() ? 2.2250738585072014e-308 : 1.175494351e-38; }
static __device__ T max() { return whole() ? largest() : T(huge()); }
static __device__ T lowest() { return whole() ? T(-1) < T(0) ? T(-max() - T(1)) : T(0) : T(-max()); }
static __device__ T min() { return whole() ? lowest() : T(tiny()); }
static __device__ T epsilon() { return T(wide() ? 2.220446049250313e-16 : 1.1920928955078125e-7); }
static __device__ T infinity() { return T(1e308 * 10); }
};""",
    "s2sad_true_type": "struct s2sad_true_type { static constexpr bool value = true; };",
    "s2sad_false_type": "struct s2sad_false_type { static constexpr bool value = false; };",
    "s2sad_enable_if": """template <bool C, class T = void> struct s2sad_enable_if { };
template <class T> struct s2sad_enable_if<true, T> { typedef T type; };""",
    "s2sad_enable_if_t": """template <bool C, class T = void> struct s2sad_enabled { };
template <class T> struct s2sad_enabled<true, T> { typedef T type; };
template <bool C, class T = void> using s2sad_enable_if_t = typename s2sad_enabled<C, T>::type;""",
}
_SAME = """template <class A, class B> struct s2sad_one { static constexpr bool value = false; };
template <class A> struct s2sad_one<A, A> { static constexpr bool value = true; };"""
_TRAITS = {  # for types without qualifiers
    "is_same": "",
    "is_floating_point": "float,double",
    "is_integral": "bool,char,signed char,unsigned char,short,unsigned short,int,unsigned,long,unsigned long,"
    "long long,unsigned long long",
    "is_signed": "float,double,char,signed char,short,int,long,long long",
}


def _trait(name: str, types: str) -> dict[str, str]:
    """Return the definitions of a trait of the standard library and of its short form."""
    head = f"template <class A{'' if types else ', class B'}>"
    is_one = [f"s2sad_one<A, {type}>::value" for type in types.split(",")]
    value = " || ".join(is_one) if types else "s2sad_one<A, B>::value"
    return {
        f"s2sad_{name}": f"{head} struct s2sad_{name} {{ static constexpr bool value = {value}; }};",
        f"s2sad_{name}_v": f"{head} constexpr bool s2sad_{name}_v = {value};",
    }


def _made_of(name: str, head: str, forms: dict[str, str]) -> dict[str, str]:
    """Define a type transformation and its short form; `forms` has a result for each form of argument."""
    found = {}
    args = re.sub(r"\b(?:class|bool) ", "", head)
    for key, own in ((f"s2sad_{name}", f"s2sad_{name}"), (f"s2sad_{name}_t", f"s2sad_{name}_of")):
        primary, *others = forms.items()
        lines = [f"template <{head}> struct {own} {{ typedef {primary[1]} type; }};"]
        for form, result in others:
            free = ", ".join(part for part in head.split(", ") if re.search(rf"\b{part.split()[1]}\b", form))
            lines.append(f"template <{free}> struct {own}<{form}> {{ typedef {result} type; }};")
        if key != own:
            lines.append(f"template <{head}> using {key} = typename {own}<{args}>::type;")
        found[key] = "\n".join(lines)
    return found


_INTEGERS = ("char", "short", "int", "long", "long long")
_SIGNED = {"A": "A", "char": "signed char"} | {f"unsigned {type}": f"signed {type}" for type in _INTEGERS}
_UNSIGNED = {"A": "A", "signed char": "unsigned char"} | {type: f"unsigned {type}" for type in _INTEGERS}
_UNQUALIFIED = {"A": "A", "const A": "A"}
_REFERRED = {"A": "A", "A &": "A"}
for _made in (
    _made_of("remove_cv", "class A", _UNQUALIFIED),
    _made_of("remove_const", "class A", _UNQUALIFIED),
    _made_of("remove_reference", "class A", _REFERRED),
    _made_of("remove_cvref", "class A", _UNQUALIFIED | {"A &": "A", "const A &": "A"}),
    _made_of("decay", "class A", _UNQUALIFIED | {"A &": "A", "const A &": "A"}),
    _made_of("conditional", "bool C, class A, class B", {"C, A, B": "A", "false, A, B": "B"}),
    _made_of("make_signed", "class A", _SIGNED),
    _made_of("make_unsigned", "class A", _UNSIGNED),
):
    _LIBRARY |= _made
_LIBRARY |= {key: text for name, types in _TRAITS.items() for key, text in _trait(name, types).items()}
"""Definitions of what is named in namespace std and isn't built into CUDA."""
HEADERS = {cooperative_groups.GROUPS: "cooperative.h", CUB: "cub.h"}
"""Namespaces of libraries, and the files that replace their headers."""
_WHOLE = {"torch/accessors.h": "torch/whole_accessors.h"}
"""Files that the parser reads, of which a compiler needs another form."""
_APART = "s2sad_apart_"
"""Prefix of a name that a local variable would hide."""
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_SETTER = """
#ifndef S2SAD_UNSEEN
#define S2SAD_UNSEEN
#endif
static __device__ s2sad_type_NAME *s2sad_NAME;
S2SAD_UNSEEN __noinline__ static __device__ void s2sad_set_NAME(s2sad_type_NAME *it) { s2sad_NAME = it; }
"""
"""Each thread sets it to the same value, which a race checker mustn't see: it is never inlined."""
_SETTER_OF_TEMPLATES = """#ifndef S2SAD_UNSEEN
#define S2SAD_UNSEEN
#endif
template <class V> static __device__ typename V::type *s2sad_at;
template <class V> S2SAD_UNSEEN __noinline__ static __device__ void s2sad_set(typename V::type *it)
{ s2sad_at<V> = it; }
"""
_ELSEWHERE = frozenset({"kernel", "host", "other"})
"""Items that another kernel may mention without needing them."""


def extract(
    source: Source,
    kernel: str,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    template: Mapping[str, str] | None = None,
    variables: Sequence[str] = (),
    instances: Mapping[str, str] | None = None,
    at: Span | None = None,
) -> str:
    """Return the text of that kernel and its closure; line directives give the position of each part.

    `at` is the position of its name, needed only if the name isn't unique in the file.

    For a kernel template, the text is the instance with these arguments. The file's `variables` are
    what the kernel's last arguments point to, in that order, so that they have the values of a case.
    `instances` are those of templates among them: `taps_float` of `taps<float>`.
    """
    unit = linked_files.together(preprocess(source, defines, includes), defines, includes)
    tokens, items = unit.tokens, linked_files.meant(unit, split(unit.tokens))
    named: dict[str, list[Item]] = {}
    for item in items:
        for name in item.names:
            named.setdefault(name, []).append(item)
    todo = [item for item in named.get(kernel, ()) if "__global__" in item.words and item.body]
    if len(todo) > 1:
        todo = [item for item in todo if at is not None and _stands(tokens[item.at], at)]
        assert len(todo) == 1, f"which {kernel}?"
    chosen = todo[:1]
    needed: set[Item] = set()
    while todo:
        item = todo.pop()
        if item in needed:
            continue
        needed.add(item)
        for token in tokens[item.first : item.end]:
            name = token.value if token.type == pp_tokens.ID else f"operator{token.value}"
            if name != kernel or item in chosen:
                todo += (i for i in named.get(name, ()) if _travels(i))
    bound = template or {}
    for name in {token.value for text in bound.values() for token in _scanned(text)}:
        needed.update(i for i in named.get(name, ()) if _travels(i))
    replaced = {name for item in needed if (name := tokens[item.first].span.source.name) in _WHOLE}
    plain = [
        (item, _instance(tokens, item, bound) if item in chosen else _plain(tokens[item.first : item.end]))
        for item in items
        if item in needed and tokens[item.first].span.source.name not in replaced
    ]
    if variables:
        of = instances or {}
        templates = {text.partition("<")[0] for text in of.values()}

        def passed(item: Item, part: list[Lexeme]) -> list[Lexeme]:
            if item.kind == "variable" and not {*variables}.isdisjoint(item.names):
                return _defined(part, variables)
            if item.inner == "variable" and not templates.isdisjoint(item.names):
                return _defined_template(part, item.names[0])
            return given(part, variables, of, entered=item in chosen)

        plain = [(item, passed(item, part)) for item, part in plain]
    lookup = Lookup(tokens, items)
    plain = _with_using(tokens, lookup, plain)
    parts = [
        item_placement.placed(item, "".join(lines(part)), item in chosen, bool(variables))
        for item, part in plain
    ]
    used = {token.value for _, part in plain for token in part}
    own = [{*item.names} for item, _ in plain]
    for name in sorted(name for name in used if name.startswith(_APART)):
        at_end = next((k for k, names in enumerate(own) if _bare(name) in names), None)
        if at_end is None:
            parts[:0], own[:0] = [_forwarded(name)], [set[str]()]
        else:
            parts[at_end] += "\n" + _forwarded(name)
    parts[:0] = item_placement.spaces(lookup, used)
    parts[:0] = _helpers(parts, used, instances)
    parts[:0] = [text for library in HEADERS for text in _library(tokens, items, plain, library)]
    parts[:0] = [_file(_WHOLE[name]) for name in sorted(replaced)]
    return "\n".join(parts) + "\n"


def _helpers(parts: Sequence[str], used: Collection[str], instances: object) -> list[str]:
    """Return what the parts of a text need before them."""
    library = [text for name, text in _LIBRARY.items() if name in used]
    setter = [_SETTER_OF_TEMPLATES] if instances else []
    same = [_SAME] if any("s2sad_one<" in part for part in (*library, *parts)) else []
    return [*same, *setter, *library]


def _travels(item: Item) -> bool:
    """Whether a kernel that mentions an item needs it."""
    return item.kind not in _ELSEWHERE and "__global__" not in item.words


def _stands(name: Lexeme, at: Span) -> bool:
    span = name.span  # for a macro's text, that of the macro's use
    return span.source.name == at.source.name and at.start <= span.start and span.end <= at.end


def header(library: str) -> str:
    """Return the text that replaces a library's headers."""
    return _file(HEADERS[library])


def of_library(file: str) -> bool:
    """Whether a part of a text, by the name of its file, is one of these and not the author's."""
    return file in HEADERS.values() or file in _WHOLE.values()


def _file(name: str) -> str:
    return f'#line 1 "{name}"\n{(OWN / name).read_text(encoding="utf-8")}'


def _library(
    tokens: Sequence[Lexeme], items: Sequence[Item], plain: Sequence[tuple[Item, list[Lexeme]]], library: str
) -> Iterator[str]:
    """Yield the text that replaces a library, and the file's other names for it, if it is used.

    A function, a class or a variable of the author's may have the library's name, or be in a namespace of
    that name; what the library itself has is only named before `::`, or with a directive for its namespace.
    """
    words = list(dict.fromkeys(cooperative_groups.aliases(tokens, library)))
    names = {library, *(name for kind, name, *_ in words if kind == "namespace")}
    own = {name for item in items if item.scope[:1] == (library,) for name in item.names}
    if any(library in item.names and not item.scope for item, _ in plain):
        return
    values = [[token.value for token in part] for _, part in plain]
    used = {
        name
        for part in values
        for word, sign, name in zip(part, part[1:], part[2:], strict=False)
        if word in names and sign == "::" and name not in own
    }
    if used or (len(names) <= len(words) and any("this_thread_block" in part for part in values)):
        yield header(library)
        yield from (f"{' '.join(each)};" for each in words)


def _defined(tokens: Sequence[Lexeme], variables: Sequence[str]) -> list[Lexeme]:
    """Turn the definition of variables into one of their types, and of pointers to them."""
    kept = [t for t in tokens if t.value not in (*DEVICE, "static", "extern")]
    depth, out, names = 0, [_word(kept[0], "typedef")], []
    skipping = False
    for token in kept:
        depth += (token.value in _OPENING) - (token.value in _CLOSING)
        skipping = (skipping or token.value == "=") and not (depth == 0 and token.value in (",", ";"))
        if skipping or (depth == 0 and token.value in ("const", "constexpr")):
            continue
        if token.value in variables and depth == 0:
            names.append(token.value)
            token = _word(token, f"s2sad_type_{token.value}")
        out.append(token)
    return [*out, *(_word(kept[-1], _SETTER.replace("NAME", name)) for name in names)]


def _defined_template(tokens: Sequence[Lexeme], name: str) -> list[Lexeme]:
    """Turn the definition of a variable template into one of its type."""
    kept = [token for token in tokens if token.value not in (*DEVICE, "static", "extern")]
    head = (angle_end(kept, 1) or 1) + 1
    inner = [_word(t, "type") if t.value == name else t for t in kept[head:]]
    opening, closing = _word(kept[head], f"struct s2sad_of_{name} {{ typedef"), _word(kept[-1], "};")
    return [*kept[:head], opening, *inner, closing]


def given(
    tokens: Sequence[Lexeme], variables: Sequence[str], of: Mapping[str, str], *, entered: bool
) -> list[Lexeme]:
    """Replace variables in a part of the text by what pointers point to; the kernel takes and sets these."""
    templates = {text.partition("<")[0] for text in of.values()}
    closing: list[int] = []  # where template arguments end
    out: list[Lexeme] = []
    for i, token in enumerate(tokens):
        member = bool(out) and out[-1].value in (".", "->")
        if (
            token.value in templates
            and tokens[i + 1].value == "<"
            and (end := angle_end(tokens, i + 1)) is not None
        ):
            out.append(_word(token, f"(*s2sad_at<s2sad_of_{token.value}"))
            closing.append(end)
            continue
        out.append(
            _word(token, f"(*s2sad_{token.value})") if token.value in variables and not member else token
        )
        if closing and closing[-1] == i:
            out.append(_word(token, ">)"))
            closing.pop()
    if not entered:
        return out
    body = next(i for i, token in enumerate(out) if token.value == "{")
    end = max(i for i in range(body) if out[i].value == ")")
    empty = out[end - 1].value in ("(", "void") and out[end - 2].value != ","
    if empty and out[end - 1].value == "void":
        del out[end - 1]
        end, body = end - 1, body - 1
    types = {name: f"s2sad_of_{of[name]}" for name in variables if name in of}
    own = {name: f"{types[name]}::type" if name in types else f"s2sad_type_{name}" for name in variables}
    given = ", ".join(f"{own[name]} *given_{name}" for name in variables)
    setters = {n: f"s2sad_set<{types[n]} >" if n in types else f"s2sad_set_{n}" for n in variables}
    sets = " ".join(f"{setters[name]}(given_{name});" for name in variables)
    out.insert(body + 1, _word(out[body], sets))
    out.insert(end, _word(out[end], given if empty else f", {given}"))
    return out


def _word(token: Lexeme, text: str) -> Lexeme:
    made = copy(token)
    made.value = text
    return made


def _scanned(text: str) -> list[Lexeme]:
    return [
        token for token in pp_tokens.scan(Source("--template", text)) if token.type not in pp_tokens.BLANK
    ]


def _instance(tokens: Sequence[Lexeme], item: Item, bound: Mapping[str, str]) -> list[Lexeme]:
    """Return the kernel's tokens; for a template without its head, with the arguments substituted."""
    first, name = item.first, item.at
    if item.kind == "template":
        depth = 0
        for first in range(item.first + 1, item.at):
            value = tokens[first].value
            depth += (value in ("<", "(")) - value.count(">") * (value in (">", ">>")) - (value == ")")
            if depth == 0:
                break
        first += 1
    if tokens[name + 1].value == "<":  # a specialisation has its arguments already
        end = angle_end(tokens, name + 1) or name
        return _plain([*tokens[first : name + 1], *tokens[end + 1 : item.end]])
    result: list[Lexeme] = []
    for token in _plain(tokens[first : item.end]):
        member = bool(result) and result[-1].value in (".", "->")
        if token.type != pp_tokens.ID or token.value not in bound or member:
            result.append(token)
            continue
        replaced = copy(token)
        replaced.value = bound[token.value]
        if len(_scanned(replaced.value)) > 1 and not replaced.value[0].isalpha():
            replaced.value = f"({replaced.value})"
        result.append(replaced)
    return result


def _plain(tokens: Sequence[Lexeme]) -> list[Lexeme]:
    """Remove `std::` and `::` from the tokens: nothing is included, and CUDA has the functions itself.

    Remove `glm::`, too, which also has scalar functions of CUDA's; GLM's own are found without it.
    """
    result: list[Lexeme] = []
    variables = _variables(tokens)
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else None
        if token.value in variables and before is not None and before.value == "::":
            scope = tokens[i - 2] if i > 1 else None
            if scope is None or scope.value in item_placement.UNNAMED or not is_name(scope):
                called = i + 1 < len(tokens) and tokens[i + 1].value == "("
                result.append(copy(token))
                result[-1].value = f"{_APART}{token.value}{'' if called else '()'}"
                continue
        if token.value == "::" and (
            before is None or before.value in item_placement.UNNAMED or not is_name(before)
        ):
            continue
        if token.value in item_placement.UNNAMED and i + 1 < len(tokens) and tokens[i + 1].value == "::":
            continue
        result.append(token)
        plain = (
            token.value in ("max", "min") and tokens[i + 1].value != "<"
        )  # CUDA has them, but not as templates
        if i > 1 and tokens[i - 2].value == "std" and f"s2sad_{token.value}" in _LIBRARY and not plain:
            result[-1] = copy(token)
            result[-1].value = f"s2sad_{token.value}"
    return result


def _variables(tokens: Sequence[Lexeme]) -> set[str]:
    """Return the names of variables that are declared, as far as neighbouring tokens show."""
    return {
        token.value
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.type == pp_tokens.ID
        and scalar([token.value]) is None
        and (
            (after.value in _BEHIND and (before.value in _BETWEEN or _is_plain(before)))
            or (after.value in (",", ")") and (before.value in ("*", "&") or _is_plain(before)))
        )
    }


_BEHIND, _BETWEEN = frozenset("=;[{:"), frozenset(("*", "&", ">", ","))


def _is_plain(token: Lexeme) -> bool:
    """Whether this token may be the type of a name declared after it."""
    return token.type == pp_tokens.ID and token.value not in (
        "return",
        "const",
        "case",
        "typename",
        "else",
        "enum",
        "namespace",
        "using",
        "goto",
    )


def _bare(name: str) -> str:
    return name.removeprefix(_APART).removesuffix("()")


def _forwarded(name: str) -> str:
    """Define a name that nothing hides for a qualified name that a local variable hides."""
    bare = _bare(name)
    if name.endswith("()"):
        return f"static constexpr __device__ const auto &{name} {{ return {bare}; }}\n"
    return f"template <class... T> __device__ auto {name}(T... all) {{ return {bare}(all...); }}\n"


def _with_using(
    tokens: Sequence[Lexeme], lookup: Lookup, plain: Sequence[tuple[Item, list[Lexeme]]]
) -> list[tuple[Item, list[Lexeme]]]:
    """Add the using-directives and -declarations outside functions that name some of the items."""
    said = lookup.using_of([item for item, _ in plain])
    added = [(item, _plain(tokens[item.first : item.end])) for item in said]
    return sorted([*plain, *added], key=lambda each: each[0].first)


def lines(tokens: Sequence[Lexeme]) -> Iterator[str]:
    """Yield the tokens, separated by spaces, on the lines that they have in the author's file."""
    first = tokens[0].span
    yield _directive(first.line, first.source)
    line, before = first.line, tokens[0]
    for token in tokens:
        if token.type == pp_tokens.PRAGMA:
            continue
        here = token.span.line
        if token.origin is not before.origin or not line <= here < line + 20:
            yield "\n" + _directive(here, token.origin)
        elif here > line:
            yield "\n" * (here - line)
        elif token is not tokens[0]:
            yield " "
        line, before = here, token
        yield token.value


def _directive(line: int, source: Source) -> str:
    name = source.name.replace("\\", "/").replace('"', "'").replace("\n", " ")
    return f'#line {line} "{name}"\n'
