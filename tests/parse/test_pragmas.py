"""What the author asks of s2sad in the source."""

from __future__ import annotations

import pytest
from front import kernel, parsed, refusal

BODY = "    y[0] = x[0];"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("#pragma s2sad adjoint of(y) wrt(x, a)\n", {"of": ("y",), "wrt": ("x", "a")}),
        ("// s2sad: --of y --wrt x,a\n", {"of": ("y",), "wrt": ("x", "a")}),
        ("/* s2sad: --of=y */\n", {"of": ("y",)}),
        ("//s2sad: --assume injective:idx,launch:1d --bound 12=n\n",
         {"assume": ("injective:idx", "launch:1d"), "bound": ("12=n",)}),
        ("#pragma s2sad bound(3=min(n, 4)) store(s)\n", {"bound": ("3=min(n, 4)",), "store": ("s",)}),
        ("// s2sad: --of y\nint f() { return 1; }\n", {"of": ("y",)}),
        ("\n// s2sad: --of y\nint f() { return 1; }\n", {}),
        ("// s2sad: --of y\n\n\n// s2sad: --of z --wrt x\n", {"of": ("z",), "wrt": ("x",)}),
        ("#pragma omp parallel\n// plain s2sad: no\n", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_a_pragma_is_read(before: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert parsed(kernel(BODY, before)).pragma == expected


def test_each_kernel_has_its_own() -> None:
    text = "\n// s2sad: --of y\n" + kernel(BODY) + "// s2sad: --of x\n" + kernel(BODY).replace("k(", "j(")
    assert [parsed(text, name).pragma for name in "kj"] == [{"of": ("y",)}, {"of": ("x",)}]


@pytest.mark.parametrize(
    "before",
    [
        "// s2sad: --oof y\n",
        "// s2sad: of y\n",
        "// s2sad: --of\n",
        "#pragma s2sad adjoint of y\n",
        "#pragma s2sad of(y\n",
        "#pragma s2sad of()\n",
    ],
)
def test_a_pragma_that_isn_t_understood_is_refused(before: str) -> None:
    assert refusal(kernel(BODY, before)).code.slug == "bad-pragma"
