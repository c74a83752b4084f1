"""Kernels whose threads meet: algorithms of a block, one after the other."""

from __future__ import annotations

from s2sad.options import Options, assumption

from .block_wide import ALGORITHMS
from .drawing import Draw
from .language import expand, finished, helpers, words

_BETWEEN = (
    "mine = sinf(mine) + 0.5 * w;",
    "mine = tanhf(mine) * (1.0 + 0.1 * t) + 0.4 * w;",
    "mine = 1.5 * mine / (1.0 + mine * mine) + 0.3 * w * w;",
)
# What no proof can tell, and users have to say: that slots that a scan or a rank gives don't repeat.
_ASSUMED = {"compaction by a scan": "{}", "rank sort of a block": "out_{}"}
_WORDS = {"A": "alpha", "Q": "q", "U": "rounds"}


def compose_block(draw: Draw, parts: list[tuple[str, Draw]]) -> tuple[str, str, Options]:
    """Source, case and what is asked of a kernel named `k_named`."""
    real, size = draw.pick(("float", "float", "double")), draw.pick((4, 8))
    spelled = draw.pick(("literal", "define", "constexpr"))
    one_buffer, ragged = draw.pick((False, True)), draw.pick((False, True))
    functions: list[str] = []
    body: list[str] = []
    assumed: list[str] = []
    for number, (name, own) in enumerate(parts):
        buffer = "buffer" if one_buffer else f"buffer{number}"
        if number:
            body.append("__syncthreads();" if one_buffer or own.pick((False, True)) else "")
            body.append(expand(draw, draw.pick(_BETWEEN)))
        text = expand(own, ALGORITHMS[name].strip())
        if name in _ASSUMED:
            assumed.append("injective:" + _ASSUMED[name].format(buffer))
        body.append(_fragment(own, text, buffer, f"part{number}", functions))
    count = 2 * size - 1 if ragged else 2 * size
    load = (
        "T w = i < n ? x[i] : 0.3;\nint q = i < n ? idx[i] : 3;" if ragged else "T w = x[i];\nint q = idx[i];"
    )
    store = draw.pick(("y[i] = mine + 0.1 * acc;", "y[i] = mine * (0.7 + 0.1 * t);", "y[i] += sinf(mine);"))
    many = 1 if one_buffer else len(parts)
    lines = [
        *(f"__shared__ T {'buffer' if one_buffer else f'buffer{k}'}[B];" for k in range(many)),
        draw.pick(("int t = threadIdx.x;", "const int t = threadIdx.x;")),
        draw.pick(("int i = blockIdx.x * B + t;", "int i = blockIdx.x * blockDim.x + threadIdx.x;")),
        load,
        "T acc = 0.2 * w;",
        "T mine = w;",
        *body,
        f"if (i < n) {store}" if ragged else store,
    ]
    parameters = ["const T *x", "T *y", "const int *idx", "T alpha", "int n", "int rounds"]
    if draw.pick((False, True)):
        parameters = [one.replace("*", "*__restrict__ ") for one in parameters]
    kernel = f'extern "C" __global__ void k_named({", ".join(parameters)})\n{{\n' + "\n".join(lines) + "\n}"
    texts = [*functions, kernel]
    source = finished([*helpers(texts), *texts], real, "B", size, spelled)
    case = (
        'kernel = "k_named"\nof = ["y"]\nwrt = ["x", "alpha"]\n'
        f"[launch]\ngrid = 2\nblock = {size}\n[args]\n"
        'x = {shape="n", fill="uniform(-1.6,1.6)"}\ny = {shape="n", fill="uniform(-1,1)"}\n'
        f'idx = {{shape="n", fill="randint(0,1000)"}}\nalpha = 0.73\nn = {count}\nrounds = 4\n'
    )
    mode = draw.pick(("joint", "joint", "split"))
    return (
        source,
        case,
        Options(
            of=("y",), wrt=("x", "alpha"), mode=mode, assume=tuple(map(assumption, dict.fromkeys(assumed)))
        ),
    )


def _fragment(draw: Draw, text: str, buffer: str, name: str, functions: list[str]) -> str:
    """The algorithm in place, or a call of a function that has it."""
    form = draw.pick(("place", "place", "returned", "reference"))
    if form == "place" or "out_S" in text:  # an array inside of a function can't be named
        return "{\n" + words(text, {**_WORDS, "S": buffer, "out_S": f"out_{buffer}"}) + "\n}"
    text = words(text, {**_WORDS, "S": "s", "out_S": f"out_{buffer}"})
    head = draw.pick(("__device__", "__device__ __forceinline__", "static __device__ inline"))
    rest = f"{draw.pick(('T *s', 'T (&s)[B]'))}, int t, T alpha, int q, int rounds"
    given = f"{buffer}, t, alpha, q, rounds"
    if form == "reference":
        functions.append(f"{head} void {name}(T &mine, {rest})\n{{\n{text}\n}}")
        return f"{name}(mine, {given});"
    functions.append(f"{head} T {name}(T mine, {rest})\n{{\n{text}\nreturn mine;\n}}")
    return f"mine = {name}(mine, {given});"
