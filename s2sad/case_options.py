"""The command line's options in a case file: macros, folders, template arguments, assumptions."""

from __future__ import annotations

from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .options import Options, Unclear, of_words
from .validate import Header


def options_of_case(head: Header) -> Options:
    """Return a case's options, dependents and independents among them. Raises Rejected with all errors."""
    found, wrong = Options(kernel=head.kernel, of=head.of, wrt=head.wrt), list[Diagnostic]()
    for key, texts, place in head.options:
        words = [word for text in texts for word in (f"--{key}", text)]
        try:
            found = found.with_more(of_words(words))
        except Unclear as unclear:
            what = f"{key}: {unclear.why}"
            wrong.append(diagnose(Code.CASE_VALUE, place, what=what, label="here", help=unclear.help))
    if wrong:
        raise Rejected(*wrong)
    return found
