"""Checks as data: each takes what fits, and refuses the rest with MindSpore's class and a sentence that says it all."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat._core import checks

TABLE = Tensor(np.zeros((2, 3), np.float32))

# check, arguments after api and name, accepted value, refused value, class, end of the message
FUNCTIONS = [
    (checks.check_callable, (), print, 3, TypeError, "the 'a' must be callable, but got 3 of type 'int'."),
    (checks.check_above, (0,), 1, 0, ValueError, "the 'a' must be > 0, but got 0 of type 'int'."),
    (checks.check_at_least, (1,), 1, 0.5, ValueError, "the 'a' must be >= 1, but got 0.5 of type 'float'."),
    (checks.check_within, (0, 1, "[)"), 0, 1, ValueError, "the 'a' must be in range [0, 1), but got 1 of type 'int'."),
    (checks.check_within, (0, 1), 1, float("nan"), ValueError, "in range [0, 1], but got nan of type 'float'."),
    (checks.check_choice, (("x", "y"),), "x", 3, ValueError, "must be one of ['x', 'y'], but got 3 of type 'int'."),
    (checks.check_length, (2, 4), (1, 2), (1,), ValueError, "must be of length 2 or 4, but got (1,) of type 'tuple'."),
    (checks.check_rank, (2,), TABLE, TABLE[0], ValueError, "the 'a' must have 2 dimensions, but got shape (3,)."),
    (checks.check_rank, (1, 3), TABLE[0], TABLE, ValueError, "must have 1 or 3 dimensions, but got shape (2, 3)."),
    (checks.check_rank_at_least, (2,), TABLE, TABLE[0], ValueError, "at least 2 dimensions, but got shape (3,)."),
    (checks.check_rank_at_most, (1,), TABLE[0], TABLE, ValueError, "at most 1 dimensions, but got shape (2, 3)."),
    (checks.check_square, (), TABLE[:, :2], TABLE, ValueError, "must hold square matrices, but got shape (2, 3)."),
    (checks.check_square, (), TABLE[:, :2], TABLE[0], ValueError, "must hold square matrices, but got shape (3,)."),
    (checks.check_not_empty, (), [0], (), ValueError, "the 'a' must not be empty."),
    (checks.check_shape, ([2, 3],), TABLE, TABLE[0], ValueError, "must have shape (2, 3), but got (3,)."),
    (checks.check_dtype, (ms.float32, ms.int8), TABLE, TABLE.int(), TypeError, "Float32 or Int8, but got Int32."),
    (checks.check_dtype, (np.float32,), TABLE._v, TABLE._v > 0, TypeError, "must hold Float32, but got Bool."),
    (checks.check_integers, (), TABLE.int(), TABLE, TypeError, "the 'a' must hold integers, but got Float32."),
]


@pytest.mark.parametrize(("check", "more", "good", "bad", "error", "message"), FUNCTIONS)
def test_a_check_returns_what_fits_and_names_what_does_not(check, more, good, bad, error, message):
    assert check("X", "a", good, *more) is good
    with pytest.raises(error) as caught:
        check("X", "a", bad, *more)
    assert str(caught.value).startswith("For 'X', the 'a' must ")
    assert str(caught.value).endswith(message)


def test_tensors_must_agree_in_shape_and_dtype():
    checks.check_same_shape("X", a=TABLE, b=TABLE.int())
    checks.check_same_dtype("X", a=TABLE, b=TABLE[0], c=TABLE[1])
    with pytest.raises(ValueError, match=r"For 'X', 'a' and 'b' must have one shape, but got \(2, 3\) and \(3,\)\."):
        checks.check_same_shape("X", a=TABLE, b=TABLE[0])
    with pytest.raises(TypeError, match="'a', 'b' and 'c' must have one dtype, but got Float32 and Int32 and Float32"):
        checks.check_same_dtype("X", a=TABLE, b=TABLE.int(), c=TABLE)


def test_sequences_must_agree_in_length_and_one_value_of_several_be_given():
    checks.check_same_length("X", a=[1, 2], b="ab", c=TABLE)
    with pytest.raises(ValueError, match="For 'X', 'a' and 'b' must have one length, but got 2 and 1."):
        checks.check_same_length("X", a=TABLE, b=[1])
    checks.check_any_given("X", a=None, b=0)
    with pytest.raises(ValueError, match="For 'X', at least one of 'a' and 'b' must not be None."):
        checks.check_any_given("X", a=None, b=None)


# a row's check, accepted values, refused values with their classes
DECLARED = [
    (checks.BOOL, (True, False), ((1, TypeError), (None, TypeError))),
    (checks.OfType(int, str), (3, "x"), ((True, TypeError), (3.0, TypeError))),
    (checks.INT_OR_SEQUENCE, (3, (1,), [1]), ((True, TypeError), ("x", TypeError))),
    (checks.Range(0, 1, "(]"), (0.5, 1), ((0, ValueError), (2, ValueError), ("1", TypeError), (True, TypeError))),
    (checks.Range(0, 9, "[]", int), (0, 9), ((10, ValueError), (1.0, TypeError))),
    (checks.Choice("a", None), ("a", None), (("b", ValueError), (3, ValueError))),
]


@pytest.mark.parametrize(("check", "good", "bad"), DECLARED)
def test_a_declared_check_is_called_with_api_argument_and_value(check, good, bad):
    for value in good:
        assert check("X", "a", value) is value
    for value, error in bad:
        with pytest.raises(error, match="For 'X', the 'a' must be "):
            check("X", "a", value)


def test_all_checks_of_a_row_run_in_its_order():
    row = {"first": checks.BOOL, "second": checks.Choice("a")}
    checks.check_all("X", {"second": "a", "first": True, "third": 0}, row)
    with pytest.raises(TypeError, match="'first'"):
        checks.check_all("X", {"second": "b", "first": 1}, row)
    with pytest.raises(ValueError, match="'second'"):
        checks.check_all("X", {"second": "b", "first": True}, row)
