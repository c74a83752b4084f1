"""The preprocessor: what comes out, and that each token knows where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest
from front import kernel, parsed, place, refusal, source, tokens, unit

from s2sad.diagnostics import Rejected
from s2sad.parse import reading
from s2sad.parse.source.preprocess import preprocess
from s2sad.source import Source

# ---- macros ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define N 4\nN N1 1N", "4 N1 1N"),
        ("#define F(x) ((x)*(x))\nF(a+1) F (b) F", "( ( a + 1 ) * ( a + 1 ) ) ( ( b ) * ( b ) ) F"),
        ("#define F() 1\nF() F( )", "1 1"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define f(x) x f(x)\nf(f(1))", "1 f ( 1 ) f ( 1 f ( 1 ) )"),
        ('#define S(x) #x\nS(a  +   "b\\n")', '"a + \\"b\\\\n\\""'),
        ("#define C(a, b) a##b\n#define xy 7\nC(x, y) C(1, .5f)", "7 1.5f"),
        ("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2) V(g)", "g ( 1 , 2 ) g ( )"),
        ("#define V(f, args...) f(args)\nV(g, 1, 2)", "g ( 1 , 2 )"),
        ("#define G(x, ...) g(x, ##__VA_ARGS__)\nG(1) G(1, 2)", "g ( 1 ) g ( 1 , 2 )"),
        ("#define O(x, ...) f(x __VA_OPT__(,) __VA_ARGS__)\nO(1) O(1, 2)", "f ( 1 ) f ( 1 , 2 )"),
        ("#define EMPTY\n#define O(...) __VA_OPT__(a) b\nO(EMPTY) O(c)", "b a b"),
        ("#define F(x) x\nF(\n1\n,\n2)", None),
        ("#define F(x, y) x y\nF((1, 2),\n  3)", "( 1 , 2 ) 3"),
        ("#define A 1 // one\n#define B /* two */ 2 /* 2 */\nA B", "1 2"),
        ("#define LONG 1 + \\\n   2\nLONG", "1 + 2"),
        ("#undef N\n#define N 1\n#undef N\nN", "N"),
        ("#define min(a, b) ((a) < (b) ? (a) : (b))\nmin(x, y)", "( ( x ) < ( y ) ? ( x ) : ( y ) )"),
        ("__LINE__\n__LINE__", "1 2"),
        ("M_PI", "3.14159265358979323846"),
        ("UINT64_C(7) INT_MAX", "7UL 2147483647"),
        ("#define NDEBUG\n#include <cassert>\nassert(a, b);", ";"),
        ("#include <cassert>\nassert(a);", "assert ( a ) ;"),
    ],
)
def test_macros_expand_as_the_standard_says(text: str, expected: str | None) -> None:
    if expected is None:
        with pytest.raises(Rejected):
            tokens(text)
    else:
        assert tokens(text) == expected


def test_a_command_line_definition_is_a_macro() -> None:
    assert tokens("N F(1)", {"N": "3", "F(x)": "x + 1"}) == "3 1 + 1"


def test_a_function_of_pytorch_is_atomic_addition_unless_the_file_has_its_own() -> None:
    assert tokens("gpuAtomicAdd(a, 1);") == "atomicAdd ( a , 1 ) ;"
    own = "void gpuAtomicAdd(int *a, int v) { atomicAdd(a, v); }"
    assert tokens(own).startswith("void gpuAtomicAdd (")
    assert tokens("return gpuAtomicAdd(a, 1);").startswith("return atomicAdd")


def test_a_bad_command_line_definition_is_refused() -> None:
    with pytest.raises(Rejected) as caught:
        tokens("", {"3": "4"})
    assert caught.value.diagnostics[0].code.slug == "bad-define"


def test_macros_that_would_fill_the_memory_are_refused() -> None:
    lines = ["#define A0 x x x x x x x x"]
    lines += [f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1} A{i - 1}" for i in range(1, 40)]
    assert refusal("\n".join([*lines, "A39"])).code.slug == "macro-call"


# ---- what pcpp lacks ---------------------------------------------------------


def test_hexadecimal_floats_are_one_token() -> None:
    assert tokens("0x1p-3f 0x1.8p+1 1e-5f 1.e3") == "0x1p-3f 0x1.8p+1 1e-5f 1.e3"


def test_digit_separators_are_kept_and_counted() -> None:
    assert tokens("1'000 0xff'ff\n#if 1'000 == 1000\nyes\n#endif") == "1'000 0xff'ff yes"


def test_has_include_is_answered(tmp_path: Path) -> None:
    (tmp_path / "there.h").write_text("")
    text = (
        '#if __has_include("there.h") && !__has_include("gone.h") && __has_include(<vector>)\nyes\n#endif\n'
        "#ifdef __has_include\nknown\n#endif\n"
        "#if defined(__has_include) && defined __has_include\ntoo\n#endif"
    )
    assert (
        " ".join(t.value for t in preprocess(Source(str(tmp_path / "k.cu"), text)).tokens) == "yes known too"
    )


def test_words_for_operators_work_in_conditions() -> None:
    assert tokens("#if not defined(A) and (1 or 0)\nyes\n#endif") == "yes"


def test_raw_strings_and_prefixes_are_one_token() -> None:
    assert len(unit('R"x(a)" }{ ")x" u8"b" L\'c\' "a\\"b"').tokens) == 4


# ---- conditions --------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("1 + 2 * 3 == 7", True),
        ("-1 < 0", True),
        ("(5 / 2) << 1 == 4", True),
        ("UNDEFINED", False),
        ("!defined(UNDEFINED)", True),
        ("defined __CUDACC__ && __CUDA_ARCH__ >= 600", True),
        ("defined(__linux__) && !defined(_WIN32) && __LP64__", True),
        ("true", True),
        ("0x10 == 16 && 010 == 8", True),
        ("'a' == 97", True),
        ("1 ? 0 : 1", False),
    ],
)
def test_a_condition_is_evaluated(condition: str, holds: bool) -> None:
    assert tokens(f"#if {condition}\nyes\n#else\nno\n#endif") == ("yes" if holds else "no")


def test_the_first_branch_that_holds_is_taken() -> None:
    text = "#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif"
    assert tokens(text) == "b"
    assert tokens(f"#if 0\n{text}\n#endif") == ""


def test_what_is_not_taken_may_be_anything() -> None:
    assert tokens("#if 0\nit's \"not\n#error no\n#foo\n#include <gone\n#if (\n#endif\n#endif\nyes") == "yes"


def test_choices_inside_the_closure_are_said_in_words() -> None:
    text = kernel(
        "#if N > 8\n    y[0] = N;\n#elif N > 4\n    y[0] = N + 2;\n#endif",
        "#ifndef N\n#define N 6\n#endif\n#ifdef UNRELATED\n#endif\nint other;\n",
    )
    assert parsed(text).choices == (
        "line 1: #ifndef N taken",
        "line 9: #if N > 8 not taken",
        "line 11: #elif N > 4 taken",
    )
    assert parsed(text, N="9").choices == ("line 9: #if N > 8 taken",)


def test_an_include_guard_is_no_choice(tmp_path: Path) -> None:
    (tmp_path / "f.h").write_text(
        "// f\n#ifndef F_H\n#define F_H\n#ifdef FAST\n#endif\n__device__ float f(float x)\n{\n"
        "#ifdef FAST\n    x = 1;\n#endif\n    return x;\n}\n#endif  // F_H\n"
    )
    text = '#include "f.h"\n#include "f.h"\n' + kernel("    y[0] = f(x[0]);")
    choices = reading.parse(Source(str(tmp_path / "k.cu"), text)).choices
    assert choices == ("f.h line 8: #ifdef FAST not taken",)


# ---- places ------------------------------------------------------------------


def test_a_token_of_a_macro_has_the_place_of_the_use() -> None:
    text = "#define N 16\n#define SQ(x) ((x) * (x))\nint a = SQ(N + b);\n"
    found = {t.value: t.span for t in unit(text).tokens}
    assert str(found["16"]) == "k.cu:3:12"
    assert found["b"].text == "b"
    assert found["*"].text == "SQ(N + b)"


def test_a_token_lists_the_macros_it_came_through_outermost_first() -> None:
    text = "#define N 16\n#define F(x) G(x) + N\n#define G(y) y\nF(N)\n"
    uses = [(t.value, [u.name for u in t.uses]) for t in unit(text).tokens]
    assert uses == [("16", ["F", "G", "N"]), ("+", ["F"]), ("16", ["F", "N"])]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_places_are_exact_whatever_ends_the_lines(end: str) -> None:
    text = end.join(["\ufeff#define N \\", "  3", "\tint a =\t\\", "  N; // c", "/* x", " */ b"])
    spans = [str(t.span) for t in unit(text).tokens]
    assert spans == ["k.cu:3:2", "k.cu:3:6", "k.cu:3:8", "k.cu:4:3", "k.cu:4:4", "k.cu:6:5"]


def test_a_name_that_a_backslash_splits_is_one_token() -> None:
    (token,) = unit("ab\\\ncd").tokens
    assert (token.value, token.start, token.end) == ("abcd", 0, 6)


# ---- includes ----------------------------------------------------------------


def test_includes_are_found_beside_the_file_and_by_option(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "here" / "a.h").write_text('#pragma once\n#include "b.h"\n#define A B\n')
    (tmp_path / "there" / "b.h").write_text("#pragma once\n#include <c.h>\n#define B 7\n")
    text = '#include "a.h"\n#include "a.h"\n#define HERE "b.h"\n#include HERE\n#include <cuda_runtime.h>\nA'
    found = preprocess(Source(str(tmp_path / "here" / "k.cu"), text), {}, [tmp_path / "there"])
    assert [t.value for t in found.tokens] == ["7"]
    assert not found.missing


def test_an_include_that_is_not_found_and_not_needed_is_fine() -> None:
    parsed(kernel("    y[0] = sinf(x[0]);", '#include "gone.h"\n#include <vector>\nGone g;\n'))


def test_an_include_that_is_not_found_and_needed_is_what_is_wrong() -> None:
    d = refusal(kernel("    Gone g;\n    y[0] = gone(x[0]) + GONE;", '#include "gone.h"\n'))
    assert place(d) == (1, 1, "missing-include")
    assert [(str(s), w) for s, w in d.related] == [
        ("k.cu:4:5", "`Gone` is used here"),
        ("k.cu:5:12", "`gone` is used here"),
        ("k.cu:5:25", "`GONE` is used here"),
    ]


def test_a_header_of_the_system_is_never_blamed() -> None:
    assert refusal(kernel("    Gone g;", "#include <gone.h>\n")).code.slug == "unknown-type"


def test_an_include_cycle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text('#include "a.h"\n')
    with pytest.raises(Rejected) as caught:
        preprocess(Source(str(tmp_path / "k.cu"), '\n#include "a.h"\n'))
    assert place(caught.value.diagnostics[0]) == (2, 1, "include-cycle")


def test_a_mistake_in_an_included_file_says_who_included_it(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#error no\n")
    with pytest.raises(Rejected) as caught:
        preprocess(Source(str(tmp_path / "k.cu"), '#include "a.h"\n'))
    (d,) = caught.value.diagnostics
    assert d.span is not None
    assert d.span.source.name.endswith("a.h")
    assert [(s.source.name, s.line) for s, _ in d.related] == [(str(tmp_path / "k.cu"), 1)]


def test_comments_of_an_included_file_needn_t_be_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_bytes(b"// caf\xe9\n#define N 3\n")
    found = preprocess(Source(str(tmp_path / "k.cu"), '#include "a.h"\nN'))
    assert [t.value for t in found.tokens] == ["3"]


# ---- mistakes ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n/* b", (2, 1, "unterminated-comment")),
        ('a = "b;\n', (1, 5, "unterminated-string")),
        ("a = 'b;\n", (1, 5, "unterminated-string")),
        ("\n#if 1\n", (2, 1, "unterminated-if")),
        ("#ifdef A\n#else\n", (1, 1, "unterminated-if")),
        ("#endif\n", (1, 1, "stray-directive")),
        ("#if 1\n#else\n#else\n#endif\n", (3, 1, "stray-directive")),
        ("#if 1\n#else\n#elif 1\n#endif\n", (3, 1, "stray-directive")),
        ("#define\n", (1, 1, "bad-directive")),
        ("#define 3 4\n", (1, 1, "bad-directive")),
        ("#define F(a,\n", (1, 1, "bad-directive")),
        ("#undef\n", (1, 1, "bad-directive")),
        ("#ifdef\n#endif\n", (1, 1, "bad-directive")),
        ("#if\n#endif\n", (1, 1, "bad-directive")),
        ("#if 1 +\n#endif\n", (1, 1, "bad-directive")),
        ("#if 1 / 0\n#endif\n", (1, 1, "bad-directive")),
        ("#if (1\n#endif\n", (1, 1, "bad-directive")),
        ("#include\n", (1, 1, "bad-directive")),
        ("  # error it is wrong\n", (1, 3, "error-directive")),
        ("#nonsense\n", (1, 1, "unknown-directive")),
        ("#define F(a, b) a\n F(1)\n", (2, 2, "macro-call")),
        ("#define F(a, b) a\nF(1, 2\n", (2, 1, "macro-call")),
        ("#define F(a, ...) a\nF()\n", None),
        ("a\0b", (1, 2, "not-text")),
    ],
)
def test_a_mistake_is_one_diagnostic_at_its_place(text: str, expected: tuple[int, int, str] | None) -> None:
    if expected is None:
        tokens(text)
        return
    with pytest.raises(Rejected) as caught:
        preprocess(source(text))
    assert [place(d) for d in caught.value.diagnostics] == [expected]


def test_directives_that_say_nothing_are_passed_over() -> None:
    assert tokens('#\n#line 7\n# 12 "f.h" 1\n#warning w\n#pragma\n#ident "x"\na').endswith("a")
