"""Small programs with Python control flow on tensors; each is called with several sets of inputs.

`PROGRAMS` maps a name to (function, list of argument tuples). They are user code: conversion applies to them.
"""

import functools

import numpy as np

from ms_compat import Parameter, ParameterTuple, Tensor, nn, ops


def t(*values):
    return Tensor(np.array(values[0] if len(values) == 1 else values, np.float32))


def if_elif_else(x):
    if x > 0:
        y = x * 2
    elif x < -5:
        y = x * 3
    else:
        y = x
    return y


def early_return(x):
    if x > 0:
        return x * 2
    return x - 1


def mapped_functions(x):
    first = ops.HyperMap()(early_return, (x, -x))
    second = ops.Map(early_return)((x, -x))
    third = list(map(early_return, (x, -x)))
    return first, second, third, functools.reduce(smaller, (x, -x, x * 2))


def smaller(x, y):
    if x < y:
        return x
    return y


def return_in_nested_branches(x, y):
    if x > 0:
        if y > 0:
            return x + y
        x = x * 10
    return x - y


def variable_defined_in_both_branches_only(x):
    if x > 0:
        a, b = x, 1
    else:
        a, b = -x, 2
    return a * b


def while_counter(x):
    i = 0
    while i < x:
        i += 1
    return i


def while_break_continue(x):
    total = x * 0
    while True:
        x = x - 1
        if x < -3:
            break
        if x > 2:
            continue
        total = total + x
    return total


def while_inside_while(x):
    count = 0
    while x > 0:
        y = x
        while y > 0:
            y = y - 1
            count += 1
        x = x - 1
    return count


def for_over_traced_range(x, n):
    s = x * 0
    for i in range(n):
        if i == 2:
            continue
        s = s + i * x
    return s


def for_with_traced_break(x):
    for k in (1.0, 2.0, 3.0):
        x = x * k
        if x > 10:
            break
    return x


def for_over_rows(x):
    best = x[0]
    for row in x:
        if row.sum() > best.sum():
            best = row
    return best


def long_range_with_break(x):
    steps = 0
    for _ in range(1000):
        if x > 50:
            break
        x = x + 1
        steps += 1
    return x, steps


def conditional_expression(x, y):
    return (x if x > y else y) * 2


def boolean_operators(x):
    if (x > 1 and x < 3) or not x < 10:
        return x
    return -x


def chained_comparison(x):
    return x * 2 if 0 < x < 5 else x


def builtins_of_tensors(x, y):
    return max(x, y) - min(x, y) + abs(x) + int(y) + float(x)


def containers(x):
    out = []
    for k in range(3):
        out.append(x * k)
    pair = {"a": out[1], "b": out[2]}
    if x > 0:
        pair["a"] = pair["a"] + 10
    return pair["a"] + pair["b"], len(out)


def comprehension_and_lambda(x):
    double = lambda v: v * 2  # noqa: E731
    values = [double(x) for _ in range(3)]
    return sum(values) if x > 0 else x


def closure_and_nested_function(x):
    bias = x * 10

    def shifted(v):
        if v > 0:
            return v + bias
        return v - bias

    return shifted(x)


def helper(x):
    while x < 100:
        x = x * 3
    return x


def call_of_another_function(x):
    return helper(x) + helper(x + 1)


def tuple_and_none(x, flag=None):
    if flag is None:
        result = (x, x + 1)
    else:
        result = (x, x)
    if x > 0:
        result = (result[1], result[0])
    return result


def fstring_and_isinstance(x):
    name = f"{2 + 3}"
    if isinstance(x, Tensor) and x > 0:
        return x * int(name)
    return x


def integers_become_tensors(x):
    k = 1
    if x > 0:
        k = 5
    return x * k


def try_except(x):
    try:
        y = {"a": x}["b"]
    except KeyError:
        y = x
    if y > 0:
        return y
    return -y


class Branching(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(t([2.0]), name="w")
        self.n = Parameter(t([0.0]), name="n", requires_grad=False)

    def helper(self, x):
        if x.sum() > 4:
            return x * self.w
        return x

    def construct(self, x):
        if x.sum() > 0:
            self.n += 1
            x = self.helper(x)
        while x.sum() < 20:
            x = x * self.w
        return x


class Derived(Branching):
    def construct(self, x):
        x = super().construct(x)
        return x if x.sum() > 30 else x + 1


class Stack(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([Branching() for _ in range(2)])
        self.seq = nn.SequentialCell(Branching())

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
            if x.sum() > 60:
                break
        return self.seq(x)


CHOSEN = ops.MultitypeFuncGraph("chosen")


@CHOSEN.register("Tensor", "Tensor")
def keep_larger(kept, new):
    if new.sum() > kept.sum():
        ops.assign(kept, new)
    return kept * 2


class Mapped(nn.Cell):
    """As optimizers are written: a function for each Parameter, chosen by type, with a branch that assigns."""

    def __init__(self):
        super().__init__()
        self.kept = ParameterTuple([Parameter(t([1.0, 2.0]), name="a"), Parameter(t([5.0, 5.0]), name="b")])

    def construct(self, x):
        first, second = ops.HyperMap()(ops.partial(CHOSEN), self.kept, (x, x))
        return first + second


POSITIVE_NEGATIVE = [(t(1.0),), (t(-2.0),), (t(-6.0),)]

PROGRAMS = {
    "if_elif_else": (if_elif_else, POSITIVE_NEGATIVE),
    "early_return": (early_return, POSITIVE_NEGATIVE),
    "return_in_nested_branches": (
        return_in_nested_branches,
        [(t(a), t(b)) for a in (1.0, -1.0) for b in (2.0, -2.0)],
    ),
    "variable_defined_in_both_branches_only": (variable_defined_in_both_branches_only, POSITIVE_NEGATIVE),
    "while_counter": (while_counter, [(t(0.0),), (t(3.0),), (t(7.5),)]),
    "while_break_continue": (while_break_continue, [(t(5.0),), (t(-5.0),)]),
    "while_inside_while": (while_inside_while, [(t(4.0),), (t(0.0),)]),
    "for_over_traced_range": (for_over_traced_range, [(t(2.0), Tensor(n)) for n in (0, 2, 5)]),
    "for_with_traced_break": (for_with_traced_break, [(t(1.0),), (t(6.0),), (t(20.0),)]),
    "for_over_rows": (for_over_rows, [(t([[1.0, 2.0], [5.0, 0.0], [2.0, 2.0]]),)]),
    "long_range_with_break": (long_range_with_break, [(t(0.0),), (t(60.0),)]),
    "conditional_expression": (conditional_expression, [(t(1.0), t(2.0)), (t(3.0), t(2.0))]),
    "boolean_operators": (boolean_operators, [(t(2.0),), (t(5.0),), (t(11.0),)]),
    "chained_comparison": (chained_comparison, [(t(2.0),), (t(5.0),), (t(-1.0),)]),
    "builtins_of_tensors": (builtins_of_tensors, [(t(1.5), t(2.5)), (t(3.0), t(-2.5))]),
    "containers": (containers, [(t(1.0),), (t(-1.0),)]),
    "comprehension_and_lambda": (comprehension_and_lambda, [(t(1.0),), (t(-1.0),)]),
    "closure_and_nested_function": (closure_and_nested_function, [(t(1.0),), (t(-1.0),)]),
    "call_of_another_function": (call_of_another_function, [(t(1.0),), (t(50.0),)]),
    "mapped_functions": (mapped_functions, POSITIVE_NEGATIVE),
    "tuple_and_none": (tuple_and_none, [(t(1.0),), (t(-1.0),)]),
    "fstring_and_isinstance": (fstring_and_isinstance, [(t(1.0),), (t(-1.0),)]),
    "integers_become_tensors": (integers_become_tensors, [(t(1.0),), (t(-1.0),)]),
    "try_except": (try_except, [(t(1.0),), (t(-1.0),)]),
}
CELLS = {
    "Branching": (Branching, [(t([1.0, 1.0]),), (t([3.0, 3.0]),), (t([30.0, 3.0]),)]),
    "Derived": (Derived, [(t([1.0, 1.0]),), (t([3.0, 3.0]),), (t([30.0, 3.0]),)]),
    "Mapped": (Mapped, [(t([1.0, 1.0]),), (t([3.0, 3.0]),), (t([9.0, 9.0]),)]),
    "Stack": (Stack, [(t([1.0, 1.0]),), (t([9.0, 3.0]),)]),
}
