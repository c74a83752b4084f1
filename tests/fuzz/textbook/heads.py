"""The forms of a loop: one meaning, many heads.

`up` runs a body for each counter from lo to below hi, `down` from hi - 1 to lo; lo is never above
hi, and the body changes neither of them nor the counter. `whilst` repeats a body and then a step
while a condition holds. A body with `continue` gets only heads in which that is no other meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .drawing import Draw

SIGNED = ("int", "int", "long long", "short", "signed char")
NATURAL = ("int", "unsigned", "size_t", "unsigned char", "unsigned short", "short", "signed char", "long")
_WRAPPING = {
    "unsigned": ("-1", "0xffffffffu", "(unsigned)-1", "~0u"),
    "size_t": ("(size_t)-1", "-1", "~(size_t)0"),
    "unsigned char": ("255", "0xff", "(unsigned char)-1"),
    "unsigned short": ("65535", "(unsigned short)-1"),
    "signed char": ("-1",),
    "int": ("-1",),
}
Form = Callable[[], str]


def continues(body: str) -> bool:
    """Whether a body has a `continue` that may be its own loop's."""
    return bool(re.search(r"\bcontinue\b", body))


def up(draw: Draw, j: str, lo: str, hi: str, body: str, signed: bool) -> str:
    """The body for j = lo … hi - 1."""
    kind = draw.pick(SIGNED if signed else NATURAL)
    step = draw.pick((f"++{j}", f"{j}++", f"{j} += 1"))
    hi, lo = _operand(hi), _operand(lo)
    forms: list[str] = [
        f"for ({kind} {j} = {lo}; {j} < {hi}; {step}) {{\n{body}\n}}",
        f"for ({kind} {j} = {lo}; {j} != {hi}; {step}) {{\n{body}\n}}",
        f"for (int {j} = {lo}, {j}_end = {hi}; {j} < {j}_end; {step}) {{\n{body}\n}}",
        f"for (int {j} = {lo}, {j}_left = {hi} - {lo}; {j}_left > 0; {step}, --{j}_left) {{\n{body}\n}}",
        f"for (int {j} = {lo}, {j}_left = {hi} - {lo}; {j}_left--; {step}) {{\n{body}\n}}",
        f"for ({kind} {j} = {lo}; {j} <= (int){hi} - 1; {step}) {{\n{body}\n}}"
        if kind.startswith(("int", "short", "signed"))
        else f"for ({kind} {j} = {lo}; {j} + 1 <= {hi}; {step}) {{\n{body}\n}}",
        f"for ({kind} {j} = {lo}; {hi} > {j}; {step}) {{\n{body}\n}}",
        f"for (int {j}_o = 0; {j}_o < {hi} - {lo}; ++{j}_o) {{\nint {j} = {lo} + {j}_o;\n{body}\n}}",
        f"for (int {j}_next = {lo}; {j}_next < {hi};) {{\nint {j} = {j}_next++;\n{body}\n}}",
        f"for (unsigned {j}_c = {hi} - {lo}; {j}_c-- != 0;) {{\nint {j} = {hi} - 1 - (int){j}_c;\n{body}\n}}",
        f"for (int {j}_two = 2 * {lo}; {j}_two < 2 * {hi}; {j}_two += 2) "
        f"{{\nconst int {j} = {j}_two / 2;\n{body}\n}}",
        f"int {j} = {lo} - 1;\nwhile (++{j} < {hi}) {{\n{body}\n}}",
        f"{kind} {j} = {lo};\nif ({j} < {hi}) {{\ndo {{\n{body}\n}} while (++{j} < {hi});\n}}",
        f"for ({kind} {j} = {lo};; {step}) {{\nif ({j} >= {hi}) break;\n{body}\n}}",
        f"signed char {j}_from = {lo} + 256;\nfor (int {j} = {j}_from; {j} < {hi}; {step}) {{\n{body}\n}}",
        f"for (int {j} = (short)({lo} + 65536); {j} < {hi}; {step}) {{\n{body}\n}}",
        f"bool {j}_more = {lo} < {hi};\n"
        f"for (int {j} = {lo}; {j}_more; {j}_more = ++{j} < {hi}) {{\n{body}\n}}",
    ]
    if not signed:
        forms.append(f"unsigned {j} = {lo} - 1;\nwhile (++{j} != {hi}) {{\n{body}\n}}")
    if not continues(body):
        forms += [
            f"{kind} {j} = {lo};\nwhile ({j} < {hi}) {{\n{body}\n{step};\n}}",
            f"{kind} {j} = {lo};\nwhile (true) {{\nif ({j} == {hi}) break;\n{body}\n{step};\n}}",
            f"for ({kind} {j} = {lo}; {j} < {hi};) {{\n{body}\n{step};\n}}",
        ]
    return _scoped(draw.pick((forms[0], forms[0], *forms)))


def down(draw: Draw, j: str, hi: str, lo: str, body: str, signed: bool) -> str:
    """The body for j = hi - 1 … lo."""
    kind = draw.pick(SIGNED if signed else NATURAL)
    plain = kind if kind in SIGNED else "int"
    step = draw.pick((f"--{j}", f"{j}--", f"{j} -= 1"))
    hi, lo = _operand(hi), _operand(lo)
    forms: list[str] = [
        f"for ({plain} {j} = {hi} - 1; {j} >= {lo}; {step}) {{\n{body}\n}}",
        f"for ({kind} {j} = {hi}; {j}-- > {lo};) {{\n{body}\n}}",
        f"for ({plain} {j} = {hi} - 1; {j} != {_less(lo)}; {step}) {{\n{body}\n}}",
        f"for ({plain} {j} = {hi} - 1; {j} > {_less(lo)}; {step}) {{\n{body}\n}}",
        f"{kind} {j} = {hi};\nwhile ({j}-- != {lo}) {{\n{body}\n}}",
        f"if ({hi} > {lo}) {{\n{kind} {j} = {hi};\ndo {{\n--{j};\n{body}\n}} while ({j} > {lo});\n}}",
        f"for (int {j}_o = 0; {j}_o < {hi} - {lo}; ++{j}_o) {{\nint {j} = {hi} - 1 - {j}_o;\n{body}\n}}",
        f"for (int {j} = {hi} - 1, {j}_left = {hi} - {lo}; {j}_left > 0; {step}, --{j}_left) {{\n{body}\n}}",
        f"signed char {j}_to = {lo} - 256;\nfor (int {j} = {hi} - 1; {j} >= {j}_to; {step}) {{\n{body}\n}}",
        f"for ({plain} {j} = {hi} - 1;; {step}) {{\nif ({j} < {lo}) break;\n{body}\n}}",
        f"for (int {j}_past = {hi}; {j}_past > {lo};) {{\nint {j} = --{j}_past;\n{body}\n}}",
    ]
    if not signed:
        wrap = draw.pick(tuple(_WRAPPING))
        end = draw.pick(_WRAPPING[wrap]) if lo == "0" else f"({wrap})({lo} - 1)"
        forms += [
            f"for ({wrap} {j} = {hi} - 1; {j} != {end}; {step}) {{\n{body}\n}}",
            f"{wrap} {j} = {hi} - 1;\nfor (; {j} != {end}; {step}) {{\n{body}\n}}",
            f"for (unsigned {j} = {hi} - 1; {j} + 1 > {lo}; {step}) {{\n{body}\n}}",
        ]
        if lo == "0":
            forms.append(f"for (unsigned {j} = {hi} - 1; {j} < {hi}; {step}) {{\n{body}\n}}")
    if not continues(body):
        forms.append(f"{plain} {j} = {hi} - 1;\nwhile ({j} >= {lo}) {{\n{body}\n{step};\n}}")
        forms.append(f"int {j} = {hi} - 1;\nwhile (true) {{\nif ({j} < {lo}) break;\n{body}\n{step};\n}}")
    return _scoped(draw.pick((forms[0], forms[0], *forms)))


def whilst(draw: Draw, condition: str, step: str, body: str) -> str:
    """The body, then the step, while the condition holds."""
    after = f"\n{step};" if step else ""
    forms = [f"for (; {condition}; {step}) {{\n{body}\n}}"]
    if not step or not continues(body):
        forms = [
            f"while ({condition}) {{\n{body}{after}\n}}",
            *forms,
            f"while (true) {{\nif (!({condition})) break;\n{body}{after}\n}}",
            f"for (;;) {{\nif ({condition}) {{\n{body}{after}\n}} else {{\nbreak;\n}}\n}}"
            if not re.search(r"\bbreak\b", body)
            else f"for (; {condition};) {{\n{body}{after}\n}}",
        ]
    if not continues(body):
        forms += [
            f"if ({condition}) {{\ndo {{\n{body}{after}\n}} while ({condition});\n}}",
            f"bool go_on = {condition};\nwhile (go_on) {{\n{body}{after}\ngo_on = {condition};\n}}",
        ]
    parts = condition.split(" && ", 1)
    if len(parts) == 2 and "||" not in condition and (not step or not continues(body)):
        first, second = parts
        forms.append(f"while ({first}) {{\nif (!({second})) break;\n{body}{after}\n}}")
        forms.append(f"for (; {first}; {step}) {{\nif (!({second})) break;\n{body}\n}}")
        forms.append(f"while (!(!({first}) || !({second}))) {{\n{body}{after}\n}}")
    return _scoped(draw.pick((forms[0], forms[0], *forms)))


def either(draw: Draw, condition: str, first: str, second: str) -> str:
    """One body or the other."""
    other = f" else {{\n{second}\n}}" if second else ""
    forms = [
        f"if ({condition}) {{\n{first}\n}}{other}",
        f"if (!({condition})) {{\n{second}\n}} else {{\n{first}\n}}",
        f"{{\nconst bool holds = {condition};\nif (holds) {{\n{first}\n}}{other}\n}}",
    ]
    if not re.search(r"\b(break|continue)\b", first + second):
        forms.append(
            f"switch (({condition}) ? 1 : 0) {{\ncase 1: {{\n{first}\nbreak;\n}}\n"
            f"default:\n{second}\nbreak;\n}}"
        )
    return draw.pick((forms[0], forms[0], *forms))


def _scoped(loop: str) -> str:
    """The loop, in braces where it declares something before its head."""
    return loop if loop.startswith(("for", "while", "if")) else f"{{\n{loop}\n}}"


def _operand(text: str) -> str:
    """The text, in parentheses where an operator next to it would part it."""
    return text if re.fullmatch(r"[\w.]+", text) else f"({text})"


def _less(text: str) -> str:
    return "-1" if text == "0" else f"{text} - 1"
