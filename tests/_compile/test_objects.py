"""Objects that calls of compiled code take and give: the outputs and the caches of model libraries."""

import collections
import dataclasses

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn


@dataclasses.dataclass
class Output(collections.OrderedDict):
    """A model's output: a field that is set is an item, too, and an item can be asked for by its number."""

    loss: Tensor | None = None
    logits: Tensor | None = None
    hidden: tuple | None = None

    def __post_init__(self):
        for field in dataclasses.fields(self):
            if getattr(self, field.name) is not None:
                self[field.name] = getattr(self, field.name)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        object.__setattr__(self, key, value)

    def __getitem__(self, key):
        return dict(self.items())[key] if isinstance(key, str) else list(self.values())[key]

    def pop(self, *args):
        raise TypeError("an output stays as it is")


class Net(nn.Cell):
    def construct(self, x):
        out = Output(logits=x * 2, hidden=(x, x + 1))
        out.note = "kept"
        return out


class Attributes(dict):
    """Items without attributes of their own."""

    def __getattr__(self, name):
        return self[name]


def test_an_output_keeps_its_class(mode):
    net = Net()
    for start in (1.0, 3.0):  # the second call is not traced
        out = net(Tensor([start]))
        assert type(out) is Output and list(out) == ["logits", "hidden"]
        assert out.logits is out["logits"] is out[0] and out.loss is None and out.note == "kept"
        assert out.logits.asnumpy().tolist() == [2 * start]
        assert out.hidden[1].asnumpy().tolist() == [start + 1]


def test_an_argument_keeps_its_class():
    @ms.jit(fullgraph=True)
    def total(given, options):
        return given.logits + given[1][0] * options.scale

    for start in (1.0, 3.0):
        given = Output(logits=Tensor([start]), hidden=(Tensor([5.0]),))
        assert total(given, Attributes(scale=2)).asnumpy().tolist() == [start + 10]
    assert total(given, Attributes(scale=3)).asnumpy().tolist() == [18.0]


def test_the_gradient_function_hands_an_output_on():
    def forward(x):
        out = Net()(x)
        return out.logits.sum(), out

    @ms.jit
    def step(x):
        return ms.value_and_grad(forward, has_aux=True)(x)

    (_, out), grad = step(Tensor([4.0]))
    assert type(out) is Output and out.hidden[1].asnumpy().tolist() == [5.0] and grad.asnumpy().tolist() == [2.0]


def test_an_ordered_dict_comes_back_as_a_dict():
    @ms.jit
    def made(x):
        return collections.OrderedDict(a=x)

    assert type(made(Tensor([1.0]))) is dict


class Cache:
    """Keys of the steps so far, and their sum."""

    def __init__(self):
        self.keys = []
        self.total = Tensor([0.0])

    def update(self, x):
        self.keys.append(x)
        self.total = self.total + x.sum()
        return self.total


class Step(nn.Cell):
    def construct(self, x, cache=None):
        cache = Cache() if cache is None else cache
        return x + cache.update(x), cache


class Half(nn.Cell):
    """Asks for a value after the cache was changed, which no trace can answer."""

    def construct(self, x, cache):
        total = cache.update(x)
        return total * (2 if (total.asnumpy() > 0).all() else 3)


def test_an_object_made_in_a_call_is_made_at_every_call(mode):
    step = Step()
    results = [step(Tensor([value, 2.0])) for value in (1.0, 3.0)]
    assert [out.asnumpy().tolist() for out, _ in results] == [[4.0, 5.0], [8.0, 7.0]]
    assert [cache.total.asnumpy().tolist() for _, cache in results] == [[3.0], [5.0]]
    assert [cache.keys[0].asnumpy().tolist() for _, cache in results] == [[1.0, 2.0], [3.0, 2.0]]


def test_an_object_given_is_changed_at_every_call(mode):
    """MindSpore's GRAPH_MODE gives these outputs and totals; what is appended to the list is lost there."""
    step, cache = Step(), Cache()
    outs = [step(Tensor([1.0, 2.0]), cache)[0].asnumpy().tolist() for _ in range(3)]
    assert outs == [[4.0, 5.0], [7.0, 8.0], [10.0, 11.0]]
    assert cache.total.asnumpy().tolist() == [9.0] and len(cache.keys) == 3


def test_an_object_given_is_put_back_when_a_trace_fails():
    ms.set_context(mode=ms.GRAPH_MODE)
    half, cache = Half(), Cache()
    assert [half(Tensor([1.0]), cache).asnumpy().tolist() for _ in range(2)] == [[2.0], [4.0]]
    assert len(cache.keys) == 2


def test_an_object_that_refers_to_itself_is_made_in_python():
    def made(x):
        cache = Cache()
        cache.update(x)
        cache.me = cache
        return cache

    assert ms.jit(made)(Tensor([3.0])).me.total.asnumpy().tolist() == [3.0]
    with pytest.raises(TypeError, match="refers to itself"):
        ms.jit(made, fullgraph=True)(Tensor([3.0]))


class Counter:
    def __init__(self):
        self.calls = 0

    def step(self, x):
        self.calls += 1
        return x


COUNTER = Counter()


def step(x):
    return COUNTER.step(x)


class Indirect:
    def go(self, x):
        return self.deep(x)

    def deep(self, x):
        return COUNTER.step(x)


class Inherited(Indirect):
    @property
    def two(self):
        COUNTER.step(None)
        return 2

    @staticmethod
    def same(x):
        return COUNTER.step(x)


class Holding(nn.Cell):
    def __init__(self, held):
        super().__init__()
        self.held = held

    def construct(self, x):
        held = self.held["list"][0] if isinstance(self.held, dict) else self.held
        return held(x)


INDIRECT, INHERITED = Indirect(), Inherited()
STEPS = {  # as what a compiled function reaches the counter, and how often a call steps
    "function in an attribute": (lambda: Holding(step), 1),
    "method in an attribute": (lambda: Holding(COUNTER.step), 1),
    "function in containers": (lambda: Holding({"list": [step]}), 1),
    "method of an object": (lambda: ms.jit(lambda x: INDIRECT.go(x)), 1),
    "method of an object in an attribute": (lambda: Holding(Indirect().go), 1),
    "inherited method and property": (lambda: ms.jit(lambda x: INHERITED.go(x) * INHERITED.two), 2),
    "static method": (lambda: ms.jit(lambda x: Inherited.same(x)), 1),
    "object made in the call": (lambda: ms.jit(lambda x: Inherited().go(x)), 1),
}


@pytest.mark.parametrize("steps", STEPS)
def test_objects_reached_through_functions_are_changed_at_every_call(mode, steps):
    make, count = STEPS[steps]
    function, before = make(), COUNTER.calls
    for _ in range(3):
        function(Tensor([1.0]))
    assert COUNTER.calls - before == 3 * count


def test_an_object_reached_through_an_argument_is_changed_at_every_call():
    function, before = ms.jit(lambda x, f: f(x)), COUNTER.calls
    for given in (step, INHERITED.go):
        for _ in range(3):
            function(Tensor([1.0]), given)
    assert COUNTER.calls - before == 6
