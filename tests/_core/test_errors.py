"""The argument checks raise MindSpore's classes, and say API, argument, what was expected and what came."""

import pickle

import numpy as np
import pytest

import ms_compat
from ms_compat._core import errors
from ms_compat._core.errors import UnsupportedError


def test_unsupported_error_names_the_api_the_way_out_and_the_table():
    error = UnsupportedError("mindspore.ops.Foo", "Use 'mindspore.ops.relu'.")
    assert isinstance(error, NotImplementedError)
    assert (error.api, error.hint) == ("mindspore.ops.Foo", "Use 'mindspore.ops.relu'.")
    assert str(error).startswith("'mindspore.ops.Foo' is not supported by ms_compat. Use 'mindspore.ops.relu'. ")
    assert "check --coverage" in str(error)


def test_unsupported_error_without_a_hint():
    assert str(UnsupportedError("mindspore.ops.Foo")).startswith("'mindspore.ops.Foo' is not supported by ms_compat. '")


def test_unsupported_error_takes_a_sentence_as_it_is():
    assert str(UnsupportedError("Files of that kind are not read.")) == "Files of that kind are not read."


def test_unsupported_error_survives_pickle():
    error = pickle.loads(pickle.dumps(UnsupportedError("mindspore.ops.Foo", "Use relu.")))
    assert (type(error), error.api, error.hint) == (UnsupportedError, "mindspore.ops.Foo", "Use relu.")


def test_unsupported_argument_names_the_value():
    with pytest.raises(
        UnsupportedError, match=r"For 'pad', the 'mode' of 'odd' of type 'str' is not supported.*Use 'x'"
    ):
        errors.unsupported_argument("pad", "mode", "odd", "Use 'x'.")


# The classes are what MindSpore 2.10 raises for nn.Dense(in_channels=x), nn.Dropout(p=x) and nn.Conv2d(pad_mode=x).
REFUSED = [
    (errors.check_positive_int, (-1,), ValueError, "For 'X', the 'a' must be int and > 0, but got -1 of type 'int'."),
    (errors.check_positive_int, (0,), ValueError, "int and > 0"),
    (errors.check_positive_int, ("a",), TypeError, "For 'X', the 'a' must be int, but got 'a' of type 'str'."),
    (errors.check_positive_int, (True,), TypeError, "True of type 'bool'"),
    (errors.check_positive_int, (3.0,), TypeError, "3.0 of type 'float'"),
    (errors.check_positive_int, (np.int64(3),), TypeError, "'int64'"),
    (errors.check_non_negative_int, (-1,), ValueError, "int and >= 0"),
    (errors.check_bool, (1,), TypeError, "For 'X', the 'a' must be bool, but got 1 of type 'int'."),
    (errors.check_bool, (np.True_,), TypeError, "must be bool"),
    (errors.check_number, ("1",), TypeError, "int or float"),
    (errors.check_number, (True,), TypeError, "int or float"),
    (errors.check_float_range, (1.5, 0, 1, "[)"), ValueError, "a number in range [0, 1), but got 1.5 of type 'float'."),
    (errors.check_float_range, (1.0, 0, 1, "[)"), ValueError, "[0, 1)"),
    (errors.check_float_range, (0.0, 0, 1, "()"), ValueError, "(0, 1)"),
    (errors.check_float_range, (float("nan"), 0, 1), ValueError, "nan"),
    (errors.check_float_range, ("1", 0, 1), TypeError, "int or float"),
    (errors.check_int_range, (5, -2, 2, "[)"), ValueError, "int in range [-2, 2), but got 5"),
    (errors.check_int_range, (2, -2, 2, "[)"), ValueError, "[-2, 2)"),
    (errors.check_int_range, ("1", -2, 2), TypeError, "must be int, but got '1'"),
    (errors.check_one_of, ("nope", ("valid", "same")), ValueError, "one of ['valid', 'same'], but got 'nope'"),
    (errors.check_one_of, (1, ("valid", "same")), TypeError, "one of ['valid', 'same'], but got 1 of type 'int'"),
    (errors.check_one_of, (True, (0, 1)), TypeError, "True"),
    (errors.check_type, (3, str), TypeError, "must be str, but got 3 of type 'int'"),
    (errors.check_type, (True, (int, float)), TypeError, "must be int or float, but got True"),
    (errors.check_type, (3, (str, list, type(None))), TypeError, "must be str, list or None, but got 3"),
]


@pytest.mark.parametrize(("check", "arguments", "error", "words"), REFUSED)
def test_refused(check, arguments, error, words):
    with pytest.raises(error) as caught:
        check("X", "a", *arguments)
    assert caught.type is error
    assert words in str(caught.value)
    assert str(caught.value).startswith("For 'X', the 'a' must be ")


ACCEPTED = [
    (errors.check_positive_int, (1,)),
    (errors.check_non_negative_int, (0,)),
    (errors.check_bool, (False,)),
    (errors.check_number, (0.5,)),
    (errors.check_float_range, (0, 0, 1, "[)")),
    (errors.check_float_range, (1.0, 0, 1)),
    (errors.check_int_range, (-2, -2, 2, "[)")),
    (errors.check_one_of, ("same", ("valid", "same"))),
    (errors.check_type, (True, (int, bool))),
    (errors.check_type, (None, (int, type(None)))),
]


@pytest.mark.parametrize(("check", "arguments"), ACCEPTED)
def test_accepted_is_returned(check, arguments):
    assert check("X", "a", *arguments) is arguments[0]


def test_long_values_are_cut_to_one_line():
    text = errors.value_and_type(np.zeros((50, 50)))
    assert "\n" not in text
    assert len(text) < 130
    assert text.endswith("... of type 'ndarray'")


@pytest.mark.parametrize(
    "kind",
    [
        "UnsupportedError",
        "UnsupportedMethodError",
        "NotTraceableError",
        "StrictSyntaxError",
        "StrictAttributeError",
        "JoinError",
        "TapeOnlyError",
        "IntegerGradientError",
        "AmbiguousTruthError",
    ],
)
def test_errors_have_public_names_and_pickle(kind):
    made = getattr(ms_compat, kind)("text of the error")
    assert type(made).__module__ == "ms_compat"
    assert type(pickle.loads(pickle.dumps(made))) is type(made)
