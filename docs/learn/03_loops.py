# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 3. Loops and tapes
#
# A loop is a list of statements, written short. So its adjoint is the same list, backwards.

# %%
import kit

import s2sad

kit.show("03_loops.cu")

# %% [markdown]
# Written out, with s0 for the value before the first iteration:
#
#     s1 = s0 + w0 * s0 * s0
#     s2 = s1 + w1 * s1 * s1
#     s3 = s2 + w2 * s2 * s2
#     s4 = s3 + w3 * s3 * s3
#
# The adjoint of the last line comes first. With g for the adjoint of the new s:
#
#     adj_w[k] += s * s * g
#     adj_s     = (1 + 2 * w[k] * s) * g
#
# Here s is the value that iteration k began with. All of them are overwritten and all of them are needed,
# so the tape has an element for each iteration.

# %%
kit.tape(["s1 = f(s0)", "s2 = f(s1)", "s3 = f(s2)", "s4 = f(s3)"], "tape_s[{0}] = s{0}", "four iterations")

# %% [markdown]
# The forward sweep writes the tape from the left to the right, the reverse sweep reads it from the right to
# the left.

# %%
adjoint = s2sad.transform("03_loops.cu")
kit.body(adjoint)

# %% [markdown]
# Three things to check in any loop like this, yours or a tool's:
#
# 1. **The order.** `k` runs from `STEPS - 1` down to 0. The last iteration's adjoint makes what the one
#    before needs.
# 2. **The index of the tape.** `tape_s[k]` is recorded *before* s is overwritten. Recorded after it,
#    everything is off by one.
# 3. **The order inside of an iteration.** `adj_w` gets its part while `adj_s` still belongs to the new s.

# %% [markdown]
# ## What a tape costs
#
# `STEPS` floats for each thread. With a constant number of steps they may stay in registers; with more,
# they go to local memory; with a number that is only known at run time, to an array in global memory. The
# header says which, and how much. Chapter 5 is about needing less.

# %% [markdown]
# ## One thread, with numbers
#
# The tape is written in the trips 1, 2, 3, 4 and read in the opposite order. The column *trip* counts the
# iterations as they run: the first trip of the reverse sweep has k = 3.

# %%
kit.command("trace 03_loops.cu --thread 0,3 --limit 40")

# %% [markdown]
# ## Exercise: logistic

# %%
kit.exercise("logistic")

# %% [markdown]
# Two lines in the wrong order: `adj_s` has changed when `adj_r` needs it.

# %%
kit.mark(
    "logistic",
    {
        2: """
        for (int k = STEPS - 1; k >= 0; --k) {
            adj_s = r[i] * (1.0f - 2.0f * tape_s[k]) * adj_s;
            adj_r[i] += tape_s[k] * (1.0f - tape_s[k]) * adj_s;
        }
"""
    },
)

# %% [markdown]
# ## Exercise: horner
#
# A polynomial, by Horner's rule. Three operands, three lines, one loop.

# %%
kit.exercise("horner")

# %% [markdown]
# And the loop in the order of the kernel:

# %%
kit.mark(
    "horner",
    {
        1: """
        for (int k = 0; k < TERMS; ++k) {
            adj_c[k * n + i] += adj_p;
            adj_x[i] += tape_p[k] * adj_p;
            adj_p = x[i] * adj_p;
        }
"""
    },
)
