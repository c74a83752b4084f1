"""The last passes: from an adjoint of scalars to a function as its author would declare it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ..ir import Body, Function, Struct, Sym
from ..passes import Pass
from ..transform.common.symbol_uses import symbols
from ..transform.states import same
from ..transform.unit import Adjoint
from .declare_rows import declare_rows
from .guard_block_sums import guard_block_sums
from .merge_conditions import merge_conditions
from .name_block_sums import name_block_sums
from .read_file_variables import read_file_variables
from .reassemble_structs import reassemble_structs
from .reserved_names import reserved
from .set_fields_together import set_fields_together
from .vectors.pack_lanes import pack_lanes
from .vectors.vector_operators import ATOMIC_ADD, CROSS, DOT, vector_operators
from .zero_at_declaration import zero_at_declaration


@dataclass(frozen=True)
class Emitted:
    """A function during emission; `totals` are the names of the helpers that reduce a block."""

    function: Function
    adjoint: Adjoint
    totals: Mapping[tuple[str, str], str] = field(default_factory=dict)
    is_primal: ClassVar[bool] = False

    @property
    def declared_later(self) -> frozenset[Sym]:
        """The file's variables, which a companion reads in place."""
        if self.adjoint.behind is None:
            return frozenset()
        names = {sym.variable for sym in self.adjoint.program.variables}
        return frozenset(sym for sym in self.adjoint.kernel.syms if sym.variable in names)

    @property
    def vectors(self) -> tuple[Struct, ...]:
        """The types of vectors on which the emitted text uses operators."""
        return self.adjoint.program.vectors if self.adjoint.behind is None else ()

    def becomes(self, function: Function) -> Emitted:
        """Return the state with another function."""
        return self if function is self.function else replace(self, function=function)

    def with_body(self, body: Body) -> Emitted:
        """Return the state with another body of its function."""
        function = self.function
        return self if same(body, function.body) else self.becomes(replace(function, body=body))


def _name_block_sums(state: Emitted) -> Emitted:
    return state.becomes(name_block_sums(state.function, state.totals))


def _guard_block_sums(state: Emitted) -> Emitted:
    return state.with_body(guard_block_sums(state.function.body))


def _set_fields_together(state: Emitted) -> Emitted:
    return state.with_body(set_fields_together(state.function.body))


def _pack_lanes(state: Emitted) -> Emitted:
    vectors = state.vectors
    return state.with_body(pack_lanes(state.function.body, vectors)) if vectors else state


def _vector_operators(state: Emitted) -> Emitted:
    vectors, function, program = state.vectors, state.function, state.adjoint.program
    if not vectors:
        return state
    taken = {*reserved(program), *(constant.sym.name for constant in program.constants)}
    taken |= {sym.name for sym in (*function.syms, *symbols(function.body))}
    called = frozenset({DOT, CROSS, ATOMIC_ADD} - taken)
    return state.with_body(vector_operators(function.body, vectors, program.multiplied, called))


def _reassemble_structs(state: Emitted) -> Emitted:
    return state.becomes(reassemble_structs(state.function))


def _read_file_variables(state: Emitted) -> Emitted:
    if state.adjoint.behind is None:
        return state
    return state.becomes(read_file_variables(state.function, state.adjoint.program))


def _declare_rows(state: Emitted) -> Emitted:
    return state.becomes(declare_rows(state.function, state.adjoint.program.rows))


def _zero_at_declaration(state: Emitted) -> Emitted:
    return state.with_body(zero_at_declaration(state.function.body))


def _merge_conditions(state: Emitted) -> Emitted:
    return state.with_body(merge_conditions(state.function.body))


NAME_BLOCK_SUMS = Pass("name_block_sums", _name_block_sums)
GUARD_BLOCK_SUMS = Pass("guard_block_sums", _guard_block_sums)
SET_FIELDS_TOGETHER = Pass("set_fields_together", _set_fields_together)
REASSEMBLE_STRUCTS = Pass("reassemble_structs", _reassemble_structs)
READ_FILE_VARIABLES = Pass("read_file_variables", _read_file_variables, ("reassemble_structs",))
ZERO_AT_DECLARATION = Pass("zero_at_declaration", _zero_at_declaration, ("reassemble_structs",))
DECLARE_ROWS = Pass("declare_rows", _declare_rows)
PACK_LANES = Pass("pack_lanes", _pack_lanes)
VECTOR_OPERATORS = Pass("vector_operators", _vector_operators, ("reassemble_structs",))
MERGE_CONDITIONS = Pass("merge_conditions", _merge_conditions)

AS_WRITTEN = (
    NAME_BLOCK_SUMS,
    GUARD_BLOCK_SUMS,
    DECLARE_ROWS,
    PACK_LANES,
    SET_FIELDS_TOGETHER,
    REASSEMBLE_STRUCTS,
    VECTOR_OPERATORS,
    ZERO_AT_DECLARATION,
    MERGE_CONDITIONS,
    READ_FILE_VARIABLES,
)
NAMES = tuple(one.name for one in AS_WRITTEN)
"""The passes that can be dumped, in order; it follows the names of transform.pipelines."""
