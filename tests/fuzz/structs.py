"""The random kernels once more, with numbers in structs: arrays of them, and locals that are one.

`x[i]` becomes `x[i].at.v`, and `float s = e;` becomes `In_float s; s.v = e;`: what is computed is
the same, and so are the gradients that are asked for; other fields lie beside them. Some fields
are stored to and read by methods, by functions with a reference or a pointer, through a local
pointer, or through what a choice, an assignment or a comma refers to. Some locals are of a struct
that is defined where they are: with them, without a name, or by a typedef. Some kernels are
templates, of which float is asked for.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from s2sad.options import Options, assumption

from .batch import Verdict
from .tree import Program

_TYPES = (
    "struct In_{0} {{ int tag; {0} v; {0} w[2]; "
    "__device__ {0} get() const {{ return v; }} __device__ void set({0} a) {{ v = a; }} "
    "}};",
    "struct Of_{0} {{ {0} u; int tag; In_{0} at; }};",
    "__device__ void put_{0}({0} &to, {0} a) {{ to = a; }}",
    "__device__ void put_at_{0}(In_{0} *to, {0} a) {{ to->v = a; }}",
    "__device__ void put_in_{0}(In_{0} &to, {0} a) {{ to.set(a); }}",
)
_OWN = (
    "struct {{ {0} v; }} {1};{2}",
    "struct L_{1} {{ int tag; {0} v; }} {1};{2}",
    "typedef struct {{ {0} w[2]; {0} v; }} L_{1}; L_{1} {1};{2}",
    "struct Of_{0} {{ struct {{ {0} v; }} of; {0} v; }} {1};{2}",
    "struct {{ {0} v; {0} w; }} more_{1}[2] = {{}}, {1} = more_{1}[1];{2}",
)
"""Locals whose types are their own; one hides a struct of the file."""

_STORE = re.compile(r"^(\s*)((\w+)(?:\[[^=;]*\])?(?:\.at)?)\.v = ([^;]*);$")
_LOAD = re.compile(r"(?<!\+\+)(?<!--)\b(\w+)\.v\b(?! *(?:[-+*/]?=[^=]|\+\+|--))")
_LOCAL = re.compile(r"^(\s*)(float|double) (\w+)( = (.*))?;$")
_ONE_OF_TWO = "a reference to one of two variables that change while it is in use"


def disguised(program: Program, name: str, seed: str) -> tuple[str, str, Options]:
    """Source, case and request of a program with structs in place of numbers."""
    rng = random.Random(seed)
    own = random.Random(f"{seed} own")
    source = program.text(name)
    case = program.case(name)
    types: dict[str, str] = {}
    unset: set[str] = set()
    for type, array in _arrays(source, name):
        if rng.random() < 0.7:
            source = _in_structs(source, type, array)
            types[array] = type
    lines = source.split("\n")
    begin = next(k for k, line in enumerate(lines) if f" {name}(" in line)
    declared = [m for line in lines if (m := _LOCAL.match(line))]
    for found in declared:
        local = found[3]
        if _alone("\n".join(lines), local) and rng.random() < 0.5 and found.string in lines[begin:]:
            form = own.choice(_OWN) if own.random() < 0.4 else ""
            hides = f"struct Of_{found[2]} {{ struct"
            if form.startswith("struct Of_") and any(hides in line for line in lines[begin:]):
                form = ""  # a scope may have only one struct of that name
            lines[begin:] = [_local(line, found, local, form) for line in lines[begin:]]
            if not form:
                types[local] = found[2]
            if not found[5]:
                unset.add(local)
    if rng.random() < 0.5:
        lines[begin:] = [_read(_stored(line, types, unset, rng), types, rng) for line in lines[begin:]]
    template: tuple[tuple[str, str], ...] = ()
    if rng.random() < 0.4 and lines[begin].startswith('extern "C" '):
        lines[begin] = "template <class T> " + lines[begin].removeprefix('extern "C" ')
        lines[begin:] = [re.sub(r"\bfloat\b", "T", line) for line in lines[begin:]]
        template = (("T", "float"),)
    head = " ".join(form.format(type) for type in ("float", "double") for form in _TYPES)
    lines[0] = f"{head} {lines[0]}"
    known = [text for text in program.assume if text == "launch:1d" or text.split(":")[1] in source]
    assume = tuple(assumption(text) for text in known)
    mode = "split" if program.mode == "split" else "joint"
    request = Options(
        of=program.of,
        wrt=program.wrt,
        mode=mode,
        bounds=program.bounds,
        assume=assume,
        template=template,
    )
    return "\n".join(lines), case, request


def accepted(verdict: Verdict) -> Verdict:
    """The verdict, uncheckable where a reference to one of two that change was refused, as it must be."""
    refused = verdict.kind == "refused not-supported" and _ONE_OF_TWO in verdict.detail
    return replace(verdict, kind=f"uncheckable: {verdict.kind}") if refused else verdict


def _stored(line: str, types: dict[str, str], unset: set[str], rng: random.Random) -> str:
    """A store to a field, written another way; of `unset` variables it may be the first one."""
    found = _STORE.match(line)
    if found is None or found[3] not in types or " = " in found[4] or rng.random() < 0.4:
        return line
    margin, place, name, value = found.groups()
    type = types[name]
    if rng.random() < 0.3:
        written = (
            f"{{ In_{type} no_here = {{}}; (blockDim.x > 0 ? {place} : no_here).set({value}); }}",
            f"{{ In_{type} no_here = {{}}; (blockDim.x < 1 ? no_here : {place}).v = {value}; }}",
            f"({place} = {place}).set({value});",
            f"{{ int n_here = 0; (++n_here, {place}).set({value}); }}",
            f"{{ {type} &to_here = ({place}.v = {value}); to_here = to_here + 0; }}",
            f"{{ const {type} &is_here = ({place}.v += 0); {place}.v = {value}; {place}.v = is_here; }}",
        )
        return margin + rng.choice(written[:-1] if name in unset else written)
    if rng.random() < 0.05:  # a reference to one of two, which can't be a copy
        is_here = f"const {type} &is_here = blockDim.x > 0 ? {place}.v : {place}.w[0];"
        return f"{margin}{{ {is_here} {place}.v = {value}; {place}.v = is_here; }}"
    return margin + rng.choice(
        (
            f"{place}.set({value});",
            f"put_{type}({place}.v, {value});",
            f"put_at_{type}(&{place}, {value});",
            f"put_in_{type}({place}, {value});",
            f"{{ In_{type} *to_here = &{place}; to_here->v = {value}; }}",
        )
    )


def _read(line: str, types: dict[str, str], rng: random.Random) -> str:
    """Locals read by a method, where nothing can store through them."""
    if "&" in line or re.search(r"\b(?:pass0|turn0|put_float|put_double)\(", line):
        return line
    return _LOAD.sub(lambda m: f"{m[1]}.get()" if m[1] in types and rng.random() < 0.4 else m[0], line)


def _alone(source: str, local: str) -> bool:
    """Whether nothing else has the name: behind a comma, or as a pointer."""
    other = rf"\*\s*(?:const |__restrict__ )+{local} =|(?:float|double|int) [^=;()]*, {local}\b"
    if re.search(rf"struct (?:\w+ )?{{[^}}]*\b{local}\b", source):
        return False
    return len(re.findall(rf"(?:float|double|int|auto) \W*{local}\b|{other}", source)) == 1


def _arrays(source: str, name: str) -> list[tuple[str, str]]:
    """The arrays of real numbers that are only ever indexed."""
    head = next(line for line in source.split("\n") if f" {name}(" in line)
    found = re.findall(r"(float|double) \*(?:__restrict__ )?(\w+)", head)
    return [
        (type, array)
        for type, array in found
        if not re.search(rf"\b(?:float|double|int) {array}\[", source)
        and len(re.findall(rf"\b{array}\b", source)) == 1 + len(re.findall(rf"(?<!&)\b{array}\[", source))
    ]


def _in_structs(source: str, type: str, array: str) -> str:
    """The array's elements as fields of structs."""
    out, at = [], 0
    for found in re.finditer(rf"\b{array}\[", source):
        depth, end = 1, found.end()
        while depth:
            depth += (source[end] == "[") - (source[end] == "]")
            end += 1
        out.append((end, ".at.v"))
    pieces = []
    for end, text in sorted(out):
        pieces += [source[at:end], text]
        at = end
    whole = "".join([*pieces, source[at:]])
    return re.sub(rf"\b{type} (\*(?:__restrict__ )?{array}\b)", rf"Of_{type} \1", whole, count=1)


def _local(line: str, declared: re.Match[str], local: str, form: str) -> str:
    """A line with the variable as a field; its declaration makes the struct, of that form if one is said."""
    if line == declared.string:
        value = f" {local}.v = {declared[5]};" if declared[5] else ""
        if form:
            return f"{declared[1]}{form.format(declared[2], local, value)}"
        return f"{declared[1]}In_{declared[2]} {local};{value}"
    return re.sub(rf"(?<!\.)\b{local}\b", f"{local}.v", line)
