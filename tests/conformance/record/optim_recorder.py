"""The prelude of the optimizer recordings: four parameters, gradients by step and name, what is kept of a run."""

from tests.conformance.record.nn_recorder import Recorder as Recorder

PRELUDE = '''\
SHAPES = {"fc.weight": (2, 3), "fc.bias": (3,), "bn.gamma": (3,), "bn.beta": (3,)}


def array(name, seed):
    return np.random.RandomState(seed * 1000 + sum(map(ord, name))).randn(*SHAPES[name]).astype(np.float32)


def make():
    """The parameters, in the order of SHAPES."""
    return [Parameter(Tensor(array(name, 0)), name=name) for name in SHAPES]


def gradients(opt, step, scale=1.0):
    return tuple(Tensor(array(param.name, step + 1) * np.float32(scale)) for param in opt.parameters)


def run(opt, steps=10, scale=1.0):
    """Parameters after the first, second and last step, all the optimizer's other state, and what a call returned."""
    seen = []
    for step in range(steps):
        out = opt(gradients(opt, step, scale))
        if step in (0, 1, steps - 1):
            seen.append({param.name: param.asnumpy().copy() for param in opt.parameters})
    state = {param.name: param.asnumpy() for param in opt.get_parameters() if param.name not in SHAPES}
    return {"parameters": seen, "state": state, "returned": type(out).__name__}


def rates(opt, steps=6):
    """get_lr before each of the first steps."""
    seen = []
    for step in range(steps):
        seen.append(opt.get_lr())
        opt(gradients(opt, step))
    return seen
'''


def recorder(script, name, about):
    return Recorder(script, name, about, PRELUDE)
