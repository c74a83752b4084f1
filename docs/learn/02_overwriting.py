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
# # 2. Overwriting
#
# Programs reuse their variables. Mathematics doesn't, and the chain rule is mathematics. This chapter is
# about the two things that follow: old values have to be kept, and old adjoints have to go.

# %%
import kit

import s2sad

kit.show("02_overwriting.cu")

# %% [markdown]
# ## Three variables of one name
#
# Line 8 reads the s of line 7 and stores another s. Give each its own name, and the kernel is a graph
# again.

# %%
kit.graph(
    [
        ("x[i]", "s7", "1"),
        ("s7", "s8", "x[i]"),
        ("x[i]", "s8", "s7"),
        ("s8", "s9", "-sin(s8)"),
        ("s9", "y[i]", "2 s9"),
    ],
    "s7, s8 and s9 are the values of s after lines 7, 8 and 9",
)

# %% [markdown]
# The partials name the values that the reverse sweep needs: s7, s8 and s9. When it begins, s holds s9. The
# other two have been overwritten.

# %% [markdown]
# ## Keep what is needed and lost

# %%
adjoint = s2sad.transform("02_overwriting.cu")
kit.body(adjoint)

# %% [markdown]
# Before line 8 overwrites s, its value goes into `tape_s`; before line 9 overwrites it, into `tape_s_2`. A
# place for such values is called a *tape*. Here two registers are enough.
#
# Not every value that is overwritten has to be kept. A value is *to be recorded* if it is overwritten
# **and** a partial needs it. After `s = s + 3`, nobody asks for the old s: the partial is 1. s2sad lists
# its decisions in the header:

# %%
kit.header(adjoint)

# %% [markdown]
# ## One adjoint for each value, one variable for all
#
# There are three values of s, so there are three adjoints. They live in one variable, `adj_s`, as the
# values do. What does `s = cosf(s)` make of it? Before the statement's adjoint runs, `adj_s` belongs to the
# new s. Afterwards it must belong to the old one:
#
#     adj_s = -sin(tape_s_2) * adj_s
#
# It is `=`, not `+=`. In full, there are three steps:
#
#     g = adj_s                          what arrived for the new s
#     adj_s = 0                          nothing has arrived for the old one yet
#     adj_s += -sin(tape_s_2) * g        here it comes
#
# The middle step is the one that is forgotten. Where a statement overwrites a variable without reading it,
# `t = 2 * s`, only this step is left of the adjoint of t: `adj_t = 0`. What came before the statement has
# no influence on what comes after it.

# %% [markdown]
# ## One thread, with numbers
#
# See when each value goes to the tape and when it is used again: `tape_s_2` comes back first, since it was
# recorded last.

# %%
kit.command("trace 02_overwriting.cu --thread 0,3")

# %% [markdown]
# ## Exercise: overwrite

# %%
kit.exercise("overwrite")

# %% [markdown]
# The most common mistake is to use the value that is at hand instead of the one that was read. In gap 3,
# this is s instead of x[i]:

# %%
kit.mark("overwrite", {3: "        adj_s = 2.0f * s * adj_s;"})

# %% [markdown]
# ## Exercise: reuse
#
# One variable for two purposes. Mind the line that overwrites t without reading it.

# %%
kit.exercise("reuse")

# %% [markdown]
# This answer doesn't clear `adj_t`, so a part of it goes to the old t, and from there to x.

# %%
kit.mark("reuse", {2: "        adj_s += 2.0f * adj_t;"})
