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
# # 6. Threads that share
#
# So far each thread had its own elements. Most kernels read elements of other threads as well.

# %%
import kit

import s2sad

kit.show("06_threads.cu")

# %% [markdown]
# Thread i reads three elements and stores one. Reading is harmless: any number of threads may read x[5].
# Now turn the arrows round.

# %%
kit.touches(lambda t: (t - 1, t, t + 1), range(6), range(6), "blur")

# %% [markdown]
# **What many threads read, many threads add to.** In the adjoint, thread i adds to adj_x[i - 1], adj_x[i]
# and adj_x[i + 1], while its neighbours add to the same elements.
#
# `adj_x[i + 1] += g` is a load, an addition and a store. If two threads load before either stores, one of
# the two contributions is lost. This is a *race*. On a GPU it shows as a gradient that is a little wrong,
# and different in each run.

# %% [markdown]
# ## The ways out
#
# * `atomicAdd(&adj_x[i + 1], g)` does the three steps in one. It is always right. It costs time where many
#   threads meet at one element, and the order of the additions, so the last digits, differ from run to run.
# * A *proof* that no two threads meet. Then `+=` is right, and fast. For `adj_x[i]` with i = the thread's
#   index there is one: different threads have different i.
# * Turning the sum round: thread i *gathers* all that belongs to adj_x[i]. That is possible where one knows
#   who reads it.

# %%
adjoint = s2sad.transform("06_threads.cu")
kit.header(adjoint)
kit.body(adjoint)

# %% [markdown]
# s2sad uses `+=` only with a proof; the header says why there is none here.
#
# Note the guards. Line 9 reads x[i + 1] only if i + 1 < n. So its adjoint adds to adj_x[i + 1] only if i +
# 1 < n: what didn't happen has no adjoint, and the address would be outside of the array.

# %% [markdown]
# ## Races don't show in values
#
# Run this adjoint on a CPU without atomics, one thread after the other, and the result is right. That is
# why `s2sad check` and `s2sad audit` don't only look at values: they watch every access, and report two
# threads that touch one element without an order.

# %%
kit.verdict(s2sad.check("06_threads.cu"))

# %% [markdown]
# ## One thread, with numbers
#
# At the end, *where it went*: the sums in adj_x are this thread's contribution and those of its neighbours.

# %%
kit.command("trace 06_threads.cu --thread 0,3")

# %% [markdown]
# ## Exercise: stencil

# %%
kit.exercise("stencil")

# %% [markdown]
# A plain += for the neighbour on the right. The values are right, the kernel isn't.

# %%
kit.mark("stencil", {2: "        if (i + 1 < n)\n            adj_x[i + 1] += adj_y[i];"})

# %% [markdown]
# ## Exercise: gather
#
# An index from memory: nobody knows who else has it.

# %%
kit.exercise("gather")

# %% [markdown]
# Here the contribution goes to this thread's own number instead of the element that it has read.

# %%
kit.mark("gather", {2: "        atomicAdd(&adj_x[i], w[i] * adj_y[i]);"})
