"""Debug mode: hooks between the operations of a `map`; `LineReader` and `not_random`."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import config, debug

T = ds.transforms


@pytest.fixture(autouse=True)
def without_debug_mode():
    yield
    config.set_debug_mode(False)


class Told(debug.DebugHook):
    def __init__(self, tag):
        super().__init__()
        self.tag = tag

    def compute(self, *args):
        print(self.tag, len(args), [type(item).__name__ for item in args[0]])


def mapped():
    data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
    return data.map([T.TypeCast(np.float32), Told("in")], ["x"]).map(T.Fill(3.0), ["x"])


# Recorded with MindSpore 2.10.0: the lines.
def test_hooks_see_the_data_before_and_after_each_operation(capsys):
    config.set_debug_mode(True, debug_hook_list=[Told("a"), Told("b")])
    next(mapped().create_tuple_iterator(num_epochs=1, output_numpy=True))
    head = "[Dataset debugger] Print the [{}] of the operation [{}]."
    expected = []
    for side, name in (("INPUT", "TypeCast"), ("OUTPUT", "TypeCast"), ("", ""), ("OUTPUT", "Told")):
        for tag in ("a", "b") if name else ():
            expected += [head.format(side, name), f"{tag} 1 ['ndarray']"]
        expected += [] if name else ["in 1 ['ndarray']"]
    for side in ("INPUT", "OUTPUT"):
        for tag in ("a", "b"):
            expected += [head.format(side, "Fill"), f"{tag} 1 ['ndarray']"]
    assert capsys.readouterr().out.splitlines() == expected


def test_without_hooks_dtypes_and_shapes_are_printed(capsys):
    config.set_debug_mode(True)
    assert config.get_debug_mode()
    data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).map(T.TypeCast(np.float32), ["x"]).batch(2)
    (row,) = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert row[0].tolist() == [1.0, 2.0]
    once = [
        "[Dataset debugger] Print the [INPUT] of the operation [TypeCast].",
        "Column 0. The dtype is [int64]. The shape is [()].",
        "[Dataset debugger] Print the [OUTPUT] of the operation [TypeCast].",
        "Column 0. The dtype is [float32]. The shape is [()].",
    ]
    assert capsys.readouterr().out.splitlines() == once * 2


@pytest.mark.parametrize("arguments", [(3,), (True, 3), (True, [3]), (True, [len])])
def test_settings_are_checked(arguments):
    with pytest.raises(TypeError):
        config.set_debug_mode(*arguments)
    assert not config.get_debug_mode()


def test_a_hook_without_compute_is_refused():
    with pytest.raises(NotImplementedError, match="compute"):
        debug.DebugHook()(np.ones(2))


def test_line_reader(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_bytes("één\r\n\nthree\nlast".encode())
    reader = ds.LineReader(str(path))
    assert [reader[k] for k in (4, 1, 2, 3)] == ["last", "één", "", "three"]
    assert len(reader) == reader.len() == 4
    reader.close()
    assert ds.utils.LineReader is ds.LineReader and reader.readline(3) == "three"
    for error, line in ((ValueError, 0), (ValueError, 5), (TypeError, "a")):
        with pytest.raises(error):
            reader.readline(line)
    reader.close()
    with pytest.raises(TypeError):
        ds.LineReader(3)
    with pytest.raises(RuntimeError):
        ds.LineReader(str(tmp_path))


def test_not_random_marks_a_function():
    for decorate in (ds.transforms.not_random, ds.vision.not_random):
        assert decorate(lambda x: x).random is False
