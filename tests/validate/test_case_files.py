"""Case files: what they mean, and that all mistakes are named at their lines."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from validate_kit import array, number

from s2sad.diagnostics import Rejected
from s2sad.signature import Argument, Signature
from s2sad.validate import case
from s2sad.validate.case import Case
from s2sad.validate.case_args import default_seed

RELAX = Signature(
    "relax",
    (
        array("x"),
        array("w"),
        array("y", written=True),
        array("idx", type="int"),
        number("n"),
        number("a", "float"),
    ),
)

GOOD = """\
kernel = "relax"
of  = ["y"]
wrt = ["x", "w"]

[launch]
grid  = "(n + 63) / 64"
block = 64
shared_bytes = "2 * block * sizeof(float)"

[args]
n = 150
a = 0.5
x = { shape = "n", fill = "normal" }
w = { shape = [2, 4], fill = "uniform(-1, 1)", seed = 3 }
y = { shape = "n", fill = "zeros" }
idx = { shape = "n", fill = "randint(0, n / 2)" }

[tolerance]
relative = 1e-7

[names]
x = "dx"

[backward.launch]
grid = 4
"""


def refused(text: str) -> list[tuple[str, int, str]]:
    with pytest.raises(Rejected) as caught:
        Case.parse(text, RELAX)
    return [(d.code.slug, d.span.line if d.span else 0, d.title) for d in caught.value.diagnostics]


def test_a_case_says_what_to_run() -> None:
    read = Case.parse(GOOD, RELAX)
    setting = read.setting()
    assert (read.of, read.wrt, read.tolerance, read.names) == (("y",), ("x", "w"), 1e-7, {"x": "dx"})
    assert setting.launch.grid == (3, 1, 1)
    assert setting.launch.block == (64, 1, 1)
    assert setting.launch.shared_bytes == 512
    assert setting.backward.grid == (4, 1, 1)
    assert setting.backward.block == (64, 1, 1)
    assert list(setting.args) == ["x", "w", "y", "idx", "n", "a"]
    x, w, idx = (np.asarray(setting.args[name]) for name in ("x", "w", "idx"))
    assert (x.shape, x.dtype) == ((150,), np.float32)
    assert (w.shape, w.dtype) == ((2, 4), np.float32)
    assert np.abs(w).max() <= 1
    assert idx.dtype == np.int32
    assert 0 <= idx.min() < idx.max() < 75
    assert setting.args["n"] == 150


def test_compiled_as_double_a_case_has_the_same_values_in_double() -> None:
    read = Case.parse(GOOD, RELAX)
    single, double = read.setting(), read.setting("double")
    x, wide = np.asarray(single.args["x"]), np.asarray(double.args["x"])
    assert wide.dtype == np.float64
    np.testing.assert_array_equal(wide.astype("f4"), x)
    assert double.launch.shared_bytes == 1024
    assert double.notes == ()


def test_a_plain_number_of_shared_bytes_is_doubled_and_said() -> None:
    read = Case.parse(GOOD.replace('"2 * block * sizeof(float)"', "100"), RELAX)
    assert read.setting().launch.shared_bytes == 100
    setting = read.setting("double")
    assert setting.launch.shared_bytes == 200
    assert "doubled" in setting.notes[0]


def test_a_grid_that_is_an_expression_has_two_blocks_at_least() -> None:
    read = Case.parse(GOOD.replace("n = 150", "n = 30"), RELAX)
    assert read.setting().launch.grid == (1, 1, 1)
    setting = read.setting(least_blocks=2)
    assert setting.launch.grid == (2, 1, 1)
    assert "run with 2 blocks" in setting.notes[0]


def test_a_grid_that_is_a_number_stays_and_one_block_is_noted() -> None:
    read = Case.parse(GOOD.replace('"(n + 63) / 64"', "1"), RELAX)
    setting = read.setting(least_blocks=2)
    assert setting.launch.grid == (1, 1, 1)
    assert "only one block" in setting.notes[0]


def test_launches_have_up_to_three_dimensions_and_block_is_their_product() -> None:
    text = GOOD.replace('"(n + 63) / 64"', '["n / block.x", 2]').replace("block = 64", "block = [8, 4]")
    text = text.replace('shape = "n", fill = "zeros"', 'shape = "block * grid.x", fill = "zeros"')
    setting = Case.parse(text, RELAX).setting()
    assert setting.launch.grid == (18, 2, 1)
    assert setting.launch.block == (8, 4, 1)
    assert np.asarray(setting.args["y"]).shape == (32 * 18,)


def test_the_default_seed_is_a_hash_of_the_name() -> None:
    assert default_seed("x") == 0x8CDC1683
    text = GOOD
    x = np.asarray(Case.parse(text, RELAX).setting().args["x"])
    other = text.replace('fill = "normal" }', f'fill = "normal", seed = {0x8CDC1683} }}')
    np.testing.assert_array_equal(np.asarray(Case.parse(other, RELAX).setting().args["x"]), x)


@pytest.mark.parametrize(
    ("fill", "expected"),
    [("zeros", [0, 0, 0]), ("ones", [1, 1, 1]), ("arange", [0, 1, 2])],
)
def test_a_plain_fill(fill: str, expected: list[int]) -> None:
    text = GOOD.replace('"n", fill = "zeros"', f'3, fill = "{fill}"')
    assert np.asarray(Case.parse(text, RELAX).setting().args["y"]).tolist() == expected


def test_values_may_be_written_out() -> None:
    text = GOOD.replace('{ shape = "n", fill = "zeros" }', "[0.5, -1, 2]")
    text = text.replace('"uniform(-1, 1)", seed = 3', "[[1, 2, 3, 4], [5, 6, 7, 8]]")
    args = Case.parse(text, RELAX).setting().args
    assert np.asarray(args["y"]).tolist() == [0.5, -1.0, 2.0]
    assert np.asarray(args["w"]).tolist() == [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]


def test_a_permutation_has_every_index_once() -> None:
    text = GOOD.replace("randint(0, n / 2)", "permutation")
    idx = np.asarray(Case.parse(text, RELAX).setting().args["idx"])
    assert sorted(idx) == list(range(150))
    assert idx.tolist() != list(range(150))


def test_an_array_is_read_from_a_file_beside_the_case(tmp_path: Path) -> None:
    np.save(tmp_path / "w.npy", np.array([[1.5, 2.5]]))
    text = GOOD.replace('{ shape = [2, 4], fill = "uniform(-1, 1)", seed = 3 }', '{ fill = "w.npy" }')
    (tmp_path / "relax.toml").write_text(text)
    w = np.asarray(Case.read(tmp_path / "relax.toml", RELAX).setting().args["w"])
    assert (w.tolist(), w.dtype) == ([[1.5, 2.5]], np.float32)


def test_a_case_travels_to_another_process() -> None:
    read = Case.parse(GOOD, RELAX)
    sent = pickle.loads(pickle.dumps(read))
    assert sent == read
    assert sent.setting().launch == read.setting().launch


def test_the_case_beside_a_kernel_is_found(tmp_path: Path) -> None:
    assert case.find(tmp_path / "relax.cu") is None
    (tmp_path / "relax.toml").write_text(GOOD)
    assert case.find(tmp_path / "relax.cu") == tmp_path / "relax.toml"
    assert case.header(tmp_path / "relax.toml") == case.Header("relax", ("y",), ("x", "w"))


MISTAKES = [
    ("n = 150", "n = 150.5", "case-value", 11, "150.5 is not an integer"),
    ("n = 150", "n = 3000000000", "case-value", 11, "does not fit int"),
    ("n = 150", 'n = "150"', "case-value", 11, "expected a number"),
    ("a = 0.5", "a = { shape = 3 }", "case-value", 12, "passed by value"),
    ("a = 0.5", "a = nan", "case-value", 12, "not finite"),
    ("a = 0.5\n", "", "case-missing", 10, "number a of float"),
    ("a = 0.5", "a = 0.5\nb = 1", "case-unknown", 13, "no parameter b"),
    ('{ shape = "n", fill = "normal" }', "3", "case-value", 13, "is an array"),
    ('fill = "normal"', 'fill = "gauss"', "case-value", 13, "'gauss' is not a fill"),
    ('fill = "normal"', 'fill = "randint(0)"', "case-value", 13, "takes two bounds"),
    ('fill = "normal"', 'fill = "uniform(0, x)"', "case-value", 13, "is not a number"),
    ('fill = "normal"', 'fill = "no.npy"', "case-value", 13, "cannot read no.npy"),
    ('{ shape = "n", fill = "normal" }', "[[1, 2], [3]]", "case-value", 13, "rows of equal length"),
    ('{ shape = "n", fill = "normal" }', "[1, inf]", "case-value", 13, "finite"),
    ('fill = "normal"', "fill = [1, 2]", "case-value", 13, "2 values for the shape (150,)"),
    ('"randint(0, n / 2)"', "[0, 0.5]", "case-value", 16, "integer parameter"),
    ('fill = "normal"', 'fil = "normal"', "case-unknown", 13, "unknown key fil"),
    ('shape = "n", fill = "normal"', 'fill = "normal"', "case-missing", 13, "shape of x"),
    ('shape = "n", fill = "normal"', 'shape = "n", seed = 3', "case-missing", 13, "fill of x"),
    ('shape = "n", fill = "normal"', 'shape = "n - 150", fill = "normal"', "case-value", 13, "no elements"),
    (
        'shape = "n", fill = "normal"',
        'shape = "k", fill = "normal"',
        "case-value",
        13,
        "'k' is not an integer",
    ),
    (
        'shape = "n", fill = "normal"',
        'shape = "a", fill = "normal"',
        "case-value",
        13,
        "'a' is not an integer",
    ),
    ('shape = "n", fill = "normal"', 'shape = "n*n*n*n*n", fill = "normal"', "case-value", 13, "too large"),
    ("seed = 3", "seed = -1", "case-value", 14, "non-negative"),
    ("randint(0, n / 2)", "normal", "case-value", 16, "integers have no normal"),
    ("randint(0, n / 2)", "randint(n, 0)", "case-value", 16, "empty range"),
    ("randint(0, n / 2)", "sorted(n, 0)", "case-value", 16, "empty range"),
    ("randint(0, n / 2)", "randint(0, n << 40)", "case-value", 16, "does not fit"),
    ('kernel = "relax"', 'kernel = "other"', "case-value", 1, "the kernel is relax"),
    ('of  = ["y"]', 'of  = ["z"]', "case-unknown", 2, "no parameter z"),
    ('of  = ["y"]', 'of  = ["idx"]', "case-value", 2, "no derivative"),
    ('of  = ["y"]', 'of  = ["a"]', "case-value", 2, "isn't an output"),
    ('of  = ["y"]', "of = 3", "case-value", 2, "list of names"),
    ("[launch]", "[lunch]", "case-unknown", 5, "unknown key lunch"),
    ("block = 64", "block = 0", "case-value", 7, "at least 1"),
    ("block = 64", "block = [64, 32]", "case-value", 7, "2048 threads"),
    ("block = 64", "block = [1, 1, 1, 1]", "case-value", 7, "one to three"),
    ("block = 64", "block = 6.5", "case-value", 7, "an integer or an expression"),
    ('"(n + 63) / 64"', '"(n - 150) / 64"', "case-value", 6, "grid is 0"),
    ('"(n + 63) / 64"', '"(n + 63 / 64"', "case-value", 6, "expected ')'"),
    ('"2 * block', '"-2 * block', "case-value", 8, "shared_bytes is negative"),
    ("relative = 1e-7", "relative = 2", "case-value", 19, "between 0 and 1"),
    ("relative = 1e-7", "absolute = 2", "case-unknown", 19, "unknown key absolute"),
    ('x = "dx"', 'z = "dx"', "case-unknown", 22, "no parameter z"),
    ('x = "dx"', "x = 3", "case-value", 22, "backward's name"),
    ("grid = 4", "grd = 4", "case-unknown", 25, "grd"),
    ("n = 150", "n = = 150", "case-syntax", 11, "invalid value"),
    ("n = 150", "n = 150\nn = 150", "case-syntax", 12, "overwrite"),
]


@pytest.mark.parametrize(("old", "new", "slug", "line", "title"), MISTAKES)
def test_a_mistake_is_named_at_its_line(old: str, new: str, slug: str, line: int, title: str) -> None:
    assert old in GOOD
    found = refused(GOOD.replace(old, new, 1))
    assert [(s, at) for s, at, what in found if title.lower() in what.lower()] == [(slug, line)]
    assert {s for s, _, _ in found} <= {slug, "case-missing"}


def test_all_mistakes_are_named_at_once_and_in_order() -> None:
    text = (
        GOOD.replace("n = 150", "n = 1.5").replace('"normal"', '"gauss"').replace("block = 64", "block = 2.5")
    )
    assert [line for _, line, _ in refused(text)] == [7, 11, 13]


def test_the_caret_stands_under_the_wrong_part_of_an_expression() -> None:
    with pytest.raises(Rejected) as caught:
        Case.parse(GOOD.replace("(n + 63) / 64", "(n + 63) / k"), RELAX)
    span = caught.value.diagnostics[0].span
    assert span
    assert (span.text, span.line, span.column) == ("k", 6, 21)


def test_an_element_type_that_cannot_be_run_is_refused() -> None:
    signature = Signature("h", (Argument("x", "long double", pointer=True),))
    with pytest.raises(Rejected) as caught:
        Case.parse('[launch]\ngrid = 1\nblock = 1\n[args]\nx = { shape = 1, fill = "ones" }\n', signature)
    assert caught.value.diagnostics[0].code.slug == "unsupported-type"


def test_a_file_that_is_not_there_is_a_diagnostic(tmp_path: Path) -> None:
    with pytest.raises(Rejected) as caught:
        Case.read(tmp_path / "no.toml", RELAX)
    assert caught.value.diagnostics[0].code.slug == "unreadable"


SMALL = Signature("small", (array("x"), number("n")))
ALSO = """
launch = { grid = "(n + 3) / 4", block = 4 }
[args]
n = 10
x = { shape = "n", fill = "normal" }
[[also]]
args = { n = 1 }
[[also]]
launch = { block = 2 }
args = { x = { shape = "n", fill = "zeros" } }
[uncovered]
"12 (else)" = "it can't be"
"""


def test_a_case_adds_launches_with_other_arguments_and_reasons() -> None:
    read = Case.parse(ALSO, SMALL)
    assert read.uncovered == {"12 (else)": "it can't be"}
    settings = [one.setting() for one in read.launches]
    assert [s.args["n"] for s in settings] == [10, 1, 10]
    assert [s.launch.grid[0] for s in settings] == [3, 1, 3]
    assert [s.launch.block[0] for s in settings] == [4, 4, 2]
    assert [bool(np.any(s.args["x"])) for s in settings] == [True, True, False]


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("args = { n = 1 }", "args = { k = 1 }", "no parameter k"),
        ("args = { n = 1 }", "names = { n = 1 }", "unknown key names"),
        ("args = { n = 1 }", "args = { n = 1.5 }", "is not an integer"),
        ('= "it can\'t be"', "= 3", "expected a reason"),
    ],
)
def test_what_is_wrong_with_an_added_launch_is_said_at_its_line(was: str, now: str, told: str) -> None:
    with pytest.raises(Rejected) as rejected:
        Case.parse(ALSO.replace(was, now), SMALL)
    (diagnostic,) = rejected.value.diagnostics
    assert told in diagnostic.title
    assert diagnostic.span is not None
    assert diagnostic.span.line in (7, 8, 12)
