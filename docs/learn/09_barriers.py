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
# # 9. Barriers
#
# Shared memory and barriers come last, because they need all of the above: values that others read,
# adjoints that others add to, and an order between the two.

# %%
import kit

import s2sad

kit.show("09_barriers.cu")

# %% [markdown]
# ## What a barrier says
#
# A barrier orders: what any thread of the block does before it is done when any thread goes on after it.
# Here each thread stores its cell of the tile, *barrier*, and each thread reads three cells.

# %%
kit.touches(
    lambda t: (t - 1, t, t + 1), range(6), range(6), "cells of the tile", ("thread", "tile", "adj_tile")
)

# %% [markdown]
# Backwards, stores and reads change places. Each thread adds to three cells of `adj_tile`, *barrier*, and
# each thread reads the adjoint of its own cell. So the adjoint of a barrier is a barrier, at the same place
# of the reversed text.

# %% [markdown]
# ## Two more things
#
# **Clearing.** `adj_tile` is shared memory: it holds garbage. All of it has to be set to zero, the halo
# too, and a barrier has to stand between that and the first addition.
#
# **Adding.** Three threads add to each cell. In shared memory one can use `atomicAdd`. Or the threads take
# turns: first all add to cell t - 1, barrier, all to cell t, barrier, all to cell t + 1. Within a turn no
# two threads meet.

# %%
adjoint = s2sad.transform("09_barriers.cu")
kit.body(adjoint)

# %% [markdown]
# Find the turns: there is a barrier after `adj_tile[t - 1] +=`, and another one after `adj_tile[t] +=`.
# They stand outside of `if (i < n)`, which is why that condition is written three times. A barrier that
# some threads don't reach is an error, even if it seems to work.
#
# The third turn is followed by `block_add_3`, which has a barrier inside, so that one serves both.
#
# At the end the tile's cells go back to x. Cells of the halo belong to two blocks, and blocks have no
# barrier between them: atomics there, plain additions inside. The header has the reasons:

# %%
kit.header(adjoint)

# %% [markdown]
# ## One thread, with numbers
#
# `adj_tile[3]`, `[4]` and `[5]` get something in three turns. What thread 3 takes home to `adj_x[3]` is
# cell 4, its own: with what the neighbours have added to it.

# %%
kit.command("trace 09_barriers.cu --thread 0,3 --limit 50")

# %% [markdown]
# ## Exercise: mirror

# %%
kit.exercise("mirror")

# %% [markdown]
# Two turns, but no barrier between them:

# %%
kit.mark(
    "mirror",
    {
        2: """
    adj_tile[t] += tile[BLOCK - 1 - t] * g;
    adj_tile[BLOCK - 1 - t] += tile[t] * g;
    __syncthreads();
"""
    },
)

# %% [markdown]
# ## Exercise: tile
#
# The whole thing: a tile with a halo. This is the adjoint that real kernels need.

# %%
kit.exercise("tile")

# %% [markdown]
# Here the cells of the halo aren't cleared. They add garbage to the gradient of two elements per block.

# %%
kit.mark("tile", {1: "    adj_cell[t] = 0.0f;"})

# %% [markdown]
# ## Exercise: find the fault
#
# Reviewing an adjoint is a skill of its own. `s2sad mutate` plants one realistic fault in an emitted
# adjoint, in one line. Find it by reading, then ask.

# %%
kit.command("transform 09_barriers.cu -o smooth_adj.cu", folder=kit.SCRATCH)
kit.command("mutate smooth_adj.cu --primal 09_barriers.cu --seed 2 -o find_me.cu", folder=kit.SCRATCH)
kit.kernel_of("find_me.cu")

# %% [markdown]
# The adjoint above is right, this one isn't. The next cell tells.

# %%
kit.command("mutate find_me.cu --primal 09_barriers.cu --reveal", folder=kit.SCRATCH)

# %% [markdown]
# Other numbers for `--seed` plant other faults.
