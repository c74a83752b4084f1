"""The layout of diagnostics, with the caret under the culprit whatever the line contains."""

from __future__ import annotations

from s2sad.diagnostics import Code, Diagnostic, diagnose
from s2sad.messages import WIDEST, page, styled, to_dict
from s2sad.source import Source, Span

SCATTER = "\n" * 11 + "    out[idx[i]] = 2.0f * x[i];\n"


def at(text: str, culprit: str, name: str = "k.cu") -> Span:
    start = text.index(culprit)
    return Span(Source(name, text), start, start + len(culprit))


def syntax(span: Span | None, label: str = "here") -> Diagnostic:
    return diagnose(Code.SYNTAX_ERROR, span, what="odd", label=label, help="")


def caret(text: str, culprit: str) -> tuple[str, str]:
    """Return the source line as shown and the line of carets, without the gutter."""
    lines = page([syntax(at(text, culprit), "")]).splitlines()
    return lines[3][4:], lines[4][4:]


def test_a_message_has_title_place_line_caret_note_and_help() -> None:
    problem = diagnose(
        Code.SHARED_WRITER,
        at(SCATTER, "out[idx[i]]", "scatter.cu"),
        place="out[idx[i]]",
        array="out",
        claim="no two threads store the same element",
        assumption="injective:idx",
        same="",
    )
    assert page([problem]) == (
        "error[shared-writer]: cannot prove that only one thread writes out[idx[i]]\n"
        "  --> scatter.cu:12:5\n"
        "   |\n"
        "12 |     out[idx[i]] = 2.0f * x[i];\n"
        "   |     ^^^^^^^^^^^ two threads may write the same element\n"
        "   = note: the reverse sweep reads adj_out here and then clears it; "
        "with two writers one of them would read zero\n"
        "   = help: if no two threads store the same element, declare it: --assume injective:idx\n"
        "\n"
        "1 error; more: s2sad help shared-writer\n"
    )


def test_tabs_are_expanded_under_the_line_and_under_the_caret() -> None:
    assert caret("\tint\ti = k;\n", "k") == ("    int i = k;", "            ^")


def test_wide_characters_take_two_cells() -> None:
    shown, marks = caret("/* 速度 */ v = w;\n", "w")
    assert marks.index("^") == shown.index("w") + 2


def test_combining_characters_take_none() -> None:
    shown, marks = caret("/* e\u0301 */ w;\n", "w")
    assert marks.index("^") == shown.index("w") - 1


def test_control_characters_never_reach_the_terminal() -> None:
    text = page(
        [
            syntax(at("a \x1b[31m b\n", "b"), "\x1b[0m"),
            diagnose(Code.UNREADABLE, None, file="\x1b", reason=""),
        ]
    )
    assert "\x1b" not in text


def test_of_a_very_long_line_only_the_part_around_the_culprit_is_shown() -> None:
    text = "x = " + "a + " * 2000 + "CULPRIT" + " + b" * 2000 + "\n"
    shown, marks = caret(text, "CULPRIT")
    assert len(shown) < WIDEST + 10
    assert shown[marks.index("^") :].startswith("CULPRIT")
    assert marks.count("^") == len("CULPRIT")
    assert shown.startswith("… ")
    assert shown.endswith(" …")


def test_a_span_of_several_lines_is_clipped_to_its_first() -> None:
    assert caret("f(a,\n  b);\n", "(a,\n  b)") == ("f(a,", " ^^^")


def test_an_empty_span_has_one_caret_also_at_the_end_of_the_file() -> None:
    text = "x"
    lines = page([syntax(Span(Source("k.cu", text), 1, 1))]).splitlines()
    assert lines[4] == "  |  ^ here"


def test_braces_of_the_source_are_no_format() -> None:
    problem = diagnose(Code.SYNTAX_ERROR, None, what="`{x}` and {}", label="", help="{0}")
    assert page([problem]).startswith("error[syntax-error]: `{x}` and {}\n  = help: {0}\n")


def test_related_places_are_shown_with_their_labels() -> None:
    source = Source("k.cu", "#define F(x) y\nF(1);\n")
    problem = Diagnostic(
        Code.MACRO_CALL,
        Span(source, 15, 19),
        {"macro": "F", "why": "odd"},
        ((Span(source, 8, 9), "defined here"),),
    )
    assert " ::: k.cu:1:9\n  |\n1 | #define F(x) y\n  |         - defined here\n" in page([problem])


def test_a_help_of_several_lines_is_indented() -> None:
    problem = diagnose(Code.SEVERAL_KERNELS, None, file="k.cu", count="2", commands="one\ntwo")
    assert "  = help: choose one:\n          one\n          two\n" in page([problem])


def test_messages_come_in_the_order_of_the_file_and_each_once() -> None:
    text = "a\nb\n"
    said = page([syntax(at(text, "b")), syntax(at(text, "a")), syntax(at(text, "b"))])
    assert [line for line in said.splitlines() if "-->" in line] == [" --> k.cu:1:1", " --> k.cu:2:1"]
    assert said.endswith("\n2 errors; more: s2sad help syntax-error\n")


def test_notes_alone_have_no_summary() -> None:
    said = page([diagnose(Code.TAKEN_FROM_SIGNATURE, None, options="--of y", kernel="k")])
    assert said.startswith("note[taken-from-signature]: ")
    assert "error" not in said


def test_the_coloured_page_says_the_same() -> None:
    problems = [syntax(at("a\nb\n", "b")), diagnose(Code.NO_DEPENDENCE, at("a\nb\n", "a"), dependent="y")]
    assert styled(problems).plain == page(problems)


def test_machines_get_every_part_and_an_exclusive_end() -> None:
    found = to_dict(syntax(at("x\n  f(a,\n b)\n", "f(a,\n b)")))
    keys = ("file", "line", "column", "end_line", "end_column")
    assert [found[key] for key in keys] == ["k.cu", 2, 3, 3, 4]
    assert (found["code"], found["severity"], found["title"], found["label"]) == (
        "syntax-error",
        "error",
        "odd",
        "here",
    )
    assert to_dict(diagnose(Code.UNREADABLE, None, file="k.cu", reason="gone"))["line"] is None
