"""Where a tangent stands among the author's lines: beside its value, above the blank line that follows it."""

from __future__ import annotations

import s2sad

KERNEL = """\
__global__ void image(const double *x, double *y, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    // first
    double a = x[i] * x[i];  // squared
    double w[2] = {a, x[i]};

    // second
    double b = a * w[1];

    y[i] = b * w[0];
}
"""


def test_a_declared_tangent_is_in_the_paragraph_of_its_value() -> None:
    text = s2sad.transform(KERNEL, of="y", wrt="x", mode="tangent").source
    body = text.partition("return;\n")[2].partition("\n}")[0]
    paragraphs = [[line.strip() for line in part.splitlines()] for part in body.split("\n\n")]
    assert [paragraph[0] for paragraph in paragraphs] == [
        "// first",
        "// second",
        "tan_y[i] = w[0] * tan_b + b * tan_w[0];",
    ]
    first, second, _ = paragraphs
    assert [line.split(" =")[0] for line in first[1:]] == [
        "double a",
        "double tan_a",
        "double w[2]",
        "double tan_w[2]",
    ]
    assert first[1].endswith("  // squared")
    assert body.count("// squared") == 1
    assert [line.split(" =")[0] for line in second[1:]] == ["double b", "double tan_b"]
