"""Python control flow on tensors in compiled functions.

A function is traced as it is first, which costs nothing extra. Where Python asks a traced tensor for its value (`if
t:`, `while t:`, `range(t)`), the trace fails; the function is then rewritten once (`convert.py`, 30-60 ms) so that its
`if`, `while`, `for`, `and`, `or`, `not` and conditional expressions call `operators.py`, and traced again. Those decide
at each place: a constant condition runs as Python would, a traced one becomes `lax.cond` or `lax.while_loop`
(`branches.py`, `loops.py`). The decision is remembered with the compiled function.
"""

from ms_compat._compile.control_flow import memberships, operators
from ms_compat._compile.control_flow.convert import called as called
from ms_compat._compile.control_flow.convert import converted as converted
from ms_compat._compile.control_flow.convert import explain as explain
from ms_compat._compile.control_flow.convert import is_generated as is_generated
from ms_compat._compile.control_flow.convert import reads_global as reads_global
from ms_compat._compile.control_flow.convert import rewrite_to
from ms_compat._compile.control_flow.numpy_calls import refuses_open_size as refuses_open_size
from ms_compat._compile.control_flow.operators import REWRITTEN as REWRITTEN
from ms_compat._compile.control_flow.operators import takes_view_as_sequence as takes_view_as_sequence
from ms_compat._compile.control_flow.printing import prints_at_run_time as prints_at_run_time

rewrite_to({name: getattr(operators, name) for name in operators.TABLE}, memberships.transform)
