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
# # 8. Shuffles
#
# A shuffle moves a value from one lane of a warp to another, without memory. For the chain rule it is an
# assignment whose right-hand side belongs to another thread.

# %%
import kit

import s2sad

kit.show("08_shuffles.cu")

# %% [markdown]
# ## Turn the arrows round
#
# `next = __shfl_sync(mask, v, (lane + 1) % 32)` says: lane 3 gets the v of lane 4. So the v of lane 4 gets
# the adj_next of lane 3:

# %%
kit.touches(
    lambda t: ((t + 1) % 6,),
    range(6),
    range(6),
    "a warp of six lanes",
    ("lane", "v of lane", "adj_v of lane"),
)

# %% [markdown]
# The adjoint is a shuffle again, in the opposite direction:
#
# | the kernel | its adjoint |
# |---|---|
# | `__shfl_sync(m, v, (lane + 1) % 32)` | `__shfl_sync(m, adj, (lane + 31) % 32)` |
# | `__shfl_down_sync(m, v, d)` | `__shfl_up_sync(m, adj, d)`, for the lanes that were read |
# | `__shfl_up_sync(m, v, d)` | `__shfl_down_sync(m, adj, d)`, for the lanes that were read |
# | `__shfl_xor_sync(m, v, d)` | `__shfl_xor_sync(m, adj, d)`: it is its own opposite |
# | all lanes read lane 0 | a sum over the warp, which lane 0 gets |

# %% [markdown]
# "For the lanes that were read": in `__shfl_down_sync(m, v, 4)`, lanes 0 to 3 aren't read by anyone else,
# so they get nothing. The opposite shuffle gives them *their own* value, as it does at every end of a warp.
# Adding that is a typical mistake.

# %% [markdown]
# ## A sum over the warp
#
# In lines 8 and 9 each lane adds what its partner has, in five rounds. All partners are read exactly once
# per round, and the opposite of xor is xor. So the adjoint of the sum is the same sum, with the rounds in
# reverse order:

# %%
adjoint = s2sad.transform("08_shuffles.cu")
kit.body(adjoint)

# %% [markdown]
# No array, no atomic. Line 10 is where the two ways from v to y part: directly, and through the sum. They
# meet again in line 7, `adj_v += adj_sum`.
#
# All lanes must take part in a shuffle, in the adjoint as in the kernel. A shuffle under `if (i < n)` is
# wrong in either. The emitted adjoint tests at the beginning that the block consists of whole warps, since
# the kernel relies on it.

# %%
kit.verdict(s2sad.check("08_shuffles.cu"))

# %% [markdown]
# ## One thread, with numbers
#
# In each trip, `adj_sum` grows by the partner's value. After five trips all lanes have the same sum.

# %%
kit.command("trace 08_shuffles.cu --thread 0,3 --limit 40")

# %% [markdown]
# ## Exercise: rotate

# %%
kit.exercise("rotate")

# %% [markdown]
# The same direction once more: each adjoint ends up two lanes from where it belongs.

# %%
kit.mark("rotate", {2: "    adj_v += __shfl_sync(0xffffffffu, adj_next, (lane + 1) % 32);"})

# %% [markdown]
# ## Exercise: warp_sum

# %%
kit.exercise("warp_sum")

# %% [markdown]
# Without `if (lane >= d)`:

# %%
kit.mark(
    "warp_sum",
    {
        2: """
    for (int d = 1; d <= 16; d *= 2)
        adj_v += __shfl_up_sync(0xffffffffu, adj_v, d);
"""
    },
)
