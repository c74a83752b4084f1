"""Each rule of C++17 on conversions, evaluation order, lifetime and scope is a kernel in c_semantics/.

Its first comment names the clause of the standard. g++ compiles the primal,
so an adjoint that interprets a rule differently has other gradients. All of
`check` is run, in both shapes. A kernel without a case after a line `//--` uses the
common one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fuzz.batch import judge_texts
from tiers import every_sixth, in_both_shapes

from s2sad.options import Mode, Options

FILES = sorted((Path(__file__).parent / "c_semantics").glob("*.cu"))
LEAST = 80
THEMES = {
    "integers": (
        "promotion",
        "conversion",
        "wrapping",
        "narrowing",
        "enumeration",
        "literal",
        "shift",
        "sign",
    ),
    "order": ("assignment", "compound", "increment", "logical", "choice", "comma", "arguments", "order"),
    "names": ("scope", "lifetime", "reference", "overload"),
}
OTHERS = "others"
HEAD = re.compile(r"// \[[a-z]+(\.[a-z]+)*\]")
CASE = """
kernel = "{name}"
of = ["y"]
wrt = ["x"]
[launch]
grid = "(n + 3) / 4"
block = 4
[args]
n = 7
x = {{ shape = 32, fill = "uniform(0.4, 1.3)" }}
m = {{ shape = 32, fill = "randint(0, 8)" }}
y = {{ shape = "n", fill = "zeros" }}
"""


def first(path: Path) -> str:
    """Return the first word of a file's name."""
    return path.stem.partition("_")[0]


def theme(path: Path) -> str:
    """Return the theme that a kernel belongs to."""
    return next((name for name, words in THEMES.items() if first(path) in words), OTHERS)


def read(path: Path) -> tuple[str, str]:
    """Return the kernel and its case."""
    source, line, rest = path.read_text(encoding="utf-8").partition("//--\n")
    own = re.sub(r"^// ?", "", rest, flags=re.M)
    return source, own if line else CASE.format(name=path.stem)


def test_each_kernel_cites_the_clause_that_it_is_about() -> None:
    assert len(FILES) >= LEAST
    assert [path.stem for path in FILES if not HEAD.match(path.read_text(encoding="utf-8"))] == []


def test_every_theme_has_kernels_and_every_kernel_a_theme() -> None:
    assert {theme(path) for path in FILES} == {*THEMES, OTHERS}
    assert {word for words in THEMES.values() for word in words} <= {first(path) for path in FILES}


@in_both_shapes
@pytest.mark.parametrize("about", [*THEMES, OTHERS])
def test_every_rule_of_the_language_is_kept_by_the_adjoint(about: str, mode: Mode, first: int) -> None:
    """One batch is one translation unit: separately they would take minutes."""
    files = every_sixth([path for path in FILES if theme(path) == about], first)
    texts = [(*read(path), Options(of=("y",), wrt=("x",), mode=mode)) for path in files]
    verdicts = dict(zip((path.stem for path in files), judge_texts(texts), strict=True))
    assert {name: v.detail for name, v in verdicts.items() if v.kind != "ok"} == {}
