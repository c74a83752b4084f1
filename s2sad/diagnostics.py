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
    NOT_BUILT = Message(
        title="{what} is not implemented yet",
        help="{help}",
    )
    UNREADABLE = Message(title="cannot read {file}: {reason}")
    NOT_UTF8 = Message(
        title="{file} isn't UTF-8 text",
        label="this byte doesn't begin or continue a character",
        help="save the file as UTF-8; outside comments CUDA-C needs ASCII only",
    )
    NOT_TEXT = Message(
        title="{file} is a binary file",
        label="a zero byte",
        help="pass the .cu source, not a compiled file",
    )
    PYTHON_SYNTAX = Message(title="{file} isn't valid Python: {why}", label="invalid from here on")
    PYTHON_TEXT = Message(
        title="a kernel's text isn't constant: {why}",
        label="not what is compiled",
        note="the text that is compiled is known only when the script runs; its adjoint may be another",
        help="write the kernel as one string constant, with macros for what varies: "
        "options=('-DN=4',) there, -D N=4 here",
    )
    UNWRITABLE = Message(title="cannot write {file}: {reason}", note="nothing was written")
    OUTPUT_IS_INPUT = Message(
        title="-o names the input file: {file}",
        note="the primal would be overwritten",
        help="name another file: -o {suggestion}",
    )
    STALE = Message(
        title="{file} differs from what {command} writes",
        note="first difference: line {line}",
        help="to see the difference: --diff; to update the file: leave --check out",
    )
    PORT_TAKEN = Message(
        title="cannot serve on port {port}: {reason}",
        help="name another one, or leave --port out: any free one is taken",
    )
    NO_REPOSITORY = Message(
        title="this folder isn't in a git repository",
        note="{why}",
        help="run it in the repository whose commits are compared",
    )
    NO_COMMIT = Message(
        title="the repository has no commit {name}",
        note="a shallow clone lacks older commits, and branches that weren't fetched",
        help="git fetch --unshallow, or git fetch origin {name}",
    )
    WOULD_OVERWRITE = Message(
        title="{file} already exists",
        note="nothing was written",
        help="move it away, or run in another folder",
    )
    NO_SUCH_EXAMPLE = Message(title="there is no example {name}", help="{help}")
    NO_SUCH_LESSON = Message(title="{what}", help="{help}")
    NO_SUCH_CODE = Message(title="there is no message, page or command {name}", help="{help}")
    MISSING_TOOL = Message(title="{what}")
    NO_SUCH_RULE = Message(title="there is no rule for {name}", help="{help}")
    RULES_NOT_TOML = Message(
        title="{file} isn't valid TOML: {why}",
        label="invalid from here on",
    )
    RULE_KEY = Message(
        title="[{rule}] has an unknown key {key}",
        label="unknown key",
        help="a rule has dx, dy, … or constant or refused, and optionally args, singular, kink, literal, "
        "instead, try, at",
    )
    RULE_VALUE = Message(
        title="{key} of [{rule}] must be {wanted}",
        label="wrong type",
    )
    RULE_EMPTY = Message(
        title="[{rule}] has neither a partial nor a reason why it has none",
        label="this entry",
        help='add dx = "…", or constant = "why it has no derivative"',
    )
    RULE_PARAMETER = Message(
        title="args of [{rule}]: `{text}` isn't a parameter",
        label="expected a name, after `int` or `&` if any; r is reserved for the result",
        help='args = "x, int n, &s": a real, an integer, an output',
    )
    RULE_ARGUMENT = Message(
        title="{key} of [{rule}]: {name} isn't a real argument or result",
        label="a partial needs a real result and a real argument",
        help="list the parameters in order in args",
    )
    RULE_FORMULA = Message(
        title="{key} of [{rule}]: {why}",
        label="here",
        help="a formula is a C expression over the arguments and r, the result",
    )
    RULE_MISFIT = Message(
        title="the rule for {name} has other parameters: {args}",
        label="the function's parameters differ in number or kind",
        note="the partials would be applied to the wrong arguments",
        help="give args in the rule, one name for each parameter, `int` before integers",
    )
    RULE_MEETING = Message(
        title="a rule for `{name}`, which synchronises threads",
        label="threads synchronise here",
        note="a rule for one thread's arguments can't describe what threads exchange",
        help="leave the rule out: the function is inlined and differentiated",
    )
    SEVERAL_KERNELS = Message(
        title="{file} has {count} kernels and none is selected",
        label="the first one",
        help="choose one:\n{commands}",
    )
    OVERLOADED_KERNEL = Message(
        title="{count} kernels are named {name}, and the choice is ambiguous",
        label="the first one",
        note="a launch selects one by its argument types, which aren't analysed",
        help="choose one:\n{commands}",
    )
    SPECIALISATION_OPEN = Message(
        title="cannot tell whether the template {name} with {arguments} is this specialisation",
        label="this one",
        help="write each argument as a plain type or number, as in --template T=float; or select this one: "
        "--kernel {choice}",
    )
    KERNEL_TAKEN = Message(
        title="--kernel {choice} selected for {kernel}",
        label="the only kernel of this name that matches the file's launches",
        severity="note",
    )
    OPTION_WITHOUT_EFFECT = Message(
        title="{option} has no effect",
        label="{why}",
        note="the output is identical without the option",
        help="leave it out; `s2sad explain` shows how each value is recovered, and the cost of the "
        "alternative",
    )
    NEVER_STORED = Message(
        title="--of {names}: {kernel} never stores to {it}",
        label="the launch does not change it",
        note="its derivative is one with respect to itself and zero otherwise: no kernel is needed",
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
        title="{kernel} writes no floating-point array, so there is nothing to differentiate",
        label="no float or double array among its parameters is written",
    )
    NO_INDEPENDENT = Message(
        title="{kernel} reads no floating-point array, so there is nothing to differentiate with respect to",
        label="no float or double array among its parameters is read",
        help="to differentiate with respect to a floating-point scalar, name it: --wrt NAME",
    )
    NAME_TAKEN = Message(
        title="the name {name} is already used, but {what} needs it",
        label="already has that name",
        note="callers rely on the names of kernels and parameters, so s2sad doesn't choose others",
        help="rename it in the primal",
    )
    KEPT_TEMPLATE = Message(
        title="the adjoint of {kernel} can't stay a template: {why}",
        label="its template",
        note="one text must serve both float and double",
        help="{help}",
    )
    COMPANION = Message(
        title="{name} {why}, so {kernel} can have no companion",
        label="its adjoint names {name}",
        note="a companion uses the definitions of the primal's file by name, and defines the rest",
        help="leave --companion out: the emitted file is then self-contained and links with the primal",
    )
    SEPARATE = Message(
        title="the adjoint of {name} can't be split into an array for each field",
        label="its fields are accessed as one array of numbers",
        help="leave --separate out: {adjoint} then has the type of {name}",
    )
    TAKEN_FROM_SIGNATURE = Message(
        title="{options} inferred from the signature of {kernel}",
        note="the floating-point arrays that are written, and those that are read",
        severity="note",
    )
    LEFT_OUT = Message(
        title="`{name}` is omitted from the emitted code",
        label="changes no value",
        note="the forward sweep runs only what the reverse sweep needs",
        severity="note",
    )
    BUILD_TAKEN = Message(
        title="{options} read from {file}",
        note="how the build compiles this file",
        severity="note",
    )
    PROJECT_TAKEN = Message(title="more options read from {file}", severity="note")
    PROJECT_OPTION = Message(title="{what}", label="in the project's options", help="{help}")
    TEMPLATE_TAKEN = Message(
        title="--template {option} inferred for {kernel}",
        note="{why}",
        severity="note",
    )
    RANKS_TAKEN = Message(
        title="--assume launch:1d inferred for {kernel}",
        label="identifies threads by their rank in a group",
        note="this file uses no y or z of a position; the adjoint checks the launch and gives NaN if it has "
        "more dimensions",
        severity="note",
    )
    INCLUDED_ELSEWHERE = Message(
        title="`{file}` is included by `{other}`",
        note="names that it uses may be declared there before the #include",
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
        title="unterminated comment",
        label="it begins here",
        help="close it with */",
    )
    UNTERMINATED_STRING = Message(
        title="unterminated {kind}",
        label="no second {quote} on this line",
    )
    UNTERMINATED_IF = Message(title="#{directive} has no #endif", label="it begins here")
    STRAY_DIRECTIVE = Message(
        title="#{directive} {after}",
        label="unexpected here",
    )
    BAD_DIRECTIVE = Message(title="{directive} needs {why}", label="not understood")
    UNKNOWN_DIRECTIVE = Message(
        title="#{directive} isn't a directive",
        label="not understood",
    )
    ERROR_DIRECTIVE = Message(
        title="the file has #error {text}",
        label="reached with the macros that are defined",
        help="define the macro that it requires: --define NAME=VALUE",
    )
    INCLUDE_CYCLE = Message(
        title="{file} includes itself recursively",
        label="through this include",
        help="begin the header with #pragma once",
    )
    MACRO_CALL = Message(
        title="invalid use of the macro {macro}: {why}",
        label="used here",
    )
    UNKNOWN_MACRO = Message(
        title="`{name}` is used as a macro but isn't defined",
        label="at the start of a statement",
        help="name the folder of its header: --include DIR, or define it: --define '{name}({parameters})=…'",
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
        help="move the inner part into a variable or a function",
    )
    MISSING_INCLUDE = Message(
        title="{file} isn't found, and the kernel needs {names}",
        label="included here",
        help="name its folder: {option}",
    )
    FILES_DIFFER = Message(
        title="{name} differs between {one} and {other}",
        label="included by both",
        note="a file that the first file and that of --include share must read the same in both",
        help="move the called functions into the first file",
    )
    MEANS_TWO_THINGS = Message(
        title="`{name}` could change its meaning when the two files are combined",
        label="defined here",
        note="the definitions of --include FILE are read as part of the first file",
        help="rename one of them",
    )
    NOT_COMPILED = Message(
        title="`{name}` is declared in a part of {file} that isn't compiled",
        label="used here",
        help="define what the build defines: {option}",
    )
    NOT_ON_THE_DEVICE = Message(
        title="`{name}` is called but isn't a __device__ function",
        label="called here",
        help="mark it __device__",
    )
    NOT_DEFINED = Message(
        title="`{name}` is declared but not defined here",
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
        title="`{kernel}` is a template, and {names} can't be inferred from the file",
        label="unknown",
        note="{note}",
        help="specify it: --template {option}",
    )
    NO_SUCH_TEMPLATE_PARAMETER = Message(
        title="--template {name}: `{kernel}` has no template parameter of that name",
        label="its template parameters are {parameters}",
    )
    NOT_DEDUCED = Message(
        title="cannot deduce {names} of the template `{name}`",
        label="called with ({given})",
        help="specify it in the call: {name}<…>(…)",
    )
    NO_REFERENCES = Message(
        title="a reference{name}",
        label="its referent isn't known here",
        note="supported: references to variables and elements, and reference parameters of device functions",
        help="pass the value, or use the variable itself",
    )
    NO_AUTO = Message(
        title="cannot deduce the type of `auto`",
        label="no value determines the type",
        help="write the type",
    )
    NO_LAMBDAS = Message(
        title="a lambda whose calls can't be followed",
        label="{why}",
        note="supported: a lambda that is a local variable and is only called there",
        help="make it a __device__ function",
    )
    NO_CLASSES = Message(
        title="{what}",
        label="this feature of C++ is not differentiated",
        help="{help}",
    )
    NO_NAMESPACES = Message(
        title="`{name}` is qualified by an unknown namespace",
        label="not a namespace of this file or of a header that is found",
        help="if a header of yours declares it: --include DIR",
    )
    LIBRARY = Message(
        title="`{name}` belongs to a library",
        label="its semantics aren't known",
        help="supported: of cooperative groups, blocks and tiles of a warp with their ranks, shuffles, "
        "votes and sums; of cub, sums and maxima of a block and of a warp; otherwise write out the call, "
        "and split the kernel at barriers of the grid",
    )
    SEVERAL_NAMESPACES = Message(
        title="the kernel uses `{name}` from several namespaces",
        label="declared in {scopes}",
        note="the emitted file has no namespaces, so each name must be unique",
        help="rename one of them",
    )
    NO_EXCEPTIONS = Message(title="`{word}`", label="there are no exceptions in device code")
    NO_HEAP = Message(
        title="`{word}`",
        label="heap memory is not differentiated",
        help="use a local array of constant size",
    )
    NO_RANGE_FOR = Message(
        title="a `for` over {over}",
        label="not differentiated yet",
        help="count an index: for (int i = 0; i < N; ++i)",
    )
    DECLARATION_IN_CONDITION = Message(
        title="a declaration in the head of `{word}`",
        label="not supported here",
        help="declare it before the statement, and assign to it in the head: `(name = value)`",
    )
    NO_VARARGS = Message(
        title="a function with `...`", label="its arguments have no types", help="name each parameter"
    )
    FUNCTION_POINTERS = Message(
        title="a pointer to a function",
        label="the called function would be unknown",
        help="call the function by its name, or an object whose `operator()` calls it",
    )
    INLINE_ASSEMBLY = Message(
        title="inline assembly",
        label="its semantics aren't known",
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
        title="unknown type `{name}`",
        label="no such type{nearest}",
        help="if a header declares it: --include DIR; if it is a macro: --define {name}=TYPE",
    )
    UNKNOWN_FUNCTION = Message(
        title="unknown function `{name}`",
        label="neither a `__device__` function of this file nor a built-in{nearest}",
        note="its body is needed to differentiate it",
        help="if a header defines it: --include DIR",
    )
    TYPE_ERROR = Message(title="{title}", label="{label}")
    WRONG_ARGUMENTS = Message(
        title="no `{name}` takes ({given})",
        label="no matching overload",
        note="available: {known}",
    )
    AMBIGUOUS_CALL = Message(
        title="the call of `{name}` with ({given}) is ambiguous",
        label="several overloads match equally well",
        note="available: {known}",
        help="disambiguate it with a cast",
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
        label="`{text}` isn't known at compile time",
        help="{help}",
    )
    UNSEQUENCED_EFFECTS = Message(
        title="the side effects on `{name}` are unsequenced",
        label="C++17 allows either operand to be evaluated first",
        note="an adjoint reverses the order of execution, so the order must be defined",
        help="write the two side effects as two statements",
    )
    COMPILERS_DIFFER = Message(
        title="compilers disagree on the order of the side effects on `{name}`",
        label="C++17 and nvcc evaluate the right side first, g++ the left one",
        note="the adjoint would be right with one of them and wrong with the other",
        help="compute the right side in a preceding statement: `{type} right = …;`",
    )
    DYNAMIC_SHARED = Message(
        title="`{name}` is in dynamic shared memory",
        label="{why}",
        note="dynamic shared memory is differentiated as one one-dimensional array",
        help="write `extern __shared__ float {name}[];` once, or give it a constant extent",
    )
    SEVERAL_SHARED_TYPES = Message(
        title="`{name}` holds several types, in dynamic shared memory",
        label="not supported by --mode split yet",
        note="the recording kernel is launched with as many bytes as the primal",
        help="leave out --mode split, or declare for each type a `__shared__` array with a constant extent",
    )
    UNKNOWN_EXTENT = Message(
        title="cannot determine how many elements of `{name}` are in use",
        label="nothing bounds the index `{index}`",
        note="the adjoint of `{name}` has the same length and follows it in the same memory",
        help="guard the store with `if (index < size)`, or declare `{name}` with a constant extent",
    )
    BARRIER = Message(
        title="`{name}` is a barrier or a memory fence",
        label="this kind is not differentiated yet",
        note="the reverse sweep must mirror it",
        help="use `__syncthreads()`, or split the kernel in two there",
    )
    DIVERGENT_BARRIER = Message(
        title="cannot prove that all threads of the block reach this barrier together",
        label="{why}",
        note="the reverse sweep runs the same barriers, so it must be evident which threads reach them",
        help="end the condition before the barrier and repeat it afterwards, or let it depend only on sizes "
        "and blockIdx",
    )
    CALL_TO_MEET = Message(
        title="`{name}` is called in a conditional expression or a loop header",
        label="it has a barrier, a warp exchange or a pointer parameter",
        note="such a function is inlined, so that it is evident which threads run it",
        help="call it in a separate statement: `float sum = {name}(…);`",
    )
    ACTIVE_MASK = Message(
        title="`__activemask()` may differ between two runs",
        label="the hardware decides which lanes run together here",
        note="the reverse sweep would need the same lanes",
        help="write the mask of the intended lanes: `0xffffffffu`, or a ballot of all lanes",
    )
    UNSYNCHRONISED = Message(
        title="`{name}` has no mask of participating lanes",
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
        title="the mask of `{name}` lacks lanes that its adjoint needs",
        label="{why}",
        note="the adjoint goes back to the lane that the value came from, which may be outside the mask",
        help="use `0xffffffffu`, or a width that fits the mask",
    )
    UNKNOWN_MASK = Message(
        title="the mask of `{name}` isn't known",
        label="the participating lanes are determined at run time",
        note="the adjoint is exchanged among exactly these lanes",
        help="write `0xffffffffu` for all lanes, `0xffu << (threadIdx.x % 32 / 8 * 8)` for groups of eight",
    )
    UNKNOWN_DISTANCE = Message(
        title="cannot prove that `{name}` stays {within}",
        label="{why}",
        note="its adjoint goes back by the same distance",
        help="{help}",
    )
    ATOMIC = Message(
        title="`{name}` in a primal kernel",
        label="supported: atomicAdd, and `atomicMax`, `atomicOr` etc. on integers if their result is unused",
        note="which thread's value remains may differ between two runs",
        help="store each thread's value in an element of its own and combine them in a second kernel",
    )
    ATOMIC_VALUE = Message(
        title="the return value of `{name}` is used",
        label="a partial sum, which may differ between two runs",
        note="its derivative would depend on the order of the threads",
        help="read the sum in a second kernel, or after a barrier if it is in shared memory",
    )
    ORDER_DEPENDENT = Message(
        title="the adjoint needs the return value of this call",
        label="may differ between two runs",
        note="the adjoint would access other elements than the launch that computed the outputs",
        help="{help}",
    )
    ORDER_OF_SUMS = Message(
        title="the sum in `{adjoint}` depends on the order of the threads",
        label="{who} add to one element",
        note="floating-point sums depend on the order: two runs may differ in the last digits",
        help="leave out --accumulate deterministic, or store each contribution in an element of its own",
    )
    CROSS_BLOCK_FLOW = Message(
        title="`{array}` has both atomic and other accesses in the same launch",
        label="other blocks may or may not have added to it yet",
        note="could not prove that each block has its own element, as in `{array}[blockIdx.x]` throughout",
        help="split the kernel in two here, or sum in shared memory first",
    )
    TEXTURE = Message(
        title="`{name}` reads a texture or a surface",
        label="textures are not differentiated",
        note="hardware filtering has no exact adjoint",
        help="read from a plain array",
    )
    RANDOM_NUMBERS = Message(
        title="`{name}` uses a random-number state or a clock",
        label="may differ between two runs",
        note="the reverse sweep must see the values of the forward sweep",
        help="draw the numbers in another kernel and pass them as an array",
    )
    HOST_FUNCTION = Message(
        title="`{name}` cannot be differentiated",
        label="it performs I/O, uses the heap or stops the kernel",
        help="{help}",
    )
    POINTER_ARITHMETIC = Message(
        title="cannot tell what `{name}` points to",
        label="a pointer must be an array and an offset, written as such",
        note="which element a pointer denotes decides how its adjoint is accumulated",
        help="index the array or a pointer variable: `array[i + offset]`",
    )
    POINTER_VALUE = Message(
        title="the pointer `{name}` is used as a value",
        label="only pointers into the same array can be compared",
        note="the array must be known when the adjoint is generated",
        help="to make an array optional, pass an int flag",
    )
    POINTER_VARIABLE = Message(
        title="`{name}` is not a pointer to the elements of one array",
        label="its target can't be determined",
        note="its adjoint would be a pointer into the adjoint of the array it points into",
        help="index the array itself",
    )
    POINTER_UNSET = Message(
        title="the target of the pointer `{name}` is not known here",
        label="it isn't assigned above this line",
        note="the declaration or the first assignment of a pointer determines its array",
        help="initialise it in its declaration: {how}",
    )
    POINTER_TO_ELEMENT = Message(
        title="`{name}`, a pointer in a struct, begins at an element of an array",
        label="a pointer in a struct must point to the beginning of an array",
        note="its adjoint is the adjoint of that array, and the offset isn't stored elsewhere",
        help="store the array, and the offset in a separate field that is added to each index",
    )
    POINTER_BEYOND = Message(
        title="a pointer past the variable `{name}`",
        label="`{name}` is one value, not an array",
        help="make it an array, or use the variable itself",
    )
    POINTS_TO_TWO = Message(
        title="`{name}` may point into {one} or into {two}",
        label="a pointer must point into one array",
        note="the array must be known when the adjoint is generated",
        help="{help}",
    )
    POINTER_PARAMETER = Message(
        title="`{function}` {does}",
        label="its target can't be determined",
        note="a device function may have pointers and references to numbers as parameters, and is then "
        "inlined",
        help="pass a pointer to numbers, and return an index instead of a pointer",
    )
    ADDRESS_OF = Message(
        title="the address of `{name}` is taken",
        label="only an output argument of a built-in may be an address, as in `sincosf(x, &s, &c)`",
        note="writes through an address affect what must be recorded",
        help="return the value instead",
    )
    ROWS_OF_NUMBERS = Message(
        title="a pointer to {one} is cast to a pointer to rows",
        label="not supported yet",
        note="the adjoint would need the same cast",
        help="index the pointer itself: {index}",
    )
    SHARED_AS_ANOTHER_TYPE = Message(
        title="the shared memory `{name}` is declared as {one} and also used as {two}",
        label="not supported in this form",
        note="memory that is declared as bytes is accessed only through casts",
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
        title="unsupported half-precision function `{name}`",
        label="not differentiated yet",
        note="to differentiate a function, its value and its rounding must be known",
        help="use float between __half2float(x) and __float2half(x)",
    )
    GOTO = Message(
        title="a goto",
        label="not structured control flow",
        note="the reverse sweep runs the statements in the opposite order, which a jump doesn't define",
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
        label="the declaration may be skipped",
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
        note="the reverse sweep must see the values of the forward sweep",
        help="leave out `volatile`, and put `__syncwarp()` between a store and another lane's read; an "
        "array of floats may be `volatile float *__restrict__`",
    )
    RECURSION = Message(
        title="`{name}` calls itself",
        label="recursion is not differentiated",
        note="the amount of data to record would be unknown",
        help="write it as a loop",
    )
    FUNCTION_POINTER = Message(
        title="{what}",
        label="the called function isn't known here",
        help="{help}",
    )
    FILE_VARIABLE = Message(
        title="`{name}` is a global variable",
        label="{why}",
        note="its values are in the primal's module and not in this file",
        help="pass it to the kernel as a parameter",
    )
    NOT_SUPPORTED = Message(
        title="{what}",
        label="not differentiated yet",
        help="{help}",
    )
    # ---- analysis and plan ---------------------------------------------------
    NEVER_SET = Message(
        title="`{name}` is read before it is set",
        label="declared without a value",
        note="the derivative would depend on uninitialised memory",
        help="give it a value where it is declared",
    )
    UNBOUNDED_RECORD = Message(
        title="the trip count of this loop has no known bound, and {value} must be recorded in each "
        "iteration",
        label="the trip count is known only at run time",
        note="{value} is read from an array that the loop overwrites: unlike a variable, it can't be "
        "recomputed from a snapshot; and a device function has no tape",
        help="write the loop into the kernel itself: its trip count is then measured",
    )
    UNBOUNDED_INTEGER = Message(
        title="the trip count of this loop has no known bound, and {value}, which isn't floating-point, "
        "must be recorded in each iteration",
        label="the trip count is known only at run time",
        note="beyond a bound that --bound declares, a floating-point value reads as NaN and makes the "
        "gradient NaN; a missing index would go unnoticed",
        help="leave out --bound: the trip count is then measured",
    )
    BOUND_NOT_USED = Message(
        title="--bound {line}={text} names no loop",
        label="no loop starts in line {line}",
        help="{help}",
    )
    BOUND_UNCLEAR = Message(
        title="--bound {line}={text} isn't an integer expression over the kernel's scalar parameters",
        note="the host computes the tape's size from it before the launch",
        help="use {names} and integer arithmetic",
    )
    RANGE_UNCLEAR = Message(
        title="--assume range:{text}: {why}",
        note="the adjoint kernel tests it when it starts",
        help="use {names} and integer arithmetic on each side of `<` or `<=`",
    )
    TAPE_BUDGET = Message(
        title="the tape can't be kept within {budget} bytes per thread: {why}",
        label="values of this loop's iterations are recorded",
        note="within a budget, a loop runs in strips: the state at the beginning of each is kept, and one "
        "strip is recorded at a time, when it runs again",
        help="{help}",
    )
    NO_DEPENDENCE = Message(
        title="{dependent} does not depend on any independent",
        label="its adjoint does not propagate",
        help="if you don't expect that, look for a comparison or a conversion to an integer on the path",
        severity="warning",
    )
    NOT_DIAGONAL = Message(
        title="cannot prove that the Hessian is diagonal: {why}",
        label="the gradient may depend on another element here",
        note="one product with ones is the diagonal only if nothing else is in the matrix",
        help="{help}",
    )
    SHARED_WRITER = Message(
        title="cannot prove that only one thread writes {place}",
        label="two threads may write the same element",
        note="the reverse sweep reads adj_{array} here and then clears it; with two writers one of them "
        "would read zero",
        help="if {claim}, declare it: --assume {assumption}{same}",
    )
    # ---- checking and running ------------------------------------------------
    NO_CASE = Message(
        title="{file} has no case file, so its inputs are unknown",
        help="start from a draft: {command}",
    )
    NO_DRAFT = Message(
        title="no draft of a case was found on which {kernel} stays inside its arrays",
        note="on the first draft, {why}; this says nothing about the adjoint",
        help="say what to run it on: `s2sad case {file} > {case}`, then adjust the marked lines",
    )
    OTHER_PARAMETERS = Message(
        title="the parameters of {kernel} differ from those of a newly generated adjoint",
        label="it should take {wanted}",
        note="the parameters depend on what is differentiated and on the mode",
        help="generate it again, or pass the options that it was generated with, as in: {command}",
    )
    CASE_SYNTAX = Message(
        title="{message}",
        label="the case file isn't valid TOML from here on",
    )
    CASE_MISSING = Message(title="{what} is missing", label="{label}", help="{help}")
    CASE_UNKNOWN = Message(title="{what}", label="{label}", help="{help}")
    CASE_VALUE = Message(title="{what}", label="{label}", help="{help}")
    ARGUMENT_MISSING = Message(title="no value for {names} of {kernel}", help="{help}")
    ARGUMENT_UNKNOWN = Message(title="{kernel} has no parameter {name}", help="{help}")
    ARGUMENT_VALUE = Message(title="{name}: {what}", help="{help}")
    OVERLAPPING_ARGUMENTS = Message(
        title="{first} and {second} share memory, and {kernel} writes {written}",
        note="an adjoint assumes that arrays don't overlap: a write through one name would be read through "
        "the other",
        help="pass {second}.copy(), or write the kernel with one parameter that it updates in place",
    )
    BAD_LAUNCH = Message(
        title="launch: {what}",
        label="here",
        help="{help}",
    )
    LAUNCH_UNKNOWN = Message(
        title="the launch of {kernel} can't be drafted: {why}",
        label="this kernel",
        help="{help}",
    )
    LAUNCH_DRAFTED = Message(
        title="the launch of {kernel} is taken from {origin}: {launch}",
        label="this kernel",
        help="to state it, write it above the kernel: // s2sad: launch {launch}",
        severity="note",
    )
    LAUNCH_TOO_SMALL = Message(
        title="the launch doesn't cover {kernel}: for {name} = {value} it has {threads} threads",
        label="this launch",
        note="the kernel's guard lets each thread below {name} compute, and the others are left out",
        help="round up: ({name} + 255) / 256 blocks of 256 threads",
    )
    SHAPE_UNKNOWN = Message(
        title="the shape of {name}, which {kernel} writes, isn't known",
        label="in this kernel",
        note="a binding allocates what the kernel writes",
        help="say it in the launch: {name}=x for the shape of x, {name}=rows,cols for extents; or name it in "
        "--wrt, if the kernel updates it in place",
    )
    SHAPE_DRAFTED = Message(
        title="{name} gets the shape of {like}, which is read at the same indices",
        label="in this kernel",
        help="if it is another, say it in the launch: {name}=EXTENTS",
        severity="note",
    )
    TYPES_TAKEN = Message(
        title="{name} is bound to each real type that the kernel takes: {options}",
        label="this parameter",
        severity="note",
    )
    NOT_WRITTEN_BY_US = Message(
        title="{file} isn't as `s2sad bind` wrote it",
        note="nothing was written",
        help="move it away, or name another folder: -o DIR",
    )
    BINDING_STALE = Message(
        title="{files}: not what {command} writes",
        help="to write it, leave --check out",
    )
    ONE_TYPE = Message(
        title="--cpp binds one type, and {kernel} has {types}",
        note="the adjoint's name is the same for each",
        help="choose one, with a folder for each: --template T=float -o DIR",
    )
    CANNOT_BIND = Message(
        title="`s2sad bind` can't pass {name} yet: it is {what}",
        label="in this kernel",
        help="pass arrays and numbers of their own; or call the adjoint yourself: s2sad transform",
    )
    CANNOT_BIND_LOOP = Message(
        title="`s2sad bind` can't call {kernel} yet: it is {what}",
        label="this kernel",
        help="give the loop a bound: --bound {line}=EXPR",
    )
    COMPILE_FAILED = Message(title="{file} doesn't compile", note="{reason}")
    LAUNCH_FAILED = Message(title="{kernel} can't be run: {reason}")
    NO_SUCH_THREAD = Message(title="{kernel} isn't launched with a {what} {there}", help="{help}")
    TAPE_OVERRUN = Message(
        title="the tape of {kernel} is too short",
        note="a loop ran longer than the bound that its size was computed from; the gradient is NaN",
        help="raise the bound: --bound LINE=EXPR",
    )
    UNSUPPORTED_TYPE = Message(
        title="{name} has elements of type {type}, which can't be run yet",
        help="supported: float, double and the integer types",
    )
    # ---- auditing backward kernels -------------------------------------------
    AUDIT_PARAMETER = Message(
        title="{name} has type {type}, which case data can't be passed as",
        label="this parameter",
        help="pass plain arrays, or add a kernel that makes this from plain arrays",
    )
    AUDIT_UNMATCHED = Message(
        title="cannot tell what the parameter {name} of {kernel} is",
        label="neither a parameter of {forward} nor the adjoint of one",
        help="{help}",
    )
    AUDIT_NO_ADJOINT = Message(
        title="no parameter of the backward is the adjoint of {name}",
        label="{kernel} has {parameters}",
        help='expected {spellings}; to use another name, add to the case file: [names] {name} = "…"',
    )
    AUDIT_BY_VALUE = Message(
        title="{name}, the adjoint of {of}, is passed by value",
        label="an adjoint must be in memory",
        help="pass a pointer to it",
    )
    AUDIT_NO_BACKWARD = Message(
        title="no kernel of {file} looks like the backward of {forward}",
        help="none has a parameter named like an adjoint ({spellings}); to name the kernels, add to the "
        'case file: [backward] kernels = ["…"]',
    )
    AUDIT_TEMPLATE = Message(
        title="{kernel} is a template, and {name} can't be inferred",
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
        return "\n".join(
            f"{f'{d.span}: ' if d.span else ''}{d.severity}[{d.code.slug}]: {d.title}"
            for d in self.diagnostics
        )
