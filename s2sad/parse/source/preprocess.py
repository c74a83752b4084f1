"""Macros, includes and conditions, without losing what the author wrote.

pcpp (pinned at 1.30; this is the one module that knows it) keeps the macro table,
substitutes arguments, pastes, and evaluates `#if`. Files, directives and the order of
expansion are here, because each token must know its place in the author's file and the
macro uses it came through, and because expansion must take linear time.

Every file that is included and found is read; one that isn't is remembered, and is an
error only if the kernel turns out to need it (reachability.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path

import pcpp

from ... import files
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...source import Source, Span
from . import pp_tokens
from .keywords import ALTERNATIVES
from .pp_tokens import BLANK, Definition, Lexeme, Use

_FUNCTIONS = "gpuAtomicAdd", "gpuAtomicAddNoReturn"
"""What PyTorch's headers declare as functions: a file that declares one means its own."""

PREDEFINED = {
    "__CUDACC__": "1",
    "__CUDA_ARCH__": "800",
    "__NVCC__": "1",
    "__cplusplus": "201703L",
    "__linux__": "1",  # whose sizes the types have here: `long` of eight bytes
    "__unix__": "1",
    "__LP64__": "1",
    "M_E": "2.7182818284590452354",
    "M_LOG2E": "1.4426950408889634074",
    "M_LOG10E": "0.43429448190325182765",
    "M_LN2": "0.69314718055994530942",
    "M_LN10": "2.30258509299404568402",
    "M_PI": "3.14159265358979323846",
    "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962",
    "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308",
    "M_2_SQRTPI": "1.12837916709551257390",
    "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
    "FLT_MAX": "3.402823466e+38F",
    "FLT_MIN": "1.175494351e-38F",
    "FLT_EPSILON": "1.192092896e-07F",
    "DBL_MAX": "1.7976931348623157e+308",
    "DBL_MIN": "2.2250738585072014e-308",
    "DBL_EPSILON": "2.2204460492503131e-16",
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647 - 1)",
    "UINT_MAX": "4294967295U",
    "CHAR_BIT": "8",
    "SCHAR_MAX": "127",
    "SCHAR_MIN": "(-128)",
    "UCHAR_MAX": "255",
    "SHRT_MAX": "32767",
    "SHRT_MIN": "(-32768)",
    "USHRT_MAX": "65535",
    "LONG_MAX": "9223372036854775807L",
    "LONG_MIN": "(-9223372036854775807L - 1L)",
    "ULONG_MAX": "18446744073709551615UL",
    "LLONG_MAX": "9223372036854775807LL",
    "LLONG_MIN": "(-9223372036854775807LL - 1LL)",
    "ULLONG_MAX": "18446744073709551615ULL",
    "INT8_MAX": "127",
    "INT8_MIN": "(-128)",
    "UINT8_MAX": "255",
    "INT16_MAX": "32767",
    "INT16_MIN": "(-32768)",
    "UINT16_MAX": "65535",
    "INT32_MAX": "2147483647",
    "INT32_MIN": "(-2147483647 - 1)",
    "UINT32_MAX": "4294967295U",
    "INT64_MAX": "9223372036854775807L",
    "INT64_MIN": "(-9223372036854775807L - 1L)",
    "UINT64_MAX": "18446744073709551615UL",
    "SIZE_MAX": "18446744073709551615UL",
    **dict.fromkeys(_FUNCTIONS, "atomicAdd"),
    "C10_LAUNCH_BOUNDS_1(n)": "__launch_bounds__(n)",
    "C10_LAUNCH_BOUNDS_2(n, m)": "__launch_bounds__(n, m)",
    "C10_HOST_DEVICE": "__host__ __device__",
    "C10_DEVICE": "__device__",
    "C10_HOST": "__host__",
    "INT8_C(x)": "x",
    "UINT8_C(x)": "x",
    "INT16_C(x)": "x",
    "UINT16_C(x)": "x",
    "INT32_C(x)": "x",
    "UINT32_C(x)": "x##U",
    "INT64_C(x)": "x##L",
    "UINT64_C(x)": "x##UL",
}
"""What the compiler defines, and what its headers, which aren't read, define as a number."""

# Headers of CUDA, C and C++ in their quoted spellings too: never looked for.
_SYSTEM = re.compile(
    r"<|\"(?:cuda|device_|vector_(?:types|functions)|helper_|math_constants|math|std\w*|float|limits|assert"
    r"|string|time|ctype|cub/|thrust/|cooperative_groups|curand|cublas|cufft|cusparse|nv/|mma)[\w/]*(?:\.h(?:pp)?)?\""
)
_FACADES = {name: name for name in ("thrust/complex.h", "thrust/functional.h")}
"""Headers of libraries, and what stands for them here."""
_GLM = "glm/vectors.h", "glm/matrices.h", "glm/quaternions.h"
"""What is read in place of GLM's headers, found or not: those use more of C++ than a kernel needs."""
_DEEPEST_INCLUDE = 64
_MOST = 200_000  # tokens out of one use of a macro
_JOINT = re.compile(r"[ \t]*(?:\\[ \t]*\r?\n|/\*(?s:.*?)\*/)[ \t]*")  # a continued line, a comment


@dataclass(frozen=True)
class Choice:
    """What one `#if` line decided, and the lines that it is about."""

    span: Span  # the directive
    taken: bool
    end: int  # offset of its `#endif`
    guard: bool = False  # an include guard

    def __str__(self) -> str:
        words = " ".join(re.sub(r"\\\s*\n|/\*.*?\*/|//.*", " ", self.span.text).split())
        return f"line {self.span.line}: {words} {'taken' if self.taken else 'not taken'}"

    def within(self, main: Source) -> str:
        """The same, with the name of the file where it isn't the main one."""
        return str(self) if self.span.source is main else f"{Path(self.span.source.name).name} {self}"


@dataclass(frozen=True)
class Missing:
    """An include that was not found."""

    name: str
    span: Span


@dataclass(frozen=True)
class Preprocessed:
    """The tokens of a translation unit, and what is known of how they came about.

    `tokens` has no white space; a pragma is one token. `remarks` are the comments
    that begin with `s2sad:`. `definitions` lists every `#define` of a name, in order, `left`
    those that are in force at the end.
    """

    source: Source
    tokens: tuple[Lexeme, ...]
    choices: tuple[Choice, ...]
    missing: tuple[Missing, ...]
    remarks: tuple[tuple[str, Span], ...]
    definitions: Mapping[str, tuple[Definition, ...]]
    left: Mapping[str, Definition]
    beside: tuple[frozenset[str], ...] = ()  # of further files, the names of those that only they read

    def left_out(self, name: str) -> Span | None:
        """The `#if` line that keeps a declaration or a definition of that name from being read."""
        declared = re.compile(rf"\b(?:struct|class|define|enum|using)\s+{name}\b|\b{name}\s*[;({{=\[]")
        for choice in self.choices:
            text = choice.span.source.text
            end = min(
                (c.span.start for c in self.choices if c.taken and _follows(c, choice)), default=choice.end
            )
            if not choice.taken and declared.search(text, choice.span.end, end):
                return choice.span
        return None


def preprocess(
    source: Source,
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    *,
    facades: bool = True,
) -> Preprocessed:
    """Run the preprocessor over a file and what it includes.

    `facades`: some libraries are read as what stands for them here, not from their own headers.
    """
    if "\0" in source.text:
        at = source.text.index("\0")
        raise Rejected(diagnose(Code.NOT_TEXT, Span(source, at, at + 1), file=source.name))
    unit = _Unit(source, defines or {}, includes)
    unit.facades = facades
    unit.file(source, Path(source.name).parent)
    if unit.problems:
        raise Rejected(*unit.problems)
    return Preprocessed(
        source,
        tuple(unit.output),
        tuple(unit.choices),
        tuple(unit.missing),
        tuple(unit.remarks),
        {name: tuple(found) for name, found in unit.definitions.items()},
        {name: found for name, found in unit.current.items() if found.text},
    )


def _declared(tokens: Sequence[Lexeme]) -> set[str]:
    """Those of PyTorch's functions that a file declares itself: a type stands before their name."""
    found: set[str] = set()
    before = ""
    for token in tokens:
        if token.type in BLANK or token.type in (pp_tokens.LINE_COMMENT, pp_tokens.COMMENT):
            continue
        if token.value in _FUNCTIONS and (before in ("*", "&", ">") or before.isidentifier()):
            found |= {token.value} if before not in ("return", "else", "do", "define", "undef") else set()
        before = token.value
    return found


@dataclass
class _Group:
    """One `#if … #endif` that is open."""

    outer: bool  # the lines around it count
    live: bool
    span: Span
    done: bool  # some part of it was taken
    otherwise: bool = False  # `#else` was seen
    choices: list[int] = field(default_factory=list)  # what it decided, by index


@dataclass
class _Reading:
    """How far one file has been read."""

    folder: Path
    groups: list[_Group] = field(default_factory=list)
    began: bool = False  # something but blanks and comments was there
    guard: _Group | None = None  # the `#ifndef` that everything so far stands in

    @property
    def live(self) -> bool:
        return self.groups[-1].live if self.groups else True


class _Unit(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """One translation unit. pcpp's own reading of files and directives is not used."""

    def __init__(self, source: Source, defines: Mapping[str, str], includes: Sequence[Path]) -> None:
        super().__init__(lexer=pp_tokens.Rescanner())
        self.main = source
        self.include_dirs = includes
        self.facades = True
        self.output: list[Lexeme] = []
        self.choices: list[Choice] = []
        self.missing: list[Missing] = []
        self.remarks: list[tuple[str, Span]] = []
        self.definitions: dict[str, list[Definition]] = {}
        self.problems: list[Diagnostic] = []
        self.current: dict[str, Definition] = {}  # the definition in force, by name
        self.here = Span(source, 0, 0)  # the directive or use at hand
        self.once: set[str] = set()
        self.nesting: list[Span] = []  # the includes that led here
        self.chunk: list[Lexeme] = []
        self.made = 0  # tokens that came out of the use at hand
        self.macros.clear()  # no __DATE__ or __TIME__: the same input gives the same output
        for name, value in (*PREDEFINED.items(), *defines.items()):
            self._define_text(name, value, from_user=name in defines)

    # ---- files ---------------------------------------------------------------

    def file(self, source: Source, folder: Path) -> None:
        """Put the tokens of one file on the output."""
        reading = _Reading(folder)
        line: list[Lexeme] = []
        tokens = list(pp_tokens.scan(source))
        for name in _declared(tokens):
            if name in self.current and not self.current[name].text:
                self._flush()
                self._forget(name)
        for token in tokens:
            line.append(token)
            if token.type == pp_tokens.NEWLINE:
                self._line(line, reading)
                line = []
        if line:
            self._line(line, reading)
        self._flush()
        for group in reading.groups:
            self._problem(Code.UNTERMINATED_IF, group.span, directive=_word(group.span))
        if reading.guard is not None:
            for i in reading.guard.choices:
                self.choices[i] = replace(self.choices[i], guard=True)

    def _line(self, line: list[Lexeme], reading: _Reading) -> None:
        live = reading.live
        for token in line:
            if token.type in (pp_tokens.LINE_COMMENT, pp_tokens.COMMENT):
                if live:
                    self._remark(token)
                token.type, token.value = pp_tokens.SPACE, " "
            elif token.type == pp_tokens.OPEN_COMMENT:
                self._problem(Code.UNTERMINATED_COMMENT, Span(token.origin, token.start, token.start + 2))
                raise Rejected(*self.problems)
        head = next((i for i, token in enumerate(line) if token.type not in BLANK), None)
        if head is not None and line[head].value == "#":
            self._directive(line[head:], reading)
            reading.began = True
            return
        if head is not None:
            reading.began = True
            if reading.guard is not None and not reading.groups:
                reading.guard = None  # something follows its #endif
        if live:
            for token in line:
                if token.type == pp_tokens.OPEN_QUOTE:
                    kind = "string" if token.value == '"' else "character"
                    self._problem(Code.UNTERMINATED_STRING, token.span, kind=kind, quote=token.value)
                    break
            self.chunk.extend(line)

    def _remark(self, token: Lexeme) -> None:
        text = token.value[2:-2] if token.value.startswith("/*") else token.value[2:]
        if text.strip().startswith("s2sad:"):
            self.remarks.append((text.strip()[len("s2sad:") :].strip(), token.span))

    def _flush(self) -> None:
        """Expand what has been collected; only now, for a use may span lines."""
        if self.chunk:
            self.output.extend(t for t in self.expand_macros(self.chunk) if t.type not in BLANK)
            self.chunk = []

    # ---- directives ----------------------------------------------------------

    def _directive(self, line: list[Lexeme], reading: _Reading) -> None:
        words = [t for t in line[1:] if t.type not in BLANK]
        if not words:
            return
        name, args = words[0].value, self.tokenstrip(line[line.index(words[0]) + 1 :])
        self.here = Span(line[0].origin, line[0].start, words[-1].end)
        match name:
            case "if" | "ifdef" | "ifndef":
                self._open(name, args, reading)
            case "elif" | "elifdef" | "elifndef" | "else" | "endif":
                self._branch(name, args, reading.groups)
            case _ if not reading.live:
                pass
            case "define":
                self._flush()
                self._define(args)
            case "undef":
                self._flush()
                if args and args[0].type == pp_tokens.ID:
                    self._forget(args[0].value)
                else:
                    self._problem(
                        Code.BAD_DIRECTIVE, self.here, directive="#undef", why="the name of a macro"
                    )
            case "include" | "include_next" | "import":
                self._flush()
                self._include(args, reading.folder)
            case "pragma":
                if args and args[0].value == "once":
                    self.once.add(self.here.source.name)
                else:
                    self._pragma(line[0], args)
            case "error":
                text = Span(self.here.source, args[0].start, args[-1].end).text if args else ""
                self._problem(Code.ERROR_DIRECTIVE, self.here, text=text)
            case "warning" | "line" | "ident" | "sccs":
                pass
            case _ if words[0].type == pp_tokens.NUMBER:
                pass  # `# 12 "file"`, a line mark of another preprocessor
            case _:
                self._problem(Code.UNKNOWN_DIRECTIVE, self.here, directive=name)

    def _open(self, name: str, args: list[Lexeme], reading: _Reading) -> None:
        live = reading.live
        taken = live and self._condition(name, args)
        group = _Group(outer=live, live=taken, span=self.here, done=taken)
        if reading.guard is not None and not reading.groups:
            reading.guard = None  # something follows its #endif
        if name == "ifndef" and not reading.began:
            reading.guard = group
        reading.groups.append(group)
        if live:
            self._choose(group, taken)

    def _branch(self, name: str, args: list[Lexeme], groups: list[_Group]) -> None:
        if not groups or (groups[-1].otherwise and name != "endif"):
            after = "after its #else" if groups else "without an #if before it"
            self._problem(Code.STRAY_DIRECTIVE, self.here, directive=name, after=after)
            return
        group = groups[-1]
        if name == "endif":
            groups.pop()
            for i in group.choices:
                self.choices[i] = replace(self.choices[i], end=self.here.start)
        elif name == "else":
            group.otherwise, group.live = True, group.outer and not group.done
        elif group.outer and not group.done:
            group.live = group.done = self._condition(name.removeprefix("el"), args)
            self._choose(group, group.live)
        else:
            group.live = False

    def _choose(self, group: _Group, taken: bool) -> None:
        group.choices.append(len(self.choices))
        self.choices.append(Choice(self.here, taken, len(self.here.source.text)))

    def _condition(self, name: str, args: list[Lexeme]) -> bool:
        if name in ("ifdef", "ifndef"):
            if not args or args[0].type != pp_tokens.ID:
                self._problem(Code.BAD_DIRECTIVE, self.here, directive=f"#{name}", why="the name of a macro")
                return False
            return (args[0].value in self.macros or args[0].value == "__has_include") == (name == "ifdef")
        if not args:
            self._problem(Code.BAD_DIRECTIVE, self.here, directive=f"#{name}", why="a condition")
            return False
        value, _ = self.evalexpr(self._queries([copy(t) for t in args]))
        return bool(value != 0)

    def _queries(self, tokens: list[Lexeme]) -> list[Lexeme]:
        """`__has_include` answered and digit separators taken out, neither of which pcpp knows."""
        result: list[Lexeme] = []
        i = 0
        while i < len(tokens):
            token = tokens[i]
            if token.type == pp_tokens.NUMBER:
                token.value = token.value.replace("'", "")
            elif token.value in ALTERNATIVES:
                token.value = ALTERNATIVES[token.value]
                token.type = pp_tokens.OPERATORS[token.value]
            if token.value == "__has_include" and not (result and _last(result) in ("defined", "(")):
                close = next((j for j in range(i, len(tokens)) if tokens[j].value == ")"), None)
                if close is None:
                    self._problem(
                        Code.BAD_DIRECTIVE, self.here, directive="#if", why="`)` after __has_include("
                    )
                    return []
                spelled = "".join(t.value for t in tokens[i + 1 : close]).strip().removeprefix("(").strip()
                found = spelled.startswith("<") or self._find(spelled.strip('"'), quoted=True) is not None
                token.type, token.value = pp_tokens.NUMBER, "1" if found else "0"
                i = close
            elif token.value == "__has_include":
                token.value = "__CUDACC__"  # `defined(__has_include)`: yes
            result.append(token)
            i += 1
        return result

    def _pragma(self, mark: Lexeme, args: list[Lexeme]) -> None:
        text = "".join(t.value for t in args)
        self.chunk.append(Lexeme(pp_tokens.PRAGMA, text, mark.origin, mark.start, self.here.end))

    # ---- includes ------------------------------------------------------------

    def _include(self, args: list[Lexeme], folder: Path) -> None:
        if args and args[0].type == pp_tokens.ID:
            args = self.tokenstrip(self.expand_macros([copy(t) for t in args]))
        spelled = "".join(t.value for t in args)
        match = re.match(r'"([^"]+)"|<([^>]+)>', spelled)
        if match is None:
            self._problem(Code.BAD_DIRECTIVE, self.here, directive="#include", why='"file.h" or <file.h>')
            return
        name = match[1] or match[2]
        path = self._find(name, quoted=match[1] is not None, folder=folder)
        if name in ("assert.h", "cassert") and "NDEBUG" in self.macros:
            self._define_text("assert(...)", "", from_user=False)
        if self.facades and self._stands_for(name):
            return
        if path is None:
            if not _SYSTEM.match(spelled):
                self.missing.append(Missing(name, self.here))
            return
        if str(path) in self.once:
            return
        if len(self.nesting) >= _DEEPEST_INCLUDE:
            self._problem(Code.INCLUDE_CYCLE, self.nesting[0], file=name)
            raise Rejected(*self.problems)
        site = self.here
        self.nesting.append(site)
        self.file(_read(path), path.parent)
        self.nesting.pop()

    def _stands_for(self, name: str) -> bool:
        """Read what stands here for a library's header, if something does."""
        if name.startswith("glm/"):
            wanted = _GLM if re.search("quat|gtc|gtx", name) else _GLM[:2]
            for part in wanted:
                self._facade(part)
        elif name in _FACADES:
            self._facade(_FACADES[name])
        elif name.startswith(("ATen/", "torch/", "c10/")):
            self._facade("torch/tensors.h")
        else:
            return False
        return True

    def _facade(self, name: str) -> None:
        """What stands here for a library's headers, once."""
        if name not in self.once:
            self.once.add(name)
            text = (Path(__file__).parent / name).read_text(encoding="utf-8")
            self.file(Source(name, text), Path(__file__).parent)

    def _find(self, name: str, quoted: bool, folder: Path | None = None) -> Path | None:
        beside = [folder or Path(self.here.source.name).parent] if quoted else []
        for place in (*beside, *self.include_dirs):
            if (place / name).is_file():
                return place / name
        return None

    # ---- macros --------------------------------------------------------------

    def _forget(self, name: str) -> None:
        self.macros.pop(name, None)
        self.current.pop(name, None)

    def _define_text(self, name: str, value: str, from_user: bool) -> None:
        head = re.fullmatch(r"\s*([A-Za-z_]\w*)(\([\w\s,.]*\))?\s*", name)
        if head is None:
            raise Rejected(diagnose(Code.BAD_DEFINE, None, name=name))
        origin = Source("--define" if from_user else "<built-in>", f"{name} {value}")
        self.here = Span(origin, 0, 0)
        tokens = self.tokenstrip(list(pp_tokens.scan(origin)))
        self._define(tokens, known=None if from_user else "")

    def _define(self, args: list[Lexeme], known: str | None = None) -> None:
        """`known` is the directive's text if it isn't in a file."""
        if not args or args[0].type != pp_tokens.ID:
            self._problem(Code.BAD_DIRECTIVE, self.here, directive="#define", why="a name")
            return
        name = args[0]
        before = len(self.problems)
        self.macros.pop(name.value, None)
        empty = None
        try:
            if any(token.value == "__VA_OPT__" for token in args):
                self.define(_without_option(args, keep=False))
                empty = self.macros.get(name.value)
            self.define(_without_option(args, keep=True))
        except IndexError:  # pcpp, of an empty parameter: F(a, )
            self._problem(Code.BAD_DIRECTIVE, self.here, directive="#define", why="names as parameters")
            return
        macro = self.macros.get(name.value)
        if macro is None or len(self.problems) > before:
            return
        macro.empty = empty  # what it is where the variable arguments are empty
        for token in (*macro.value, *(empty.value if empty is not None else ())):
            token.body = True
        body = tuple(dict.fromkeys(t.value for t in macro.value if t.type == pp_tokens.ID))
        where = name.span if name.origin.name not in ("--define", "<built-in>") else None
        text = known
        if text is None:
            start, end = args[0].start, args[-1].end
            text = "#define " + _JOINT.sub(" ", name.origin.text[start:end])
        parameters = None if macro.arglist is None else tuple(macro.arglist)
        definition = Definition(name.value, text, where, parameters, body)
        self.current[name.value] = definition
        if known is None:
            self.definitions.setdefault(name.value, []).append(definition)

    def expand_macros(self, tokens: list[Lexeme], expanding_from: object = ()) -> list[Lexeme]:
        """The tokens with every macro expanded (pcpp calls this for arguments and `#if`).

        A stack of tokens still to be read, its end first: each is looked at once for
        every macro that it comes out of.
        """
        todo = tokens[::-1]
        done: list[Lexeme] = []
        while todo:
            token = todo.pop()
            if token.type != pp_tokens.ID:
                done.append(token)
            elif token.value not in self.macros or token.value in token.hidden:
                done.append(self._builtin(token))
            else:
                macro = self.macros[token.value]
                if macro.arglist is None:
                    use = self._use(token, token.end)
                    hidden = token.hidden | {token.value}
                    self._count(len(macro.value), token)
                    todo.extend(self._placed(b, token, use, hidden) for b in reversed(macro.value))
                else:
                    self._call(token, macro, todo, done)
        return done

    def _call(self, token: Lexeme, macro: pcpp.parser.Macro, todo: list[Lexeme], done: list[Lexeme]) -> None:
        """A function-like macro's name: expanded if an argument list follows."""
        at = len(todo) - 1
        while at >= 0 and todo[at].type in BLANK:
            at -= 1
        if at < 0 or todo[at].value != "(":
            done.append(token)
            return
        depth, close = 0, at
        while close >= 0:
            depth += {"(": 1, ")": -1}.get(todo[close].value, 0)
            if depth == 0:
                break
            close -= 1
        self.here = token.span
        if close < 0:
            self._problem(Code.MACRO_CALL, token.span, macro=token.value, why="its argument list has no end")
            todo.clear()
            return
        written = todo[close : at + 1][::-1]
        last = written[-1]
        del todo[close:]
        _, args, starts = self.collect_args(written)
        args = self._arguments(token, macro, args, starts, written)
        if args is None:
            return
        end = last.end if last.origin is token.origin and not token.uses else token.end
        use = self._use(token, end)
        hidden = (token.hidden & last.hidden) | {token.value}
        if macro.variadic and macro.empty is not None and not _words(self.expand_macros(list(args[-1]))):
            macro = macro.empty
        replaced = self.macro_expand_args(macro, args)
        self._count(len(replaced), token)
        todo.extend(self._placed(t, token, use, hidden) for t in reversed(replaced))

    def _arguments(
        self,
        token: Lexeme,
        macro: pcpp.parser.Macro,
        args: list[list[Lexeme]],
        starts: list[int],
        written: list[Lexeme],
    ) -> list[list[Lexeme]] | None:
        """The arguments as pcpp wants them, as many as there are parameters."""
        wanted = len(macro.arglist)
        if macro.variadic:
            if len(args) < wanted - 1:
                why = f"it takes at least {wanted - 1} arguments and has {len(args)}"
                self._problem(Code.MACRO_CALL, token.span, macro=token.value, why=why)
                return None
            rest = written[starts[wanted - 1] : -1] if len(args) >= wanted else []
            return [*args[: wanted - 1], self.tokenstrip(list(rest))]
        if args == [[]] and wanted == 0:
            return []
        if len(args) != wanted:
            why = f"it takes {wanted} argument{'s' * (wanted != 1)} and has {len(args)}"
            self._problem(Code.MACRO_CALL, token.span, macro=token.value, why=why)
            return None
        return args

    def _count(self, tokens: int, token: Lexeme) -> None:
        """A few lines of macros can stand for more text than there is memory."""
        self.made = (self.made if token.uses else 0) + tokens
        if self.made > _MOST:
            why = f"it expands to more than {_MOST} tokens"
            self._problem(Code.MACRO_CALL, token.span, macro=token.value, why=why)
            raise Rejected(*self.problems)

    def _use(self, token: Lexeme, end: int) -> Use:
        outermost = token.uses[0].span if token.uses else Span(token.origin, token.start, end)
        return Use(self.current[token.value], outermost)

    def _placed(self, token: Lexeme, name: Lexeme, use: Use, hidden: frozenset[str]) -> Lexeme:
        """A token of an expansion: one of the body has the place of the use, an argument its own."""
        kind, value = token.type, token.value
        if token.body:
            span = use.span
            uses = (*name.uses, use)
            return Lexeme(kind, value, span.source, span.start, span.end, uses, hidden, name.body)
        common = len(name.uses) if token.uses[: len(name.uses)] == name.uses else 0
        uses = (*name.uses, use, *token.uses[common:])
        return Lexeme(kind, value, token.origin, token.start, token.end, uses, token.hidden | hidden)

    def _builtin(self, token: Lexeme) -> Lexeme:
        if token.value == "__LINE__":
            token = copy(token)
            token.type, token.value = pp_tokens.NUMBER, str(token.span.line)
        elif token.value == "__FILE__":
            token = copy(token)
            token.type, token.value = pp_tokens.STRING, f'"{token.origin.name}"'
        return token

    # ---- problems ------------------------------------------------------------

    def _problem(self, code: Code, span: Span, **values: str) -> None:
        related = tuple((site, "included from here") for site in self.nesting[:1])
        self.problems.append(Diagnostic(code, span, values, related if span.source is not self.main else ()))

    def on_error(self, file: object, line: object, msg: str) -> None:
        """pcpp's own complaints: of a definition's parameters, and of a condition."""
        if "evaluate" in msg or "defined()" in msg or "Empty" in msg:
            self._problem(
                Code.BAD_DIRECTIVE, self.here, directive=f"#{_word(self.here)}", why="an integer condition"
            )
        else:
            self._problem(
                Code.BAD_DIRECTIVE, self.here, directive=f"#{_word(self.here)}", why="names as parameters"
            )

    def tokenize(self, text: str) -> list[Lexeme]:
        return list(pp_tokens.scan(Source("<pcpp>", text)))

    def on_unknown_macro_in_expr(self, ident: str) -> int:
        return 1 if ident == "true" else 0


def _follows(one: Choice, other: Choice) -> bool:
    """Whether a directive is a later part of the same `#if … #endif`."""
    return one.end == other.end and one.span.source is other.span.source and one.span.start > other.span.start


def _read(path: Path) -> Source:
    """An included file. Where it isn't UTF-8 its comments are Latin-1: not the author's to change."""
    try:
        return files.read(str(path))
    except Rejected as error:
        if error.diagnostics[0].code is not Code.NOT_UTF8:
            raise
        return Source(str(path), path.read_bytes().decode("latin-1"))


def _word(span: Span) -> str:
    """The name of a directive, from its text."""
    match = re.match(r"#\s*(\w*)", span.text)
    return match[1] if match else "define"


def _without_option(args: list[Lexeme], keep: bool) -> list[Lexeme]:
    """A definition with every `__VA_OPT__(…)` replaced by what is in it, or by nothing."""
    result: list[Lexeme] = []
    depth = 0  # parentheses open inside an option
    for i, token in enumerate(args):
        if depth == 0 and token.value == "__VA_OPT__":
            continue
        opens = depth == 0 and token.value == "(" and _last(args[:i]) == "__VA_OPT__"
        if opens or depth:
            depth += {"(": 1, ")": -1}.get(token.value, 0)
            if opens or depth == 0 or not keep:
                continue
        result.append(token)
    return result


def _words(tokens: list[Lexeme]) -> list[Lexeme]:
    return [t for t in tokens if t.type not in BLANK]


def _last(tokens: list[Lexeme]) -> str:
    return next((t.value for t in reversed(tokens) if t.type not in BLANK), "")
