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
# # 7. Reductions
#
# Two cases of sharing are so common that they have names. In a *reduction* all threads add to one number.
# In a *broadcast* all threads read one number. Each is the adjoint of the other.

# %%
import kit

import s2sad

kit.show("07_reductions.cu")

# %% [markdown]
# This kernel has both. Every thread reads scale[0]; every thread adds to loss[0].

# %%
kit.touches(
    lambda t: (2,), range(5), [2], "one element for all", ("thread", "scale", "adj_scale"), lambda k: "0"
)

# %% [markdown]
# ## The adjoint of a sum reads
#
# `loss = r0 + r1 + r2 + ...` has the partial 1 by each term. So every thread gets all of `adj_loss[0]`. It
# reads one number: no atomic is left.
#
# ## The adjoint of a broadcast is a sum
#
# Every thread has a contribution to `adj_scale[0]`. An `atomicAdd` in each thread is right, but a million
# threads at one address wait for each other. It is better to add up a warp by shuffles, then the warps of a
# block through shared memory, and to finish with one atomic for each block.

# %%
adjoint = s2sad.transform("07_reductions.cu")
print(adjoint.source[adjoint.source.index("// Block-wide sum") :])

# %% [markdown]
# One detail matters: `block_add` has a barrier inside, and shuffles, so *all* threads of the block must
# call it. It stands outside of `if (i < n)`. Threads without an element take part with `adj_scale0 = 0`,
# which changes no sum.

# %% [markdown]
# ## The order of a sum
#
# Floating-point addition isn't associative. Atomics add in the order in which threads happen to arrive, so
# the last digits of `adj_scale[0]` may differ between two runs. Within a block the order is fixed. If you
# need the same bits each time, s2sad can refuse such sums: `--accumulate deterministic`.

# %%
kit.verdict(s2sad.check("07_reductions.cu"))

# %% [markdown]
# ## One thread, with numbers
#
# The last row hands this thread's part, `adj_scale0`, to `block_add`; what is in `adj_scale[0]` after the
# launch is the sum of all threads.

# %%
kit.command("trace 07_reductions.cu --thread 0,3")

# %% [markdown]
# ## Exercise: dot

# %%
kit.exercise("dot")

# %% [markdown]
# An index too many: there is one adj_out[0] for all.

# %%
kit.mark(
    "dot",
    {
        1: """
        adj_x[i] += y[i] * adj_out[i];
        adj_y[i] += x[i] * adj_out[i];
"""
    },
)

# %% [markdown]
# ## Exercise: gain
#
# Write a reduction yourself, with shared memory and barriers.

# %%
kit.exercise("gain")

# %% [markdown]
# Without the barrier, a round may read what the round before hasn't stored yet.

# %%
kit.mark("gain", {2: "        if (t < half)\n            sums[t] += sums[t + half];"})
