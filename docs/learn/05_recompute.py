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
# # 5. Recompute or store
#
# Each value that the reverse sweep needs can be had in several ways:
#
# * it is **still there**: in its variable, or in an array that nobody has overwritten;
# * it is on the **tape**: one store and one load, and memory;
# * it is **computed again**, from values that can be had;
# * it is **computed back**: after `s = s + b`, the old s is s - b.
#
# Which one is best is a question of cost, not of truth. All give the same derivative.

# %%
import kit

import s2sad

kit.show("05_recompute.cu")

# %% [markdown]
# Line 12 needs the old s, the rate, and the exponential. Let us see what s2sad does.

# %%
adjoint = s2sad.transform("05_recompute.cu")
kit.body(adjoint)

# %% [markdown]
# `s` comes from a tape: to compute it again for iteration 15, one would have to run 14 iterations. `rate`
# is a multiplication of something that is still there: a tape for it would cost more than it saves. Each
# decision, with its cost and the cost of the other way:

# %%
print(adjoint.plan.table())

# %% [markdown]
# `--store` and `--recompute` choose the other way. The derivative stays the same, the cost changes:

# %%
stored = s2sad.transform("05_recompute.cu", store="rate")
kit.header(stored)

# %% [markdown]
# ## Derivatives by the result
#
# Of exp(x) the derivative is exp(x) again: keep the *result*, and nothing has to be computed. The same goes
# for tanh (1 - r * r), sqrt (0.5 / r) and 1 / x (-r * r). `s2sad rules tanh` prints how s2sad does it.

# %%
kit.command("rules tanh")
kit.command("rules sqrt")

# %% [markdown]
# ## A long loop on a short tape
#
# A tape of a million iterations is too long, and computing each value from the start takes half a million
# times a million. In between there is a good compromise. Keep one value for each *segment* of the loop. In
# the reverse sweep, take the segments from the last to the first: run each one again, now with a tape, then
# go back through it. For N iterations, a tape of about 2 * sqrt(N) is enough, and every iteration runs
# twice.

# %%
kit.tape(
    ["steps 0-3", "steps 4-7", "steps 8-11", "steps 12-15"],
    "snapshot[{0}]",
    "16 steps in 4 segments: 4 snapshots, and a tape of 4 that each segment uses again",
)

# %% [markdown]
# ## One thread, with numbers
#
# `s` comes from the tape, `rate` is computed again in each trip.

# %%
kit.command("trace 05_recompute.cu --thread 0,3 --limit 24")

# %% [markdown]
# ## Exercise: gate

# %%
kit.exercise("gate")

# %% [markdown]
# Right idea, wrong variable: 1 - x * x instead of 1 - t * t.

# %%
kit.mark("gate", {2: "        adj_x[i] += (1.0f - x[i] * x[i]) * adj_t;"})

# %% [markdown]
# ## Exercise: segments
#
# Write the compromise yourself.

# %%
kit.exercise("segments")

# %% [markdown]
# A segment that begins at the snapshot of its neighbour:

# %%
kit.mark(
    "segments",
    {
        2: """
            s = snapshot[segment > 0 ? segment - 1 : 0];
            for (int k = 0; k < LENGTH; ++k) {
                tape_s[k] = s;
                s = s + w[i] * sinf(s);
            }
"""
    },
)
