"""Textbook algorithms in kernels: there are enough of them, they are valid, their gradients are right.

`python -m tests.fuzz --family textbook-each --count 215` tests all of them separately,
and `--family textbook` composes them.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.__main__ import judge_composed
from fuzz.textbook import drawn
from fuzz.textbook.compose import ALL
from fuzz.textbook.trial import faults

SEED = 20
_FEW = range(0, len(ALL), 25)


def test_there_are_many_algorithms() -> None:
    assert len(ALL) == len(set(ALL)) >= 80


@pytest.mark.parametrize("number", range(len(ALL)), ids=ALL)
def test_a_label_makes_the_same_kernel_each_time_and_its_plainest_form_is_no_longer(number: int) -> None:
    made = drawn(f"textbook-each:{SEED}:{number}")
    assert made.parts[0].algorithm == ALL[number]
    assert made.text() == drawn(made.label).text()
    assert "@" not in made.text()
    assert min((len(other.text()) for other in made.smaller()), default=0) <= len(made.text())


def test_kernels_of_several_algorithms_lose_one_at_a_time() -> None:
    made = next(one for one in map(drawn, (f"textbook:{k}" for k in range(50))) if len(one.parts) == 3)
    assert [len(other.parts) for other in list(made.smaller())[:3]] == [2, 2, 2]


def test_primals_keep_the_rules_of_the_language(tmp_path: Path) -> None:
    kernels = [drawn(f"textbook-each:{SEED}:{number}") for number in _FEW[::2]]
    assert faults(kernels, tmp_path) == {}


def test_what_a_kernel_never_set_is_seen(tmp_path: Path) -> None:
    made = drawn("textbook-each:1:0")
    broken = made.text().replace("acc = 0.1", "acc = q > 2000 ? alpha : alpha * copy_of[1] + 0.1")
    broken = broken.replace("int q = idx[i];", f"int q = idx[i];\n    {'float'} copy_of[2];")
    made.__dict__["made"] = (broken.replace("void k(", "void k_named("), made.made[1], made.asked)
    assert list(faults([made], tmp_path)) == [made.label]


def test_each_of_a_few_algorithms_has_right_gradients() -> None:
    kernels = [drawn(f"textbook-each:{SEED}:{number}") for number in _FEW]
    judged = list(zip(kernels, judge_composed(kernels), strict=True))
    assert not [(one.parts[0].algorithm, v.kind, v.detail) for one, v in judged if v.failed]
    assert sum(v.kind == "ok" for _, v in judged) > 0.8 * len(judged)
