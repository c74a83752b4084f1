"""Every use finds its own declaration, and the author's names stay."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from emit_kit import kernel, local, num, op, pointer, var

from s2sad.emit.names import assigned
from s2sad.ir import (
    FLOAT,
    INT,
    Assign,
    Block,
    Call,
    Declare,
    For,
    Function,
    If,
    Place,
    Quote,
    Restore,
    Return,
    Stmt,
    Sym,
)
from s2sad.source import Source, Span
from s2sad.transform.common.adjoint_names import element_name

SPAN = Span(Source("k.cu", "x"), 0, 1)


def _author(name: str) -> Sym:
    return local(name, span=SPAN)


def _names(*body: Stmt, params: tuple[Sym, ...] = (), reserved: tuple[str, ...] = ()) -> dict[Sym, str]:
    return assigned(kernel("k", params, body), reserved)


def _use(sym: Sym) -> Stmt:
    return Assign(var(sym), num(1.0))


def test_two_symbols_of_one_scope_get_two_names() -> None:
    a, b = _author("x"), _author("x")
    names = _names(Declare(a), Declare(b), _use(a), _use(b))
    assert (names[a], names[b]) == ("x", "x_2")


def test_a_name_that_is_taken_gets_the_variable_that_the_statement_assigns() -> None:
    text = "float k1 = f(s); k[2 * n + i] = f(s); q.x += f(s); const float a[3] = {f(s), f(s)}; return f(s);"
    source = Source("k.cu", text)
    syms = [
        local("s", span=Span(source, k, k + 1)) for k in [m.start() + 2 for m in re.finditer(r"f\(s", text)]
    ]
    names = _names(*map(Declare, syms))
    assert [names[sym] for sym in syms] == ["s", "s_k2", "s_q_x", "s_a", "s_2", "s_3"]


def test_scopes_apart_may_share_a_name() -> None:
    a, b = _author("x"), _author("x")
    names = _names(Block((Declare(a), _use(a))), Block((Declare(b), _use(b))))
    assert names[a] == names[b] == "x"


def test_shadowing_stays_where_the_inner_scope_never_names_the_outer_symbol() -> None:
    a, b = _author("x"), _author("x")
    assert set(_names(Declare(a), Block((Declare(b), _use(b))), _use(a)).values()) == {"x"}
    names = _names(Declare(a), Block((Declare(b), _use(b), _use(a))))
    assert (names[a], names[b]) == ("x", "x_2")


def test_a_declaration_is_visible_in_its_own_initialiser() -> None:
    a, b = _author("x"), _author("x")
    names = _names(Declare(a), Block((Declare(b, var(a)),)))
    assert names[b] == "x_2"


def test_the_tool_gives_way_to_the_author_even_if_it_came_first() -> None:
    tool, author = local("t"), _author("t")
    names = _names(Declare(tool), Declare(author), _use(tool))
    assert (names[tool], names[author]) == ("t_2", "t")


def test_parameters_and_file_scope_names_always_stay() -> None:
    x, constant, tool = pointer("x"), Sym("C", FLOAT, "global"), local("C")
    names = _names(Declare(tool), Assign(var(tool), var(constant)), params=(x,))
    assert (names[x], names[constant], names[tool]) == ("x", "C", "C_2")


def test_an_adjoint_is_renamed_as_its_primal() -> None:
    a, b = _author("x"), _author("x")
    adj_b, adj_a = local("adj_x", of=b), local("adj_x", of=a)
    names = _names(Declare(a), Declare(b), Declare(adj_b), Declare(adj_a))
    assert names[adj_a] == "adj_x"
    assert names[adj_b] == "adj_x_2"


def test_the_body_of_a_loop_may_not_redeclare_its_counter() -> None:
    k, inner = local("k", INT, span=SPAN), local("k", INT)
    loop = For((Declare(k),), op("<", var(k), num(8)), (Assign(var(k), num(1), "+"),), (Declare(inner),))
    names = _names(loop)
    assert (names[k], names[inner]) == ("k", "k_2")


def test_loops_in_a_row_use_one_counter_name() -> None:
    counters = [local("k", INT) for _ in range(3)]
    loops = [For((Declare(k),), op("<", var(k), num(8)), (), ()) for k in counters]
    assert set(_names(*loops).values()) == {"k"}


def test_a_local_does_not_hide_a_function_that_its_scope_calls() -> None:
    cos = _author("cosf")
    names = _names(Declare(cos), Assign(var(cos), Call("cosf", (var(cos),), FLOAT, "cos")))
    assert names[cos] == "cosf_2"
    alone = _author("cosf")
    assert _names(Declare(alone), _use(alone))[alone] == "cosf"


def test_no_local_is_called_as_a_macro_or_a_keyword() -> None:
    macro, keyword = local("STEPS"), local("register")
    names = _names(Declare(macro), Declare(keyword), reserved=("STEPS",))
    assert (names[macro], names[keyword]) == ("STEPS_2", "register_2")


def test_names_are_looked_up_in_c_as_the_symbols_mean() -> None:
    """Simulate C's scoping over a function with every kind of clash."""
    a, b, c, d = (_author("v") for _ in range(4))
    body = (
        Declare(a),
        If(op("<", var(a), num(1.0)), (Declare(b), _use(a), _use(b)), (Declare(c), _use(c))),
        Quote(_use(a)),
        Declare(d),
        Block((_use(d), _use(a))),
        Return(),
    )
    function = kernel("k", (), body)
    names = assigned(function)
    _check(function, names)


def _check(function: Function, names: dict[Sym, str]) -> None:
    """Look every name up as a C++ compiler would."""

    def declare(sym: Sym, scope: dict[str, Sym], own: set[str]) -> None:
        assert names[sym] not in own, "declared twice in one scope"
        own.add(names[sym])
        scope[names[sym]] = sym

    def walk(body: tuple[Stmt, ...], scope: dict[str, Sym], own: set[str]) -> None:
        scope = dict(scope)

        def use(sym: Sym) -> None:
            assert scope[names[sym]] is sym

        for stmt in body:
            match stmt:
                case Declare():
                    declare(stmt.sym, scope, own)
                case Restore(tape=Place() as tape):
                    declare(stmt.target.sym, scope, own)
                    use(tape.sym)
                case Assign():
                    use(stmt.target.sym)
                case If():
                    walk(stmt.then, scope, set())
                    walk(stmt.other, scope, set())
                case Block():
                    walk(stmt.body, scope, set())
                case For():
                    inner, inner_own = dict(scope), set[str]()
                    for s in stmt.init:
                        assert isinstance(s, Declare)
                        declare(s.sym, inner, inner_own)
                    walk((*stmt.step, *stmt.body), inner, inner_own)
                case _:
                    pass

    top: dict[str, Sym] = {}
    own: set[str] = set()
    for sym in function.syms:
        declare(sym, top, own)
    walk(function.body, top, own)


def _random_body(rng: random.Random, visible: list[Sym], depth: int) -> tuple[Stmt, ...]:
    """Statements that declare a few names again and again and use what is visible."""
    visible = list(visible)
    body: list[Stmt] = []
    for _ in range(rng.randrange(1, 5)):
        kind = rng.random()
        if kind < 0.35:
            sym = local(rng.choice("uvw"), span=SPAN if rng.random() < 0.5 else None)
            if rng.random() < 0.2 and visible:
                body.append(Restore(var(sym), var(rng.choice(visible)), declares=True))
            else:
                body.append(Declare(sym))
            visible.append(sym)
        elif kind < 0.65 and visible:
            body.append(Assign(var(rng.choice(visible)), num(1.0)))
        elif depth and kind < 0.75:
            inner = (_random_body(rng, visible, depth - 1), _random_body(rng, visible, depth - 1))
            body.append(If(num(1), *inner))
        elif depth and kind < 0.9:
            counter = local(rng.choice("uvw"), INT)
            step = (Assign(var(counter), num(1), "+"),)
            inner_body = _random_body(rng, [*visible, counter], depth - 1)
            body.append(For((Declare(counter),), None, step, inner_body))
        elif depth:
            body.append(Block(_random_body(rng, visible, depth - 1)))
    return tuple(body)


def test_random_functions_mean_in_c_what_their_symbols_mean() -> None:
    rng = random.Random(3)
    for _ in range(500):
        params = tuple(Sym(name, FLOAT, "parameter") for name in "uv"[: rng.randrange(3)])
        function = kernel("k", params, _random_body(rng, list(params), 4))
        names = assigned(function)
        assert all(names[sym] == sym.name for sym in params)
        _check(function, names)


def _inlined(name: str, callee: str) -> Sym:
    return replace(local(name, span=SPAN), origin="author", otherwise=(f"{callee}_{name}",))


def test_a_local_of_an_inlined_function_is_renamed_after_it_and_the_caller_keeps_its_own() -> None:
    own, inner = _author("s"), _inlined("s", "unit")
    names = _names(Declare(inner), Declare(own, var(inner)), _use(own))
    assert (names[own], names[inner]) == ("s", "unit_s")
    adjoint = local("adj_s", of=inner)
    assert _names(Declare(inner), Declare(own, var(inner)), Declare(adjoint))[adjoint] == "adj_unit_s"


def test_no_name_is_taken_from_a_variable_that_its_scope_uses() -> None:
    own, longer, inner = _author("s"), _author("unit_s"), _inlined("s", "unit")
    names = _names(Declare(own), Declare(longer), Block((Declare(inner), _use(own), _use(longer))))
    assert names[inner] == "s_2"
    names = _names(Declare(own), Declare(longer), Block((Declare(inner), _use(own))))
    assert names[inner] == "unit_s"


def test_none_of_several_sums_has_the_short_name() -> None:
    first, second = (replace(local("adj_x_sum"), otherwise=(f"adj_x_{k}",)) for k in "ij")
    names = _names(Declare(first), Block((Declare(second), _use(first), _use(second))))
    assert (names[first], names[second]) == ("adj_x_i", "adj_x_j")
    names = _names(Block((Declare(first), _use(first))), Block((Declare(second), _use(second))))
    assert names[first] == names[second] == "adj_x_sum"


def test_elements_are_named_after_their_index() -> None:
    w, w1, a, n = (pointer(name) for name in ("w", "w1", "a", "n"))
    k, i = local("k", INT), local("i", INT)
    row = op("+", op("*", var(k), var(n)), var(i))
    assert element_name("w", Place(w, (num(2),), FLOAT)) == "w2"
    assert element_name("w1", Place(w1, (num(2),), FLOAT)) == "w1_2"
    assert element_name("a", Place(a, (row,), FLOAT)) == "a_ki"
    assert element_name("a", Place(a, (op("+", row, num(1)),), FLOAT)) == "a_k_i1"


def test_an_index_that_several_sums_have_names_none_of_them() -> None:
    sums = [replace(local("adj_x_sum", of=pointer("x")), otherwise=("adj_x_j",)) for _ in range(2)]
    names = _names(*map(Declare, sums), *map(_use, sums))
    assert [names[s] for s in sums] == ["adj_x_sum", "adj_x_sum_2"]
