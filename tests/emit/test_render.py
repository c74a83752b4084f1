"""The emitted file, word for word, for an adjoint built by hand."""

from __future__ import annotations

from emit_kit import relax

from s2sad.emit import primal_text, render
from s2sad.emit.explain import annotated, page

EXPECTED = """\
// relax_adj: adjoint of relax (relax.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform relax.cu --of y --wrt x,w
//
// Call with x, w as they were before relax. Seed adj_y with dJ/dy: it is left alone,
// because relax stores each y[i] once. dJ/dx is added to adj_x, dJ/dw to adj_w.
//
// What the reverse sweep needs, and where it finds it:
//   s   tape_s[STEPS], registers   sinf(s) needs it; line 12 overwrites it
//   i   recomputed                 thread index only
//
// How adjoints are added up:
//   adj_x[i]   +=, one owner   i is the thread's own
//   adj_w[k]   atomicAdd       every thread reads the same w[k]
//
// Assumed: relax has no races, x, w and y don't overlap, no index wraps.

#define BLOCK 64
#define STEPS (HALF * 2)
#define HALF 4

extern "C" __global__ void relax_adj(const float *x, float *adj_x,
                                     const float *w, float *adj_w,
                                     float *y, const float *adj_y, int n)
{
    // ---- forward sweep: relax again, recording what it overwrites -----------

    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;

    float tape_s[STEPS];
    float s = x[i];  // a start
    for (int k = 0; k < STEPS; ++k) {
        tape_s[k] = s;
        s = s + w[k] * sinf(s);
    }

    // ---- reverse sweep: same statements, last to first ----------------------

    float adj_s = 0.0f;

    // 13:  y[i] = s
    adj_s += adj_y[i];
    for (int k = STEPS - 1; k >= 0; --k) {
        // 12:  s = s + w[k] * sinf(s)
        s = tape_s[k];
        atomicAdd(&adj_w[k], sinf(s) * adj_s);
        adj_s += w[k] * cosf(s) * adj_s;
    }

    // 10:  float s = x[i]
    adj_x[i] += adj_s;
    adj_s = 0.0f;
}
"""


def test_the_file_reads_as_a_colleague_would_have_written_it() -> None:
    assert render(relax()) == EXPECTED


def test_the_same_adjoint_gives_the_same_bytes() -> None:
    assert render(relax(tape=True)) == render(relax(tape=True))


def test_macros_travel_only_if_named_and_with_what_they_need() -> None:
    text = render(relax())
    assert "#define HALF 4" in text
    assert "UNUSED" not in text


def test_a_tape_comes_with_its_host_function_in_64_bit_arithmetic() -> None:
    text = render(relax(tape=True))
    assert 'extern "C" size_t relax_adj_tape_bytes(dim3 grid, dim3 block, int n)' in text
    assert "threads * ((long long)n * STEPS + 1) * sizeof(float) + 15) / 16 * 16;" in text
    assert text.index("#ifndef __CUDACC_RTC__") < text.index("#endif") < text.index("void relax_adj(")
    assert "tape_bytes" not in render(relax())


def test_the_lesson_skin_adds_the_rule_above_its_accumulation() -> None:
    plain, lesson = render(relax()), render(relax(), skin="lesson")
    added = [line.strip() for line in lesson.splitlines() if line not in plain.splitlines()]
    assert "// d(w[k] * sinf(s))/dw[k] = sinf(s)   rule: *" in added
    assert all(line.startswith("//") for line in added)


def test_the_primal_prints_as_it_was() -> None:
    text = primal_text(relax().program)
    assert "    s = s + w[k] * sinf(s);\n    y[i] = s;\n" in text


def test_the_plan_is_a_page_with_its_costs() -> None:
    adjoint = relax()
    text = page(adjoint.kernel.name, adjoint.command, adjoint.plan)
    assert "| s | 12 | tape_s[STEPS], registers | sinf(s) needs it; line 12 overwrites it | 12 |" in text


def test_an_explanation_stands_below_the_line_it_is_about() -> None:
    lines = [line.strip() for line in annotated(relax()).splitlines()]
    at = lines.index("// 12:  s = s + w[k] * sinf(s)")
    assert lines[at + 1].startswith("//      s: tape_s[STEPS], registers")
