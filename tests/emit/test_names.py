"""Every use finds its own declaration, and the author's names stay."""

from __future__ import annotations

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
    Quote,
    Return,
    Stmt,
    Sym,
)
from s2sad.source import Source, Span

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


def test_an_adjoint_is_numbered_as_its_primal() -> None:
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
    def walk(body: tuple[Stmt, ...], scope: dict[str, Sym]) -> None:
        scope = dict(scope)
        own: set[str] = set()
        for stmt in body:
            match stmt:
                case Declare():
                    assert names[stmt.sym] not in own
                    own.add(names[stmt.sym])
                    scope[names[stmt.sym]] = stmt.sym
                case Assign():
                    assert scope[names[stmt.target.sym]] is stmt.target.sym
                case If():
                    walk(stmt.then, scope)
                    walk(stmt.other, scope)
                case Block():
                    walk(stmt.body, scope)
                case _:
                    pass

    walk(function.body, {})
