"""How each statement looks, and where braces and blank lines stand."""

from __future__ import annotations

from emit_kit import implicit, kernel, local, num, op, pointer, var

from s2sad.emit.c_printer import Printer
from s2sad.emit.records import Viewer
from s2sad.emit.skins import environment
from s2sad.emit.wrap import folded, prose, table
from s2sad.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    VOID,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Block,
    Break,
    Call,
    Case,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    For,
    Function,
    If,
    Initialiser,
    Parameter,
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Stmt,
    Switch,
    While,
)
from s2sad.source import Source, Span

a, b = local("a"), local("b")
k, n = local("k", INT), local("n", INT)
x = pointer("x")
set_a = Assign(var(a), num(1.0))
set_b = Assign(var(b), num(2.0))
less = op("<", var(k), var(n))
head = (Declare(k, num(0)),), less, (Assign(var(k), num(1), "+", spelling="++k"),)


def spell(*body: Stmt) -> str:
    module = environment().get_template("_stmt.cu.j2").module
    return module.block(Viewer(Printer()).body(body)).rstrip("\n")  # type: ignore[attr-defined,no-any-return]


def test_simple_statements() -> None:
    c = local("c", Array(FLOAT, (3,)))
    assert spell(Declare(a)) == "float a;"
    assert spell(Declare(a, num(0.5))) == "float a = 0.5f;"
    listed = Initialiser((num(1.0), implicit(num(2, "2"), FLOAT)))
    assert spell(Declare(c, listed)) == "float c[3] = {1.0f, 2};"
    assert spell(Declare(c, Initialiser(()))) == "float c[3] = {};"
    assert spell(set_a) == "a = 1.0f;"
    assert spell(Assign(var(a), var(b), "*")) == "a *= b;"
    assert spell(Assign(var(k), num(1), "-", spelling="k--")) == "k--;"
    assert spell(Evaluate(Call("__syncthreads", (), VOID))) == "__syncthreads();"
    assert spell(Break()) == "break;"
    assert spell(Continue()) == "continue;"
    assert spell(Return()) == "return;"
    assert spell(Return(op("*", var(a), var(b)))) == "return a * b;"


def test_a_brace_list_says_what_narrows() -> None:
    c, d = local("c", Array(FLOAT, (1,))), local("d", DOUBLE)
    assert spell(Declare(c, Initialiser((implicit(var(d), FLOAT),)))) == "float c[1] = {(float)d};"
    assert spell(Declare(c, Initialiser((implicit(var(k), FLOAT),)))) == "float c[1] = {(float)k};"


def test_what_the_adjoint_adds() -> None:
    tape = local("tape_a", Array(FLOAT, (8,)))
    saved = local("tape_b")
    assert spell(Record(var(tape, var(k)), var(a))) == "tape_a[k] = a;"
    assert spell(Record(var(saved), var(b), declares=True)) == "float tape_b = b;"
    assert spell(Restore(var(a), var(tape, var(k)))) == "a = tape_a[k];"
    assert spell(Restore(var(a), var(tape, var(k)), declares=True)) == "float a = tape_a[k];"
    assert spell(Clear(var(a))) == "a = 0.0f;"
    assert spell(Clear(var(local("e", DOUBLE)))) == "e = 0.0;"
    amount = op("*", var(b), var(b))
    assert spell(Accumulate(var(a), amount, "local")) == "a += b * b;"
    assert spell(Accumulate(var(a), amount, "owner", negative=True)) == "a -= b * b;"
    assert spell(Accumulate(var(x, var(k)), amount, "atomic")) == "atomicAdd(&x[k], b * b);"
    assert spell(Accumulate(var(x, var(k)), amount, "atomic", negative=True)) == "atomicAdd(&x[k], -b * b);"
    assert spell(Comment("one\ntwo")) == "// one\n// two"


def test_a_body_of_one_statement_has_no_braces() -> None:
    assert spell(If(less, (set_a,))) == "if (k < n)\n    a = 1.0f;"
    assert spell(For(*head, (For(*head, (set_a,)),))) == (
        "for (int k = 0; k < n; ++k)\n    for (int k = 0; k < n; ++k)\n        a = 1.0f;"
    )
    assert spell(While(less, (set_a,))) == "while (k < n)\n    a = 1.0f;"
    assert spell(DoWhile((set_a,), less)) == "do\n    a = 1.0f;\nwhile (k < n);"


def test_several_statements_a_comment_or_a_declaration_have_braces() -> None:
    assert spell(If(less, (set_a, set_b))) == "if (k < n) {\n    a = 1.0f;\n    b = 2.0f;\n}"
    assert spell(If(less, (Comment("why"), set_b))) == "if (k < n) {\n    // why\n    b = 2.0f;\n}"
    assert spell(For(*head, (Declare(a),))) == "for (int k = 0; k < n; ++k) {\n    float a;\n}"
    assert spell(DoWhile((set_a, set_b), less)) == "do {\n    a = 1.0f;\n    b = 2.0f;\n} while (k < n);"
    assert spell(While(less, ())) == "while (k < n) {\n}"


def test_a_chain_of_else_ifs_is_flat_and_braced_as_one() -> None:
    chain = If(less, (set_a,), (If(var(a), (set_b,), (set_a,)),))
    assert spell(chain) == ("if (k < n)\n    a = 1.0f;\nelse if (a)\n    b = 2.0f;\nelse\n    a = 1.0f;")
    braced = If(less, (set_a, set_b), (set_a,))
    assert spell(braced) == "if (k < n) {\n    a = 1.0f;\n    b = 2.0f;\n} else {\n    a = 1.0f;\n}"


def test_a_chain_of_a_thousand_else_ifs_is_no_problem() -> None:
    chain = If(less, (set_a,))
    for _ in range(1000):
        chain = If(less, (set_a,), (chain,))
    assert spell(chain).count("else if") == 1000


def test_an_if_with_an_else_is_braced_inside_another() -> None:
    inner = If(less, (set_a,), (set_b,))
    assert spell(If(var(a), (inner,))) == (
        "if (a) {\n    if (k < n)\n        a = 1.0f;\n    else\n        b = 2.0f;\n}"
    )


def test_an_else_belongs_to_its_own_if() -> None:
    inner = For(*head, (If(less, (set_a,)),))
    assert spell(If(var(a), (inner,), (set_b,))) == (
        "if (a) {\n    for (int k = 0; k < n; ++k)\n        if (k < n)\n            a = 1.0f;\n"
        "} else {\n    b = 2.0f;\n}"
    )


def test_heads_of_loops() -> None:
    two = (
        (Declare(k, num(0)), Declare(n, num(9))),
        less,
        (head[2][0], Assign(var(n), num(1), "-", spelling="--n")),
    )
    assert spell(For(*two, (set_a,))).startswith("for (int k = 0, n = 9; k < n; ++k, --n)\n")
    assert spell(For((), None, (), (Break(),))) == "for (;;)\n    break;"
    pragma = For(*head, (set_a,), pragmas=("#pragma unroll 4",))
    assert spell(pragma).startswith("#pragma unroll 4\nfor (")
    assert spell(While(implicit(num(1, "1"), BOOL), (Break(),))) == "while (1)\n    break;"


def test_a_head_that_declares_two_types_becomes_a_block() -> None:
    loop = For((Declare(k, num(0)), Declare(a, num(0.0))), less, (), (set_a,))
    assert spell(loop) == ("{\n    int k = 0;\n    float a = 0.0f;\n    for (; k < n;)\n        a = 1.0f;\n}")


def test_a_segment_that_declares_is_jumped_over_safely() -> None:
    switch = Switch(
        var(k),
        (
            Case((1, 2), (Declare(a, num(1.0)), set_a, Break())),
            Case((None,), (set_b,), spelled=("default",)),
        ),
    )
    assert spell(switch) == (
        "switch (k) {\ncase 1:\ncase 2: {\n    float a = 1.0f;\n    a = 1.0f;\n    break;\n}\n"
        "default:\n    b = 2.0f;\n}"
    )


def test_cases_keep_the_spelling_of_their_labels() -> None:
    switch = Switch(var(k), (Case((3, None), (Break(),), spelled=("MODE", "default")),))
    assert "case MODE:\ndefault:\n    break;" in spell(switch)


def test_the_last_label_of_a_switch_has_a_statement() -> None:
    """A pass may have left nothing of a case; before C++23, a label can't stand in front of a brace."""
    assert spell(Switch(var(k), (Case((1,), ()), Case((2,), ())))) == (
        "switch (k) {\ncase 1:\ncase 2:\n    break;\n}"
    )
    assert spell(Switch(var(k), ())) == "switch (k) {\n}"


SOURCE = Source(
    "k.cu",
    "a = b; b = a;\n\nif (a < b) /* really */ c = a *\n    b; // so\nfor (;;) { break; }\n",
)


def _at(text: str) -> Span:
    start = SOURCE.text.index(text)
    return Span(SOURCE, start, start + len(text))


def test_a_quote_is_the_authors_line_without_comments_and_breaks() -> None:
    stmt = Assign(var(a), var(b), span=_at("c = a *\n    b;"))
    assert spell(Quote(stmt), set_a) == "// c = a * b\na = 1.0f;"
    branch = If(less, (stmt,), span=_at("if (a < b) /* really */ c = a *\n    b;"))
    assert spell(Quote(branch, note="taken")) == "// if (a < b)\n// taken"
    loop = For((), None, (), (Break(),), span=_at("for (;;) { break; }"))
    assert spell(Quote(loop)) == "// for (;;)"


def test_a_quote_is_two_lines_at_most() -> None:
    text = "c = " + "a * b + " * 20 + "b"
    stmt = Assign(var(a), var(b), span=Span(Source("k.cu", text), 0, len(text)))
    assert spell(Quote(stmt)) == f"// c = {'a * b + ' * 8}a * b\n//     {'+ a * b ' * 9}..."


def test_a_load_isnt_quoted_above_the_addition_to_its_adjoint() -> None:
    there = var(x, num(2))
    load, adds = Declare(a, there, span=_at("c = a *\n    b;")), Accumulate(there, var(a), "owner")
    assert spell(Quote(load), adds) == "x[2] += a;"
    assert spell(Quote(load, note="taken"), adds).startswith("// c = a * b")
    assert spell(Quote(load), adds, adds).startswith("// c = a * b")


def test_skins_that_explain_give_the_line() -> None:
    stmt = Assign(var(a), var(b), span=_at("c = a *\n    b;"))
    for skin, number in (("plain", ""), ("explain", "3:  "), ("lesson", "3:  ")):
        module = environment(skin).get_template("_stmt.cu.j2").module
        text = module.block(Viewer(Printer()).body((Quote(stmt),)))  # type: ignore[attr-defined]
        assert f"// {number}c = a * b\n" in text


def test_a_quote_from_another_file_names_it() -> None:
    stmt = Assign(var(a), var(b), span=_at("a = b"))
    view = Viewer(Printer(), home="main.cu").body((Quote(stmt),))
    module = environment().get_template("_stmt.cu.j2").module
    assert module.block(view) == "// k.cu: a = b\n"  # type: ignore[attr-defined]


def test_quotes_in_a_row_from_one_line_merge_in_the_authors_order() -> None:
    first, second = Assign(var(a), var(b), span=_at("a = b")), Assign(var(b), var(a), span=_at("b = a"))
    assert spell(Quote(second), Quote(first), set_a) == "// a = b; b = a\na = 1.0f;"
    assert spell(Quote(first), Quote(first), set_a) == "// a = b\na = 1.0f;"


def test_one_line_groups_stand_close_and_longer_ones_apart() -> None:
    one = Assign(var(a), var(b), span=_at("a = b"))
    other = Assign(var(a), var(b), span=_at("c = a *"))
    assert spell(Quote(one), set_a, Quote(other), set_b).count("\n\n") == 0
    assert spell(Quote(one), set_a, set_b, Quote(other), set_b).count("\n\n") == 1


def test_blank_lines_of_the_author_stay_and_banners_get_theirs() -> None:
    first = Assign(var(a), var(b), span=_at("a = b;"))
    second = Assign(var(b), var(a), span=_at("b = a;"))
    third = Assign(var(b), var(a), span=_at("c = a *\n    b;"))
    assert spell(first, second, third) == "a = b;\nb = a;\n\nb = a;  // so"
    lines = spell(set_a, Banner("reverse sweep"), set_b).split("\n")
    assert lines[1] == lines[3] == ""
    assert len("    " + lines[2]) == 80


def test_an_author_block_keeps_its_scope() -> None:
    assert spell(Block((Declare(a), set_a))) == "{\n    float a;\n    a = 1.0f;\n}"


COMMENTED = Source(
    "k.cu",
    """\
// not ours: code stands between
int z;
// first
// second
a = b;  // behind
/* one
 * two */
b = a; c = a; /* last */
// s2sad: --of y
z = 1;
y = 2; // a trap \\
z = 2;
""",
)


def _commented(text: str) -> Stmt:
    start = COMMENTED.text.index(text)
    return Assign(var(a), var(b), span=Span(COMMENTED, start, start + len(text)))


def test_comments_of_the_author_come_back_with_their_statement_once() -> None:
    assert spell(_commented("a = b;")) == "// first\n// second\na = b;  // behind"
    assert spell(_commented("a = b;"), _commented("a = b;")).count("first") == 1
    assert spell(_commented("b = a;")) == "// one\n// two\na = b;"
    assert spell(_commented("c = a")) == "a = b;  // last"
    assert spell(_commented("z = 1;")) == "a = b;"
    assert spell(_commented("y = 2;")) == "a = b;"
    assert spell(_commented("z = 2;")) == "a = b;"


def test_a_comment_above_the_only_statement_of_a_body_stands_in_braces() -> None:
    assert spell(If(less, (_commented("b = a;"),))) == "if (k < n) {\n    // one\n    // two\n    a = b;\n}"


# ---- functions ---------------------------------------------------------------


def _first_lines(function: Function, pairs: dict[str, str]) -> str:
    module = environment().get_template("function.cu.j2").module
    text: str = module.function(Viewer(Printer()).function(function, pairs))  # type: ignore[attr-defined]
    return text.split("\n{")[0]


def test_parameters_stay_on_one_line_if_they_fit() -> None:
    assert _first_lines(kernel("k", (x, n), ()), {}) == 'extern "C" __global__ void k(float *x, int n)'


def test_a_primal_parameter_and_its_adjoint_share_a_line() -> None:
    syms = [pointer(f"{p}{name}", restrict=True) for name in ("first", "second") for p in ("", "adj_")]
    pairs = {"adj_first": "first", "adj_second": "second"}
    assert _first_lines(kernel("smooth_adj", (*syms, n), ()), pairs) == (
        'extern "C" __global__ void smooth_adj(float *__restrict__ first, float *__restrict__ adj_first,\n'
        + " " * 38 + "float *__restrict__ second, float *__restrict__ adj_second,\n"
        + " " * 38 + "int n)"
    )  # fmt: skip


def test_parameters_go_below_a_name_that_leaves_no_room() -> None:
    function = kernel("a_kernel_with_a_name_that_is_rather_long_adj", tuple(map(pointer, "pqrst")), ())
    assert _first_lines(function, {}) == (
        'extern "C" __global__ void a_kernel_with_a_name_that_is_rather_long_adj(\n'
        "        float *p, float *q, float *r, float *s, float *t)"
    )


def test_device_functions_are_static() -> None:
    params = (Parameter(a),)
    for attributes in (("__device__",), ("static", "__device__"), ('extern "C"', "__device__")):
        function = Function("f", params, FLOAT, (Return(var(a)),), False, attributes)
        assert _first_lines(function, {}) == "static __device__ float f(float a)"


def test_the_address_of_a_local_is_an_argument() -> None:
    out = (AddressOf(var(b), Pointer(FLOAT)), AddressOf(var(x, var(k)), Pointer(FLOAT)))
    call = Call("sincosf", (var(a), *out), VOID, "sincos")
    assert spell(Evaluate(call)) == "sincosf(a, &b, &x[k]);"


def test_a_zero_of_an_integer_type_is_a_plain_zero() -> None:
    assert spell(Assign(var(n), Const(0, INT))) == "n = 0;"


# ---- width -------------------------------------------------------------------


def test_a_long_statement_breaks_where_least_is_open_and_keeps_its_tokens() -> None:
    line = "    adj_state[i] += " + " + ".join(f"weight[{k}] * state[i + {k}]" for k in range(8)) + ";"
    lines = folded(line).split("\n")
    assert all(len(text) <= 100 for text in lines)
    assert " ".join(text.strip() for text in lines) == line.strip()
    assert lines[1].startswith(" " * 20 + "+ weight[")


def test_a_long_call_goes_on_under_its_first_argument() -> None:
    start = "    atomicAdd(&adj_x[(blockIdx.x * blockDim.x + threadIdx.x) * columns + k], "
    line = start + "scale * " * 6 + "g);"
    lines = folded(line).split("\n")
    assert all(len(text) <= 100 for text in lines)
    assert lines[1].startswith(" " * 14 + "scale")


def test_a_quote_that_is_too_long_goes_on_as_a_comment() -> None:
    lines = folded("    // 21:  " + "word " * 40).split("\n")
    assert all(len(text) <= 100 for text in lines)
    assert lines[1].startswith("    //      word")


def test_a_remark_that_does_not_fit_goes_above_its_line() -> None:
    assert folded("    a = b;  // " + "word " * 19 + "word") == (
        "    // " + "word " * 17 + "word\n    // word word\n    a = b;"
    )


def test_directives_are_never_broken() -> None:
    line = "#pragma " + "word " * 40
    assert folded(line) == line


def test_prose_and_tables_fit_their_width() -> None:
    assert all(len(line) <= 60 for line in prose("word " * 40, width=60).split("\n"))
    assert table([("a", "bb", "c " * 30), ("aaa", "b", "d")], 40) == [
        "a    bb  " + " ".join("c" * 16),
        "         " + " ".join("c" * 14),
        "aaa  b   d",
    ]
