"""Write a chain as a host program: C++ with CUDA's launches, in one file that compiles alone.

This decides what the program says; `templates/chain.cu.j2` spells it. What runs when is the same as
in engine.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .. import emit
from ..diagnostics import Code, Rejected
from ..emit.skins import environment
from ..signature import Argument, Signature
from ..validate.case_args import problem_at
from ..validate.elements import is_floating
from ..validate.expressions import Expression
from ..validate.recipe import Problem, Size
from ..version import VERSION
from . import spelling
from .flow import Plan
from .kernels import Kernels, Reverse
from .linking import Call, Exchange, Linked, Loop, Node, changed, every

View = dict[str, object]
_TAKEN = frozenset(
    re.findall(
        r"\w+",
        """
    adjoints again allocated apart arrays auto block bool break case catch char check class clear
    const continue copy default delete do double else enum error extern false finished float for
    given goto grid if inline inside int lengths long namespace new numbers one operator own overrun
    owned private public register return room short signed sizeof slot slots static storage struct
    switch tape template this throw true try typedef union unsigned using virtual void volatile
    while
""",
    )
)  # words of C++ and of the template


def source(chain: Linked, kernels: Kernels, plan: Plan, name: str, file: str) -> str:
    """Return the program's text. Raises Rejected if the chain has something that can't be written yet."""
    view = _Writer(chain, kernels, plan, _identifier(name), file).view()
    text = environment().get_template("chain.cu.j2").render(view)
    return re.sub(r"\n{3,}", "\n\n", text).lstrip("\n")


def _identifier(name: str) -> str:
    found = re.sub(r"\W+", "_", name)
    return f"chain_{found}" if not found or found[0].isdigit() or found in _TAKEN else found


@dataclass
class _Text:
    """A kernel's text in a namespace of its own."""

    space: str
    text: str
    title: str


@dataclass
class _Writer:
    chain: Linked
    kernels: Kernels
    plan: Plan
    name: str
    file: str
    includes: list[str] = field(default_factory=list)
    texts: dict[tuple[str, str], _Text] = field(default_factory=dict)
    called: dict[Call, str] = field(default_factory=dict)
    counters: dict[Node, tuple[str, ...]] = field(default_factory=dict)
    numbered: dict[Loop, int] = field(default_factory=dict)
    storages: dict[str, str] = field(default_factory=dict)

    def view(self) -> View:
        self._named(self.chain.nodes, ())
        self._possible()
        spelled = [self._launch(call) for call in self.chain.calls]
        loops = [self._loop(loop) for loop in self.chain.loops if loop in self.plan.reversed]
        record = list(self._record(self.chain.nodes, None))
        reverse = list(self._reverse(self.chain.nodes))
        chain = self.chain
        public = [n for n in (*chain.arrays, *chain.scalars) if n in {*chain.of, *chain.wrt}]
        written = changed(chain.nodes)
        carried = [n for n in chain.arrays if n in self.plan.carried]
        return {
            "version": VERSION,
            "name": self.name,
            "file": self.file,
            "outline": list(_outline(chain.nodes, "")),
            "of": chain.of,
            "wrt": chain.wrt,
            "constant": [n for n in chain.arrays if n not in written],
            "changed": [n for n in chain.arrays if n in written],
            "arrays": [{"name": n, "type": t} for n, t in chain.arrays.items()],
            "numbers": [{"name": n, "type": _number_type(t)} for n, t in chain.scalars.items()],
            "adjoints": [{"name": n, "type": self._type(n)} for n in public],
            "carried": carried,
            "carried_arrays": [{"name": n, "type": self._type(n)} for n in (*carried, *self._real_numbers)],
            "real_numbers": self._real_numbers,
            "launches": spelled,
            "loops": loops,
            "forgets": any(loop.scratch for loop in self.plan.reversed),
            "record": record,
            "reverse": reverse,
            "storages": [{"name": n, "type": t} for n, t in self.storages.items()],
            "tapes": any(launch.get("tape") for launch in spelled),
            "flags": any(launch.get("flagged") for launch in spelled),
            "parts": any(launch["parts"] for launch in spelled),
            "includes": self.includes,
            "kernels": [{**vars(one), "macros": spelling.macros(one.text)} for one in self.texts.values()],
        }

    @property
    def _real_numbers(self) -> list[str]:
        return [n for n in self.chain.wrt if n in self.chain.scalars]

    def _type(self, name: str) -> str:
        return self.chain.arrays.get(name) or self.chain.scalars[name]

    # ---- what can't be written --------------------------------------------------

    def _possible(self) -> None:
        found = []
        for call, reverse in self.kernels.reverse.items():
            if reverse.pair.measure is not None:
                what = f"the tape of {call.kernel.name} is as long as a loop without a bound runs"
                help = "give a bound with a pragma before the loop, or run the chain in Python"
                found.append(problem_at(None, Problem((*call.path, "launch"), what, help=help)))
            for parameter in reverse.pattern.wrt:
                number = call.numbers().get(parameter)
                if number and call.kernel.argument(parameter).type != self.chain.scalars[number]:
                    what = f"{number} is a float for one launch and a double for another"
                    found.append(problem_at(None, Problem((*call.path, "args", parameter), what)))
        names = [*self.chain.arrays, *self.chain.scalars, *(loop.counter for loop in self.chain.loops)]
        for taken in dict.fromkeys(name for name in names if name in _TAKEN):
            what = f"{taken} can't be a name in the host program"
            found.append(problem_at(None, Problem((taken,), what), Code.CASE_VALUE))
        if found:
            raise Rejected(*found)

    # ---- names ------------------------------------------------------------------

    def _named(self, nodes: Sequence[Node], counters: tuple[str, ...]) -> None:
        kernels = [call.kernel.name for call in self.chain.calls]
        for node in nodes:
            self.counters[node] = counters
            if isinstance(node, Call):
                alone = kernels.count(node.kernel.name) == 1
                self.called[node] = f"launch_{node.kernel.name}{'' if alone else f'_{node.number}'}"
            elif isinstance(node, Loop):
                self.numbered[node] = len(self.numbered) + 1
                self._named(node.body, (*counters, *([node.counter] if node.counter else ())))

    # ---- sequences of nodes -----------------------------------------------------

    def _run(self, nodes: Sequence[Node], run: frozenset[Call] | None) -> Iterator[View]:
        """Yield the statements that run nodes: all launches, or those in `run`."""
        for node in nodes:
            match node:
                case Call():
                    if run is None or node in run:
                        yield self._called(node, "launch")
                case Exchange():
                    yield {"kind": "swap", "first": node.first, "second": node.second}
                case Loop():
                    body = list(self._run(node.body, run))
                    if body:
                        yield self._for(node, body)

    def _for(self, loop: Loop, body: list[View], *, down: bool = False) -> View:
        count = self._size(loop.count, self.counters[loop])
        counter = loop.counter or f"step_{self.numbered[loop]}"
        return {"kind": "for", "counter": counter, "count": count, "body": body, "down": down}

    def _called(self, node: Call | Loop, kind: str) -> View:
        about: View = {"kind": kind, "counters": self.counters[node]}
        return {**about, **({"call": self.called[node]} if isinstance(node, Call) else self._of(node))}

    def _of(self, loop: Loop) -> View:
        return {"loop": self.numbered[loop]}

    def _record(self, nodes: Sequence[Node], run: frozenset[Call] | None) -> Iterator[View]:
        for node in nodes:
            for name in self.plan.saved.get(node, ()):
                yield {"kind": "save", "to": self._saved(node, name), "array": name}
            if isinstance(node, Loop) and node in self.plan.reversed:
                yield self._called(node, "forward")
            else:
                yield from self._run([node], run)

    def _reverse(self, nodes: Sequence[Node]) -> Iterator[View]:
        for node in reversed(nodes):
            for name in self.plan.saved.get(node, ()):
                yield {"kind": "put_back", "to": self._saved(node, name), "array": name}
            match node:
                case Call():
                    if node in self.kernels.reverse:
                        yield self._called(node, "adjoint")
                case Exchange():
                    yield from self._unswap(node)
                case Loop():
                    if node in self.plan.reversed:
                        yield self._called(node, "back")
                    else:
                        yield from self._undone(node)

    def _unswap(self, swap: Exchange) -> Iterator[View]:
        yield {"kind": "swap", "first": swap.first, "second": swap.second}
        if swap.first in self.plan.carried:
            yield {"kind": "swap_adjoints", "first": swap.first, "second": swap.second}

    def _undone(self, loop: Loop) -> Iterator[View]:
        """Yield what undoes the swaps of a loop without derivatives."""
        body: list[View] = []
        for node in reversed(loop.body):
            if isinstance(node, Exchange):
                body += self._unswap(node)
            elif isinstance(node, Loop):
                body += self._undone(node)
        if body:
            yield self._for(loop, body, down=True)

    def _saved(self, node: Node, array: str) -> str:
        if isinstance(node, Call):
            name = f"saved_{self.called[node].removeprefix('launch_')}_{array}"
        else:
            assert isinstance(node, Loop)
            name = f"saved_{self.numbered[node]}_{array}"
        self.storages[name] = self.chain.arrays[array]
        return name

    def _loop(self, loop: Loop) -> View:
        counters = self.counters[loop.body[0]]
        again = self.plan.again[loop]
        calls = {node for node in every(loop.body) if isinstance(node, Call)}
        kept = self.plan.kept[loop]
        within = self.plan.within[loop]
        size = " + ".join(f"lengths.{n} * sizeof({self.chain.arrays[n]})" for n in kept) or "1"
        if loop.checkpoints is not None:
            slots = self._size(loop.checkpoints, self.counters[loop])
        elif loop.bytes is not None:
            slots = f"(long long)({loop.bytes}ull / ({size}))"
        else:
            slots = f"Schedule::square_root({self._size(loop.count, self.counters[loop])})"
        where = ".".join(loop.path)
        return {
            "number": self.numbered[loop],
            "counter": loop.counter,
            "title": f"over {loop.counter}" if loop.counter else f"of `{_text(loop.count)}` steps",
            "outer": self.counters[loop],
            "counters": counters,
            "count": self._size(loop.count, self.counters[loop]),
            "slots": slots,
            "what": f"{where}: not one checkpoint fits",
            "kept": kept,
            "scratch": [n for n in self.chain.arrays if n in loop.scratch],
            "kept_arrays": [{"name": n, "type": self.chain.arrays[n]} for n in kept],
            "advance": list(self._run(loop.body, None)),
            "again": list(self._run(loop.body, again)) if calls - again else [],
            "reverse": _without_idle_swaps([*self._record(loop.body, within), *self._reverse(loop.body)]),
        }

    # ---- launches ---------------------------------------------------------------

    def _launch(self, call: Call) -> View:
        counters = self.counters[call]
        parts, apart = self._parts(call, counters)
        reverse = self.kernels.reverse.get(call)
        space = self._space(call, "primal")
        shared = "" if call.shared_bytes == 0 else f"(size_t)({self._size(call.shared_bytes, counters)})"
        view: View = {
            "call": self.called[call],
            "counters": counters,
            "block": [self._extent(size, counters) for size in call.block],
            "grid": [self._extent(size, counters) for size in call.grid],
            "shared": shared,
            "parts": parts,
            "apart": apart,
            "primal": f"{space}::{call.kernel.name}",
            "arguments": [self._argument(call, a, counters) for a in call.kernel.arguments],
            "adjoint": "",
        }
        return view if reverse is None else {**view, **self._adjoint(call, reverse, shared)}

    def _adjoint(self, call: Call, reverse: Reverse, shared: str) -> View:
        counters, pair = self.counters[call], reverse.pair
        space = self._space(call, "adjoint")
        scratch: list[View] = []
        for argument in pair.adjoint.arguments:
            if argument.use == "scratch":
                name = f"scratch_{self.called[call].removeprefix('launch_')}_{argument.of}"
                array = call.array(argument.of)
                self.storages[name] = self.chain.arrays[array]
                scratch.append({"name": name, "array": array})

        def sized(what: str, *more: str) -> str:
            scalars = [self._argument(call, a, counters) for a in pair.adjoint.scalars(trips=False)]
            return f"{space}::{pair.adjoint.name}_{what}({', '.join(('grid', 'block', *more, *scalars))})"

        def arguments(kernel: Signature) -> list[str]:
            return [self._argument(call, a, counters) for a in kernel.arguments]

        forward, given = "", []
        if pair.forward is not None:
            forward, given = f"{space}::{pair.forward.name}", arguments(pair.forward)
        elif reverse.forward_first:
            forward, given = f"{self._space(call, 'primal')}::{call.kernel.name}", arguments(call.kernel)
        return {
            "adjoint": f"{space}::{pair.adjoint.name}",
            "adjoint_name": pair.adjoint.name,
            "adjoint_arguments": arguments(pair.adjoint),
            "adjoint_shared": sized("shared_bytes", shared or "0") if pair.adjoint.shared else shared,
            "forward": forward,
            "forward_arguments": given,
            "tape": sized("tape_bytes") if pair.adjoint.tape else "",
            "flagged": pair.adjoint.tape and reverse.bounded,
            "scratch": scratch,
        }

    def _parts(self, call: Call, counters: tuple[str, ...]) -> tuple[list[View], list[View]]:
        """Return the parts of arrays that a launch takes, and the pairs that mustn't overlap."""
        parts: list[View] = []
        for argument in call.kernel.arguments:
            part = call.bound[argument.name].part
            if part is not None and argument.pointer:
                text = call.bound[argument.name].text
                parts.append(
                    {
                        "parameter": argument.name,
                        "array": part.array,
                        "begin": self._size(part.begin, counters),
                        "end": self._size(part.end, counters),
                        "begin_name": f"{argument.name}_begin",
                        "end_name": f"{argument.name}_end",
                        "what": f"{'.'.join(call.path)}: {text} is not inside of {part.array}",
                    }
                )
        known = {part["parameter"]: part for part in parts}
        apart: list[View] = []
        arguments = [a for a in call.kernel.arguments if a.pointer]
        for i, one in enumerate(arguments):
            for other in arguments[:i]:
                same = call.array(one.name) == call.array(other.name)
                if same and ({one.name, other.name} & call.writes or is_floating(one.type)):
                    names = f"{other.name} and {one.name} overlap"
                    apart.append(
                        {
                            "first": _range(known.get(one.name), call.array(one.name)),
                            "second": _range(known.get(other.name), call.array(one.name)),
                            "what": f"{'.'.join(call.path)}: {names}",
                        }
                    )
        return parts, apart

    def _argument(self, call: Call, argument: Argument, counters: tuple[str, ...]) -> str:
        if argument.role == "tape":
            return "tape"
        name = argument.of or argument.name
        if argument.use == "scratch":
            return f"scratch_{self.called[call].removeprefix('launch_')}_{argument.of}"
        holder = "adjoints" if argument.role == "adjoint" else "arrays"
        to = call.bound[name]
        if call.kernel.argument(name).pointer:
            begin = f" + {name}_begin" if to.part else ""
            return f"{holder}.{call.array(name)}{begin}"
        if argument.role == "adjoint":
            return f"adjoints.{to.name}"
        if to.number is not None:
            return f"({argument.type}){to.number!r}"
        if to.size is not None:
            return f"({argument.type})({self._size(to.size, counters)})"
        if to.name in counters:
            return f"({argument.type}){to.name}"
        own = self.chain.scalars[to.name] == argument.type and is_floating(argument.type)
        return f"numbers.{to.name}" if own else f"({argument.type})numbers.{to.name}"

    # ---- texts ------------------------------------------------------------------

    def _space(self, call: Call, what: str) -> str:
        """Return the namespace of a launch's kernel or of its adjoint, whose text is then in the file."""
        reverse = self.kernels.reverse.get(call)
        title = f"{call.kernel.name}, from {Path(call.source.name).name}"
        if what == "adjoint":
            assert reverse is not None
            text = reverse.pair.adjoint_text
            title = f"the adjoint of {call.kernel.name}"
        else:
            text = emit.primal_text(call.program)
        key = what, text
        if key not in self.texts:
            base = f"{call.kernel.name}_{what}"
            taken = [t.space for t in self.texts.values()]
            number = sum(space == base or space.startswith(f"{base}_") for space in taken)
            space = base if not number else f"{base}_{number + 1}"
            includes, own = spelling.own(text)
            self.includes += [one for one in includes if one not in self.includes]
            self.texts[key] = _Text(space, own.strip("\n"), title)
        return self.texts[key].space

    def _extent(self, size: Size, counters: tuple[str, ...]) -> str:
        text = self._size(size, counters)
        return text if isinstance(size, int) else f"(unsigned)({text})"

    def _size(self, size: Size, counters: tuple[str, ...]) -> str:
        """Spell an integer expression: of loops' counters, and of numbers."""
        return spelling.size(size, counters, "block" in self.chain.scalars)


def _range(part: Mapping[str, object] | None, array: str) -> str:
    if part is None:
        return f"0, (long long)lengths.{array}"
    return f"{part['begin_name']}, {part['end_name']}"


def _text(size: Size) -> str:
    return size.text if isinstance(size, Expression) else str(size)


def _without_idle_swaps(nodes: list[View]) -> list[View]:
    """Remove swaps that are undone at once."""
    found: list[View] = []
    for node in nodes:
        if found and node["kind"] == "swap" and found[-1] == node:
            found.pop()
        else:
            found.append(node)
    return found


def _number_type(type: str) -> str:
    return type if is_floating(type) else "long long"


def _outline(nodes: Sequence[Node], margin: str) -> Iterator[str]:
    """Yield the chain as lines of a host program in short."""
    for node in nodes:
        match node:
            case Call():
                bound = ", ".join(node.bound[a.name].text for a in node.kernel.arguments)
                yield f"{margin}{node.kernel.name}({bound})"
            case Exchange():
                yield f"{margin}swap({node.first}, {node.second})"
            case Loop():
                counted = f", counted by {node.counter}" if node.counter else ""
                yield f"{margin}repeat {_text(node.count)}{counted}:"
                yield from _outline(node.body, f"{margin}    ")
