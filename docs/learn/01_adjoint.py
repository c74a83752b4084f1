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
# # 1. What an adjoint is
#
# A kernel computes outputs from inputs. Somewhere behind it, a program makes one number J of the outputs: a
# loss, an energy, an error. To make J smaller, one needs dJ/dx for each input x.
#
# The *adjoint* of a value v is dJ/dv, the derivative of the final number by that value. It is written
# `adj_v`. Every value has one: inputs, outputs, and all that is computed in between.

# %% [markdown]
# ## One statement
#
# Take `y = a * x`. If J changes by `adj_y` for each unit of y, then by how much for each unit of x? A unit
# of x changes y by a, so
#
#     adj_x = a * adj_y
#     adj_a = x * adj_y
#
# That is the chain rule, read backwards: from the adjoint of the result to the adjoints of the operands.
# Each operand gets the adjoint of the result times the *partial*, the derivative of this one statement by
# this operand.

# %% [markdown]
# ## Two statements

# %%
import kit

import s2sad

kit.show("01_adjoint.cu")

# %% [markdown]
# The kernel is a graph: values are its nodes, and each operand of a statement has an edge to the result,
# with the partial written on it.

# %%
kit.graph(
    [
        ("a[i]", "s", "x[i]"),
        ("x[i]", "s", "a[i]"),
        ("s", "y[i]", "1 + cos(s)"),
        ("y[i]", "J", "adj_y[i]"),
    ],
    "values go right, adjoints go left",
)

# %% [markdown]
# Values go from left to right. Adjoints go from right to left: start at J with 1, and multiply by the
# partial on each edge that you cross. J isn't part of the kernel. What comes from there is handed to the
# adjoint kernel as an array, the *seed*, `adj_y[i]`.
#
# Where several edges leave a node, the node gets something over each of them, and it is added up. In line 8
# s is read twice, once as it is and once by the sine: 1 from the first, cos(s) from the second.

# %% [markdown]
# ## The adjoint kernel
#
# So the adjoint of a kernel has the statements of the kernel in reverse order, each replaced by one line
# for each of its operands. Here is the one that s2sad writes.

# %%
adjoint = s2sad.transform("01_adjoint.cu")
kit.body(adjoint)

# %% [markdown]
# Read it from the comment `8:` down. Line 8 comes first, because it was last. `adj_s` is a local variable
# like s, and `g_y` is only a name for the seed. `adj_a` and `adj_x` are arrays, given by the caller, and
# the kernel *adds* to them: if another kernel reads x too, both contributions belong to dJ/dx.
#
# The line before, `float s = a[i] * x[i]`, is the forward sweep: the partial cos(s) needs the value of s,
# so it is computed again.

# %% [markdown]
# ## Is it right?
#
# Differences tell: change x[i] a little, run the kernel, and see by how much J changes. `s2sad check` does
# that for each element, in double precision. It also watches every access to memory.

# %%
kit.verdict(s2sad.check("01_adjoint.cu"))

# %% [markdown]
# One launch of the adjoint gives the derivatives by *all* inputs. Differences need a launch, or two, for
# each of them. That is why adjoints are worth writing.

# %% [markdown]
# ## One thread, with numbers
#
# `s2sad trace` runs one thread and shows each line with its values: first the kernel, then the adjoint,
# with the line of the kernel in the column *of*. Follow the seed `adj_y[3]` from row 4 to `adj_a[3]` and
# `adj_x[3]`.

# %%
kit.command("trace 01_adjoint.cu --thread 0,3")

# %% [markdown]
# ## Exercise: square
#
# Now it is your turn. `s2sad lesson square` writes this file to your folder:

# %%
kit.exercise("square")

# %% [markdown]
# Fill the gap, and let `s2sad lesson check square.cu` mark it. In this notebook, `kit.mark` does the same
# with what you write between the quotes. The answer below is a common mistake: the derivative is right, the
# array isn't.

# %%
kit.mark("square", {1: "        adj_x[i] = (2.0f * x[i] + 3.0f) * adj_y[i];"})

# %% [markdown]
# ## Exercise: blend
#
# Three inputs, and a value in between. Go back in two steps: from y to s, then from s to each input.

# %%
kit.exercise("blend")

# %% [markdown]
# Here someone forgot the minus sign in front of `w[i]`.

# %%
kit.mark(
    "blend",
    {
        2: """
        adj_u[i] += w[i] * adj_s;
        adj_v[i] += (1.0f - w[i]) * adj_s;
        adj_w[i] += (u[i] + v[i]) * adj_s;
"""
    },
)

# %% [markdown]
# `s2sad lesson blend --answer` prints the reference answer. Yours may look different: it is judged by what
# it computes.
