"""What a kernel may not contain: each with its code, under the culprit.

The carets of a case stand under the text that the message points to.
"""

from __future__ import annotations

import pytest
from lowering_kit import HEAD, lowered, refusals

from s2sad import parse
from s2sad.diagnostics import Code, Rejected
from s2sad.source import Source

CASES = """
a = zork;
    ^^^^ unknown-name
a = Foo(a);
    ^^^ unknown-function
foo(a, zork);
^^^ unknown-function
x = c;
    ^ type-error
a = x;
    ^ pointer-value
if (c + 1) a = b;
    ^ pointer-value
a = b + x;
        ^ pointer-value
a = *(x * 2);
      ^^^^^ pointer-arithmetic
a = *(n - x);
      ^^^^^ type-error
a = x++;
    ^^^ pointer-value
float **p = &x;
^^^^^^^^^^^^^^ pointer-variable
a = *&b + (&b)[1];
          ^^^^^^^ pointer-beyond
*(int *)&a = i;
 ^^^^^^^^^ bit-reinterpretation
a = n[0];
    ^ type-error
a = x[b];
      ^ type-error
a = x[i][j];
    ^^^^^^^ type-error
float q[2][3]; a = q[1];
                   ^^^^ pointer-arithmetic
float q[2]; q = a;
            ^ type-error
n = n % a;
    ^^^^^ type-error
n = ~a;
    ^^ type-error
c[i] = a;
^^^^ assignment-to-const
const float q = 1; q += a;
                   ^ assignment-to-const
const float q;
^^^^^^^^^^^^^ type-error
enum { Q }; Q = n;
            ^ assignment-to-const
a + b = 3;
^^^^^ type-error
bool t; ++t;
        ^^^ type-error
void q;
^^^^^^ type-error
float q; int q;
         ^^^^^ declared-twice
int n;
^^^^^ declared-twice
a = sinf();
    ^^^^^^ wrong-arguments
a = fmaxf(a);
    ^^^^^^^^ wrong-arguments
a = min(a, n);
    ^^^^^^^^^ ambiguous-call
n = abs(u);
    ^^^^^^ ambiguous-call
a = sinf;
    ^^^^ function-pointer
a = n(b);
    ^^^^ function-pointer
a = i++ + i;
    ^^^^^^^ unsequenced-effects
a = b + (b = 2);
    ^^^^^^^^^^^ unsequenced-effects
a = fmaxf(i++, i++);
    ^^^^^^^^^^^^^^^ unsequenced-effects
m[i += n] += m[i];
^^^^^^^^^^^^^^^^^ compilers-differ
break;
^^^^^^ type-error
if (n) { switch (n) { case 0: continue; } }
                              ^^^^^^^^^ type-error
int e; a = frexpf(b, &e) * e;
           ^^^^^^^^^^^^^^^^^ unsequenced-effects
__barrier_sync(1);
^^^^^^^^^^^^^^^^^ barrier
__threadfence();
^^^^^^^^^^^^^^^ barrier
a = __shfl_down(a, 1);
    ^^^^^^^^^^^^^^^^^ unsynchronised
n = __activemask();
    ^^^^^^^^^^^^^^ active-mask
atomicExch(&x[0], a);
^^^^^^^^^^^^^^^^^^^^ atomic
__shared__ float q[4] = {1};
^^^^^^^^^^^^^^^^^^^^^^^^^^^ type-error
extern __shared__ float q[4];
^^^^^^^^^^^^^^^^^^^^^^^^^^^^ dynamic-shared
static int q;
^^^^^^^^^^^^ static-local
volatile __shared__ int q;
                        ^ volatile
float q[n];
        ^ not-constant
float q[-1];
        ^^ type-error
float q[];
^^^^^^^^^ type-error
float q[2] = {1, 2, 3};
             ^^^^^^^^^ type-error
float q[2] = a;
             ^ type-error
float q = {1, 2};
          ^^^^^^ type-error
float q[2] = {[1] = 2};
              ^^^^^^^ not-supported
a = blockIdx.w;
    ^^^^^^^^^^ type-error
a = __float2half_rz(a);
    ^^^^^^^^^^^^^^^ half-precision
a = tex2D(b, a, a);
    ^^^^^^^^^^^^^^ texture
sincosf(a, &b, x[0]);
               ^^^^ pointer-arithmetic
switch (a) { case 1: ; }
        ^ type-error
switch (n) { case 1: case 1: ; }
                     ^^^^^^^ type-error
switch (n) { case 0: if (n) { case 1: a = b; } }
                              ^^^^^^^ label-in-statement
switch (n) { case 0: a = b; int q; break; case 1: q = 2; }
                                                  ^ case-scope
switch (n) { a = b; case 1: ; }
             ^^^^^ not-supported
switch (n) { case 1: break; case j: ; }
                                 ^ not-constant
return a;
^^^^^^^^^ type-error
a = "text";
    ^^^^^^ not-supported
a = x + 1 == nullptr;
    ^^^^^^^^^^^^^^^^ pointer-value
goto end; end: ;
^^^^ goto
"""

LINES = CASES.strip("\n").split("\n")
PAIRS = [(body, marks) for body, marks in zip(LINES[::2], LINES[1::2], strict=True)]


@pytest.mark.parametrize(("body", "marks"), PAIRS, ids=[body for body, _ in PAIRS])
def test_it_is_refused_by_name_at_its_place(body: str, marks: str) -> None:
    carets, codes = marks.strip().split(" ", 1)
    start = marks.index("^")
    found = refusals(body)
    assert [code for code, _, _ in found] == codes.split(", ")
    _, column, text = found[0]
    assert (column - 1, text) == (start, body[start : start + len(carets)])


def test_every_problem_of_a_kernel_is_told_at_once() -> None:
    body = "a = zork;\nfloat *p = d;\np[0] = p[1];\nif (foo(a)) {\n    b = c[a];\n}\nreturn 1;"
    codes = [code for code, _, _ in refusals(body)]
    assert codes == ["unknown-name", "bit-reinterpretation", "unknown-function", "type-error", "type-error"]


def test_what_a_refused_name_touches_is_no_second_problem() -> None:
    assert [code for code, _, _ in refusals("static float q;\nq = q + zork;")] == [
        "static-local",
        "unknown-name",
    ]


def test_all_operands_of_an_expression_are_looked_at() -> None:
    assert [text for _, _, text in refusals("a = p + q * x[r] - fmaxf(s, t);")] == ["p", "q", "r", "s", "t"]


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(Rejected) as caught:
        lowered("float scale = 1;\na = scael * sinff(b);")
    assert [d.label.partition("; ")[2] for d in caught.value.diagnostics] == [
        "did you mean `scale`?",
        "did you mean `sinf`?",
    ]


def test_an_assignment_to_const_shows_the_declaration() -> None:
    with pytest.raises(Rejected) as caught:
        lowered("c[0] = a;")
    ((span, words),) = caught.value.diagnostics[0].related
    assert (span.text, words) == ("const float *c", "declared here")


FUNCTIONS = [
    ("__device__ float f(const float **p) { return p[0][0]; }", "a = f(x);", "pointer-parameter"),
    ("__device__ void f(float v) { return v; }", "f(a);", "type-error"),
    ("__device__ float f(float v) { if (v > 0) return v; }", "a = f(a);", "missing-return"),
    ("__device__ float f(float v) { return; }", "a = f(a);", "type-error"),
    ("__device__ void f(float v) { }", "a = f(a);", "type-error"),
    ("__device__ float f(float v) { return v; }", "a = f(a, b);", "wrong-arguments"),
    ("__device__ float f(float v) { return v; }", "a = f(&a);", "address-of"),
    ("__device__ float f(float v) { return v > 0 ? f(v - 1) : v; }", "a = f(a);", "recursion"),
    ("__device__ float4 f(float v);", "a = f(a);", "not-defined"),
    ("__device__ float *table;", "a = table[0];", "pointer-variable"),
    ("__device__ float t;\n__device__ float f() { return t; }", "float t = f();", "not-supported"),
    ("__device__ int steps[2];", "n = sizeof(steps);", "not-supported"),
    ("__device__ int f(int v) { return v; } __device__ int f(long v) { return (int)v; }", "n = f(u);",
     "ambiguous-call"),
    ("__device__ float f(double v);\n__device__ float f(float v) { return f((double)v); }\n"
     "__device__ float f(double v) { return f((float)v); }", "a = f(a);", "recursion"),
    ("struct P { float v; __device__ P() { v = 0; } __device__ P(const P &o) { v = o.v; } };",
     "P p = a; a = p.v;", "type-error"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "body", "code"), FUNCTIONS)
def test_a_function_or_variable_of_the_file_is_refused(before: str, body: str, code: str) -> None:
    assert code in [found for found, _, _ in refusals(body, before=before + "\n")]


def test_a_kernel_returns_nothing() -> None:
    text = HEAD.replace("void", "int") + "return 1;\n}\n"
    with pytest.raises(Rejected) as caught:
        parse.program(Source("k.cu", text))
    assert caught.value.diagnostics[0].code is Code.TYPE_ERROR
