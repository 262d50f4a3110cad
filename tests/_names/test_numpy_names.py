"""`install()` gives NumPy 2 the names and the printing of NumPy 1, and `uninstall()` takes them away."""

import warnings

import numpy as np
import pytest

from ms_compat import install as hook
from ms_compat._names import numpy_names


@pytest.fixture
def _installed():
    hook.install()
    yield
    hook.uninstall()


@pytest.mark.usefixtures("_installed")
def test_names_that_numpy_removed_are_back():
    assert (np.NINF, np.PINF, np.Inf, np.infty) == (-np.inf, np.inf, np.inf, np.inf)
    assert np.float_ is np.float64 and np.string_ is np.bytes_ and np.unicode_ is np.str_ and np.int is int
    assert np.bool8 is np.bool_ and np.product([2, 3]) == 6 and np.cumproduct([2, 3]).tolist() == [2, 6]
    assert np.sometrue([0, 1]) and not np.alltrue([0, 1]) and np.round_(1.26, 1) == 1.3
    assert np.trapz([1.0, 2.0]) == 1.5 and np.in1d([[1, 2]], [2]).tolist() == [False, True]
    assert np.asfarray([1]).dtype == np.float64 and np.asfarray([1], np.float32).dtype == np.float32
    assert np.msort([[2, 1], [1, 2]]).tolist() == [[1, 1], [2, 2]] and np.cast["int8"]([1.5]).dtype == np.int8
    assert np.nbytes[np.float32] == 4 and np.issubsctype(np.float32, np.floating) and np.issctype(np.int8)
    assert np.obj2sctype("f4") is np.float32 and np.obj2sctype("nonsense") is None
    assert np.maximum_sctype(np.int8) is np.int64 and np.find_common_type([np.int8], [np.int64]) == np.int8
    assert np.find_common_type([np.int8], [np.float32]) == np.float32 and np.safe_eval("[1]") == [1]


@pytest.mark.usefixtures("_installed")
def test_scalars_print_as_numbers():
    assert repr([np.float32(1.5), np.int64(2), np.bool_(True)]) == "[1.5, 2, True]"
    assert repr({"acc": np.float64(0.75)}) == "{'acc': 0.75}"


def test_nothing_is_left_behind_and_nothing_replaced():
    before, printed = dict(vars(np)), np.get_printoptions()
    hook.install()
    hook.install()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(getattr(np, name) is not None for name in numpy_names.names())
    assert all(vars(np)[name] is value for name, value in before.items())
    hook.uninstall()
    assert dict(vars(np)) == before and np.get_printoptions() == printed


def test_a_choice_of_the_users_stays():
    hook.install()
    try:
        np.set_printoptions(legacy="1.13")
    finally:
        hook.uninstall()
    assert np.get_printoptions()["legacy"] == "1.13"
    np.set_printoptions(legacy=False)


def test_it_is_told_once(caplog):
    caplog.set_level("INFO", "ms_compat")
    numpy_names.put_back()
    numpy_names.put_back()
    numpy_names.take_away()
    told = [record.getMessage() for record in caplog.records if "NumPy 1" in record.getMessage()]
    assert len(told) == (not hasattr(np, "float_")) and all("np.float_" in line for line in told)
