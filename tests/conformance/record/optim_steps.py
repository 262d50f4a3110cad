"""Records optim_steps.json: ten steps of every optimizer of nn, and its state afterwards."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.optim_recorder import recorder

rec = recorder(
    __file__,
    "optim_steps.json",
    "Ten steps of every optimizer: parameters after steps 1, 2 and 10, state, returned type.",
)
OPTIMIZERS = {
    "SGD": (
        "",
        "0.05",
        "0.05, momentum=0.9",
        "0.05, momentum=0.9, dampening=0.2",
        "0.05, momentum=0.9, nesterov=True",
        "0.05, weight_decay=0.1",
        "0.05, momentum=0.9, weight_decay=0.1, nesterov=True",
        "0.05, momentum=0.9, loss_scale=8.0",
        "0.05, dampening=0.5",
    ),
    "Momentum": (
        "0.05, 0.9",
        "0.05, 0.9, use_nesterov=True",
        "0.05, 0.9, weight_decay=0.1",
        "0.05, 0.9, loss_scale=8.0",
        "0.05, 0.0",
        "0.05, 0.9, weight_decay=0.1, loss_scale=8.0, use_nesterov=True",
    ),
    "Adam": (
        "",
        "0.01",
        "0.01, beta1=0.8, beta2=0.9, eps=0.001",
        "0.01, use_nesterov=True",
        "0.01, use_amsgrad=True",
        "0.01, weight_decay=0.1",
        "0.01, loss_scale=8.0",
        "0.01, use_locking=True",
        "0.01, use_lazy=True",
        "0.01, use_nesterov=True, weight_decay=0.1",
        "0.01, use_amsgrad=True, weight_decay=0.1",
    ),
    "AdamWeightDecay": ("", "0.01, weight_decay=0.1", "0.01, beta1=0.8, beta2=0.9, eps=0.001, weight_decay=0.1"),
    "Adagrad": (
        "",
        "learning_rate=0.05",
        "accum=0.5, learning_rate=0.05, weight_decay=0.1",
        "learning_rate=0.05, update_slots=False",
        "learning_rate=0.05, loss_scale=8.0",
    ),
    "RMSProp": (
        "",
        "0.01",
        "0.01, centered=True",
        "0.01, momentum=0.9",
        "0.01, decay=0.5, epsilon=0.01, momentum=0.5, centered=True",
        "0.01, weight_decay=0.1",
        "0.01, loss_scale=8.0",
    ),
    "Lamb": ("0.01", "0.01, weight_decay=0.1", "0.01, beta1=0.8, beta2=0.9, eps=0.001, weight_decay=0.1"),
    "Adadelta": ("", "0.5, rho=0.8, epsilon=0.01", "0.5, weight_decay=0.1", "0.5, loss_scale=8.0"),
    "AdaMax": ("", "0.01, beta1=0.8, beta2=0.9, eps=0.001", "0.01, weight_decay=0.1", "0.01, loss_scale=8.0"),
    "FTRL": (
        "",
        "learning_rate=0.05, l1=0.1, l2=0.1",
        "learning_rate=0.05, lr_power=-0.3, initial_accum=0.5",
        "learning_rate=0.05, weight_decay=0.1",
    ),
    "ASGD": ("", "0.05, lambd=0.01, alpha=0.5, t0=3.0", "0.05, weight_decay=0.1"),
    "Rprop": ("", "0.05, etas=(0.4, 1.5), step_sizes=(0.001, 1.0)", "0.05, weight_decay=0.1"),
    "ProximalAdagrad": ("", "learning_rate=0.05, l1=0.1, l2=0.1", "learning_rate=0.05, weight_decay=0.1", "accum=0.5"),
    "LazyAdam": ("0.01", "0.01, use_nesterov=True", "0.01, weight_decay=0.1"),
    "AdaFactor": (
        "",
        "learning_rate=0.01, scale_parameter=False, relative_step=False",
        "learning_rate=0.01, relative_step=False, beta1=0.9, weight_decay=0.1",
        "beta1=0.0",
    ),
}
for name, variants in OPTIMIZERS.items():
    for args in variants:
        rec.case(
            f"{name}({args})",
            f"run(nn.{name}(make(){', ' if args else ''}{args}){', scale=8.0' if 'loss_scale' in args else ''})",
        )
for inner in ("nn.Momentum(make(), 0.05, 0.9)", "nn.SGD(make(), 0.05)"):
    rec.case(
        f"LARS({inner})",
        "{k: v for k, v in run(opt).items()}",
        f"opt = nn.LARS({inner}, epsilon=1e-5, coefficient=0.02)\n",
    )
rec.case(
    "LARS/filter",
    "run(opt)",
    "opt = nn.LARS(nn.Momentum(make(), 0.05, 0.9, weight_decay=0.1), use_clip=True, lars_filter=lambda p: 'weight' in p.name)\n",
    modes=("pynative",),
)
rec.case("names/AdaFactor", "[p.name for p in nn.AdaFactor(make()).get_parameters()]")
rec.case("names/ASGD", "[p.name for p in nn.ASGD(make()).get_parameters()]")
IMPORT = "import importlib\n\noptim = importlib.import_module(ms.__name__ + '.{}')\n"
for module in ("mint.optim", "experimental.optim"):
    for text in (
        "Adam(make(), 0.01)",
        "Adam(make(), 0.01, weight_decay=0.1, amsgrad=True)",
        "Adam(make(), 0.01, maximize=True)",
        "AdamW(make(), 0.01)",
        "AdamW(make(), 0.01, betas=(0.8, 0.9), eps=0.001, weight_decay=0.1, amsgrad=True)",
        "SGD(make(), 0.05)",
        "SGD(make(), 0.05, momentum=0.9, dampening=0.1, weight_decay=0.1)",
        "SGD(make(), 0.05, momentum=0.9, nesterov=True)",
        "SGD(make(), 0.05, maximize=True)",
    ):
        # In PYNATIVE the CPU build's in-place operations, of which mint.optim is made, leave the parameters as they were.
        modes = ("graph",) if module == "mint.optim" else ("pynative", "graph")
        rec.case(f"{module}.{text}", f"run(optim.{text})", IMPORT.format(module), modes=modes)
for text in (
    "Adadelta(make())",
    "Adagrad(make(), lr_decay=0.1)",
    "Adamax(make())",
    "ASGD(make())",
    "NAdam(make())",
    "NAdam(make(), weight_decay=0.1)",
    "RAdam(make())",
    "RMSprop(make())",
    "RMSprop(make(), momentum=0.9, centered=True, weight_decay=0.1)",
    "Rprop(make())",
):
    rec.case(
        f"experimental.optim.{text}", f"run(optim.{text})", IMPORT.format("experimental.optim"), modes=("pynative",)
    )

rec.write()
