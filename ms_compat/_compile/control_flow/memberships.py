"""`a in b`, `b.has_key(a)`, `a += b` and `a[b:c]` in rewritten functions, in a separate pass: malt leaves them.

The pass covers `b.count(a)` and `b.index(a)` of lists and tuples, too.

In compiled code an element that is known at run time only equals another if all its values do, and the answer is known
at run time only.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._compile.control_flow.checks import check_at_run_time
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.mutable import alike, mutable
from ms_compat._core.tensor.traced_number import TracedNumber, number

# operators whose value a function may return, although nothing else may be done with it (`refusals.Unjoined`)
_RETURNED = {
    "ld": "ld_returned",
    "if_exp": "if_exp_returned",
    "and_": "and_returned",
    "or_": "or_returned",
    "converted_call": "call_returned",
}


def _operator(name: str) -> ast.Attribute:
    return ast.Attribute(ast.Name("ag__", ast.Load()), name, ast.Load())


def _as_value(index: ast.expr) -> ast.expr:
    """An index as a separate expression."""
    if isinstance(index, ast.Slice):
        parts = [part or ast.Constant(None) for part in (index.lower, index.upper, index.step)]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    if isinstance(index, ast.Tuple):
        return ast.Tuple([_as_value(part) for part in index.elts], ast.Load())
    return index


def _through(target: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What `a[i][j]` is written into, and the indices; None if there is one index, or the last but one is a slice."""
    indices: list[ast.expr] = []
    while isinstance(target, ast.Subscript):  # a read by a slice alone is a call by now, which ends the chain
        indices.insert(0, _as_value(target.slice))
        target = target.value
    return (target, ast.Tuple(indices, ast.Load())) if len(indices) > 1 else None


class _Memberships(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if node.attr != "has_key" or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(_operator("has_key"), [node.value], []), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        target, value = node.targets[0], node.value
        through = _through(target) if len(node.targets) == 1 else None
        if through is not None:
            return ast.copy_location(ast.Expr(ast.Call(_operator("set_through"), [value, *through], [])), node)
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            call = ast.Call(_operator("set_item"), [value, target.value, _as_value(target.slice)], [])
            return ast.copy_location(ast.Expr(call), node)
        if isinstance(target, ast.Name) and target.id.startswith("retval_") and isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and value.func.attr in _RETURNED:
                value.func.attr = _RETURNED[value.func.attr]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice) or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(_operator("get_slice"), [node.value, _as_value(node.slice)], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        through = _through(node.target)
        if through is not None:
            container, indices = through
            arguments = [ast.Constant(type(node.op).__name__), container, indices, node.value]
            return ast.copy_location(ast.Expr(ast.Call(_operator("augment_through"), arguments, [])), node)
        if not isinstance(node.target, ast.Name):
            return node
        now = ast.Call(_operator("ld"), [ast.Name(node.target.id, ast.Load())], [])
        value = ast.Call(_operator("augmented"), [ast.Constant(type(node.op).__name__), now, node.value], [])
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return node
        name = "in_" if isinstance(node.ops[0], ast.In) else "not_in"
        return ast.copy_location(ast.Call(_operator(name), [node.left, *node.comparators], []), node)


def transform(node: ast.AST) -> ast.AST:
    """The tree of a function with its membership tests as calls of `in_` and `not_in`."""
    return ast.fix_missing_locations(_Memberships().visit(node))


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    if not isinstance(container, (tuple, list)) or not any(isinstance(v, Tensor) for v in (item, *container)):
        return item in container
    found: Any = False
    for element in container:
        equal = _equal(item, element)
        if equal is True:
            return True
        if equal is not False:
            found = equal if found is False else jnp.logical_or(found, equal)
    return found if found is False else number(found)


def get_slice(container: Any, part: slice) -> Any:
    """`container[start:stop:step]`: between variables it counts as of variable length, although theirs are known."""
    found = container[part]
    if type(container) not in (list, tuple) or not alike(found):
        return found
    return (
        mutable(found, True) if any(isinstance(v, TracedNumber) for v in (part.start, part.stop, part.step)) else found
    )


# statements' operators by the names of their nodes: what gives a new value, and what may change the left operand
_AUGMENTED: dict[str, tuple[Callable, Callable]] = {
    "Add": (operator.add, operator.iadd),
    "Sub": (operator.sub, operator.isub),
    "Mult": (operator.mul, operator.imul),
    "MatMult": (operator.matmul, operator.imatmul),
    "Div": (operator.truediv, operator.itruediv),
    "FloorDiv": (operator.floordiv, operator.ifloordiv),
    "Mod": (operator.mod, operator.imod),
    "Pow": (operator.pow, operator.ipow),
    "LShift": (operator.lshift, operator.ilshift),
    "RShift": (operator.rshift, operator.irshift),
    "BitAnd": (operator.and_, operator.iand),
    "BitOr": (operator.or_, operator.ior),
    "BitXor": (operator.xor, operator.ixor),
}


def augmented(name: str, now: Any, value: Any) -> Any:
    """What `now += value` binds: of a NumPy array a new one, which may be of another dtype, as MindSpore's compiler."""
    new, in_place = _AUGMENTED[name]
    return (new if isinstance(now, np.ndarray) else in_place)(now, value)


def has_key(container: Any) -> Any:
    """`container.has_key`, which dicts have in compiled functions of MindSpore."""
    return container.__contains__ if isinstance(container, dict) else container.has_key


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    found = in_(item, container)
    return number(jnp.logical_not(found._v)) if isinstance(found, TracedNumber) else not found


def count(container: list | tuple, item: Any) -> Any:
    """`container.count(item)` where Tensors are among them: a number of the program if their values are not known."""
    found = [_element_equals(element, item) for element in container]
    traced = [equal for equal in found if not isinstance(equal, bool)]
    known = sum(equal for equal in found if isinstance(equal, bool))
    return number(known + sum(jnp.asarray(equal, np.int64) for equal in traced)) if traced else known


def index(container: list | tuple, item: Any, start: int = 0, stop: int | None = None) -> Any:
    """`container.index(item, start, stop)` where Tensors are among them.

    Where their values are not known, the index is a number of the program, which raises after it has run if no element
    equals `item`.
    """
    searched = "a value of the program" if is_traced(item) else f"{item!r:.80}"
    message = f"The {type(container).__name__} has no element that equals {searched}."
    candidates: list[tuple[int, Any]] = []
    for i in range(len(container))[slice(start, stop)]:
        equal = _element_equals(container[i], item)
        if equal is not False:
            candidates.append((i, equal))
        if equal is True:
            break
    if not candidates:
        raise ValueError(message)
    if candidates[0][1] is True:
        return candidates[0][0]
    if candidates[-1][1] is not True:
        check_at_run_time(functools.reduce(jnp.logical_or, [equal for _, equal in candidates]), message, ValueError)
    at = jnp.asarray(candidates[-1][0], np.int64)
    for i, equal in reversed(candidates[:-1]):
        at = jnp.where(equal, i, at)
    return number(at)


_SEARCHES: dict[str, Callable] = {"count": count, "index": index}


def search(method: Any, args: tuple) -> Callable | None:
    """What stands for a bound `count` or `index` of a sequence in which Tensors are compared; None for all else."""
    found = _SEARCHES.get(method.__name__)
    owner = getattr(method, "__self__", None)
    if found is None or not isinstance(owner, (list, tuple)):
        return None
    return functools.partial(found, owner) if any(isinstance(v, Tensor) for v in (*args[:1], *owner)) else None


def _element_equals(element: Any, item: Any) -> Any:
    """Whether an element equals what is searched: a bool, or a traced one.

    A Tensor of one value that is known at run time only equals a number; other Tensors equal Tensors alone.
    """
    if element is item:
        return True
    numbers = [isinstance(v, (int, float)) or isinstance(v, TracedNumber) for v in (element, item)]
    if numbers[0] is not numbers[1]:
        tensor = item if numbers[0] else element
        if not is_traced(tensor) or tensor.size != 1:
            return False
        element, item = (v.reshape(()) if isinstance(v, Tensor) else v for v in (element, item))
    found = _equal(element, item)
    if not isinstance(found, bool) and max(v.size if isinstance(v, Tensor) else 1 for v in (element, item)) > 1:
        raise NotTraceableError("Whether two Tensors of several values are equal is known at run time only.")
    return found


def _equal(a: Any, b: Any) -> Any:
    """Whether two values are equal: a bool, or a traced one."""
    if not isinstance(a, Tensor) and not isinstance(b, Tensor):
        return a is b or bool(a == b)
    one, other = (v._v if isinstance(v, Tensor) else v for v in (a, b))
    if not all(isinstance(v, (int, float)) or hasattr(v, "dtype") for v in (one, other)):
        return False
    if np.shape(one) != np.shape(other):
        return False
    if is_traced(a) or is_traced(b):
        return jnp.all(jnp.equal(one, other))
    return bool(np.all(np.asarray(one) == np.asarray(other)))
