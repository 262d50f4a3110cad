"""Types of two branches' results, and names that one path only sets: what MindSpore's compiler takes and refuses."""

import functools
import json
import pathlib

import pytest

import ms_compat as ms
from ms_compat import Tensor

JOINS = json.loads((pathlib.Path(__file__).parent / "joins.json").read_text())
NAMESPACE = {"Tensor": Tensor, "ms": ms}


def vector():
    return Tensor([1.0, 2.0])


# -- results of branches ----------------------------------------------------------------------------------------------
def returns(first, second):
    def f(x):
        if x > 2:
            return first(x)
        else:
            return second(x)

    return f


def assigns(first, second):
    def f(x):
        if x > 2:
            a = first(x)
        else:
            a = second(x)
        return a

    return f


def conditional(first, second):
    def f(x):
        return first(x) if x > 2 else second(x)

    return f


def early(first, second):
    def f(x):
        if x > 2:
            return first(x)
        y = second(x)
        return y

    return f


def in_while(first, second):
    def f(x):
        while x > 2:
            return first(x)
        return second(x)

    return f


def both(first, second):
    def f(x):
        a = first(x)
        return a and second(x)

    return f


def either(first, second):
    def f(x):
        a = first(x)
        return a or second(x)

    return f


FORMS = {
    "ret": returns,
    "assign": assigns,
    "expr": conditional,
    "early": early,
    "whileret": in_while,
    "and": both,
    "or": either,
}


@functools.cache
def value_of(name):
    return eval(f"lambda x: {JOINS['values'][name]}", NAMESPACE)  # texts of our own


def program(form, pair):
    return ms.jit(FORMS[form](*map(value_of, pair.split())))


# Refused by MindSpore by rules that nobody would guess; these run here.
SERVED = {"tup3 tupf", "tupf dict", "tupt dict", "list2 dict"}


@pytest.mark.parametrize("form", FORMS)
def test_results_that_mindspore_does_not_join_are_refused(form):
    for pair in set(JOINS["refused"][form]) - SERVED:
        with pytest.raises(TypeError, match="must have one type"):
            program(form, pair)(Tensor(3.0))


@pytest.mark.parametrize("form", FORMS)
def test_results_that_mindspore_joins_are_taken(form):
    for pair in JOINS["accepted"][form]:
        for x in (3.0, 1.0):
            program(form, pair)(Tensor(x))


def test_values_of_unlike_branches_that_are_only_used_are_no_error():
    @ms.jit
    def f(x):
        if x > 2:
            a = 2
        else:
            a = (1.5, 2.5)
        return x + 1 if isinstance(a, int) else x * a[1]

    assert f(Tensor(3.0)) == 4 and f(Tensor(1.0)) == 2.5


def test_values_of_unlike_branches_that_are_cast_are_no_error():
    @ms.jit
    def f(x):
        if x > 2:
            a = Tensor(3)
        else:
            a = Tensor(1.5)
        return a.astype(ms.float32)

    assert f(Tensor(3.0)) == 3 and f(Tensor(1.0)) == 1.5


# -- names ------------------------------------------------------------------------------------------------------------
def set_in_one_branch(x):
    if x < 0:
        y = 0
    return y


def set_in_the_other_branch(x):
    if x < 0:
        x = x + 1
    else:
        y = 0
    return y


def set_in_the_branch_of_a_loop(x):
    for _ in range(3):
        if x < 0:
            y = x
    return y


def read_under_the_same_condition(x):
    if x < 0:
        y = x
    if x < 0:
        x = y
    return x


def set_without_the_last_else(x):
    if x < 0:
        y = 1
    elif x > 0:
        y = 2
    return y


def set_in_an_inner_function(x):
    def g(x):
        if x < 0:
            y = 0
        return y

    return g(x)


def never_read(x):
    if x < 0:
        y = 0  # noqa: F841
    return x


def the_other_path_raises(x):
    if x < 0:
        y = x
    else:
        raise ValueError
    return y


def the_other_path_returns(x):
    if x < 0:
        y = x
    else:
        return x + 1
    return y


def the_other_path_goes_on(x):
    total = x
    for i in range(3):
        if x > 5 + i:
            continue
        else:
            y = x
        total = total + y
    return total


def set_again(x):
    if x < 0:
        y = x
        return y
    y = x + 1
    return y


def set_in_a_loop_and_read_there(x):
    while x < 3:
        y = x
        x = x + 1
        x = x + y * 0
    return x


@pytest.mark.parametrize(
    "function",
    [
        set_in_one_branch,
        set_in_the_other_branch,
        set_in_the_branch_of_a_loop,
        read_under_the_same_condition,
        set_without_the_last_else,
        set_in_an_inner_function,
    ],
)
def test_a_name_that_only_one_path_sets_is_unbound_after_it(function):
    for x in (-1.0, 1.0):
        with pytest.raises(UnboundLocalError, match="'y' is read after an 'if'"):
            ms.jit(function)(Tensor([x]))


@pytest.mark.parametrize(
    "function, value, expected",
    [
        (never_read, -1.0, -1.0),
        (the_other_path_raises, -1.0, -1.0),
        (the_other_path_returns, -1.0, -1.0),
        (the_other_path_returns, 1.0, 2.0),
        (the_other_path_goes_on, 1.0, 4.0),
        (the_other_path_goes_on, 5.5, 16.5),
        (set_again, -1.0, -1.0),
        (set_again, 1.0, 2.0),
        (set_in_a_loop_and_read_there, 1.0, 3.0),
    ],
)
def test_a_name_that_every_path_sets_is_bound(function, value, expected):
    assert ms.jit(function)(Tensor([value])) == expected


def test_names_that_are_nowhere_come_before_conditions_without_a_truth_value():
    @ms.jit
    def f(x):
        if x > 0:
            nowhere  # noqa: B018, F821
        return x

    @ms.jit
    def g(x):
        if x > 0:
            x = x + len(FORMS)
        return x

    with pytest.raises(NameError, match="'nowhere'"):
        f(vector())
    with pytest.raises(ValueError, match="ambiguous"):
        g(vector())
