"""The text of the emitted file: records through templates. The same adjoint gives the same bytes."""

from __future__ import annotations

from collections import Counter as Bag

from ..ir import Program
from ..options import Skin
from ..passes import PLAIN, Runner
from ..transform.unit import Adjoint
from .c_printer import Printer
from .declaration_order import Named, in_order
from .file import file_view
from .names import assigned
from .reassemble_structs import reassemble_structs
from .records import View, Viewer
from .reserved_names import reserved
from .skins import environment
from .wrap import folded


def spelled(view: View, skin: str) -> str:
    """Render a file's records as text."""
    return environment(skin).get_template("file.cu.j2").render(file=view)


def render(adjoint: Adjoint, skin: Skin = "plain", runner: Runner = PLAIN) -> str:
    """Render the emitted `.cu` file; `runner` runs the last passes."""
    return spelled(file_view(adjoint, runner, taught=skin == "lesson"), skin)


def primal_text(program: Program) -> str:
    """Print the primal and its preamble from IR, to check the printer and the IR."""
    parts = [[m.text for m in program.macros.values()]]
    parts += in_order(program.typedefs, [Named(c.sym.name, c.text) for c in program.constants])
    functions: list[str] = []
    names = [f.name for f in program.functions.values()]
    overloaded = frozenset(name for name, count in Bag(names).items() if count > 1)
    for function in map(reassemble_structs, (*program.functions.values(), program.kernel)):
        printer = Printer(assigned(function, reserved(program), program.macros), overloaded)
        module = environment().get_template("function.cu.j2").module
        view = Viewer(printer).function(function, {}, private=False)
        functions.append(folded(module.function(view)))  # type: ignore[attr-defined]
    return "\n".join([*("\n".join(part) + "\n" for part in parts if part), *functions])
