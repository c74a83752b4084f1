"""Generate kernels of any size, to time the transformation.

`statements` counts the primal's statements, loop headers included. Each kernel reads
two arrays and writes one, and every statement is active, so that activity analysis
can't skip any work. The text depends only on the shape and the size.
"""

from __future__ import annotations

HEAD = """\
extern "C" __global__ void big(int n, const float *__restrict__ x, const float *__restrict__ w,
                               float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
"""


def straight(statements: int) -> str:
    """Return straight-line assignments, to new locals and to overwritten ones."""
    lines = ["    float a = x[i], b = w[i];"]
    for k in range(statements):
        match k % 5:
            case 0:
                lines.append(f"    float t{k} = a * b + 0.{k % 9 + 1}f * x[i];")
            case 1:
                lines.append(f"    float t{k} = sinf(t{k - 1}) + b;")
            case 2:
                lines.append(f"    float t{k} = t{k - 1} / (1.5f + t{k - 2} * t{k - 2});")
            case 3:
                lines.append(f"    a = a + 0.01f * t{k - 1} * t{k - 2};")
            case _:
                lines.append(f"    b = 0.5f * (b + t{k - 2});")
    return HEAD + "\n".join([*lines, "    y[i] = a * b;", "}", ""])


def loops(statements: int) -> str:
    """Return loops of four statements, every third one with a nested loop, that update one state."""
    lines = ["    float a = x[i], b = w[i];"]
    count = 0
    k = 0
    while count < statements:
        if k % 3 == 2:
            lines += [
                f"    for (int j{k} = 0; j{k} < n; ++j{k}) {{",
                f"        float s{k} = 0.0f;",
                f"        for (int m{k} = 0; m{k} < 8; ++m{k})",
                f"            s{k} += w[m{k}] * sinf(a);",
                f"        a = a + 0.1f * s{k} * b;",
                "    }",
            ]
            count += 5
        else:
            lines += [
                f"    for (int j{k} = 0; j{k} < {4 + k % 5}; ++j{k}) {{",
                f"        float p{k} = a * w[j{k}];",
                f"        b = b + 0.1f * p{k};",
                f"        a = a * cosf(p{k});",
                "    }",
            ]
            count += 4
        k += 1
    return HEAD + "\n".join([*lines, "    y[i] = a * b;", "}", ""])


def chain(statements: int) -> str:
    """Return device functions of four statements, each calling the previous one."""
    functions = ["static __device__ float f0(float u, float v)\n{\n    return u * v + u;\n}\n"]
    count = 1
    while count < statements - 1:
        k = len(functions)
        functions.append(
            f"static __device__ float f{k}(float u, float v)\n{{\n"
            f"    float s = f{k - 1}(u, 0.5f * v);\n"
            f"    if (s > {k}.0f)\n        s = 0.25f * s * u;\n"
            f"    return s + sinf(v);\n}}\n"
        )
        count += 4
    body = f"    y[i] = f{len(functions) - 1}(x[i], w[i]);\n}}\n"
    return "\n".join(functions) + "\n" + HEAD + body


def in_place(statements: int) -> str:
    """Return repeated updates of one element, each with another weight."""
    lines = [f"    y[i] = y[i] * x[i] + w[{k}];" for k in range(statements)]
    return HEAD + "\n".join([*lines, "}", ""])


def choices(statements: int) -> str:
    """Return one chain of `else if`, with an assignment in each."""
    lines = ["    float a = x[i];"]
    for k in range(statements // 2):
        word = "else if" if k else "if"
        lines += [f"    {word} (a > {statements - k}.0f)", f"        a = a * w[i] + {k}.5f;"]
    return HEAD + "\n".join([*lines, "    y[i] = a;", "}", ""])


def one_sum(statements: int) -> str:
    """Return additions to one variable, each of another element."""
    lines = ["    float a = x[i], s = 0.0f;", *(f"    s += a * w[{k}];" for k in range(statements))]
    return HEAD + "\n".join([*lines, "    y[i] = s;", "}", ""])


def local_stores(statements: int) -> str:
    """Return stores to a local array, each of which reads the element before."""
    lines = [f"    float a = x[i], t[{statements}];", "    t[0] = a;"]
    lines += [f"    t[{k}] = t[{k - 1}] * a + w[{k}];" for k in range(1, statements)]
    return HEAD + "\n".join([*lines, f"    y[i] = t[{statements - 1}];", "}", ""])


def row_stores(statements: int) -> str:
    """Return stores to a row of the output that belongs to the thread."""
    lines = ["    float a = x[i];"]
    lines += [f"    y[i * {statements} + {k}] = a * w[{k}] + {k}.5f;" for k in range(statements)]
    return HEAD + "\n".join([*lines, "}", ""])


def ifs(statements: int) -> str:
    """Return conditions one after the other, with an assignment in each."""
    lines = ["    float a = x[i], b = w[i];"]
    for k in range(statements // 2):
        lines += [f"    if (a > {k}.0f)", f"        a = a * b + {k}.5f;"]
    return HEAD + "\n".join([*lines, "    y[i] = a;", "}", ""])


SHAPES = {
    "straight": straight,
    "loops": loops,
    "chain": chain,
    "in place": in_place,
    "choices": choices,
    "one sum": one_sum,
    "local stores": local_stores,
    "row stores": row_stores,
    "ifs": ifs,
}
