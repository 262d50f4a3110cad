"""Parameters of large files are read at their first use: counts of bytes, and changes to the file before it."""

import copy
import gc
import os
import pathlib
import pickle
import threading

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from ms_compat._formats.checkpoint import reading, unread
from ms_compat._formats.protobuf import wire

VALUES = {
    "w": np.arange(40_000, dtype=np.float32).reshape(200, 200),
    "b": np.arange(7, dtype=np.float16),
    "flag": np.array([True, False]),
    "step": np.array(3, dtype=np.int64),
}


@pytest.fixture(params=["ckpt", "safetensors"])
def file(request, tmp_path, monkeypatch):
    """A file that counts as large, and its format."""
    monkeypatch.setattr(unread, "MIN_BYTES", 1)
    path = str(tmp_path / f"a.{request.param}")
    ms.save_checkpoint({name: Tensor(value) for name, value in VALUES.items()}, path, format=request.param)
    return path, request.param


@pytest.fixture
def read_bytes(monkeypatch):
    """The lengths of the contents that were read."""
    counted = []
    original = reading.read_all

    def read_all(file, wanted, **names):
        counted.extend(sum(length for _, length in pieces) for pieces in wanted)
        return original(file, wanted, **names)

    monkeypatch.setattr(reading, "read_all", read_all)
    return counted


def load(file, **options):
    path, kind = file
    return ms.load_checkpoint(path, format=kind, **options)


def in_place(path, change):
    os.chmod(path, 0o600)
    with open(path, "r+b") as opened:
        change(opened)


def test_only_what_is_used_is_read_and_once(file, read_bytes):
    found = load(file)
    assert not read_bytes
    assert {name: (p.shape, p.dtype, p.name) for name, p in found.items()} == {
        name: (value.shape, Tensor(value).dtype, name) for name, value in VALUES.items()
    }
    assert not read_bytes and all(isinstance(p, Parameter) for p in found.values())
    for _ in range(2):
        np.testing.assert_array_equal(found["b"].asnumpy(), VALUES["b"])
    assert read_bytes == [14] and type(found["b"]) is Parameter
    for name, value in VALUES.items():
        got = found[name].asnumpy()
        np.testing.assert_array_equal(got, value)
        assert got.dtype == value.dtype


def test_a_small_file_and_a_load_into_a_net_are_read_at_once(file, read_bytes, monkeypatch):
    net = nn.Dense(200, 200, weight_init="zeros", has_bias=False)
    net.weight.name = "w"
    found = load(file, net=net)
    assert len(read_bytes) == len(VALUES) and type(found["w"]) is Parameter
    np.testing.assert_array_equal(net.weight.asnumpy(), VALUES["w"])
    monkeypatch.setattr(unread, "MIN_BYTES", 64 << 20)
    assert type(load(file)["w"]) is Parameter


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_first_use_may_be_inside_a_compiled_function_or_a_trace(file, mode):
    ms.set_context(mode=mode)
    try:
        found = load(file)

        class Scale(nn.Cell):
            def __init__(self):
                super().__init__()
                self.w = found["w"]

            def construct(self, x):
                return x * self.w

        net = Scale()
        np.testing.assert_array_equal(net(Tensor([2.0], ms.float32)).asnumpy(), 2 * VALUES["w"])
        grads = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor([2.0], ms.float32))
        np.testing.assert_array_equal(grads[0].asnumpy(), np.full((200, 200), 2, np.float32))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    half = load(file)["b"]
    np.testing.assert_array_equal(jax.jit(lambda x: x + half._v)(np.float16(1)), VALUES["b"] + 1)
    np.testing.assert_array_equal(half.asnumpy(), VALUES["b"])  # no tracer was left behind


def test_a_write_stays_in_memory(file):
    path = pathlib.Path(file[0])
    before = path.read_bytes()
    found = load(file)
    found["w"].set_data(Tensor(np.ones((200, 200), np.float32)))
    found["b"][0] = 5
    assert found["w"].asnumpy().all() and found["b"].asnumpy()[0] == 5
    assert path.read_bytes() == before


def test_a_file_may_be_replaced_or_deleted_before_the_first_use(file):
    path, kind = file
    found = load(file)
    ms.save_checkpoint({"w": Tensor([0.0])}, path, format=kind)
    np.testing.assert_array_equal(found["w"].asnumpy(), VALUES["w"])
    ms.save_checkpoint(found, path, format=kind)  # reads the old file while it writes the new one
    os.remove(path)
    np.testing.assert_array_equal(found["step"].asnumpy(), VALUES["step"])


def test_a_file_that_was_changed_in_place_is_an_error(file):
    path, _ = file
    found = load(file)
    in_place(path, lambda opened: opened.truncate(100))
    with pytest.raises(ValueError, match="became shorter while it was read"):
        found["w"].asnumpy()
    again = load_other(file)
    in_place(again[1], lambda opened: opened.write(b"\0"))
    with pytest.raises(ValueError, match="'w' was first used. Load it again"):
        again[0]["w"].asnumpy()


def test_a_file_that_becomes_shorter_while_it_is_indexed_is_an_error(tmp_path, monkeypatch):
    """With a memory map the process would end here."""
    path = str(tmp_path / "a.ckpt")
    ms.save_checkpoint({"w": Tensor(VALUES["w"]), "b": Tensor(VALUES["b"])}, path)
    original = wire.scan

    def scan(*args, **names):
        in_place(path, lambda opened: opened.truncate(1000))
        return original(*args, **names)

    monkeypatch.setattr(wire, "scan", scan)
    with pytest.raises(ValueError, match="became shorter while it was read at byte 1000"):
        ms.load_checkpoint(path)


def load_other(file):
    path, kind = file
    other = path.replace("a.", "b.")
    ms.save_checkpoint({"w": Tensor(VALUES["w"])}, other, format=kind)
    os.utime(other, ns=(1, 1))
    return ms.load_checkpoint(other, format=kind), other


def test_copies_and_pickles_have_the_value(file):
    for copied in (copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p)), lambda p: p.clone()):
        made = copied(load(file)["w"])
        assert type(made) is Parameter
        np.testing.assert_array_equal(made.asnumpy(), VALUES["w"])


def test_threads_that_come_first_together_get_one_array(file, read_bytes):
    weight = load(file)["w"]
    found, barrier = [], threading.Barrier(4)

    def use():
        barrier.wait()
        found.append(weight._v)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read_bytes) == 1 and all(value is found[0] for value in found) and len(found) == 4


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the system does not list open files")
def test_the_file_is_closed_when_its_last_value_is_read_or_dropped(file):
    path = os.path.realpath(file[0])

    def opened():
        gc.collect()
        links = (f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd"))
        return sum(os.path.exists(link) and os.path.realpath(link) == path for link in links)

    found = load(file)
    assert opened() == 1
    for value in found.values():
        value.asnumpy()
    assert opened() == 0
    found = load(file)
    del found
    assert opened() == 0
