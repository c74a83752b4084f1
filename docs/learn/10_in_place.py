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
# # 10. In place and split
#
# Two things are left that real programs do: kernels that change their inputs, and adjoints that run long
# after the kernel.

# %%
import kit

import s2sad

kit.show("10_in_place.cu")

# %% [markdown]
# ## One array, two values
#
# `u` is input and output. There are two values of u[i]: the one before the kernel, and the one after it.
# Each has an adjoint, and both live in `adj_u`, as both values live in `u`:
#
# * on entry `adj_u` holds dJ/du for the values **after** the kernel;
# * on return it holds dJ/du for the values **before** the kernel.
#
# So `adj_u` is *replaced*, not added to. It is chapter 2 again, with an array instead of a variable.

# %% [markdown]
# For a simulation this is just right. Launch the kernel a hundred times; then launch the adjoint a hundred
# times, last step first. Each launch takes the adjoint of the state from after the step to before it.

# %%
kit.tape(["launch 0", "launch 1", "launch 2"], "u before {0}", "in place: adj_u goes from right to left")

# %%
adjoint = s2sad.transform("10_in_place.cu")
kit.header(adjoint)
kit.body(adjoint)

# %% [markdown]
# `f` is only read, so `adj_f` is added to. The header's list of arguments says which is which: *added*, or
# *overwritten*. It is the first thing to read in any adjoint.
#
# The adjoint takes u "as it was before the kernel" and runs the steps again, to fill its tape. So the
# caller needs a copy of u from before.

# %% [markdown]
# ## Split: record now, go back later
#
# If there is no copy, the kernel itself has to record. `--mode split` writes two kernels: `advance_fwd`
# does what `advance` does, and fills a tape in global memory; `advance_adj` only goes back.

# %%
split = s2sad.transform("10_in_place.cu", mode="split")
kit.body(split)

# %% [markdown]
# The tape has a place for each thread and each step, `tape_u[k * threads]`: neighbouring threads store to
# neighbouring addresses, which a GPU does at once. The file also has a function that computes how many
# bytes the tape needs.
#
# Which one is better? Joint computes the steps twice and needs no memory for a tape. Split computes them
# once, and the tape lives between the two launches.

# %%
kit.verdict(s2sad.check("10_in_place.cu"))
kit.verdict(s2sad.check("10_in_place.cu", mode="split"))

# %% [markdown]
# ## One thread, with numbers
#
# `adj_u[3]` is replaced three times. On entry it holds the seed, at the end the adjoint of u[3] before the
# kernel.

# %%
kit.command("trace 10_in_place.cu --thread 0,3")

# %% [markdown]
# ## Exercise: in_place

# %%
kit.exercise("in_place")

# %% [markdown]
# Added to, as if x were only read. What belonged to the new x[i] is still in it.

# %%
kit.mark("in_place", {2: "        adj_x[i] += (2.0f * x[i] + a[i]) * g;"})

# %% [markdown]
# ## Exercise: split

# %%
kit.exercise("split")

# %% [markdown]
# One place on the tape for all threads: a race in the first kernel, and a wrong gradient in the second.

# %%
kit.mark("split", {1: "            saved[k] = x[i];"})

# %% [markdown]
# ## What now?
#
# You can read any adjoint that s2sad writes. The [examples](../../examples/README.md) are a good start,
# then the [gallery](../gallery.md). For your own backward kernels there is [`s2sad audit`](../audit.md): it
# is what marked your answers, and it takes any pair of kernels.
