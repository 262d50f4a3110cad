"""Buffers, `state_dict` and `load_state_dict`. Literal expectations were taken from MindSpore 2.10.0."""

import numpy as np
import pytest

from ms_compat import Parameter, Tensor, nn


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.register_buffer("b0", Tensor([1, 2, 3]))
        self.register_buffer("b1", Tensor([4.0]))
        self.register_buffer("hidden", Tensor([7]), persistent=False)
        self.register_buffer("nothing", None)
        self.p = Parameter(Tensor([1.0, 1.0]))


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.q = Parameter(Tensor([1.0, 1.0]))


def test_buffers():
    net = Outer()
    assert [n for n, _ in net.named_buffers()] == ["inner.b0", "inner.b1", "inner.hidden"]
    assert len(list(net.buffers(recurse=False))) == 0
    assert net.get_buffer("inner.b1") is net.inner.b1 and net.inner.nothing is None
    for target in ("inner.zz", "inner.p"):
        with pytest.raises(AttributeError):
            net.get_buffer(target)
    net.inner.b0 = None
    assert net.inner.b0 is None


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("b0", 3), TypeError),
        (("a.b", Tensor(1)), KeyError),
        ((3, Tensor(1)), TypeError),
        (("", Tensor(1)), KeyError),
        (("p", Tensor(1)), KeyError),
        (("construct", Tensor(1)), KeyError),
    ],
)
def test_register_buffer_errors(args, error):
    with pytest.raises(error):
        Inner().register_buffer(*args)


def test_state_dict():
    net = Outer()
    state = net.state_dict()
    assert list(state) == ["q", "inner.p", "inner.b0", "inner.b1"] and state["q"] is net.q
    assert list(net.state_dict(prefix="x.")) == ["x.q", "x.inner.p", "x.inner.b0", "x.inner.b1"]
    assert dict(state._metadata) == {"": {}, "inner": {}}


def test_loading():
    net = Outer()
    values = dict(net.state_dict())
    values["q"] = Tensor([7, 8])
    result = net.load_state_dict(values)
    assert repr(result) == "<All keys matched successfully>"
    np.testing.assert_array_equal(net.q.asnumpy(), np.float32([7, 8]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.clear(), "Missing key"),
        (lambda v: v.update(zz=Tensor(1)), "Unexpected key"),
        (lambda v: v.update(q=Tensor([1.0])), "size mismatch for q"),
        (lambda v: v.update(q=3), "expected Tensor"),
    ],
)
def test_a_failing_load_changes_nothing(change, message):
    net = Outer()
    values = {key: Tensor(value.asnumpy() + 1) for key, value in net.state_dict().items()}
    change(values)
    before = {key: value.asnumpy().copy() for key, value in net.state_dict().items()}
    with pytest.raises(RuntimeError, match=message):
        net.load_state_dict(values)
    for key, value in net.state_dict().items():
        np.testing.assert_array_equal(value.asnumpy(), before[key])


def test_loading_what_is_there():
    result = Inner().load_state_dict({"zz": Tensor(1)}, strict=False)
    assert result.missing_keys == ["p", "b0", "b1"] and result.unexpected_keys == ["zz"]
    with pytest.raises(TypeError):
        Inner().load_state_dict(3)


def test_extra_state():
    taken = []

    class Extra(Inner):
        def get_extra_state(self):
            return {"a": 1}

        def set_extra_state(self, state):
            taken.append(state)

    net = Extra()
    assert list(net.state_dict())[-1] == "_extra_state"
    net.load_state_dict(net.state_dict())
    assert taken == [{"a": 1}]
    with pytest.raises(NotImplementedError):
        Inner().get_extra_state()


def test_hooks():
    net, seen = Outer(), []
    handles = [
        net.register_state_dict_pre_hook(lambda *a: seen.append(("pre", a[1:]))),
        net.register_state_dict_post_hook(lambda *a: seen.append(("post", len(a)))),
        net.register_load_state_dict_pre_hook(lambda *a: seen.append(("load pre", a[2:]))),
        net.register_load_state_dict_post_hook(lambda *a: seen.append(("load post", len(a)))),
    ]
    net.load_state_dict(net.state_dict())
    assert seen == [("pre", ("", False)), ("post", 4), ("load pre", ("", {}, True, [], [], [])), ("load post", 2)]
    for handle in handles:
        handle.remove()
    net.load_state_dict(net.state_dict())
    assert len(seen) == 4
