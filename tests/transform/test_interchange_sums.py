"""L21: loops whose counter and a thread's position are interchanged, and loops that stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from s2sad.options import Mode, Options, assumption
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

PARAMETERS = "const float *w, const float *b, const float *x, float *y, int h, int m, int n"
DENSE = (
    f'extern "C" __global__ void k({PARAMETERS}) {{'
    " int o = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;"
    " if (o >= m || r >= h) return; float z = b[o]; BODY y[r * m + o] = z * z; }"
)
SUM = "for (int i = 0; i < n; ++i) z += w[i * m + o] * x[r * n + i];"
DENSE_SUMMED = {
    "a product": SUM,
    "a function of one side": "for (int i = 0; i < n; ++i) { float a = sinf(x[r * n + i]);"
    " z += w[i * m + o] * a; }",
    "the thread in the partial": "for (int i = 0; i < n; ++i) z += w[i * m + o] * x[r * n + i] * (r - o);",
    "a condition": "for (int i = 0; i < n; ++i) if (x[r * n + i] > 0.0f) z += w[i * m + o] * x[r * n + i];",
    "an index computed behind the guard": "int base = r * n; const float c = x[base];"
    " for (int i = 0; i < n; ++i) z += w[i * m + o] * x[base + i] * c;",
}
DENSE_LEFT = {
    "a loop that a thread ends": "for (int i = 0; i < min(r, n); ++i) z += w[i * m + o] * x[r * n + i];",
    "a state": "for (int i = 0; i < n; ++i) z = z * 0.3f * z + w[i * m + o] * x[r * n + i];",
}
RETURN = "if (o >= m || r >= h) return;"
Y = "r = blockIdx.y * blockDim.y + threadIdx.y"
GUARDS = {
    "a return for each": DENSE.replace(RETURN, "if (o >= m) return; if (r >= h) return;"),
    "a position between": DENSE.replace(f", {Y}", "").replace(
        RETURN, f"if (o >= m) return; int {Y}; if (r >= h) return;"
    ),
    "branches": DENSE.replace(RETURN, "if (o < m) { if (r < h) {").replace("z * z; }", "z * z; } } }"),
    "a return and a branch": DENSE.replace(RETURN, "if (o >= m) return; if (r < h) {").replace(
        "z * z; }", "z * z; } }"
    ),
    "a parameter, too": DENSE.replace(RETURN, f"{RETURN} if (n > 100) return;"),
}
GUARDS_LEFT = {
    "memory between": DENSE.replace(
        RETURN, "if (o >= m) return; float c = b[o]; if (r >= h || c > 3.0f) return;"
    ),
    "a guard by memory": DENSE.replace(RETURN, "if (o >= m) return; if (r >= h || b[o] > 3.0f) return;"),
}
ROW = (
    f'extern "C" __global__ void k({PARAMETERS}) {{'
    " int i = blockIdx.x * blockDim.x + threadIdx.x; GUARD float z = 0.5f; BODY y[i] = tanhf(z); }"
)
GUARD = "if (i >= h) return;"
ROW_SUM = "for (int j = 0; j < n; ++j) z += x[i * n + j] * w[j];"
ROW_SUMMED = {
    "a product": (GUARD, ROW_SUM),
    "two elements": (GUARD, ROW_SUM.replace("w[j]", "w[j] * b[j]")),
    "from the other end": (GUARD, "for (int j = 0; j < n; ++j) z += x[i * n + j] * w[n - 1 - j];"),
    "a value of the thread's": (GUARD, f"float c = sinf(x[i * n]); {ROW_SUM.replace('w[j]', 'w[j] * c')}"),
    "a guard of two conditions": ("if (i >= h || m < 0) return;", ROW_SUM),
    "a guard of another form": ("if (i + 1 > h) return;", ROW_SUM),
    "a guard by what a thread reads": ("float c = x[i]; if (c < -0.2f) return;", ROW_SUM),
    "a guard by what is used, too": (
        "float c = x[i]; if (c < -0.2f) return;",
        ROW_SUM.replace("w[j]", "w[j] * c"),
    ),
    "a guard by a bound and a value": ("bool in = i < h && x[i] > 0.0f; if (!in) return;", ROW_SUM),
    "a guard by a remainder": ("int r = i % 7; if (r < 2 || r > 4) return;", ROW_SUM),
    "a value that changes": (
        GUARD,
        f"float c = x[i * n]; {ROW_SUM.replace('w[j]', 'w[j] * c')} c = c * c;"
        " for (int j = 0; j < n; ++j) z += b[j] * x[i * n + j] * c;",
    ),
    "an adjoint that changes": (
        GUARD,
        f"{ROW_SUM} z = 0.5f * z; for (int j = 0; j < n; ++j) z += b[j] * x[i * n + j];",
    ),
    "an index that changes": (
        GUARD,
        "int at = i * n; int k = at; at += 1; for (int j = 0; j < 33; ++j) z += x[k + j] * w[j] * at;",
    ),
    "a literal count": (GUARD, "for (int j = 0; j < 33; ++j) z += x[i % 7 + j] * w[j];"),
    "a product reversed": (GUARD, "for (int j = 0; j < n; ++j) z = fmaf(x[i * n + j], w[j], z);"),
    "down from the last": (GUARD, "for (int j = n - 1; j >= 0; --j) z += x[i * n + j] * w[j];"),
    "a short literal, with much to save": (
        GUARD,
        "for (int j = 0; j < 20; ++j) z += b[j] * (w[2 * j] * x[i] + w[2 * j + 1]);",
    ),
    "a literal count reversed": (GUARD, "for (int j = 0; j < 33; ++j) z = fmaf(x[i % 7 + j], w[j], z);"),
}
ROW_LEFT = {
    "a window": (GUARD, "for (int j = 0; j < n; ++j) z += x[i + j] * w[j];"),
    "a short literal": (GUARD, "for (int j = 0; j < 5; ++j) z += x[i * n + j] * w[j];"),
    "a count of each thread's": (GUARD, ROW_SUM.replace("j < n", "j < min(i, n)")),
    "a state": (GUARD, "for (int j = 0; j < n; ++j) z = 0.5f * z * z + x[i * n + j] * w[j];"),
    "down from what may be more than an int": (
        GUARD,
        "for (int j = n - 1u; j >= 0; --j) z += x[i * n + j] * w[j];",
    ),
    "a local array": (
        GUARD,
        f"float c[2] = {{x[i], x[i + 1]}}; {ROW_SUM.replace('w[j]', 'w[j] * c[j % 2]')}",
    ),
}
PAIRS = (
    'extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m) {'
    " int i = blockIdx.x * blockDim.x + threadIdx.x; GUARD float z = 0.0f;"
    " for (int j = 0; j < COUNT; ++j) { BODY } y[i] = z; }"
)
PAIR = "float d = x[j] - x[i]; z += w[j] * d * d * d;"
PAIRS_OWNED = {
    "all pairs": ("if (i >= n) return;", "n", PAIR),
    "a condition": ("if (i >= n) return;", "n", f"if (i == j) continue; {PAIR}"),
    "one of two conditions": ("if (i >= n) return;", "n", f"if (x[j] > x[i]) {{ {PAIR} }}"),
    "two elements of each": (
        "if (i >= n) return;",
        "n",
        "float d = x[2 * j + 1] - x[2 * i]; z += w[j] * d * d;",
    ),
}
PAIRS_ATOMIC = {
    "elements that overlap": ("if (i >= n) return;", "n", "float d = x[j + 1] - x[i]; z += w[j] * d * d;"),
    "elements of another stride": (
        "if (i >= n) return;",
        "n",
        "float d = x[2 * j] - x[i]; z += w[j] * d * d;",
    ),
}
PAIRS_LEFT = {
    "another guard": ("if (i >= m) return;", "n", PAIR),
    "a guard by data": ("if (i >= n || w[i] < -0.5f) return;", "n", PAIR),
    "another count": ("if (i >= n) return;", "m", PAIR),
    "no guard": ("", "n", PAIR),
    "a value changed meanwhile": (
        "if (i >= n) return; float a = x[i]; a = a * w[i];",
        "n",
        "z += x[j] * x[j] * a;",
    ),
}
CASE = """kernel = "k"
of = ["y"]
wrt = [WRT]
[launch]
grid = GRID
block = BLOCK
[args]
h = 11
m = 9
n = 7
w = { shape = 200, fill = "normal" }
b = { shape = 60, fill = "normal" }
x = { shape = 200, fill = "normal" }
y = { shape = 200, fill = "zeros" }
"""
ROWS = CASE.replace("GRID", "3").replace("BLOCK", "5").replace("WRT", '"w", "b", "x"')
LAYER = CASE.replace("GRID", "[3, 4]").replace("BLOCK", "[4, 3]").replace("WRT", '"w", "b", "x"')
COVERED = CASE.replace("GRID", "2").replace("BLOCK", "4").replace("WRT", '"w", "x"')
COVERED = "\n".join(s for s in COVERED.splitlines() if s[:2] not in ("h ", "b "))
SHORT = COVERED.replace("grid = 2", "grid = 1")  # fewer threads than elements
ANY = "\n[[also]]\nargs = { n = 0 }\n[[also]]\nargs = { n = -3 }\n"  # no iteration


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(text: str, mode: Mode = "joint", assume: tuple[str, ...] = ()) -> Transformed:
    wrt = ("w", "b", "x") if "*b" in text else ("w", "x")
    assumed = tuple(map(assumption, assume))
    return transform(Source("k.cu", text), Options(of=("y",), wrt=wrt, mode=mode, assume=assumed))


def how(done: Transformed, array: str) -> set[str]:
    return {row.how for row in done.adjoint.plan.accumulations if row.target == f"adj_{array}[..]"}


def judge(done: Transformed, case: str, backend: Backend) -> None:
    report = check_pair(done.pair, Case.parse(case, done.pair.primal), backend)
    assert report.ok, report.text()


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", DENSE_SUMMED)
def test_a_row_or_column_of_a_block_is_summed(name: str, mode: Mode, backend: Backend) -> None:
    done = made(DENSE.replace("BODY", DENSE_SUMMED[name]), mode)
    assert how(done, "w") == how(done, "b") == {"columns"}
    assert "for (int i = threadIdx.y; i < n; i += (int)blockDim.y)" in done.text
    judge(done, LAYER, backend)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", GUARDS)
def test_guards_behind_each_other_are_one(name: str, mode: Mode, backend: Backend) -> None:
    done = made(GUARDS[name].replace("BODY", SUM), mode)
    assert how(done, "w") == how(done, "b") == {"columns"}
    judge(done, LAYER, backend)


@pytest.mark.parametrize("name", GUARDS_LEFT)
def test_guards_with_more_between_them_stay(name: str, backend: Backend) -> None:
    done = made(GUARDS_LEFT[name].replace("BODY", SUM))
    assert "columns" not in how(done, "w")
    judge(done, LAYER, backend)


@pytest.mark.parametrize("name", DENSE_LEFT)
def test_a_layer_that_is_not_known_stays(name: str, backend: Backend) -> None:
    done = made(DENSE.replace("BODY", DENSE_LEFT[name]))
    assert "columns" not in how(done, "w")
    judge(done, LAYER, backend)


@pytest.mark.parametrize("mode", ["joint", "split"])
@pytest.mark.parametrize("name", ROW_SUMMED)
def test_the_threads_of_a_block_are_summed(name: str, mode: Mode, backend: Backend) -> None:
    guard, body = ROW_SUMMED[name]
    done = made(ROW.replace("GUARD", guard).replace("BODY", body), mode)
    assert how(done, "w") == {"columns"}
    assert "= threadIdx.x; j < " in done.text
    judge(done, ROWS + ANY, backend)


@pytest.mark.parametrize(
    ("bounds", "size"), [("5", "5"), ("5, 2", "5"), ("2 * 3", "1024"), ("BLOCK", "BLOCK"), ("4096", "1024")]
)
def test_a_tile_holds_the_block_that_the_kernel_allows(bounds: str, size: str, backend: Backend) -> None:
    text = ROW.replace("void k", f"void __launch_bounds__({bounds}) k").replace("GUARD", GUARD)
    if bounds == "BLOCK":
        text = "#define BLOCK 5\n" + text.replace("blockDim.x", "BLOCK")
    done = made(text.replace("BODY", ROW_SUM))
    assert f"__shared__ float adj_z_tile[{size}]" in done.text
    assert ("a block has at most 1024" in done.text) == (size == "1024")
    judge(done, ROWS, backend)


@pytest.mark.parametrize("name", ROW_LEFT)
def test_short_or_private_sums_stay(name: str, backend: Backend) -> None:
    guard, body = ROW_LEFT[name]
    done = made(ROW.replace("GUARD", guard).replace("BODY", body))
    assert "columns" not in how(done, "w")
    judge(done, ROWS + ANY, backend)


@pytest.mark.parametrize("bound", ["long long", "unsigned", "size_t"])
def test_a_guard_may_compare_with_more_than_an_int_holds(bound: str, backend: Backend) -> None:
    text = ROW.replace("int h", f"{bound} h").replace("int i", f"{bound} i")
    done = made(text.replace("GUARD", GUARD).replace("BODY", ROW_SUM))
    assert how(done, "w") == {"columns"}
    judge(done, ROWS, backend)
    judge(done, ROWS.replace("h = 11", "h = 4294967295"), backend)


def test_a_count_below_what_an_int_holds_is_no_iteration(backend: Backend) -> None:
    done = made(ROW.replace("int n", "long long n").replace("GUARD", GUARD).replace("BODY", ROW_SUM))
    assert how(done, "w") == {"columns"}
    judge(done, ROWS, backend)
    judge(done, ROWS.replace("n = 7", "n = -4294967291"), backend)  # its lower half is 5


def test_a_start_cut_to_an_int_is_not_a_count(backend: Backend) -> None:
    text = ROW.replace("int n", "long long n").replace("GUARD", GUARD)
    done = made(text.replace("BODY", "for (int j = n - 1LL; j >= 0; --j) z += x[i * m + j] * w[j];"))
    judge(done, ROWS.replace("n = 7", "n = -4294967291"), backend)


@pytest.mark.parametrize(
    "text",
    [
        ROW.replace("GUARD", GUARD).replace("BODY", ROW_SUM.replace("j < n", "j < 33")),
        PAIRS.replace("GUARD", "if (i >= n) return;").replace("COUNT", "n").replace("BODY", PAIR),
    ],
)
def test_a_counter_that_cannot_hold_a_position_is_not_interchanged(text: str, backend: Backend) -> None:
    done = made(text.replace("int j", "unsigned char j"))
    assert not how(done, "w") & {"columns", "gathered"}
    wide = ROWS if "*b" in text else COVERED
    wide = wide.replace("block = 5", "block = 320").replace("block = 4", "block = 160")
    wide = wide.replace("h = 11", "h = 300").replace("n = 7", "n = 150" if "*b" not in text else "n = 1")
    judge(done, wide.replace("200", "400"), backend)


@pytest.mark.parametrize("case", [COVERED, SHORT])
@pytest.mark.parametrize("name", PAIRS_OWNED)
def test_each_thread_gathers_what_all_add(name: str, case: str, backend: Backend) -> None:
    guard, count, body = PAIRS_OWNED[name]
    done = made(PAIRS.replace("GUARD", guard).replace("COUNT", count).replace("BODY", body))
    assert how(done, "x") == how(done, "w") == {"gathered"}
    assert "atomicAdd" not in done.text
    judge(done, case, backend)


@pytest.mark.parametrize("name", PAIRS_OWNED)
def test_a_launch_that_covers_fuses_both_roles(name: str, backend: Backend) -> None:
    guard, count, body = PAIRS_OWNED[name]
    text = PAIRS.replace("GUARD", guard).replace("COUNT", count).replace("BODY", body)
    done = made(text, assume=("covers:n",))
    assert done.text.count("for (") == 1
    judge(done, COVERED, backend)


@pytest.mark.parametrize("case", [COVERED, SHORT])
def test_what_a_loop_computes_in_an_iteration_is_computed_for_all(case: str, backend: Backend) -> None:
    inner = "float d = 0.0f; for (int k = 1; k < 4; ++k) d += x[i + k] * j - 0.3f * k; z += w[j] * d * d;"
    done = made(PAIRS.replace("GUARD", "if (i >= n) return;").replace("COUNT", "n").replace("BODY", inner))
    assert how(done, "w") == {"gathered"}
    judge(done, case, backend)


def test_a_position_wider_than_the_counter_is_cut_where_it_stands_for_it(backend: Backend) -> None:
    text = PAIRS.replace("GUARD", "if (i >= n) return;").replace("COUNT", "n").replace("int n", "long long n")
    text = text.replace("int i =", "long long i =").replace(
        "BODY", PAIRS_ATOMIC["elements of another stride"][2]
    )
    judge(made(text, assume=("covers:n",)), COVERED, backend)


@pytest.mark.parametrize("name", PAIRS_ATOMIC)
def test_elements_of_two_owners_are_added_to_atomically(name: str, backend: Backend) -> None:
    guard, count, body = PAIRS_ATOMIC[name]
    done = made(PAIRS.replace("GUARD", guard).replace("COUNT", count).replace("BODY", body))
    assert "atomicAdd(&adj_x[" in done.text
    judge(done, COVERED, backend)


@pytest.mark.parametrize("name", PAIRS_LEFT)
def test_roles_that_differ_stay(name: str, backend: Backend) -> None:
    guard, count, body = PAIRS_LEFT[name]
    done = made(PAIRS.replace("GUARD", guard).replace("COUNT", count).replace("BODY", body))
    assert "gathered" not in how(done, "x")
    judge(done, COVERED, backend)


@pytest.mark.parametrize("kind", ["unsigned", "size_t", "long long"])
def test_positions_of_other_types_are_counted_in_them(kind: str, backend: Backend) -> None:
    text = ROW.replace("GUARD", GUARD).replace("int i =", f"{kind} i =").replace("int h", f"{kind} h")
    done = made(text.replace("BODY", ROW_SUM))
    assert how(done, "w") == {"columns"}
    assert f"min(({kind})blockDim.x, h - first)" in done.text or kind == "unsigned"
    judge(done, ROWS, backend)


def test_l21_every_term_is_summed_once() -> None:
    for threads, trips in product(range(1, 6), range(8)):
        owed = sorted(product(range(threads), range(trips)))
        summed = sorted(
            (u, j) for own in range(threads) for j in range(own, trips, threads) for u in range(threads)
        )
        assert summed == owed
