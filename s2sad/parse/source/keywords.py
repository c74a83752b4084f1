"""The reserved words of CUDA C++, and pycparser's token class of each."""

from __future__ import annotations

from . import pp_tokens
from .pp_tokens import Lexeme, words

FUNCTION = words(
    "__global__ __device__ __host__ __forceinline__ __noinline__ inline __inline__ __inline _Noreturn"
)


STORAGE = words("__shared__ __constant__ __managed__ static extern register constexpr thread_local")


RESTRICT = words("__restrict__ __restrict restrict")


_SAME = words(
    "break case char const continue default do double else enum float for goto if int long return short "
    "signed sizeof struct switch typedef union unsigned void volatile while"
)


_CLASS = words("class this operator friend virtual typeid typename decltype using namespace")


WORDS = {
    **{word: word.upper() for word in _SAME},
    **dict.fromkeys(FUNCTION, "INLINE"),
    **dict.fromkeys(STORAGE, "STATIC"),
    **dict.fromkeys(RESTRICT, "RESTRICT"),
    **dict.fromkeys(_CLASS, "CLASS"),
    **dict.fromkeys(("const_cast", "reinterpret_cast", "dynamic_cast"), "OTHER_CAST"),
    **dict.fromkeys(("asm", "__asm__", "__asm"), "ASM"),
    **dict.fromkeys(("try", "catch", "throw"), "EXCEPTION"),
    **dict.fromkeys(("new", "delete"), "HEAP"),
    "__signed__": "SIGNED",
    "__volatile__": "VOLATILE",
    "__const": "CONST",
    "__const__": "CONST",
    "__grid_constant__": "CONST",
    "bool": "_BOOL",
    "_Bool": "_BOOL",
    "true": "BOOL_CONST",
    "false": "BOOL_CONST",
    "nullptr": "NULLPTR",
    "static_assert": "_STATIC_ASSERT",
    "_Static_assert": "_STATIC_ASSERT",
    "static_cast": "STATIC_CAST",
    "alignof": "_ALIGNOF",
    "_Alignof": "_ALIGNOF",
    "__alignof__": "_ALIGNOF",
    "__alignof": "_ALIGNOF",
    "template": "TEMPLATE",
}


ALTERNATIVES = {
    "and": "&&",
    "or": "||",
    "not": "!",
    "bitand": "&",
    "bitor": "|",
    "xor": "^",
    "compl": "~",
    "not_eq": "!=",
    "and_eq": "&=",
    "or_eq": "|=",
    "xor_eq": "^=",
}


STD = frozenset({"std"})


def is_name(token: Lexeme | None) -> bool:
    """Whether this token, before a `::`, ends the name of a scope."""
    return token is not None and (
        token.value == ">" or (token.type == pp_tokens.ID and token.value not in WORDS)
    )
