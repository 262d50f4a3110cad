"""Records optim_half.json: optimizers of Float16 Parameters and gradients, unusual settings, and ends of lists of rates.

Left out is what MindSpore's CPU backend computes in Float16 or not at all (AdamWeightDecay, ApplyAdagradV2), and what
it composes of Float16 operations (NAdam, RAdam, RMSprop): tests/_optim/test_half_precision.py has all of them.
"""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.optim_recorder import PRELUDE, Recorder

MORE = '''

import importlib

optim = importlib.import_module(ms.__name__ + ".experimental.optim")
moptim = importlib.import_module(ms.__name__ + ".mint.optim")


def half(create, own=ms.float16, given=ms.float16, steps=3):
    """By the size of the gradients: Parameters, and the optimizer's own ones, after some steps."""
    found = {}
    for size in (0.0, 1e-5, 1e-3, 0.1, 1.0):
        params = [Parameter(Tensor(array(name, 0)).astype(own), name=name) for name in ("fc.weight", "fc.bias")]
        opt = create(params)
        for step in range(steps):
            opt(tuple(Tensor(array(p.name, step + 1) * np.float32(size)).astype(given) for p in params))
        found[size] = {p.name: p.asnumpy() for p in [*params, *opt.get_parameters()]}
    return found


def refused(create, own, given):
    """The exception of a step."""
    try:
        half(create, own, given, 1)
    except Exception as error:
        return type(error).__name__
    return "none"


def until_error(create, steps=6):
    """The step that raised, the exception's class, and the Parameter and the count of steps after it."""
    param = Parameter(Tensor([1.0, 2.0]), name="w")
    opt = create([param])
    for step in range(steps):
        try:
            opt((Tensor([1.0, 2.0]),))
            param.asnumpy()
        except Exception as error:
            return step, type(error).__name__, param, opt.global_step
    return param


def groups(**settings):
    params = make()
    return [{"params": params[:2], **settings}, {"params": params[2:]}]


class Decay(nn.Cell):
    def construct(self, step):
        return Tensor(0.1, ms.float32) / (step + 1).astype(ms.float32)
'''
rec = Recorder(
    __file__,
    "optim_half.json",
    "Optimizers in half precision, with unusual settings, and at the end of a list of learning rates.",
    PRELUDE + MORE,
)
HALF = {
    "nn.SGD(p, 0.1)": "any",
    "nn.SGD(p, 0.1, 0.9, 0.1, weight_decay=0.1)": "same",
    "nn.Momentum(p, 0.1, 0.9)": "narrower",
    "nn.Momentum(p, 0.1, 0.9, weight_decay=0.1)": "same",
    "nn.Adam(p, 0.01)": "narrower",
    "nn.Adam(p, 0.01, use_nesterov=True)": "narrower",
    "nn.Adam(p, 0.01, use_lazy=True)": "narrower",
    "nn.Adam(p, 0.01, weight_decay=0.1)": "same",
    "nn.Adam(p, [0.1, 0.2, 0.05])": "narrower",
    "nn.LazyAdam(p, 0.01)": "narrower",
    "nn.AdaMax(p, 0.01)": "narrower",
    "nn.Adagrad(p, learning_rate=0.1)": "narrower",
    "nn.RMSProp(p, 0.01)": "same",
    "nn.RMSProp(p, 0.01, momentum=0.9, centered=True)": "same",
    "nn.Adadelta(p, 0.5)": "narrower",
    "nn.ProximalAdagrad(p, learning_rate=0.1)": "narrower",
    "nn.ASGD(p, 0.1)": "any",
    "nn.AdaFactor(p)": "any",
    "optim.Adam(p, 0.01)": "narrower",
    "optim.SGD(p, 0.1, 0.9, weight_decay=0.1)": "any",
    "optim.Adadelta(p, 0.5)": "narrower",
}
for text, taken in HALF.items():
    rec.case(f"half/{text}", f"half(lambda p: {text})")
    if taken != "same":
        rec.case(f"half/narrower/{text}", f"half(lambda p: {text}, ms.float32, ms.float16)", modes=("pynative",))
    rec.case(
        f"half/refused/{text}",
        f"[refused(lambda p: {text}, *pair) for pair in ((ms.float16, ms.float32), (ms.float32, ms.float16))]",
        modes=("pynative",),
    )
for text in (
    "nn.Adam(make(), 0.05, beta1=0.1, beta2=0.2, eps=0.5, weight_decay=Decay(), loss_scale=4.0), 4, 4.0",
    "nn.Momentum(make(), 0.05, 1.5, weight_decay=Decay(), loss_scale=4.0), 4, 4.0",
    "nn.ASGD(make(), [.1, .05, .2, .15], lambd=0.1, alpha=0.3, t0=2.0), 4",
    "nn.ASGD(groups(lr=0.03, weight_decay=0.1), 0.1), 3",
    "nn.ASGD(groups(lr=[.1, .2, .3]), nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)), 3",
    "nn.Rprop(groups(lr=0.03), 0.1), 3",
    "nn.AdaFactor(make(), loss_scale=4.0), 3, 4.0",
    "nn.AdaFactor(make(), weight_decay=0.1, loss_scale=4.0), 3, 4.0",
    "nn.AdaFactor(make(), [.1, .05, .2, .15], relative_step=False), 4",
    "nn.AdaFactor(make(), nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), relative_step=False, weight_decay=0.1), 3",
    "optim.Adam(make(), 0.1, eps=0.1), 3",
    "optim.Adam(make(), 0.1, betas=(0.0, 0.0), eps=0.5, weight_decay=0.2, maximize=True), 3",
    "optim.Adam(groups(lr=0.5, betas=(0.1, 0.2), eps=0.3, weight_decay=0.2, maximize=True), 0.1), 3",
    "optim.AdamW(make(), 0.1, eps=0.1), 3",
    "optim.ASGD(groups(lr=0.5, t0=0.0, alpha=0.2, lambd=0.2), 0.1), 3",
):
    rec.case(f"unusual/{text}", f"run({text})")
for text in ("moptim.Adam(make(), 0.1, eps=0.5), 3", "moptim.Adam(make(), 0.1, betas=(0.0, 0.0), eps=0.5), 3"):
    rec.case(f"unusual/{text}", f"run({text})", modes=("graph",))  # its operations in place do nothing in PYNATIVE_MODE
for text in (
    "nn.SGD(p, [0.1, 0.2, 0.3])",
    "nn.Adam(p, [0.1])",
    "nn.Momentum(p, Tensor([0.1, 0.2]), 0.9)",
    "nn.RMSProp(p, np.array([0.1, 0.2]))",
    "nn.SGD([{'params': p, 'lr': [0.1, 0.2]}], 0.1)",
    "nn.ASGD(p, nn.piecewise_constant_lr([1, 2], [0.1, 0.2]))",
    "nn.SGD(p, nn.CosineDecayLR(0.01, 0.1, 2))",
):
    rec.case(f"end/{text}", f"until_error(lambda p: {text})")
rec.case(
    "end/get_lr", "opt.get_lr()", "opt = nn.SGD(make(), [0.1, 0.2])\nopt.global_step.set_data(Tensor([5], ms.int32))\n"
)
rec.case(
    "end/negative_step",
    "opt.get_lr()",
    "opt = nn.SGD(make(), [0.1, 0.2])\nopt.global_step.set_data(Tensor([-1], ms.int32))\n",
)
for args in (
    "AdamWeightDecay(make(), beta1=0.0)",
    "AdaMax(make(), beta2=0.0)",
    "LazyAdam(make(), beta1=0.0)",
    "FTRL(make(), learning_rate=Tensor(0.1))",
    "FTRL(make(), learning_rate=1)",
    "AdaFactor(make(), weight_decay=1.0)",
    "AdaFactor(make(), weight_decay=1)",
    "AdaFactor(make(), weight_decay=Decay())",
):
    rec.case(f"errors/{args}", f"type(nn.{args}).__name__", modes=("pynative",))

rec.write()
