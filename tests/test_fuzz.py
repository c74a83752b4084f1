"""Random kernels and those that were once differentiated wrongly go through all of `check`.

`python -m tests.fuzz --minutes 5 --seed 1` looks for more, of the kind that `--family` names;
kernels that it finds are minimised and, once fixed, kept in tests/fuzz/regressions.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fuzz import nvidia
from fuzz.__main__ import NEAR_MISSES, near_misses
from fuzz.batch import Verdict, judge, judge_texts, prepare
from fuzz.blocks import program as of_blocks
from fuzz.generate import program
from fuzz.structs import disguised
from tiers import every_sixth, in_both_shapes

from s2sad.options import Mode, Options, assumption

REGRESSIONS = sorted((Path(__file__).parent / "fuzz" / "regressions").glob("*.cu"))
SEED, COUNT = 20, 15  # for thousands: python -m tests.fuzz


def read(path: Path) -> tuple[str, str, Options]:
    """Return source, case and options of a file: the kernel, a line `//--`, the case in comments."""
    text = path.read_text()
    source, _, rest = text.partition("//--\n")
    case = re.sub(r"^// ?", "", rest, flags=re.M)
    names = {
        key: tuple(re.findall(r'"(\w+)"', case.split(f"\n{key} = ")[1].split("\n")[0]))
        for key in ("of", "wrt")
    }
    assume = re.findall(r"^// assume (\S+)", source, flags=re.M)
    return source, case, Options(of=names["of"], wrt=names["wrt"], assume=tuple(map(assumption, assume)))


def test_kept_kernels_have_names_of_their_own() -> None:
    """They share a translation unit, in which two of one name would be overloads."""
    cases = [read(path)[1] for path in REGRESSIONS]
    assert len({re.search(r'^kernel = "(\w+)"', case, re.M)[1] for case in cases}) == len(cases)


@in_both_shapes
def test_kernels_that_were_wrong_once_are_right(mode: Mode, first: int) -> None:
    """One batch is one translation unit: separately they would take a minute."""
    kept = every_sixth(REGRESSIONS, first)
    texts = [(source, case, request.over(Options(mode=mode))) for source, case, request in map(read, kept)]
    verdicts = dict(zip((path.stem for path in kept), judge_texts(texts), strict=True))
    assert {name: v.detail for name, v in verdicts.items() if v.kind != "ok"} == {}


@pytest.mark.thorough
@pytest.mark.skipif(nvidia.NVCC is None, reason="NO NVCC: the emitted files weren't compiled with it")
@pytest.mark.parametrize("mode", ["joint", "split"])
def test_nvcc_compiles_what_they_became(mode: Mode) -> None:
    made = {}
    for path in REGRESSIONS:
        source, case, request = read(path)
        made[path.stem] = prepare(source, case, request.over(Options(mode=mode)))
    texts = {name: one.pair.adjoint_text for name, one in made.items() if not isinstance(one, Verdict)}
    assert nvidia.refused(texts) == {}


def test_random_kernels_have_right_gradients() -> None:
    print(f"seed {SEED}")
    programs = [program(f"{SEED}:{number}") for number in range(COUNT)]
    judged = list(zip(programs, judge(programs), strict=True))
    wrong = [(p.label, v.kind) for p, v in judged if v.failed]
    assert not wrong
    assert sum(verdict.kind == "ok" for _, verdict in judged) > 0.8 * COUNT


def test_random_kernels_of_structs_have_right_gradients() -> None:
    numbers = range(100, 100 + COUNT // 3)
    texts = [disguised(program(f"{SEED}:{k}"), f"k{k}", f"{SEED}:{k}") for k in numbers]
    verdicts = judge_texts(texts)
    assert not [(k, v.kind) for k, v in zip(numbers, verdicts, strict=True) if v.failed]
    assert sum(verdict.kind == "ok" for verdict in verdicts) > 0.8 * len(texts)


def test_a_seed_makes_the_same_kernel_each_time() -> None:
    assert program("1:2") == program("1:2")
    assert program("1:2").text() != program("1:3").text()


def test_what_is_left_of_a_shrunk_kernel_is_smaller() -> None:
    made = program("1:2")
    sizes = [len(other.text()) for other in made.smaller()]
    assert min(sizes) < len(made.text()) / 2


def test_random_kernels_whose_threads_meet_have_right_gradients() -> None:
    print(f"seed {SEED}")
    programs = [of_blocks(f"blocks:{SEED}:{number}") for number in range(COUNT // 2)]
    judged = list(zip(programs, judge(programs), strict=True))
    wrong = [(p.label, v.kind) for p, v in judged if v.failed]
    assert not wrong
    assert sum(verdict.kind == "ok" for _, verdict in judged) > 0.5 * len(programs)


@pytest.mark.parametrize("family", NEAR_MISSES)
def test_what_people_write_with_a_thing_changed_has_right_gradients(family: str) -> None:
    verdicts = list(near_misses([f"{family}:{SEED}:{number}" for number in range(COUNT // 3)]))
    assert not [(one.label, v.kind) for one, v in verdicts if v.failed]
    assert any(v.kind == "ok" for _, v in verdicts)
