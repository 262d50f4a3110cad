"""Records optim_rates.json: learning-rate functions and schedules, kinds of learning rate, parameter groups."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.optim_recorder import recorder

rec = recorder(
    __file__,
    "optim_rates.json",
    "Learning rates: functions, schedules, kinds an optimizer takes; parameter groups; errors.",
)


def case(name, expr, setup="", modes=("pynative",), **extra):
    rec.case(name, expr, setup, modes=modes, **extra)


BOTH = ("pynative", "graph")

# Functions that return lists
for text in (
    "cosine_decay_lr(0.01, 0.1, 10, 2, 3)",
    "cosine_decay_lr(0.0, 0.1, 6, 2, 3)",
    "cosine_decay_lr(0.01, 0.1, 6, 1, 2)",
    "exponential_decay_lr(0.1, 0.9, 8, 2, 1)",
    "exponential_decay_lr(0.1, 0.9, 8, 2, 2, True)",
    "exponential_decay_lr(0.1, 0.9, 8, 2, 2)",
    "inverse_decay_lr(0.1, 0.5, 8, 2, 1)",
    "inverse_decay_lr(0.1, 0.5, 8, 2, 2, True)",
    "natural_exp_decay_lr(0.1, 0.9, 8, 2, 2)",
    "natural_exp_decay_lr(0.1, 0.9, 8, 2, 2, True)",
    "polynomial_decay_lr(0.1, 0.01, 8, 2, 2, 0.5)",
    "polynomial_decay_lr(0.1, 0.01, 10, 2, 2, 2.0, True)",
    "polynomial_decay_lr(0.1, 0.01, 10, 2, 2, 1.0)",
    "piecewise_constant_lr([2, 5, 10], [0.1, 0.05, 0.01])",
    "piecewise_constant_lr([1], [0.5])",
    "warmup_lr(0.1, 8, 2, 3)",
    "warmup_lr(0.1, 4, 1, 0)",
):
    case(f"nn.{text}", f"nn.{text}")
for text in (
    "cosine_decay_lr(0.1, 0.01, 10, 2, 3)",
    "cosine_decay_lr(-0.1, 0.1, 10, 2, 3)",
    "cosine_decay_lr(0, 0.1, 10, 2, 3)",
    "cosine_decay_lr(0.0, 1, 10, 2, 3)",
    "cosine_decay_lr(0.0, 0.1, 0, 2, 3)",
    "cosine_decay_lr(0.0, 0.1, 10.0, 2, 3)",
    "cosine_decay_lr(0.0, 0.1, 10, 2, 0)",
    "exponential_decay_lr(0.1, 0, 8, 2, 1)",
    "exponential_decay_lr(0.1, -0.9, 8, 2, 1)",
    "exponential_decay_lr(0.1, 0.9, 8, 2, 1, 1)",
    "polynomial_decay_lr(0.1, 0.01, 8, 2, 2, -0.5)",
    "polynomial_decay_lr(0.1, 0.2, 8, 2, 2, 1.0)",
    "piecewise_constant_lr([2, 5], [0.1])",
    "piecewise_constant_lr([5, 2], [0.1, 0.2])",
    "piecewise_constant_lr([0], [0.1])",
    "piecewise_constant_lr(3, [0.1])",
    "piecewise_constant_lr([3], [1])",
    "piecewise_constant_lr([], [])",
    "warmup_lr(0, 8, 2, 3)",
    "warmup_lr(-0.1, 8, 2, 3)",
    "warmup_lr(0.1, 8, 2, -1)",
    "piecewise_constant_lr([2.0], [0.1])",
    "piecewise_constant_lr((2,), (0.1,))",
):
    case(f"errors/nn.{text}", f"nn.{text}")

# Schedules
for text in (
    "CosineDecayLR(0.01, 0.1, 4)",
    "ExponentialDecayLR(0.1, 0.9, 4)",
    "ExponentialDecayLR(0.1, 0.9, 4, True)",
    "InverseDecayLR(0.1, 0.9, 4)",
    "InverseDecayLR(0.1, 0.9, 4, True)",
    "NaturalExpDecayLR(0.1, 0.9, 4)",
    "NaturalExpDecayLR(0.1, 0.9, 4, True)",
    "PolynomialDecayLR(0.1, 0.01, 4, 0.5)",
    "PolynomialDecayLR(0.1, 0.01, 4, 2.0, True)",
    "WarmUpLR(0.1, 3)",
):
    rec.case(f"nn.{text}", "[schedule(Tensor(step, ms.int32)) for step in range(10)]", f"schedule = nn.{text}\n")
    rec.case(
        f"SGD(nn.{text})",
        "{'run': run(opt, 6), 'rates': rates(opt2)}",
        f"opt = nn.SGD(make(), nn.{text})\nopt2 = nn.SGD(make(), nn.{text})\n",
    )
    case(f"repr/nn.{text}", f"repr(nn.{text})")
for text in (
    "CosineDecayLR(0.1, 0.01, 4)",
    "CosineDecayLR(0, 0.1, 4)",
    "CosineDecayLR(0.0, 0.1, 0)",
    "CosineDecayLR(-0.1, 0.1, 4)",
    "ExponentialDecayLR(1, 0.9, 4)",
    "ExponentialDecayLR(-0.1, 0.9, 4)",
    "ExponentialDecayLR(0.1, 0.9, 4.0)",
    "ExponentialDecayLR(0.1, 0.9, 4, 1)",
    "PolynomialDecayLR(0.1, 0.2, 4, 1.0)",
    "PolynomialDecayLR(0.1, 0.01, 4, 0.0)",
    "WarmUpLR(0.1, 0)",
    "WarmUpLR(0, 3)",
):
    case(f"errors/nn.{text}", f"type(nn.{text}).__name__")
OWN = """
class Own(nn.learning_rate_schedule.LearningRateSchedule):
    def __init__(self):
        super().__init__()
        self.start = Tensor(0.5, ms.float32)

    def construct(self, global_step):
        return self.start / (global_step + 1).astype(ms.float32)


opt = nn.Momentum(make(), Own(), 0.9)
"""
rec.case("Momentum(own schedule)", "run(opt, 4)", OWN)

# Kinds of learning rate
LIST = "[0.1, 0.05, 0.01, 0.2, 0.15, 0.02]"
for text in (
    "0.05",
    LIST,
    "Tensor(0.05, ms.float32)",
    f"Tensor(np.array({LIST}, np.float32))",
    f"(x for x in {LIST})",
    "1",
    "0",
    f"np.array({LIST})",
    f"tuple({LIST})",
):
    for cell in ("SGD", "Adam"):
        rec.case(f"{cell}/learning_rate={text}", "{'run': run(opt, 5)}", f"opt = nn.{cell}(make(), {text})\n")
    case(f"SGD/rates/{text}", "rates(opt, 4)", f"opt = nn.SGD(make(), {text})\n")
    case(
        f"SGD/learning_rate_attribute/{text}",
        "(type(opt.learning_rate).__name__, opt.dynamic_lr, opt.is_group)",
        f"opt = nn.SGD(make(), {text})\n",
    )
for text in (
    "-0.1",
    "'a'",
    "None",
    "[0.1, 'a']",
    "[]",
    "[-0.1]",
    "Tensor(np.ones((2, 2), np.float32))",
    "True",
    "[1, 2]",
):
    case(f"errors/SGD/learning_rate={text}", "rates(nn.SGD(make(), " + text + "), 1)")
rec.case("SGD/past_the_end_of_the_list", "run(nn.SGD(make(), [0.1, 0.05]), 3)")
case(
    "set/learning_rate_parameter",
    "(opt.get_lr(), opt.learning_rate)",
    "opt = nn.SGD(make(), 0.1)\nopt.learning_rate.set_data(Tensor(0.5, ms.float32))\n",
)
case(
    "set/global_step",
    "(rates(opt, 2))",
    "opt = nn.SGD(make(), [0.4, 0.3, 0.2, 0.1])\nopt.global_step.set_data(Tensor([2], ms.int32))\n",
)
case(
    "get_lr_parameter",
    "(opt.get_lr_parameter(opt.parameters[0]), opt.get_lr_parameter(opt.parameters))",
    "opt = nn.SGD(make(), 0.1)\n",
)
case(
    "unique",
    "(opt.unique, opt.target, opt.loss_scale, opt.need_scale, opt.weight_decay, opt.param_length)",
    "opt = nn.SGD(make(), 0.1, weight_decay=0.1)\n",
)

# Groups
GROUP = "params = make()\nno_decay = [p for p in params if 'bias' in p.name]\nrest = [p for p in params if 'bias' not in p.name]\n"
GROUPS = {
    "lr": "[{'params': no_decay, 'lr': 0.1}, {'params': rest}]",
    "weight_decay": "[{'params': no_decay, 'weight_decay': 0.0}, {'params': rest, 'weight_decay': 0.1}]",
    "weight_decay_default": "[{'params': no_decay, 'weight_decay': 0.2}, {'params': rest}]",
    "both": "[{'params': no_decay, 'weight_decay': 0.01, 'lr': 0.1}, {'params': rest, 'lr': 0.02}]",
    "order_params": "[{'params': no_decay, 'lr': 0.1}, {'params': rest}, {'order_params': params}]",
    "reversed_order_params": "[{'params': rest}, {'params': no_decay, 'lr': 0.1}, {'order_params': params[::-1]}]",
    "grad_centralization": "[{'params': no_decay}, {'params': rest, 'grad_centralization': True}]",
    "list_lr": "[{'params': no_decay, 'lr': [0.1, 0.2, 0.3, 0.15, 0.05]}, {'params': rest}]",
    "schedule_lr": "[{'params': no_decay, 'lr': nn.ExponentialDecayLR(0.1, 0.5, 2)}, {'params': rest}]",
    "one_group": "[{'params': params}]",
}
for name, groups in GROUPS.items():
    for cell, args in (
        ("SGD", "0.05, weight_decay=0.3"),
        ("Momentum", "0.05, 0.9, weight_decay=0.3"),
        ("Adam", "0.01"),
    ):
        if cell != "Momentum" and name not in ("both", "order_params", "lr"):
            continue
        rec.case(
            f"groups/{name}/{cell}",
            "{'run': run(opt, 4), 'names': [p.name for p in opt.parameters], 'lr': opt.get_lr()}",
            f"{GROUP}opt = nn.{cell}({groups}, {args})\n",
        )
case(
    "groups/attributes",
    "(opt.is_group, opt.is_group_lr, opt.is_group_params_ordered, opt.dynamic_lr, type(opt.learning_rate).__name__)",
    GROUP + f"opt = nn.SGD({GROUPS['both']}, 0.1)\n",
)
case(
    "groups/state_names",
    "[p.name for p in opt.get_parameters()]",
    GROUP + f"opt = nn.Momentum({GROUPS['both']}, 0.1, 0.9)\n",
)
case(
    "groups/state_names/list_lr",
    "[p.name for p in opt.get_parameters()]",
    GROUP + f"opt = nn.Momentum({GROUPS['list_lr']}, 0.1, 0.9)\n",
)
case(
    "groups/get_lr_parameter",
    "opt.get_lr_parameter(params)",
    GROUP + f"opt = nn.Momentum({GROUPS['both']}, 0.1, 0.9)\n",
)
for name, text in {
    "empty": "[]",
    "empty_group": "[{'params': []}]",
    "no_params": "[{'lr': 0.1}]",
    "unknown_key": "[{'params': params, 'x': 1}]",
    "twice": "[{'params': params}, {'params': params}]",
    "mixed": "[params[0], {'params': params[1:]}]",
    "not_parameters": "[Tensor([1.0])]",
    "parameter": "params[0]",
    "order_missing": "[{'params': no_decay}, {'params': rest}, {'order_params': rest}]",
    "bad_weight_decay": "[{'params': params, 'weight_decay': -0.1}]",
    "bad_lr": "[{'params': params, 'lr': -0.1}]",
    "bad_gc": "[{'params': params, 'grad_centralization': 1}]",
    "string": "'abc'",
    "number": "3",
    "iterator": "iter(params)",
    "filter": "filter(lambda p: 'bias' in p.name, params)",
    "duplicate": "[params[0], params[0]]",
    "none": "None",
    "tuple": "tuple(params)",
    "ParameterTuple": "ms.ParameterTuple(params)",
    "equal_names": "[Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([1.0]), name='a')]",
    "unnamed": "[Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))]",
}.items():
    case(f"params/{name}", "[p.name for p in nn.Momentum(" + text + ", 0.1, 0.9).parameters]", GROUP)
rec.case(
    "groups/grad_centralization/4d",
    "opt((Tensor(gradient),))",
    "weight = Parameter(Tensor(np.zeros((2, 2, 1, 2), np.float32)), name='w')\n"
    "gradient = np.arange(8, dtype=np.float32).reshape(2, 2, 1, 2) ** 2\n"
    "opt = nn.Momentum([{'params': [weight], 'grad_centralization': True}], 0.1, 0.9)\n",
)
rec.case(
    "groups/grad_centralization/4d_weight",
    "weight",
    "weight = Parameter(Tensor(np.zeros((2, 2, 1, 2), np.float32)), name='w')\n"
    "gradient = np.arange(8, dtype=np.float32).reshape(2, 2, 1, 2) ** 2\n"
    "opt = nn.Momentum([{'params': [weight], 'grad_centralization': True}], 0.1, 0.9)\nopt((Tensor(gradient),))\n",
)
rec.case(
    "weight_decay/schedule",
    "run(opt, 4)",
    "class Decay(nn.Cell):\n    def construct(self, step):\n        return Tensor(0.1, ms.float32) / (step + 1).astype(ms.float32)\n\n\nopt = nn.SGD(make(), 0.05, weight_decay=Decay())\n",
)
for args in (
    "SGD(make(), 0.1, momentum=-0.1)",
    "SGD(make(), 0.1, momentum=1)",
    "SGD(make(), 0.1, dampening=-1.0)",
    "SGD(make(), 0.1, nesterov=True)",
    "SGD(make(), 0.1, momentum=0.9, dampening=0.1, nesterov=True)",
    "SGD(make(), 0.1, nesterov=1)",
    "SGD(make(), 0.1, weight_decay=-0.1)",
    "SGD(make(), 0.1, weight_decay=1)",
    "SGD(make(), 0.1, loss_scale=0.0)",
    "SGD(make(), 0.1, loss_scale=-1.0)",
    "SGD(make(), 0.1, loss_scale=2)",
    "Momentum(make(), 0.1)",
    "Momentum(make(), 0.1, -0.9)",
    "Momentum(make(), 0.1, 1)",
    "Momentum(make(), 0.1, 'a')",
    "Momentum(make(), 0.1, 0.9, use_nesterov=1)",
    "Momentum(make(), 0.1, Tensor(0.9))",
    "Adam(make(), beta1=1.0)",
    "Adam(make(), beta1=0.0)",
    "Adam(make(), beta2=1.5)",
    "Adam(make(), eps=0.0)",
    "Adam(make(), eps=-1.0)",
    "Adam(make(), beta1=1)",
    "Adam(make(), use_nesterov=1)",
    "Adam(make(), eps=1)",
    "Adam(make(), use_lazy=True, use_offload=True)",
    "Adam(make(), use_amsgrad=1)",
    "Adam(make(), 0.1, weight_decay=-1.0)",
    "RMSProp(make(), decay=-0.1)",
    "RMSProp(make(), momentum=-0.1)",
    "RMSProp(make(), epsilon=0.0)",
    "RMSProp(make(), centered=1)",
    "Adagrad(make(), accum=-1.0)",
    "AdamWeightDecay(make(), beta1=1.0)",
    "AdamWeightDecay(make(), eps=0.0)",
    "Lamb(make())",
    "SGD()",
    "SGD(make(), 0.1, unknown=1)",
    "FTRL(make(), l1=-0.1)",
    "FTRL(make(), lr_power=0.1)",
    "Adadelta(make(), rho=1.1)",
    "Rprop(make(), etas=(1.1, 1.2))",
    "ASGD(make(), t0=1)",
):
    case(f"errors/{args}", f"type(nn.{args}).__name__")
case("call/too_few_gradients", "opt((Tensor(array('fc.weight', 1)),))", "opt = nn.SGD(make(), 0.1)\n")
case(
    "call/wrong_shape",
    "[p.asnumpy() for p in opt.parameters if opt((Tensor([1.0]),) * 4)]",
    "opt = nn.SGD(make(), 0.1)\n",
)
case("call/list_of_gradients", "type(opt(list(gradients(opt, 0)))).__name__", "opt = nn.SGD(make(), 0.1)\n")
case("call/no_gradients", "opt()", "opt = nn.SGD(make(), 0.1)\n")
case(
    "call/float16_gradients",
    "(opt(tuple(g.astype(ms.float16) for g in gradients(opt, 0))), opt.parameters[0])",
    "opt = nn.Momentum(make(), 0.1, 0.9)\n",
)
case(
    "requires_grad/frozen",
    "[p.name for p in opt.parameters]",
    "params = make()\nparams[0].requires_grad = False\nopt = nn.SGD(params, 0.1)\n",
)

rec.write()
