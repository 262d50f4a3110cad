"""The replay helper tells agreement from difference."""

import types

import numpy as np
import pytest

from tests.conformance import replay

MODULE = types.ModuleType("stand_in")  # the cases below need nothing of an API


def recorded(expr, setup=""):
    case = {"expr": expr, "setup": setup}
    return {**case, **replay.evaluate(case, MODULE)}


def found(case, expr):
    return replay.differences(case, replay.evaluate({"expr": expr}, MODULE))


@pytest.mark.parametrize(
    "expr",
    [
        "1",
        "1.5",
        "True",
        "'a'",
        "None",
        "(1, [2.5, 'x'])",
        "{'a': 1}",
        "np.array([1.5, np.nan, -np.inf])",
        "1 / 0",
        "2j",
    ]
    + ["np.float32(2)", "np.array([], np.int8)", "np.array([[1], [2]], np.uint8)", "float('nan')", "[]"],
)
def test_an_expression_agrees_with_itself(expr):
    assert found(recorded(expr), expr) == []


@pytest.mark.parametrize(
    ("expr", "other", "word"),
    [
        ("1", "True", "type"),
        ("1", "1.0", "type"),
        ("1.0", "1.1", "value"),
        ("'a'", "'b'", "value"),
        ("(1, 2)", "[1, 2]", "type"),
        ("(1, 2)", "(1, 2, 3)", "length"),
        ("(1, 2.0)", "(1, 2.5)", r"\[1\] value"),
        ("{'a': 1}", "{'b': 1}", "keys"),
        ("np.zeros(2, np.float32)", "np.zeros(2)", "dtype"),
        ("np.zeros((2, 1))", "np.zeros((1, 2))", "shape"),
        ("np.array([1.0, np.nan])", "np.array([1.0, 0.0])", "value"),
        ("np.array([np.inf])", "np.array([-np.inf])", "value"),
        ("np.array([1, 2])", "np.array([1, 3])", "value"),
        ("1 / 0", "1", "expected ZeroDivisionError; got a value"),
        ("1 / 0", "int('a')", "expected ZeroDivisionError; got ValueError"),
        ("1", "1 / 0", "expected a value"),
    ],
)
def test_a_difference_is_named(expr, other, word):
    with pytest.raises(AssertionError, match=word):
        case = recorded(expr)
        replay.check({**case, "expr": other}, MODULE)


def test_floats_agree_within_the_tolerance_of_their_dtype():
    assert found(recorded("np.float32(1)"), "np.float32(1) + np.float32(1e-7)") == []
    assert found(recorded("np.float64(1)"), "np.float64(1) + 1e-7")
    assert found({**recorded("np.float64(1)"), "rtol": 1e-6}, "np.float64(1) + 1e-7") == []
    assert found(recorded("np.array([0.0, 1.0])"), "np.array([1e-9, 1.0])")  # relative to each element


def test_what_mindspore_itself_does_not_answer_reliably_is_not_compared():
    assert found({"expr": "", "error": "ABORT", "message": ""}, "1") == []
    assert found({**recorded("1"), "unstable": True}, "2") == []
    assert found({"expr": "", "error": "RuntimeError", "message": "The kernel Clone unregistered."}, "1") == []
    assert found({"expr": "", "error": "RuntimeError", "message": "x is wrong"}, "1")


def test_setup_runs_first_and_its_errors_count():
    assert recorded("x[0]", "x = [3]")["result"] == {"type": "int", "value": 3}
    assert recorded("x", "x = [3]; x[1]")["error"] == "IndexError"


def test_functions_of_setup_have_a_source():
    case = recorded("inspect.getsource(f)", "import inspect\ndef f(x):\n    return x + 1\n")
    assert case["result"]["value"] == "def f(x):\n    return x + 1\n"


def test_numbered_names_are_made_equal():
    assert replay.describe("Parameter#7") == replay.describe("Parameter#12")


def test_large_arrays_are_compared_by_dtype_and_shape():
    assert "value" not in replay.describe(np.zeros(5000))
    assert "value" in replay.describe(np.zeros(4096))
