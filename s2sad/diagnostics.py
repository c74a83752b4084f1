"""Every message in one table, and the exception that carries them.

A title states the fact, a label the fault at this place, a note why derivatives
care, a help what to do. All are format strings over the keyword arguments of
`diagnose`; each part is formatted by itself, because C source is full of braces.
Lower case, no full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from .source import Span

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, eq=False)  # by identity: an Enum would make two messages of one text one code
class Message:
    title: str
    label: str = ""
    note: str = ""
    help: str = ""
    severity: Severity = "error"


class Code(Enum):
    """The stable textual code is the member's name in lower case with hyphens."""

    # ---- the file and the command --------------------------------------------
    USAGE = Message(title="{what}", help="{help}")
    NOT_BUILT = Message(title="{what} isn't built yet", help="{help}")
    UNREADABLE = Message(title="cannot read {file}: {reason}")
    NOT_UTF8 = Message(
        title="{file} isn't UTF-8 text",
        label="this byte doesn't begin or continue a character",
        help="save the file as UTF-8; outside comments CUDA-C needs ASCII only",
    )
    NOT_TEXT = Message(
        title="{file} is a binary file",
        label="a zero byte",
        help="name the .cu file, not what was compiled from it",
    )
    UNWRITABLE = Message(title="cannot write {file}: {reason}", note="nothing was written")
    OUTPUT_IS_INPUT = Message(
        title="-o names the file that is read: {file}",
        note="the primal would be lost",
        help="name another file: -o {suggestion}",
    )
    STALE = Message(
        title="{file} isn't what {command} writes",
        note="first difference: line {line}",
        help="to see the difference: --diff; to write it: leave --check out",
    )
    WOULD_OVERWRITE = Message(
        title="{file} exists already", note="nothing was copied", help="move it away, or go to another folder"
    )
    NO_SUCH_EXAMPLE = Message(title="there is no example {name}", help="{help}")
    NO_SUCH_RULE = Message(title="there is no rule for {name}", help="{help}")
    RULES_NOT_TOML = Message(
        title="the rules of {file} aren't TOML: {why}", label="not understood from here on"
    )
    RULE_KEY = Message(
        title="[{rule}] has an unknown key {key}",
        label="not one of a rule's keys",
        help="a rule has dx, dy, … or constant or refused, and args, singular, kink, literal, instead, "
        "try, at",
    )
    RULE_VALUE = Message(title="{key} of [{rule}] must be {wanted}", label="is something else")
    RULE_EMPTY = Message(
        title="[{rule}] has neither a partial nor a reason for having none",
        label="this entry",
        help='say dx = "…", or constant = "why it has no derivative"',
    )
    RULE_PARAMETER = Message(
        title="args of [{rule}]: `{text}` isn't a parameter",
        label="a name is wanted, with `int` before it or `&`; r is the result",
        help='args = "x, int n, &s": a real, an integer, an output',
    )
    RULE_ARGUMENT = Message(
        title="{key} of [{rule}]: {name} is no real argument or result of it",
        label="a partial is that of a real result with respect to a real argument",
        help="name the parameters in order in args",
    )
    RULE_FORMULA = Message(
        title="{key} of [{rule}]: {why}",
        label="here",
        help="a formula is a C expression over the arguments and r, the result",
    )
    RULE_MISFIT = Message(
        title="the rule for {name} is about other parameters: {args}",
        label="the function's parameters differ in number or kind",
        note="the partials would go to the wrong arguments",
        help="give args in the rule, one name for each parameter, `int` before integers",
    )
    RULE_MEETING = Message(
        title="a rule for `{name}`, in which threads meet",
        label="they do so here",
        note="what they exchange there, a rule for one thread's arguments can't say",
        help="leave the rule out: the function is written into the kernel and differentiated there",
    )
    SEVERAL_KERNELS = Message(
        title="{file} holds {count} kernels, and none is chosen",
        label="the first one",
        help="choose one:\n{commands}",
    )
    OVERLOADED_KERNEL = Message(
        title="{count} kernels are named {name}, and which is meant can't be told",
        label="the first one",
        note="the launch chooses among them by its arguments, and host code isn't read",
        help="choose one:\n{commands}",
    )
    SPECIALISATION_OPEN = Message(
        title="whether the template {name} with {arguments} is this specialisation can't be told",
        label="this one",
        help="give each parameter as a plain type or number, as in --template T=float; or take this one: "
        "--kernel {choice}",
    )
    KERNEL_TAKEN = Message(
        title="--kernel {choice} taken for {kernel}",
        label="of the kernels of this name the only one that the file's launches can mean",
        severity="note",
    )
    OPTION_WITHOUT_EFFECT = Message(
        title="{option} changes nothing",
        label="{why}",
        note="what is written is the same, to the letter, without the option",
        help="leave it out; `s2sad explain` shows how each value is found, and what the other way costs",
    )
    NEVER_STORED = Message(
        title="--of {names}: {kernel} never stores to {it}",
        label="after the launch it is what it was before",
        note="its derivative with respect to itself is one, and with respect to all else zero: no kernel is "
        "needed for that",
        help="{help}",
    )
    NO_SUCH_PARAMETER = Message(
        title="{option} {name}: {kernel} has no parameter of that name",
        label="its parameters are {parameters}",
        help="{help}",
    )
    NO_SUCH_VARIABLE = Message(
        title="{option} {name}: {kernel} has no variable of that name", label="in this kernel", help="{help}"
    )
    NOT_SUCH_A_VARIABLE = Message(
        title="{option} {name}: `{name}` isn't {what}", label="in this kernel", help="{help}"
    )
    NOT_FLOATING = Message(
        title="{option} {name}: a parameter of type {type} has no derivative",
        label="only float and double carry derivatives",
        help="{help}",
    )
    NOT_AN_OUTPUT = Message(
        title="--of {name}: a by-value parameter isn't an output",
        label="its value never leaves the kernel",
        help="{help}",
    )
    NO_DEPENDENT = Message(
        title="{kernel} writes no floating array, so there is nothing to differentiate",
        label="no float or double array among its parameters is written",
    )
    NO_INDEPENDENT = Message(
        title="{kernel} reads no floating array, so there is nothing to differentiate by",
        label="no float or double array among its parameters is read",
        help="to differentiate by a floating scalar, name it: --wrt NAME",
    )
    NAME_TAKEN = Message(
        title="the name {name} is taken: {what} needs it",
        label="has that name already",
        note="the names of kernels and parameters are what callers rely on, so s2sad doesn't choose others",
        help="rename it in the primal",
    )
    KEPT_TEMPLATE = Message(
        title="the adjoint of {kernel} can't stay a template: {why}",
        label="its template",
        note="one text has to serve float and double",
        help="{help}",
    )
    COMPANION = Message(
        title="{name} {why}, so {kernel} can have no companion",
        label="its adjoint names {name}",
        note="a companion takes what the primal's file has, by its name there, and defines the rest",
        help="leave --companion out: the emitted file then stands alone, and links beside the primal",
    )
    SEPARATE = Message(
        title="the adjoint of {name} can't be an array for each field",
        label="its fields are read as one array of numbers",
        help="leave --separate out: {adjoint} then has the type of {name}",
    )
    TAKEN_FROM_SIGNATURE = Message(
        title="{options} taken from the signature of {kernel}",
        note="floating arrays that are written, and floating arrays that are read",
        severity="note",
    )
    LEFT_OUT = Message(
        title="`{name}` is left out of what is written",
        label="changes no value",
        note="the forward sweep runs what the reverse sweep needs, and nothing needs this",
        severity="note",
    )
    BUILD_TAKEN = Message(
        title="{options} taken from {file}",
        note="how the build compiles this file",
        severity="note",
    )
    TEMPLATE_TAKEN = Message(
        title="--template {option} taken for {kernel}",
        note="{why}",
        severity="note",
    )
    RANKS_TAKEN = Message(
        title="--assume launch:1d taken for {kernel}",
        label="counts threads by their rank in a group",
        note="no y and no z of a position is named in this file; the adjoint tests the launch and gives NaN "
        "where it has more dimensions",
        severity="note",
    )
    INCLUDED_ELSEWHERE = Message(
        title="`{file}` is included by `{other}`",
        note="what it uses may be declared there before it",
        help="{command}",
        severity="note",
    )
    NO_SUCH_KERNEL = Message(
        title="{file} has no kernel {name}",
        help="{help}",
    )
    NO_KERNEL = Message(
        title="{file} has no kernel",
        label="no `__global__` function with a body",
        help="{help}",
    )
    # ---- preprocessing and syntax --------------------------------------------
    BAD_DEFINE = Message(
        title="--define {name}: not the name of a macro",
        help="write --define NAME=VALUE",
    )
    UNTERMINATED_COMMENT = Message(
        title="a comment has no end", label="it begins here", help="close it with */"
    )
    UNTERMINATED_STRING = Message(title="a {kind} has no end", label="no second {quote} on this line")
    UNTERMINATED_IF = Message(title="#{directive} has no #endif", label="it begins here")
    STRAY_DIRECTIVE = Message(title="#{directive} {after}", label="belongs to no #if")
    BAD_DIRECTIVE = Message(title="{directive} needs {why}", label="not understood")
    UNKNOWN_DIRECTIVE = Message(title="#{directive} is no directive", label="not understood")
    ERROR_DIRECTIVE = Message(
        title="the file says #error {text}",
        label="reached with the macros that are defined",
        help="define what it asks for: --define NAME=VALUE",
    )
    INCLUDE_CYCLE = Message(
        title="{file} includes itself without end",
        label="this include leads there",
        help="begin the header with #pragma once",
    )
    MACRO_CALL = Message(title="the use of the macro {macro} doesn't fit: {why}", label="used here")
    UNKNOWN_MACRO = Message(
        title="`{name}` is used like a macro, and none of that name is defined",
        label="stands where a statement begins",
        help="say where its header is: --include DIR, or define it: --define '{name}({parameters})=…'",
    )
    BAD_PRAGMA = Message(
        title="{what}",
        label="read by s2sad",
        help="write #pragma s2sad adjoint of(y) wrt(x, a) or // s2sad: --of y --wrt x,a",
    )
    SYNTAX_ERROR = Message(title="{what}", label="{label}", help="{help}")
    TOO_DEEP = Message(
        title="nested more than {limit} deep",
        label="here",
        help="give the inner part a name of its own",
    )
    MISSING_INCLUDE = Message(
        title="{file} is not found, and the kernel needs {names}",
        label="included here",
        help="say where it is: {option}",
    )
    FILES_DIFFER = Message(
        title="{name} says one thing in {one} and another in {other}",
        label="is in both",
        note="what the first file and that of --include share must be the same in both",
        help="put what is called into the first file",
    )
    MEANS_TWO_THINGS = Message(
        title="`{name}` could mean something else in the two files together than in each of them",
        label="defined here",
        note="of --include FILE the definitions are read as if they stood in the first file",
        help="give one of them another name",
    )
    NOT_COMPILED = Message(
        title="`{name}` stands in a part of {file} that isn't compiled",
        label="used here",
        help="define what the build defines: {option}",
    )
    NOT_ON_THE_DEVICE = Message(
        title="`{name}` is called and is not a __device__ function",
        label="called here",
        help="mark it __device__",
    )
    NOT_DEFINED = Message(
        title="`{name}` is declared and has no body here",
        label="declared here",
        note="its body is needed to differentiate it",
        help="include the file that defines it{option}",
    )
    NO_TEMPLATES = Message(
        title="`{name}` is a template, or a part of one",
        label="only templates of functions, classes and constants are differentiated",
        help="write it for one type: replace the parameters by `typedef`s or macros",
    )
    TEMPLATE_ARGUMENT = Message(
        title="`{kernel}` is a template, and nothing in the file says what {names} is",
        label="open",
        note="{note}",
        help="say it: --template {option}",
    )
    NO_SUCH_TEMPLATE_PARAMETER = Message(
        title="--template {name}: `{kernel}` has no template parameter of that name",
        label="its template parameters are {parameters}",
    )
    NOT_DEDUCED = Message(
        title="nothing says what {names} of the template `{name}` is here",
        label="called with ({given})",
        help="write it at the call: {name}<…>(…)",
    )
    NO_REFERENCES = Message(
        title="a reference{name}",
        label="what it is another name for is not known here",
        note="references to variables, to elements, and of device functions' parameters are followed",
        help="pass the value, or use the variable itself",
    )
    NO_AUTO = Message(
        title="`auto` where no value says which type it is",
        label="the type is left open",
        help="write the type",
    )
    NO_LAMBDAS = Message(
        title="a lambda whose calls can't be followed",
        label="{why}",
        note="a lambda is taken that is a variable of the function and is only called there",
        help="make it a __device__ function",
    )
    NO_CLASSES = Message(
        title="{what}", label="classes and what belongs to them are not differentiated", help="{help}"
    )
    NO_NAMESPACES = Message(
        title="`{name}` is qualified by a name that is no namespace of this file",
        label="neither a namespace here nor one of a header that is found",
        help="if a header of yours declares it: --include DIR",
    )
    LIBRARY = Message(
        title="`{name}` belongs to a library",
        label="what it does is not known here",
        help="of cooperative groups there are blocks and tiles of a warp, their ranks, shuffles, votes and "
        "sums; of cub the sums and the largest values of a block and of a warp; else write out what the call "
        "does, and cut the kernel where the whole grid meets",
    )
    SEVERAL_NAMESPACES = Message(
        title="the kernel reaches a `{name}` of several namespaces",
        label="declared in {scopes}",
        note="the emitted file has no namespaces, so one name has to mean one thing",
        help="rename one of them",
    )
    NO_EXCEPTIONS = Message(title="`{word}`", label="there are no exceptions in device code")
    NO_HEAP = Message(
        title="`{word}`",
        label="memory from the heap is not differentiated",
        help="use a local array of constant size",
    )
    NO_RANGE_FOR = Message(
        title="a `for` over {over}",
        label="not differentiated yet",
        help="count an index: for (int i = 0; i < N; ++i)",
    )
    DECLARATION_IN_CONDITION = Message(
        title="a declaration in the head of `{word}`",
        label="not taken here",
        help="declare it before, and assign to it in the head: `(name = value)`",
    )
    NO_VARARGS = Message(
        title="a function with `...`", label="its arguments have no types", help="name each parameter"
    )
    FUNCTION_POINTERS = Message(
        title="a pointer to a function",
        label="which function runs would not be known",
        help="call the function by its name",
    )
    INLINE_ASSEMBLY = Message(
        title="inline assembly",
        label="what it computes is not known",
        help="write it in CUDA-C or with an intrinsic",
    )
    DYNAMIC_PARALLELISM = Message(
        title="a kernel launched from a kernel",
        label="dynamic parallelism is not differentiated",
        help="launch it from the host",
    )
    NO_CAST = Message(
        title="`{word}`", label="not differentiated", help="use `static_cast` between arithmetic types"
    )
    # ---- names, types, the fence ---------------------------------------------
    UNKNOWN_NAME = Message(
        title="`{name}` is not declared",
        label="no such name here{nearest}",
        help="if a header declares it: --include DIR; if it is a macro: --define {name}=VALUE",
    )
    UNKNOWN_TYPE = Message(
        title="`{name}` is not a type that is known here",
        label="no such type{nearest}",
        help="if a header declares it: --include DIR; if it is a macro: --define {name}=TYPE",
    )
    UNKNOWN_FUNCTION = Message(
        title="function `{name}` is not known",
        label="neither a `__device__` function of this file nor a built-in{nearest}",
        note="its body is needed to differentiate it",
        help="if a header defines it: --include DIR",
    )
    TYPE_ERROR = Message(title="{title}", label="{label}")
    WRONG_ARGUMENTS = Message(
        title="no `{name}` takes ({given})",
        label="no overload fits",
        note="there is {known}",
    )
    AMBIGUOUS_CALL = Message(
        title="the call of `{name}` with ({given}) is ambiguous",
        label="several overloads fit equally well",
        note="there is {known}",
        help="write a cast that says which is meant",
    )
    ASSIGNMENT_TO_CONST = Message(
        title="`{name}` is const and is assigned to",
        label="declared const",
    )
    DECLARED_TWICE = Message(
        title="`{name}` is declared twice in one scope",
        label="second declaration",
    )
    MISSING_RETURN = Message(
        title="`{name}` can end without returning a value",
        label="its result is {type}",
        help="return a value on every path",
    )
    NOT_CONSTANT = Message(
        title="{what} must be a constant",
        label="`{text}` is not known when compiling",
        help="{help}",
    )
    UNSEQUENCED_EFFECTS = Message(
        title="the order of the effects on `{name}` is open",
        label="C++17 lets either operand go first",
        note="an adjoint runs the statements in the opposite order, so there must be one",
        help="write the two effects as two statements",
    )
    COMPILERS_DIFFER = Message(
        title="compilers don't agree on the order of the effects on `{name}`",
        label="C++17 and nvcc run the right side first, g++ the left one",
        note="the adjoint would be right with one of them and wrong with the other",
        help="compute the right side in a statement before: `{type} right = …;`",
    )
    DYNAMIC_SHARED = Message(
        title="`{name}` is in shared memory of a size that the launch gives",
        label="{why}",
        note="such memory is differentiated as one array with one index",
        help="write `extern __shared__ float {name}[];` once, or give it a constant extent",
    )
    SEVERAL_SHARED_TYPES = Message(
        title="`{name}` holds numbers of several types, in shared memory of a size that the launch gives",
        label="--mode split can't lay them out yet",
        note="the kernel that records is launched with as many bytes as the primal",
        help="leave out --mode split, or declare for each type a `__shared__` array with a constant extent",
    )
    UNKNOWN_EXTENT = Message(
        title="cannot tell how many elements of `{name}` are in use",
        label="nothing bounds the index `{index}`",
        note="the adjoint of `{name}` is as long, and lies behind it in the same memory",
        help="guard the store with `if (index < size)`, or declare `{name}` with a constant extent",
    )
    BARRIER = Message(
        title="`{name}` is a barrier",
        label="this kind of barrier is not differentiated yet",
        note="a barrier has to be mirrored in the reverse sweep",
        help="use `__syncthreads()`, or split the kernel in two there",
    )
    DIVERGENT_BARRIER = Message(
        title="cannot prove that all threads of the block reach this barrier together",
        label="{why}",
        note="the reverse sweep meets at the same barriers, as often, so who meets there must be plain",
        help="end the condition before the barrier and begin it again behind, or let it depend on sizes and "
        "blockIdx alone",
    )
    CALL_TO_MEET = Message(
        title="`{name}` is called where some threads may not come by",
        label="threads meet inside it",
        note="its statements are written into the kernel, so that it shows who comes by",
        help="call it in a statement of its own: `float sum = {name}(…);`",
    )
    ACTIVE_MASK = Message(
        title="`__activemask()` may differ between two runs",
        label="which lanes run together here is the machine's choice",
        note="the reverse sweep would have to know the lanes that were together",
        help="write the mask of the lanes that are meant: `0xffffffffu`, or a ballot of all lanes",
    )
    UNSYNCHRONISED = Message(
        title="`{name}` doesn't say which lanes take part",
        label="removed from CUDA for this reason",
        help="write `{name}_sync` with the mask of the lanes, `0xffffffffu` for all",
    )
    DIVERGENT_WARP = Message(
        title="cannot prove that the lanes of a warp reach this `{name}` together",
        label="{why}",
        note="the reverse sweep exchanges the adjoints at the same place, among the same lanes",
        help="{help}",
    )
    PARTIAL_MASK = Message(
        title="the mask of `{name}` names some of the lanes that its adjoint needs",
        label="{why}",
        note="the adjoint goes back to the lane that the value came from, and outside the mask none is there",
        help="take `0xffffffffu`, or a width that the mask is made of",
    )
    UNKNOWN_MASK = Message(
        title="the mask of `{name}` isn't known",
        label="which lanes exchange values here is decided at run time",
        note="the adjoint goes back among exactly these lanes",
        help="write the mask as a literal, `0xffffffffu` for all lanes",
    )
    UNKNOWN_DISTANCE = Message(
        title="cannot prove that `{name}` stays {within}",
        label="{why}",
        note="its adjoint goes back by the same distance",
        help="{help}",
    )
    ATOMIC = Message(
        title="`{name}` in a primal kernel",
        label="of integers `atomicMax`, `atomicOr` and kin are taken where nobody uses their result",
        note="which thread's value stays may differ between two runs",
        help="store each thread's value in an element of its own and combine them in a second kernel",
    )
    ATOMIC_VALUE = Message(
        title="what `{name}` returns is used",
        label="the sum so far, which differs between two runs",
        note="the derivative of a sum so far would depend on the order of the threads",
        help="read the sum in a second kernel, or behind a barrier if it is in shared memory",
    )
    ORDER_DEPENDENT = Message(
        title="the adjoint needs what this call returned",
        label="differs between two runs",
        note="the adjoint would reach other elements than the launch that made the outputs",
        help="{help}",
    )
    ORDER_OF_SUMS = Message(
        title="the sum in `{adjoint}` depends on the order of the threads",
        label="{who} add to one element",
        note="floating sums depend on their order: two runs would differ in the last digits",
        help="leave out --accumulate deterministic, or store each share in an element of its own",
    )
    CROSS_BLOCK_FLOW = Message(
        title="`{array}` is added to atomically and touched in another way in the same launch",
        label="other blocks may have added to it or not",
        note="nothing shows that each block has its own element, as `{array}[blockIdx.x]` throughout would",
        help="cut the kernel in two here, or add up in shared memory first",
    )
    TEXTURE = Message(
        title="`{name}` reads a texture or a surface",
        label="textures are not differentiated",
        note="the filtering of the hardware has no exact adjoint",
        help="read from a plain array",
    )
    RANDOM_NUMBERS = Message(
        title="`{name}` uses a random-number state or a clock",
        label="differs between two runs",
        note="the reverse sweep must see what the forward sweep saw",
        help="draw the numbers in another kernel and pass them as an array",
    )
    HOST_FUNCTION = Message(
        title="`{name}` cannot be differentiated",
        label="it talks to the outside or to the heap",
        help="{help}",
    )
    POINTER_ARITHMETIC = Message(
        title="what `{name}` points to is not known",
        label="a pointer is an array and an offset into it, written as such",
        note="whose element a pointer reaches decides how its adjoint is accumulated",
        help="write the array, or a pointer variable, with an index: `array[i + offset]`",
    )
    POINTER_VALUE = Message(
        title="the pointer `{name}` is used as a value",
        label="only two pointers into one array are compared",
        note="which array is meant has to be known when the adjoint is written",
        help="to leave an array out, pass an int that says so",
    )
    POINTER_VARIABLE = Message(
        title="`{name}` is not a pointer to the elements of one array",
        label="what it points to can't be followed",
        note="its adjoint would be a pointer into the adjoint of the array it points into",
        help="index the array itself",
    )
    POINTER_UNSET = Message(
        title="what the pointer `{name}` points into is not known here",
        label="nothing was assigned to it above this line",
        note="a pointer means the array that it was given where it is declared or first assigned to",
        help="give it a place where it is declared: {how}",
    )
    POINTER_TO_ELEMENT = Message(
        title="`{name}`, a pointer in a struct, begins at an element of an array",
        label="such a pointer means an array from its beginning on",
        note="its adjoint is the adjoint of that array, and where it begins is known nowhere else",
        help="put the array in, and where to begin into a field of its own that is added to each index",
    )
    POINTER_BEYOND = Message(
        title="a pointer past the variable `{name}`",
        label="`{name}` is one value, not an array",
        help="make it an array, or use the variable itself",
    )
    POINTS_TO_TWO = Message(
        title="`{name}` may point into {one} or into {two}",
        label="a pointer means elements of one array",
        note="which array is meant has to be known when the adjoint is written",
        help="{help}",
    )
    POINTER_PARAMETER = Message(
        title="`{function}` takes or returns the pointer `{name}`",
        label="what it points to can't be followed",
        note="a device function takes pointers and references to numbers, and is written into the kernel",
        help="pass a pointer to numbers, and return an index instead of a pointer",
    )
    ADDRESS_OF = Message(
        title="the address of `{name}` is taken",
        label="only an output argument of a built-in may be an address, as in `sincosf(x, &s, &c)`",
        note="who writes through an address decides what is recorded",
        help="return the value instead",
    )
    ROWS_OF_NUMBERS = Message(
        title="a pointer to {one} is cast to one to rows",
        label="not followed yet",
        note="the adjoint would be cast alike, which isn't done yet",
        help="index the pointer itself: {index}",
    )
    SHARED_AS_ANOTHER_TYPE = Message(
        title="the shared memory `{name}` is declared as {one} and used as {two}, too",
        label="not taken in this form",
        note="of bytes it is known that they are nothing but what casts make of them",
        help="declare it as bytes, and offsets from it in bytes: `extern __shared__ unsigned char {name}[];`",
    )
    BIT_REINTERPRETATION = Message(
        title="the bits of a value are read as another type",
        label="`{text}` has no derivative",
        help="convert the value with a cast, or compute it with arithmetic",
    )
    UNION = Message(
        title="a union",
        label="its members share their bits",
        note="the adjoint of shared bits isn't defined",
        help="use separate variables",
    )
    HALF_PRECISION = Message(
        title="`{name}` is a function of half precision that isn't known",
        label="not differentiated yet",
        note="to differentiate a function one has to know what it computes, and how it rounds",
        help="use float between __half2float(x) and __float2half(x)",
    )
    GOTO = Message(
        title="a goto",
        label="its target isn't structured",
        note="the reverse sweep runs the statements in the opposite order, which a jump doesn't have",
        help="use a loop, `break` or `return`",
    )
    LABEL_IN_STATEMENT = Message(
        title="a case label inside another statement",
        label="control enters this statement in the middle",
        note="the reverse sweep would have to leave it in the middle",
        help="put the labels directly into the body of the switch",
    )
    CASE_SCOPE = Message(
        title="`{name}` is declared in one case of a switch and used in another",
        label="the declaration may have been jumped over",
        help="declare it before the switch",
    )
    STATIC_LOCAL = Message(
        title="`{name}` is a static local variable",
        label="all threads share it",
        help="make it a parameter of the kernel",
    )
    VOLATILE = Message(
        title="`{name}` is volatile",
        label="its value may change at any time",
        note="the reverse sweep must find the values of the forward sweep",
        help="leave out `volatile`, with `__syncwarp()` between what one lane stores and another reads; "
        "an array of floats may be `volatile float *__restrict__`",
    )
    RECURSION = Message(
        title="`{name}` calls itself",
        label="recursion is not differentiated",
        note="how much there is to record would be unknown",
        help="write it as a loop",
    )
    FUNCTION_POINTER = Message(
        title="a call through a pointer or of something that is no function",
        label="which function runs is not known here",
        help="call the function by its name",
    )
    FILE_VARIABLE = Message(
        title="`{name}` is a variable of the file",
        label="{why}",
        note="its values live in the primal's module and are not in this file",
        help="pass it to the kernel as a parameter",
    )
    NOT_SUPPORTED = Message(
        title="{what}",
        label="not differentiated yet",
        help="{help}",
    )
    # ---- analysis and plan ---------------------------------------------------
    NEVER_SET = Message(
        title="`{name}` is read before anything has set it",
        label="declared without a value",
        note="the derivative would depend on what memory happens to hold",
        help="give it a value where it is declared",
    )
    UNBOUNDED_RECORD = Message(
        title="nothing bounds how often this loop runs, and {value} must be recorded in each iteration",
        label="the number of iterations is known only while it runs",
        note="{value} is read from an array that the loop overwrites: memory can't be run again "
        "from a snapshot as variables can; and a device function has no tape",
        help="write the loop into the kernel itself: how often it runs is then measured",
    )
    UNBOUNDED_INTEGER = Message(
        title="nothing in the kernel bounds how often this loop runs, and {value}, which isn't a floating "
        "number, must be recorded in each iteration",
        label="the number of iterations is known only while it runs",
        note="past a bound that is only promised (--bound) a floating number reads as NaN, and the gradient "
        "says so; nothing says of an index that it wasn't recorded",
        help="leave out --bound: how often the loop runs is then measured",
    )
    BOUND_NOT_USED = Message(
        title="--bound {line}={text} names no loop that is recorded",
        label="no loop starts in line {line}",
        help="{help}",
    )
    BOUND_UNCLEAR = Message(
        title="--bound {line}={text} is no integer expression over the kernel's scalar parameters",
        note="the host computes the tape's size from it before the launch",
        help="use {names} and integer arithmetic",
    )
    NO_DEPENDENCE = Message(
        title="{dependent} does not depend on any independent",
        label="its adjoint goes nowhere",
        help="if that is not what you expect, look for a comparison or a conversion to an integer on the way",
        severity="warning",
    )
    SHARED_WRITER = Message(
        title="cannot prove that only one thread writes {place}",
        label="two threads may write the same element",
        note="the reverse sweep reads adj_{array} here and then clears it; "
        "with two writers one of them would read zero",
        help="if {claim}, say so: --assume {assumption}{same}",
    )
    # ---- checking and running ------------------------------------------------
    NO_CASE = Message(
        title="{file} has no case file: nothing says what to run it on",
        help="begin with a draft: {command}",
    )
    OTHER_PARAMETERS = Message(
        title="{kernel} doesn't have the parameters of a fresh adjoint",
        label="it should take {wanted}",
        note="the parameters follow from what is differentiated and from the shape",
        help="write it again, or say how it was made, as in: {command}",
    )
    CASE_SYNTAX = Message(title="{message}", label="the case file isn't TOML from here on")
    CASE_MISSING = Message(title="{what} is missing", label="{label}", help="{help}")
    CASE_UNKNOWN = Message(title="{what}", label="{label}", help="{help}")
    CASE_VALUE = Message(title="{what}", label="{label}", help="{help}")
    ARGUMENT_MISSING = Message(title="no value for {names} of {kernel}", help="{help}")
    ARGUMENT_UNKNOWN = Message(title="{kernel} has no parameter {name}", help="{help}")
    ARGUMENT_VALUE = Message(title="{name}: {what}", help="{help}")
    OVERLAPPING_ARGUMENTS = Message(
        title="{first} and {second} share memory, and {kernel} writes {written}",
        note="an adjoint assumes that arrays don't overlap: here what is written through one name "
        "would be read through the other",
        help="pass {second}.copy(), or write the kernel with one parameter that it changes in place",
    )
    COMPILE_FAILED = Message(title="{file} doesn't compile", note="{reason}")
    LAUNCH_FAILED = Message(title="{kernel} can't be run: {reason}")
    TAPE_OVERRUN = Message(
        title="the tape of {kernel} is too short",
        note="a loop ran longer than the bound that its size was computed from; the gradient is NaN",
        help="raise the bound: --bound LINE=EXPR",
    )
    UNSUPPORTED_TYPE = Message(
        title="{name} has elements of type {type}, which can't be run yet",
        help="float, double and the integer types can",
    )
    # ---- auditing backward kernels -------------------------------------------
    AUDIT_PARAMETER = Message(
        title="{name} is of type {type}, which the data of a case can't be passed as",
        label="this parameter",
        help="pass plain arrays, or write a kernel beside it that makes this of plain arrays",
    )
    AUDIT_UNMATCHED = Message(
        title="{kernel} has the parameter {name}, and nothing says what it is",
        label="no parameter of {forward} is called so, nor has an adjoint of this name",
        help="{help}",
    )
    AUDIT_NO_ADJOINT = Message(
        title="no parameter of the backward is the adjoint of {name}",
        label="{kernel} has {parameters}",
        help='expected was {spellings}; another name goes into the case file: [names] {name} = "…"',
    )
    AUDIT_BY_VALUE = Message(
        title="{name}, the adjoint of {of}, is passed by value",
        label="an adjoint is read or left in memory",
        help="pass a pointer to it",
    )
    AUDIT_NO_BACKWARD = Message(
        title="no kernel of {file} looks like the backward of {forward}",
        help="a parameter called as an adjoint is looked for ({spellings}); the case file can say "
        'which it is: [backward] kernels = ["…"]',
    )
    AUDIT_TEMPLATE = Message(
        title="{kernel} is a template, and nothing says what {name} is",
        label="its template parameter {kind} {name}",
        help="in the case file: [template] {name} = …",
    )

    @property
    def slug(self) -> str:
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Diagnostic:
    """One message at one place."""

    code: Code
    span: Span | None
    values: Mapping[str, str] = field(default_factory=dict)
    related: tuple[tuple[Span, str], ...] = ()  # "macro defined here" and similar

    @property
    def severity(self) -> Severity:
        return self.code.value.severity

    def _part(self, text: str) -> str:
        return text.format_map(self.values) if text else ""

    @property
    def title(self) -> str:
        return self._part(self.code.value.title)

    @property
    def label(self) -> str:
        return self._part(self.code.value.label)

    @property
    def note(self) -> str:
        return self._part(self.code.value.note)

    @property
    def help(self) -> str:
        return self._part(self.code.value.help)


def diagnose(code: Code, span: Span | None, **values: str) -> Diagnostic:
    """Make a diagnostic with the given values for its message's fields."""
    return Diagnostic(code, span, values)


class Rejected(Exception):
    """The input is refused; `diagnostics` lists everything that is wrong with it."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n".join(f"{d.span or ''}: {d.severity}[{d.code.slug}]: {d.title}" for d in self.diagnostics)
