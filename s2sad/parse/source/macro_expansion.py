"""Expand macros: a table of macros, and the tokens that replace their uses.

pcpp (pinned at 1.30; this is the one module that uses it) keeps the macro table,
substitutes arguments, pastes, and evaluates `#if`. The order of expansion is determined
here, because each token must know its position in the author's file and the macro uses it
came through, and because expansion must take linear time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy

import pcpp

from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...source import Source, Span
from . import pp_tokens
from .pp_tokens import BLANK, Definition, Lexeme, Use, last
from .predefined_macros import PREDEFINED

_MOST = 200_000  # tokens from one use of a macro
_JOINT = re.compile(r"[ \t]*(?:\\[ \t]*\r?\n|/\*(?s:.*?)\*/)[ \t]*")  # a continued line, a comment


class Macros(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """The macros of a translation unit. pcpp's own reading of files and directives is not used."""

    def __init__(self, main: Source, defines: Mapping[str, str]) -> None:
        super().__init__(lexer=pp_tokens.Rescanner())
        self.main = main
        self.definitions: dict[str, list[Definition]] = {}
        self.current: dict[str, Definition] = {}  # the definition in force, by name
        self.problems: list[Diagnostic] = []
        self.here = Span(main, 0, 0)  # the current directive or use
        self.nesting: list[Span] = []  # the includes that led here
        self.made = 0  # tokens that the current use has produced
        self.macros.clear()  # no __DATE__ or __TIME__: the same input gives the same output
        for name, value in (*PREDEFINED.items(), *defines.items()):
            self.define_text(name, value, from_user=name in defines)

    # ---- the table -----------------------------------------------------------

    def forget(self, name: str) -> None:
        """Undefine a name."""
        self.macros.pop(name, None)
        self.current.pop(name, None)

    def define_text(self, name: str, value: str, *, from_user: bool = False) -> None:
        """Define `NAME` or `NAME(x)`, which isn't defined in a file."""
        if re.fullmatch(r"\s*([A-Za-z_]\w*)(\([\w\s,.]*\))?\s*", name) is None:
            raise Rejected(diagnose(Code.BAD_DEFINE, None, name=name))
        origin = Source("--define" if from_user else "<built-in>", f"{name} {value}")
        self.here = Span(origin, 0, 0)
        self.define_tokens(self.tokenstrip(list(pp_tokens.scan(origin))), known=None if from_user else "")

    def define_tokens(self, args: list[Lexeme], known: str | None = None) -> None:
        """Define what follows `#define`; `known` is the directive's text if it isn't in a file."""
        if not args or args[0].type != pp_tokens.ID:
            self.bad_directive("define", "a name")
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
            self.bad_directive("define", "names as parameters")
            return
        macro = self.macros.get(name.value)
        if macro is None or len(self.problems) > before:
            return
        macro.empty = empty  # the definition to use if the variable arguments are empty
        for token in (*macro.value, *(empty.value if empty is not None else ())):
            token.body = True
        body = tuple(dict.fromkeys(t.value for t in macro.value if t.type == pp_tokens.ID))
        where = name.span if name.origin.name not in ("--define", "<built-in>") else None
        text = known
        if text is None:
            text = "#define " + _JOINT.sub(" ", name.origin.text[name.start : args[-1].end])
        parameters = None if macro.arglist is None else tuple(macro.arglist)
        definition = Definition(name.value, text, where, parameters, body)
        self.current[name.value] = definition
        if known is None:
            self.definitions.setdefault(name.value, []).append(definition)

    # ---- expansion -----------------------------------------------------------

    def expand_macros(self, tokens: list[Lexeme], expanding_from: object = ()) -> list[Lexeme]:
        """Return the tokens with every macro expanded (pcpp calls this for arguments and `#if`).

        The tokens still to be read are a stack, its end first: each is examined once for
        every macro that it results from.
        """
        todo = tokens[::-1]
        done: list[Lexeme] = []
        while todo:
            token = todo.pop()
            if token.type != pp_tokens.ID:
                done.append(token)
            elif token.value not in self.macros or token.value in token.hidden:
                done.append(self._builtin(token))
            elif (macro := self.macros[token.value]).arglist is None:
                self._replace(token, token.end, macro.value, token.hidden, todo)
            else:
                self._call(token, macro, todo, done)
        return done

    def _call(self, token: Lexeme, macro: pcpp.parser.Macro, todo: list[Lexeme], done: list[Lexeme]) -> None:
        """Expand a function-like macro's name, if an argument list follows."""
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
            self._misused(token, "unterminated argument list")
            todo.clear()
            return
        written = todo[close : at + 1][::-1]
        del todo[close:]
        _, args, starts = self.collect_args(written)
        args = self._arguments(token, macro, args, starts, written)
        if args is None:
            return
        if macro.variadic and macro.empty is not None and not last(self.expand_macros(list(args[-1]))):
            macro = macro.empty
        closing = written[-1]
        end = closing.end if closing.origin is token.origin and not token.uses else token.end
        replaced = self.macro_expand_args(macro, args)
        self._replace(token, end, replaced, token.hidden & closing.hidden, todo)

    def _arguments(
        self,
        token: Lexeme,
        macro: pcpp.parser.Macro,
        args: list[list[Lexeme]],
        starts: list[int],
        written: list[Lexeme],
    ) -> list[list[Lexeme]] | None:
        """Return the arguments as pcpp needs them, as many as there are parameters."""
        wanted, many = len(macro.arglist), len(args)
        if args == [[]] and wanted == 0:
            return []
        if macro.variadic and many >= wanted - 1:
            rest = written[starts[wanted - 1] : -1] if many >= wanted else []
            return [*args[: wanted - 1], self.tokenstrip(list(rest))]
        if many == wanted and not macro.variadic:
            return args
        takes = (
            f"at least {wanted - 1} arguments"
            if macro.variadic
            else f"{wanted} argument{'s' * (wanted != 1)}"
        )
        self._misused(token, f"it takes {takes}, {many} given")
        return None

    def _replace(
        self, token: Lexeme, end: int, by: list[Lexeme], hidden: frozenset[str], todo: list[Lexeme]
    ) -> None:
        """Push the replacement of a use, which extends to `end`, onto the stack."""
        self.made = (self.made if token.uses else 0) + len(by)
        if self.made > _MOST:  # a few lines of macros can expand to more text than memory holds
            self._misused(token, f"it expands to more than {_MOST} tokens")
            raise Rejected(*self.problems)
        outermost = token.uses[0].span if token.uses else Span(token.origin, token.start, end)
        use = Use(self.current[token.value], outermost)
        hidden |= {token.value}
        todo.extend(self._placed(t, token, use, hidden) for t in reversed(by))

    def _placed(self, token: Lexeme, name: Lexeme, use: Use, hidden: frozenset[str]) -> Lexeme:
        """Place a token of an expansion: one of the body at the use, one of an argument where it is."""
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

    def problem(self, code: Code, span: Span, **values: str) -> None:
        """Record a problem, and where the file was included."""
        related = tuple((site, "included from here") for site in self.nesting[:1])
        self.problems.append(Diagnostic(code, span, values, related if span.source is not self.main else ()))

    def bad_directive(self, name: str, why: str) -> None:
        """Report what the current directive lacks."""
        self.problem(Code.BAD_DIRECTIVE, self.here, directive=f"#{name}", why=why)

    def _misused(self, token: Lexeme, why: str) -> None:
        """Report a use of a macro that can't be expanded."""
        self.problem(Code.MACRO_CALL, token.span, macro=token.value, why=why)

    def on_error(self, file: object, line: object, msg: str) -> None:
        """Report pcpp's own errors: in a definition's parameters, or in a condition."""
        condition = "evaluate" in msg or "defined()" in msg or "Empty" in msg
        self.bad_directive(word(self.here), "an integer condition" if condition else "names as parameters")

    def tokenize(self, text: str) -> list[Lexeme]:
        """Scan a text, for pcpp."""
        return list(pp_tokens.scan(Source("<pcpp>", text)))

    def on_unknown_macro_in_expr(self, ident: str) -> int:
        """Return the value of a name in a condition, for pcpp."""
        return 1 if ident == "true" else 0


def word(directive: Span) -> str:
    """Return the name of a directive, from its text."""
    match = re.match(r"#\s*(\w*)", directive.text)
    return match[1] if match else "define"


def _without_option(args: list[Lexeme], keep: bool) -> list[Lexeme]:
    """Replace every `__VA_OPT__(…)` in a definition by its contents, or by nothing."""
    result: list[Lexeme] = []
    depth = 0  # parentheses open inside an option
    for i, token in enumerate(args):
        if depth == 0 and token.value == "__VA_OPT__":
            continue
        opens = depth == 0 and token.value == "(" and last(args[:i]) == "__VA_OPT__"
        if opens or depth:
            depth += {"(": 1, ")": -1}.get(token.value, 0)
            if opens or depth == 0 or not keep:
                continue
        result.append(token)
    return result
