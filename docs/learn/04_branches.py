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
# # 4. Branches
#
# Of a branch, only one side runs. So only that side has an adjoint, and the condition has none: a small
# change of its operands doesn't change which side runs.

# %%
import kit

import s2sad

kit.show("04_branches.cu")

# %% [markdown]
# Each thread goes one of three ways, and each way is straight:

# %%
kit.graph(
    [("x[i]", "s (first side)", "1"), ("t[i]", "s (first side)", "-1"), ("s (first side)", "y[i]", "2 s")],
    "where x > t",
)
kit.graph(
    [("0", "s (last side)", ""), ("s (last side)", "y[i]", "2 s")], "where x is small: nothing reaches it"
)

# %% [markdown]
# On the last side s is a constant. Its adjoint ends there: `adj_s = 0`.

# %% [markdown]
# ## Which side was it?
#
# The reverse sweep has to ask the same question as the kernel. But line 8 asks for s, and lines 9 to 13
# overwrite s. After the branch, `s > t[i]` is another question.

# %%
adjoint = s2sad.transform("04_branches.cu")
kit.body(adjoint)

# %% [markdown]
# So what the condition reads is a value that is needed, like the operand of a sine: here it is `tape_s`.
# Instead of the value one can keep the answer, in a bool. If the condition reads memory that another thread
# may change, one must.

# %% [markdown]
# ## At the corner
#
# What is the derivative where s equals t exactly? There is none: the slope differs on the two sides. The
# adjoint returns the slope of the side that ran. For optimisation that is fine. It does mean that an
# adjoint never sees that a *jump* is near: if one side is 5 and the other is 7, the derivative is zero on
# both.

# %%
kit.verdict(s2sad.check("04_branches.cu"))

# %% [markdown]
# ## One thread, with numbers
#
# Thread 3 takes the first side, and so does its adjoint. Try other threads: which one takes the last side,
# so that nothing reaches `adj_x`?

# %%
kit.command("trace 04_branches.cu --thread 0,3")

# %% [markdown]
# ## Exercise: huber

# %%
kit.exercise("huber")

# %% [markdown]
# The absolute value is a branch too. Here its sign was forgotten; only some of the elements are wrong.

# %%
kit.mark(
    "huber",
    {
        1: """
        if (fabsf(r) < 1.0f)
            adj_r += r * adj_loss[i];
        else
            adj_r += adj_loss[i];
"""
    },
)

# %% [markdown]
# ## Exercise: fold
#
# A branch that overwrites what its condition reads.

# %%
kit.exercise("fold")

# %% [markdown]
# Asking again, too late:

# %%
kit.mark(
    "fold",
    {
        3: """
        if (s < 1.0f)
            adj_s = -2.0f * tape_s * adj_s;
        else
            adj_s = 3.0f * adj_s;
"""
    },
)
