"""Records programs into the files that `tests/conformance/programs.py` replays; run with a Python that has MindSpore.

A script makes a `Recorder`, adds cases and calls `write`. Each case runs in every mode asked for, in a child process
that is started again after a crash; modes with equal outcomes share one entry. Floats are rounded to 8 digits, which
is what float32 distinguishes.
"""

import os

from tests.conformance import programs
from tests.conformance import replay as replayer
from tests.conformance.record import tensor_runner as runner

PRELUDE = '''\
def rand(*shape, seed=0):
    return Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def fill(net, seed=1):
    """Gives every parameter, by sorted name, values of one generator; variances stay positive."""
    random = np.random.RandomState(seed)
    for param in sorted(net.get_parameters(), key=lambda p: p.name):
        value = random.uniform(-0.5, 0.5, param.shape)
        if param.name.endswith("variance"):
            value = value + 1.0
        param.set_data(Tensor(value.astype(np.float32)))
    return net


def params(net):
    return {param.name: param.asnumpy().copy() for param in net.get_parameters()}


def grads(net, *inputs, wrt=(0,)):
    """Output of net, and gradients of the sum of its squares by the inputs `wrt` and by all trainable parameters."""
    weights = list(net.trainable_params())

    def forward(*inputs):
        out = net(*inputs)
        return (out * out).sum(), out

    if not weights:
        by_input, out = ms.grad(forward, wrt, None, has_aux=True)(*inputs)
        return {"out": out, "inputs": by_input}
    (by_input, by_weight), out = ms.grad(forward, wrt, weights, has_aux=True)(*inputs)
    return {"out": out, "inputs": by_input, "weights": {w.name: g for w, g in zip(weights, by_weight)}}


def weight_grads(net, *inputs):
    """As `grads`, for inputs that have no gradient."""
    weights = list(net.trainable_params())

    def forward(*inputs):
        out = net(*inputs)
        return (out * out).sum(), out

    by_weight, out = ms.grad(forward, None, weights, has_aux=True)(*inputs)
    return {"out": out, "weights": {w.name: g for w, g in zip(weights, by_weight)}}
'''
BOTH = ("pynative", "graph")


def _round(value):
    if isinstance(value, float):
        return float(f"{value:.8g}")
    if isinstance(value, list):
        return [_round(v) for v in value]
    if isinstance(value, dict):
        return {k: _round(v) for k, v in value.items()}
    return value


class Recorder:
    """The cases of one file; `case` adds one, `write` runs them all."""

    def __init__(self, script, name, about, prelude=PRELUDE):
        self.script, self.name, self.about, self.prelude = script, name, about, prelude
        self.cases = []

    def case(self, name, expr, setup="", modes=BOTH, **extra):
        self.cases.append({"id": name, "modes": list(modes), "setup": setup.strip("\n"), "expr": expr, **extra})

    def write(self):
        if runner.serve(self._evaluate):
            return
        jobs = [(index, mode) for index, case in enumerate(self.cases) for mode in case["modes"]]
        outcomes = runner.run(self.script, jobs)
        kept = []
        for index, case in enumerate(self.cases):
            found = []
            for (job, mode), outcome in zip(jobs, outcomes, strict=True):
                if job != index:
                    continue
                outcome = {**outcome, "message": outcome["message"][:160]} if "error" in outcome else _round(outcome)
                if "error" in outcome:
                    print(f"{case['id']}[{mode}] {outcome['error']}: {outcome['message'][:110]!r}")
                twin = next((one for one in found if not programs.differences(one, outcome)), None)
                if twin:
                    twin["modes"].append(mode)
                else:
                    found.append({**case, "modes": [mode], **outcome})
            if len(found) > 1:
                print(f"{case['id']}: the modes differ")
            kept.extend(found)
        path = replayer.DATA / self.name
        runner.write(path, {"about": self.about, "prelude": self.prelude, "cases": kept})
        print(f"{self.name}: {len(kept)} cases, {os.path.getsize(path) / 1024:.0f} KB")

    def _evaluate(self, job):
        import mindspore as ms

        index, mode = job
        case = self.cases[index]
        runner.settle(ms)
        program = {**case, "setup": programs.join(self.prelude, case["setup"]), "graph": mode == "graph"}
        return replayer.evaluate(program, ms)
