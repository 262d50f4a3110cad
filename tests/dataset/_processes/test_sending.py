"""How functions are pickled for workers."""

import os
import sys
import types

import numpy as np
import pytest

from ms_compat.dataset._processes import sending


def sent(item):
    descriptor = sending.written(item)
    try:
        return sending.read(descriptor)
    finally:
        os.close(descriptor)


def test_lambdas_keep_their_file_and_their_lines():
    made = sent(lambda x: x + 1)
    assert made(2) == 3 and made.__code__.co_filename == __file__


def test_functions_of_the_program_are_sent_with_the_values_of_their_globals(tmp_path, monkeypatch):
    module = types.ModuleType("user_transforms_of_a_test")
    module.__file__ = str(tmp_path / "user_transforms_of_a_test.py")
    exec(compile("factor = 2\ndef scaled(x):\n    return x * factor\n", module.__file__, "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert module in sending.program_modules() and np not in sending.program_modules()
    module.factor = 5  # set while the program runs: the module's file does not have it
    descriptor = sending.written(module.scaled)
    monkeypatch.delitem(sys.modules, module.__name__)
    assert sending.read(descriptor)(2) == 10
    os.close(descriptor)


def test_arrays_are_read_in_place_and_may_be_changed():
    data = np.arange(100_000)
    descriptor = sending.written({"data": data, "small": np.arange(3)})
    one, two = sending.read(descriptor), sending.read(descriptor)
    os.close(descriptor)
    one["data"][0] = -1
    assert two["data"][0] == 0 and (two["data"] == data).all() and two["small"].tolist() == [0, 1, 2]


def test_what_cannot_be_pickled_is_an_error():
    with pytest.raises(sending.CannotSend, match="TypeError"):
        sending.written(sys._getframe())
