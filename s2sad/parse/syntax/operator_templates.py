"""Parse operators that are templates in a class: `template <typename S> __device__ V operator*(S s) const`.

Other templates in classes are left out, and so are operators in a form that can't be parsed;
uses of these are refused.
"""

from __future__ import annotations

from ...diagnostics import Rejected
from .classes import Class, Classes
from .positions import Skip
from .templates import Angles, Template

_METHODS = ("operator()", "operator[]")


class OperatorTemplates(Classes, Angles):
    """Parser methods for templates among the members of a class."""

    def _pass_over_member(self, made: Class) -> None:
        """Leave out a member, unless it is a template that can be written outside the class."""
        if not self._is_operator_template() or not self._operator_template(made):
            super()._pass_over_member(made)

    def _is_operator_template(self) -> bool:
        """Whether a template of an operator that a kernel can call follows."""
        k, on_device = 1, False
        while (token := self._tokens.peek(k)) is not None and token.type not in ("SEMI", "LBRACE"):
            on_device = on_device or token.value == "__device__"
            if token.value.startswith("operator") and token.value not in _METHODS:
                return on_device and self._peek_type() == "TEMPLATE"
            k += 1
        return False

    def _operator_template(self, made: Class) -> bool:
        """Parse an operator's template; return False if it can't be parsed, and where it began."""
        start, scopes, known = self._tokens.mark(), len(self._scope_stack), list(self.problems)
        first, open_types, depth = self._first(), self.open_types, self._depth
        self._scope_stack.append({})
        coord = self._tok_coord(self._advance())
        alone = Class(made.name, [], coord)
        try:
            params, conditions = self._parse_template_head()
            conditions += self._enabled_result()
            _, mutable = self._specifiers_ahead()
            self._declared_member(alone, static=False, friend=False, mutable=mutable)
        except (Skip, Rejected):
            alone.methods.clear()
        self.open_types = open_types
        del self._scope_stack[scopes:]
        if not alone.methods or self.problems != known:
            self.problems, self._depth, self._typedef_checked_token = known, depth, None
            self._reset(start)
            return False
        (method,) = alone.methods
        template = Template(params, method, [], coord)
        template.conditions = conditions
        made.passed.add(method.decl.name)
        made.templates.append((self._noted(template, first), id(method) in alone.constant))
        return True
