"""Random small kernels that index arrays in the ways that people do, and slightly wrong ways."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from launches import Launch

LINE = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
POSITIONS = (
    LINE,
    LINE,
    LINE,
    "int i = blockIdx.x * BLOCK + threadIdx.x;",
    "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;",
    "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;",
    "long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;",
    "int i = threadIdx.x;",
    "int i = blockIdx.x;",
    "int i = threadIdx.x * gridDim.x + blockIdx.x;",
    "int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;",
    "int i = blockIdx.x * (blockDim.x * blockDim.y) + threadIdx.y * blockDim.x + threadIdx.x;",
    "int i = threadIdx.x + blockDim.x * threadIdx.y;",
    "int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) - 1;",
    "int q = blockIdx.x, i = q * blockDim.x + threadIdx.x;",
)
SECOND = (
    "int j = 0;",
    "int j = 0;",
    "int j = blockIdx.y * blockDim.y + threadIdx.y;",
    "int j = blockIdx.y * blockDim.y + threadIdx.y;",
    "int j = threadIdx.y;",
    "int j = blockIdx.y;",
    "int j = blockIdx.y * 2 + threadIdx.y;",
    "int j = threadIdx.x;",
    "int j = threadIdx.z;",
)
DERIVED = (
    *("int a = i, b = j;",) * 12,
    "int a = i / w, b = i % w;",
    "int a = i > 0 ? i - 1 : n - 1, b = j;",
    "int a = (i + 1) % n, b = j;",
    "int a = (i + n - 1) % n, b = j;",
    "int a = idx[i], b = j;",
    "int a = min((int)i, n - 1), b = j;",
    "int a = n - 1 - i, b = j;",
    "unsigned a = i - 1u; int b = j;",
    "short a = i; int b = j;",
    "int a = i & 3, b = i >> 2;",
    "int a = i; a %= 4; int b = j;",
    "int a = (j * w + i) % w, b = (j * w + i) / w;",
    "int a = i < n / 2 ? i : i + c, b = j;",
    "int a = i; if (c > 2) a = i + 1; int b = j;",
    "int a = i < c ? i + c : i - c, b = j;",
    "int a = 3 * i + 1, b = j;",
    "int t = i; int a = t / (w * c), b = (t / w) % c;",
    "unsigned a = i * 3u, b = j;",
    "int a = i - 1 < 0 ? i : i - 1, b = j;",
)
GUARDS = (
    *("", "if (i >= n) return;", "if (i >= n || j >= w) return;", "if (i < n && j < w) ") * 2,
    "if (!(i < n && j < w)) return;",
    "if (threadIdx.x != 0) return;",
    "if (i < 1 || i >= n - 1) return;",
    "if (a < n && b < w) ",
    "if (a >= 0 && a < n && b >= 0 && b < w) ",
    "if (i >= n * w) return;",
    "if (threadIdx.y == 0) ",
    "if (threadIdx.x == 0 && i < n) ",
    "if (j > 0) ",
    "if (j != 0 || i >= n) return;",
    "if (x[i] > 0.5f) return;",
    "if (a >= c) return;",
    "while (i < c) i += blockDim.x * gridDim.x; if (i == n) ",
    "while (i < c) i += blockDim.x; if (i == c) ",
    "while (i < c) i += gridDim.x * blockDim.x; if (i != c) return;",
)
LOOPS = (
    *("",) * 5,
    "for (int k = 0; k < c; ++k) ",
    "for (int k = 0; k < c; ++k) ",
    "for (int k = 0; k < w; k++) ",
    "for (int k = i; k < n; k += blockDim.x * gridDim.x) ",
    "for (int k = a; k < n; k += blockDim.x * gridDim.x) ",
    "for (int k = i; k < n; k += gridDim.x) ",
    "for (int k = threadIdx.x; k < c; k += blockDim.x) ",
    "for (int k = c - 1; k >= 0; --k) ",
    "for (int k = 0; k < c; k += 2) ",
    "for (int k = a; k < a + c; ++k) ",
    "for (unsigned k = 0; k < c; ++k) ",
    "for (int k = 1; k <= c; ++k) ",
    "for (int k = max(a - c, 0); k < min(a + c, w); ++k) ",
    "for (int k = 0; k < min((int)i + 2, c); ++k) ",
    "for (int k = max((int)j, 1); k < (n < c ? n : c); ++k) ",
    "for (int k = 0; k < max(c, a); ++k) ",
    "for (int k = a < c ? 0 : a - c; k < n && k < w; ++k) ",
)
INDICES = (
    *("i", "i", "a", "j * w + i", "j * n + i", "i * w + j", "b * n + a", "b * w + a", "a * w + b"),
    *("3 * i", "3 * i + 1", "2 * a", "n - 1 - i", "w * i + c * j", "i * 4 + b % 4", "i * c + idx[i] % c"),
    *("a + w * b", "i * w", "i / 2", "0", "i + j", "i * i", "a * b"),
)
LOOPED = (
    *("k", "i * c + k", "i * w + k", "k * n + i", "(j * n + i) * c + k", "(k * w + j) * n + i"),
    *("3 * (i * c + k)", "3 * (i * c + k) + 2", "a + n * k", "a + w * b + n * w * k", "a * c + k"),
    *("i * 4 + (k & 3)", "idx[i] * c + k", "a * c * w + b * c + k", "i + k", "i * k"),
)
SHIFTS = (*("",) * 14, " + 1", " - 1", " + 2", " + n", " + w", " + n * w")


TRIANGLES = ("c * (c + 1) / 2", "c * (c - 1) / 2", "(c + 1) * (c + 2) / 2", "c * c / 2", "c * (c + 1)", "c")
ROWS = (
    "r * (r + 1) / 2",
    "r * (r - 1) / 2",
    "q * (2 * c - q - 1) / 2",
    "q * (q + 1) / 2",
    "r * r / 2",
    "r * (r + 3) / 2",
)
PLACES = ("q", "r", "r - q", "r - q - 1", "r + q", "q + 1", "2 * q", "r + q / 2", "c - r")
ENDS = ("q < r", "q <= r", "q < c", "q < r + 1", "q <= c", "q < c - r")


def small_triangle(seed: int) -> str:
    """A kernel k whose threads index triangles that are packed one after another, or nearly so."""
    pick = Random(seed)

    def index() -> str:
        size = pick.choice((*TRIANGLES[:2] * 4, *TRIANGLES))
        row = pick.choice((*ROWS[:3] * 3, *ROWS))
        place, shift = (
            pick.choice((*PLACES[:4] * 3, *PLACES)),
            pick.choice(("",) * 6 + (" + c", " - 1", " + 1")),
        )
        return f"i * ({size}) + {row} + {place}{shift}"

    loops = f"for (int r = {pick.choice('0001')}; r < c; ++r) for (int q = 0; {pick.choice(ENDS)}; ++q) "
    reads = index(), index()
    lines = [LINE, "float v = 0.0f;", "if (i >= n) return;", loops + "{", f"v += x[{reads[0]}];"]
    if pick.random() < 0.3:
        lines.append(f"v += x[{reads[1]}];")
    lines += ["}", "y[i] = v;"]
    parameters = "const float *x, const int *idx, float *y, int n, int w, int c"
    body = "\n".join(f"    {line}" for line in lines)
    return f'extern "C" __global__ void k({parameters})\n{{\n{body}\n}}\n'


def small_kernel(seed: int) -> str:
    """A kernel k that reads x, perhaps y, and stores y; the same for the same seed."""
    pick = Random(seed)
    loop = pick.choice(LOOPS)

    def index(looped: bool) -> str:
        return pick.choice((*INDICES, *LOOPED, *LOOPED) if looped else INDICES) + pick.choice(SHIFTS)

    lines = [pick.choice(POSITIONS), pick.choice(SECOND), pick.choice(DERIVED), "float v = 0.0f;"]
    if pick.random() < 0.2:
        lines.append(f"v += x[{index(False)}];")
    guard = pick.choice(GUARDS)
    lines += [guard, "{", loop + "{"]
    first = index(bool(loop))
    reads = [first, *(index(bool(loop)) for _ in range(pick.choice((0, 0, 0, 1, 2))))]
    if pick.random() < 0.3:
        reads.append(first + pick.choice(SHIFTS))
    for read in reads:
        condition = pick.choice(("i < n", "a < w", "j < c"))
        lines.append(f"v += {condition} ? x[{read}] : 0;" if pick.random() < 0.2 else f"v += x[{read}];")
        if pick.random() < 0.12:
            more = ["if (v > 0.7f) break;", "if (v > 0.7f) continue;"] if loop else []
            lines.append(pick.choice(["if (v > 0.5f) return;", "i += 1;", "a += 1;", "a = b;", *more]))
    stored = first if pick.random() < 0.4 else index(bool(loop))
    place = pick.random()
    if place < 0.6:
        op = pick.choice(("=", "=", "=", "+="))
        lines.append(pick.choice(("", "", "", "if (v > 0.3f) ")) + f"y[{stored}] {op} v;")
    if pick.random() < 0.15:
        lines.append(f"y[{stored}{pick.choice(SHIFTS)}] = v;")
    lines.append("}")
    outside = index(False) if loop else stored
    lines += [f"y[{outside}] = v;", "}"] if 0.6 <= place < 0.9 else ["}"]
    if place >= 0.9:
        lines.append(f"y[{outside}] = v;")
    parameters = "const float *x, const int *idx, float *y, int n, int w, int c"
    body = "\n".join(f"    {line}" for line in lines if line)
    return f'#define BLOCK 2\nextern "C" __global__ void k({parameters})\n{{\n{body}\n}}\n'


def small_launches(seed: int, count: int, repeats: bool) -> Iterator[Launch]:
    """Launches of a few threads with sizes that fit, don't fit, and are zero or negative."""
    pick = Random(seed)
    for _ in range(count):
        grid = (pick.randint(1, 3), pick.choice((1, 1, 2)), 1)
        block = (pick.randint(1, 4), pick.choice((1, 1, 2, 3)), pick.choice((1, 1, 1, 2)))
        values = {
            "n": pick.choice((0, 1, 2, 3, 4, 5, 6, 8, 12, -2)),
            "w": pick.choice((0, 1, 2, 3, 4, 6, -1)),
            "c": pick.choice((0, 1, 2, 3, 4, 5)),
        }
        idx = [pick.randrange(8) for _ in range(64)] if repeats else pick.sample(range(64), 64)
        yield Launch(grid, block, values, {"idx": tuple(idx)})
