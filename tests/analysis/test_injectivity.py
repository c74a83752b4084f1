"""The lemmas of the access analysis: proved by a solver, and tried on small numbers."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
import z3

from s2sad.analysis.access.access_relations import Reference
from s2sad.analysis.access.delinearisation import Question, decided, digits, without_quotients
from s2sad.analysis.access.injectivity import apart
from s2sad.analysis.symbolic.inequalities import holds
from s2sad.analysis.symbolic.machine_arithmetic import Arithmetic
from s2sad.analysis.symbolic.polynomials import (
    ONE,
    Atom,
    Atoms,
    Choice,
    Division,
    Poly,
    divide,
    number,
    variable,
)

LIMIT = 5_000_000  # of the solver's own steps; never of time


def proves(claim: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.set("rlimit", LIMIT)
    solver.add(z3.Not(claim))
    return bool(solver.check() == z3.unsat)


def test_l1_a_multiple_of_a_fact_taken_off_leaves_a_weaker_goal() -> None:
    q, m, f, k = z3.Ints("q m f k")
    assert proves(z3.Implies(z3.And(m * f >= 0, k >= 1, k * q - m * f >= 0), k * q >= 0))
    assert proves(z3.Implies(z3.And(k >= 1, k * q >= 0), q >= 0))
    assert proves(z3.Implies(z3.And(m >= 0, f >= 0), m * f >= 0))


def test_l2_the_remainder_of_less_than_twice_the_divisor() -> None:
    a, b = z3.Ints("a b")
    assert proves(
        z3.Implies(z3.And(a >= 0, a < 2 * b, b >= 1, a >= b), z3.And(a - b >= 0, a - b < b))
    )  # so a - b is the remainder, the quotient being 1
    for a_, b_ in product(range(20), range(1, 12)):
        if a_ < 2 * b_:
            assert a_ % b_ == (a_ if a_ < b_ else a_ - b_)


def test_l3_a_quotient_and_a_remainder_of_what_is_not_negative() -> None:
    for a, b in product(range(40), range(1, 12)):
        q, m = a // b, a % b
        assert b * q <= a <= b * q + b - 1
        assert 0 <= m <= b - 1
        assert m <= a


def test_l3_quotients_of_quotients_truncate_alike_whatever_the_signs() -> None:
    def truncated(a: int, b: int) -> int:
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    signs = [s * v for v in range(1, 7) for s in (1, -1)]
    for a, b, c in product(range(-60, 60), signs, signs):
        assert truncated(truncated(a, b), c) == truncated(a, b * c)
        assert b * truncated(a, b) + (a - b * truncated(a, b)) == a


def test_l33_a_choice_exceeds_nothing_that_no_case_exceeds() -> None:
    chosen, a, b, limit = z3.Ints("chosen a b limit")
    for yes in (a < b, a <= b, a + 3 < b):
        one = z3.Or(z3.And(yes, chosen == a), z3.And(z3.Not(yes), chosen == b))
        none_exceeds = z3.And(z3.Implies(yes, a <= limit), z3.Implies(z3.Not(yes), b <= limit))
        assert proves(z3.Implies(z3.And(one, none_exceeds), chosen <= limit))


def test_l30_a_quotient_of_what_leaves_no_remainder_any_more() -> None:
    def truncated(a: int, b: int) -> int:
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    for a, b in product(range(-60, 60), [s * v for v in range(1, 12) for s in (1, -1)]):
        assert truncated(a - (a - b * truncated(a, b)), b) == truncated(a, b)


def test_l10_divisors_of_either_sign() -> None:
    def truncated(a: int, b: int) -> int:
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    for a, b in product(range(-40, 40), range(1, 12)):
        assert truncated(a, -b) == -truncated(a, b)
        assert a - -b * truncated(a, -b) == a - b * truncated(a, b)


def test_l4_a_variable_that_is_only_incremented_by_one_amount() -> None:
    v, c, j = z3.Ints("v c j")
    assert proves(v + c * 0 == v)
    assert proves(v + c * j + c == v + c * (j + 1))


def test_l5_a_base_separates_its_digit_from_what_is_below() -> None:
    b, d, e, r, s = z3.Ints("b d e r s")
    # The product b * (d - e) as one symbol p: it is 0, or at least b, or at most -b.
    p = z3.Int("p")
    apart_by_b = z3.Or(z3.And(d == e, p == 0), z3.And(d > e, p >= b), z3.And(d < e, p <= -b))
    same = z3.And(r >= 0, r < b, s >= 0, s < b, p + r == s, apart_by_b)
    assert proves(z3.Implies(same, z3.And(d == e, r == s)))
    assert proves(z3.Implies(z3.And(b >= 1, d >= e + 1), b * (d - e) >= b))


def test_l6_mixed_radix_on_small_numbers() -> None:
    for bases in [(1, 2), (1, 3, 6), (1, 2, 6), (1, 4, 4, 8)]:
        ranges = [range(b // a) for a, b in pairwise(bases)]
        seen: dict[int, tuple[int, ...]] = {}
        for ds in product(*ranges, range(-3, 4)):
            value = sum(b * d for b, d in zip(bases, ds, strict=True))
            assert seen.setdefault(value, ds) == ds


def test_l9_a_factor_of_what_is_positive() -> None:
    a, b = z3.Ints("a b")
    assert proves(z3.Implies(z3.And(a >= 0, a * b >= 1), b >= 1))


def test_l14_what_only_falls_held_before() -> None:
    a, c, i, j = z3.Ints("a c i j")
    held = z3.And(c >= 0, i >= 0, i <= j, a - c * j >= 0)
    assert proves(z3.Implies(z3.And(held, c * (j - i) >= 0), a - c * i >= 0))
    assert proves(z3.Implies(z3.And(c >= 0, j - i >= 0), c * (j - i) >= 0))
    for a_, c_, j_ in product(range(-5, 20), range(4), range(8)):
        if a_ - c_ * j_ >= 0:
            assert all(a_ - c_ * i_ >= 0 for i_ in range(j_))


def test_l11_a_quotient_of_what_is_below_a_product() -> None:
    a, b, c, q = z3.Ints("a b c q")
    defined = z3.And(a >= 0, b >= 1, b * q <= a, a <= b * q + b - 1)
    assert proves(z3.Implies(z3.And(defined, a < b * c, q >= c, b * q >= b * c), z3.BoolVal(False)))
    assert proves(z3.Implies(z3.And(b >= 1, q >= c), b * q >= b * c))


@pytest.mark.parametrize("bits", [8, 32])
def test_l24_one_comparison_of_unsigned_numbers_is_two_of_signed_ones(bits: int) -> None:
    a, b = z3.BitVecs("a b", bits)
    for unsigned, signed in ((z3.ULT(a, b), a < b), (z3.ULE(a, b), a <= b)):
        assert proves(z3.Implies(b >= 0, unsigned == z3.And(a >= 0, signed)))
    wide = z3.SignExt(bits, a), z3.SignExt(bits, b)
    assert proves(z3.Implies(b >= 0, z3.ULT(*wide) == z3.And(a >= 0, a < b)))
    assert not proves(z3.ULT(a, b) == z3.And(a >= 0, a < b))


def test_l8_a_combination_of_equal_forms_is_equal() -> None:
    c, d, g, h, g_, h_ = z3.Ints("c d g h g_ h_")
    assert proves(z3.Implies(z3.And(g == g_, h == h_), c * g + d * h == c * g_ + d * h_))


def test_the_linear_thread_index_of_a_grid_is_a_mixed_radix() -> None:
    for grid, block in product(range(1, 5), range(1, 5)):
        seen = {b * block + t for b in range(grid) for t in range(block)}
        assert seen == set(range(grid * block))


def test_a_grid_stride_visits_each_element_with_one_thread() -> None:
    for threads, n in product(range(1, 7), range(20)):
        owner: dict[int, int] = {}
        for t in range(threads):
            for k in range(t, n, threads):
                assert owner.setdefault(k, t) == t


def test_one_thread_of_a_grid_stride_comes_to_a_number() -> None:
    # What a guard fixes is the same for all that pass it: start + stride * times == n.
    for threads, n in product(range(1, 7), range(20)):
        came = [t for t in range(threads) for times in range(20) if t + threads * times == n]
        assert len(came) == 1


def test_threads_that_a_kernel_cannot_tell_apart_do_the_same() -> None:
    # A launch in blocks of more than 4 threads of a kernel that looks at 4 * b + t alone:
    # whoever shares a value of it shares every element, so a store would be a race.
    for grid, block in product(range(1, 4), range(1, 9)):
        by_form: dict[int, list[tuple[int, int]]] = {}
        for b, t in product(range(grid), range(block)):
            by_form.setdefault(4 * b + t, []).append((b, t))
        raced = any(len(threads) > 1 for threads in by_form.values())
        assert raced == (grid > 1 and block > 4)


# ---- the search -------------------------------------------------------------


@pytest.fixture
def atoms() -> Atoms:
    return Atoms()


def free(atoms: Atoms, name: str, low: int | None = None) -> Poly:
    return variable(atoms.fresh(name, "free", low))


def size(atoms: Atoms, name: str) -> Poly:
    return variable(atoms.fresh(name, "uniform"))


def test_a_goal_that_is_a_fact(atoms: Atoms) -> None:
    n, i = size(atoms, "n"), free(atoms, "i", 0)
    assert holds(n - ONE - i, (n - ONE - i,), atoms)
    assert not holds(n - ONE - i, (n - i,), atoms)
    assert not holds(n - ONE, (), atoms)


def test_a_sum_of_facts_times_what_is_not_negative(atoms: Atoms) -> None:
    n, m, i, k = size(atoms, "n"), size(atoms, "m"), free(atoms, "i", 0), free(atoms, "k", 0)
    facts = (n - ONE - i, m - ONE - k)
    assert holds((n * m) - ONE - (m * i + k), facts, atoms)
    assert holds(number(3) * m - ONE - (k.scaled(3) + number(2)), facts, atoms)
    assert not holds(number(3) * m - ONE - (k.scaled(3) + number(3)), facts, atoms)
    assert not holds((n * m) - ONE - (n * i + k), facts, atoms)


def test_a_quotient_read_again_teaches_nothing_new(atoms: Atoms) -> None:
    """Each reading once added what follows of each limit again: thousands of facts, of which 24 differed."""
    n, k = size(atoms, "n"), free(atoms, "k", 0)
    reader = Arithmetic(atoms, lambda heard: None)
    reader.facts = (n - k, n.scaled(4) - ONE - k, number(8) - n)
    for _ in range(3):
        reader.quotient(n - k, number(4))
        reader.remainder(n - k, number(4))
    assert len(set(reader.facts)) == len(reader.facts)


def test_what_the_search_says_is_so(atoms: Atoms) -> None:
    """Every goal that it proves holds wherever the facts do, on a grid of values."""
    n, i, k = size(atoms, "n"), free(atoms, "i", 0), free(atoms, "k")
    pool = [n - ONE - i, n - i - k, k + ONE, i - k, n - number(2), k.scaled(2) - i, i * n - k, k]
    values = list(product(range(-3, 5), range(5), range(-4, 5)))
    proved = 0
    for one, two in product(pool, pool):
        for goal in (n - ONE, n - k, i + k, n * i - k, n - i + k, n.scaled(3) - k - number(3), k + i * i):
            if not holds(goal, (one, two), atoms):
                continue
            proved += 1
            for at in values:
                if evaluated(one, at) >= 0 and evaluated(two, at) >= 0:
                    assert evaluated(goal, at) >= 0
    assert proved > 60


def evaluated(p: Poly, at: tuple[int, ...]) -> int:
    total = 0
    for monomial, c in p.terms:
        for atom in monomial:
            c *= at[atom]
        total += c
    return total


def test_polynomials_divide_exactly_or_not_at_all(atoms: Atoms) -> None:
    n, m = size(atoms, "n"), size(atoms, "m")
    assert divide((n + ONE) * (m + number(2)), m + number(2)) == n + ONE
    assert divide(n * m.scaled(6), n.scaled(3)) == m.scaled(2)
    assert divide(n * m, n.scaled(2)) is None
    assert divide(n * m, number(0)) is None  # as in a branch that no thread takes
    assert divide(n + ONE, n) is None


def test_digits_borrow(atoms: Atoms) -> None:
    n = size(atoms, "n")
    i, k = variable(atoms.fresh("i", "position", 0)), free(atoms, "k", 0)
    question = _threads(atoms, (i,))
    ref = Reference(n * i + n - ONE - k, (n - ONE - k,))
    assert digits(ref, (ONE, n), question) == (n - ONE - k, i)


def test_every_pair_of_references_counts(atoms: Atoms) -> None:
    i = variable(atoms.fresh("i", "position", 0))
    question = _threads(atoms, (i,))
    one, two, three = (Reference(i.scaled(3) + number(c), ()) for c in (0, 1, 3))
    assert apart([one], question) is None
    assert apart([one, two], question) is None
    assert apart([one, three], question) is not None
    assert apart([two, two], question) is None


def _threads(atoms: Atoms, required: tuple[Poly, ...]) -> Question:
    def key(atom: Atom) -> bool:
        return atom.scope == "position"

    return Question(atoms, key, lambda a: a.uniform, required)


def test_l12_what_the_divisor_goes_into_comes_out_of_a_division() -> None:
    for b, c, r in product(range(1, 9), range(-3, 9), range(20)):
        if b * c + r >= 0:
            assert (b * c + r) // b == c + r // b
            assert (b * c + r) % b == r % b


def test_equal_digits_have_equal_digits_of_their_own() -> None:
    """x[row * cols + k] in two loops over k, lane by lane: one warp's lane meets only itself."""
    atoms = Atoms()
    cols = variable(atoms.named("cols", "cols", "uniform", 1))
    row = variable(atoms.named("row", "row", "position", 0))
    lane_atom = atoms.named("lane", "lane", "position", 0)
    lane = variable(lane_atom)
    atoms.bound(lane_atom, number(31) - lane)
    j, k = (variable(atoms.fresh(n, "free", 0, counts=True)) for n in "jk")
    sites = [Reference(row * cols + lane + i.scaled(32), (cols - ONE - lane - i.scaled(32),)) for i in (j, k)]

    def question(required: tuple[Poly, ...]) -> Question:
        return Question(atoms, lambda a: a.scope == "position", lambda a: a.uniform, required)

    assert apart(sites, question((row, lane))) is None
    wider = [Reference(s.index + lane, s.facts) for s in sites]
    assert apart(wider, question((row, lane))) is not None


def test_l46_a_multiple_of_exact_quotients_decides_what_the_indices_do() -> None:
    i, j, p, q = z3.Ints("i j p q")
    for m in (2, 3, 6):
        assert proves((m * i == m * j) == (i == j))
        assert proves(z3.Implies(p == m * q, m * (p / m) == p))
    for c, d in product(range(-12, 13), repeat=2):
        assert c * (2 * d - c - 1) % 2 == 0
        assert c * (c + 1) * (c + 2) % 6 == 0


@pytest.mark.parametrize(("more", "by", "exact"), [(1, 2, True), (2, 2, False), (1, 3, False), (3, 4, False)])
def test_a_quotient_goes_only_where_it_leaves_no_remainder_whatever_its_atoms_are(
    more: int, by: int, exact: bool
) -> None:
    r = (arithmetic := Atoms()).fresh("r", "free", 0)
    dividend = variable(r) * (variable(r) + number(more))
    quotient = arithmetic.fresh("quotient", "free", 0, Division("/", dividend, number(by)))
    c = variable(arithmetic.fresh("c", "free", 0))
    index = without_quotients([Reference(variable(quotient) + c, ())])[0].index
    assert index == (dividend + c.scaled(by) if exact else variable(quotient) + c)


def test_l16_stretches_between_ordered_starts_do_not_overlap() -> None:
    e, f, v = z3.Ints("e f v")
    s = z3.Function("s", z3.IntSort(), z3.IntSort())
    # What is ordered from one to the next is ordered from e + 1 to f, if e < f.
    ordered = z3.Implies(e < f, s(e + 1) <= s(f))
    back = z3.Implies(f < e, s(f + 1) <= s(e))
    inside = z3.And(s(e) <= v, v < s(e + 1), s(f) <= v, v < s(f + 1))
    assert proves(z3.Implies(z3.And(ordered, back, inside), e == f))
    for starts in product(range(4), repeat=4):
        if all(a <= b for a, b in pairwise(starts)):
            for v_ in range(4):
                assert sum(a <= v_ < b for a, b in pairwise(starts)) <= 1


def test_l29_a_case_whose_condition_cannot_hold_is_none() -> None:
    value, other, f = z3.Ints("value other f")
    chosen = z3.If(f >= 0, value, other)
    assert proves(z3.Implies(-f - 1 >= 0, chosen == other))
    for i, n in product(range(-3, 8), range(-3, 8)):
        if i <= n - 1:
            assert min(i, n - 1) == i


def test_a_clamp_behind_its_guard_is_what_it_clamps_and_without_it_is_not() -> None:
    atoms = Atoms()
    i = atoms.named("i", "i", "position", 0)
    n = variable(atoms.named("n", "n", "uniform", None))
    top = n - ONE
    cases = ((variable(i), (top - variable(i),)), (top, (variable(i) - top - ONE,)))
    clamped = variable(atoms.fresh("min(i, n - 1)", "free", None, Choice(cases)))
    guarded = Reference(clamped, (n - ONE - variable(i),))
    assert decided(guarded, atoms).index == variable(i)
    # i <= n leaves both, and i >= n the other one
    for facts in ((), (n - variable(i),), (variable(i) - n,)):
        assert decided(Reference(clamped, facts), atoms).index != variable(i)
