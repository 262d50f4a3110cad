"""Records experimental_optim.json: groups, texts and errors of experimental.optim, and learning rates of its schedulers.

Ten steps of every optimizer stand in optim_steps.json.
"""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = '''\
import importlib

optim = importlib.import_module(ms.__name__ + ".experimental.optim")
L = optim.lr_scheduler


def param(name="w", count=2):
    return Parameter(Tensor(np.arange(1, 1 + count).astype(np.float32) / 10), name=name)


def two():
    """An optimizer of two groups."""
    return optim.SGD([{"params": [param("a")], "lr": 0.5}, {"params": [param("b")]}], 0.1)


def rates(make, count=8):
    """The learning rates of both groups before and after each of the first steps."""
    optimizer = two()
    scheduler = make(optimizer)
    seen = [[float(group["lr"].asnumpy()) for group in optimizer.param_groups]]
    for _ in range(count):
        scheduler.step()
        seen.append([float(group["lr"].asnumpy()) for group in optimizer.param_groups])
    return seen, [float(rate.asnumpy()) for rate in scheduler.get_last_lr()], float(scheduler.last_epoch.asnumpy())


def jump(make, epochs):
    """The first group's learning rate after `step(epoch)`."""
    optimizer = two()
    scheduler = make(optimizer)
    seen = []
    for epoch in epochs:
        scheduler.step(epoch)
        seen.append(float(optimizer.param_groups[0]["lr"].asnumpy()))
    return seen


def plateau(values, **options):
    optimizer = two()
    scheduler = L.ReduceLROnPlateau(optimizer, **options)
    seen = []
    for value in values:
        scheduler.step(value)
        seen.append([float(group["lr"].asnumpy()) for group in optimizer.param_groups])
    return seen, bool(scheduler.in_cooldown().asnumpy())
'''
rec = Recorder(__file__, "experimental_optim.json", "Groups, errors and schedulers of experimental.optim.", PRELUDE)


def add(text, modes=("pynative",), **extra):
    rec.case(text, text, modes=modes, **extra)


for text in """
repr(optim.Adam([param()], 0.1)); repr(two()); repr(optim.RMSprop([param()])); repr(optim.Rprop([param()], maximize=True));
repr(optim.Optimizer([param()], {"lr": 0.1})); repr(optim.ASGD([param()])); repr(optim.Adagrad([param()])); repr(optim.NAdam([param()]));
repr(optim.Adadelta([param()])); repr(optim.Adamax([param()])); repr(optim.RAdam([param()])); repr(optim.AdamW([param()]));
two().group_start_id; [p.name for p in two().lrs]; two().defaults; [p.name for p in two().parameters]; sorted(two().param_groups[1]);
[p.name for p in optim.Adam([param()]).get_parameters()]; [p.name for p in optim.NAdam([param()]).get_parameters()];
[p.name for p in optim.SGD([Parameter(Tensor([1.0])), Parameter(Tensor([2.0]))], 0.1).parameters];
optim.SGD([param()], Tensor(0.1)).param_groups[0]["lr"]; optim.SGD([param()], 1).param_groups[0]["lr"];
optim.SGD([param()], 0.1)([Tensor([1.0, 1.0])]); optim.SGD([], 0.1); optim.SGD(3, 0.1); optim.SGD(param(), 0.1);
optim.SGD([param(), param()], 0.1); optim.SGD([param()], -0.1); optim.SGD([param()], "a"); optim.SGD([param()], -1); optim.SGD([param()], Tensor([0.1, 0.2]));
optim.SGD([param()], 0.1, nesterov=True); optim.SGD([param()], 0.1, momentum=0.9, dampening=0.1, nesterov=True); optim.SGD([param()], 0.1, momentum=-1.0);
optim.SGD([param()], 0.1, weight_decay=-1.0); optim.SGD([param()], 0.1, maximize=1); optim.SGD([Tensor([1.0])], 0.1); two().add_param_group(3); two().add_param_group({"x": param("z")}); two().add_param_group({"params": param("a")});
optim.Adam([param()], betas=(1.0, 0.9)); optim.Adam([param()], betas=(0.9, 1.0)); optim.Adam([param()], betas=0.9); optim.Adam([param()], eps=-1.0); optim.Adam([param()], weight_decay=-1.0);
optim.AdamW([param()], eps=-1.0); optim.Adadelta([param()], rho=2.0); optim.Adadelta([param()], eps=-1.0); optim.Adagrad([param()], lr_decay=-1.0); optim.Adagrad([param()], initial_accumulator_value=-1.0);
optim.Adagrad([param()], eps=-1.0); optim.Adamax([param()], eps=-1.0); optim.Adamax([param()], betas=(1.0, 0.0)); optim.ASGD([param()], weight_decay=-1.0); optim.ASGD([param()], lambd=1);
optim.NAdam([param()], momentum_decay=-1.0); optim.RAdam([param()], eps=-1.0); optim.RMSprop([param()], alpha=-1.0); optim.RMSprop([param()], momentum=-1.0); optim.Rprop([param()], etas=(1.5, 1.2)); optim.Rprop([param()], etas=(0.5, 0.9));
""".replace("\n", " ").split(";"):
    if text.strip():
        add(text.strip())

SCHEDULERS = """
StepLR(o, 2, 0.5); StepLR(o, 3); MultiStepLR(o, [1, 3], 0.1); MultiStepLR(o, [3, 1, 3]); MultiStepLR(o, []); ConstantLR(o, 0.5, 3); ConstantLR(o);
LinearLR(o, 0.5, 1.0, 4); LinearLR(o, 1.0, 0.2, 3); LinearLR(o); ExponentialLR(o, 0.9); PolynomialLR(o, 4, 2.0); PolynomialLR(o);
LambdaLR(o, lambda e: 0.9 ** e); LambdaLR(o, [lambda e: 1.0 / (e + 1), lambda e: 0.5 ** e]); MultiplicativeLR(o, lambda e: 0.9); MultiplicativeLR(o, [lambda e: 0.5, lambda e: 0.9]);
CyclicLR(o, 0.01, 0.1, 2, 3); CyclicLR(o, [0.01, 0.02], [0.1, 0.2], 2, mode="triangular2"); CyclicLR(o, 0.01, 0.1, 2, mode="exp_range", gamma=0.9); CyclicLR(o, 0.01, 0.1, 2, scale_fn=lambda x: 1.0 / x);
CosineAnnealingLR(o, 3, 0.01); CosineAnnealingLR(o, 5); CosineAnnealingWarmRestarts(o, 2, 2, 0.01); CosineAnnealingWarmRestarts(o, 3);
SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)], [2]); SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9), L.StepLR(o, 1)], [2, 5]);
LRScheduler(o); StepLR(3, 2); StepLR(nn.SGD([param()]), 2); StepLR(o, 2.0); StepLR(o, 2, 1); LinearLR(o, 0.0); LinearLR(o, 2.0); LinearLR(o, 0.5, -1.0);
LambdaLR(o, [lambda e: 1]); MultiplicativeLR(o, [lambda e: 1]); MultiStepLR(o, 3); MultiStepLR(o, [1.5]); ConstantLR(o, 2.0); CyclicLR(o, 0.01, 0.1, mode="x"); CyclicLR(o, [0.01], [0.1]);
CosineAnnealingWarmRestarts(o, 0); CosineAnnealingWarmRestarts(o, 1, 0); CosineAnnealingWarmRestarts(o, 1.5); SequentialLR(o, [L.StepLR(o, 2)], [1]); SequentialLR(two(), [L.StepLR(o, 2), L.StepLR(o, 2)], [1]);
StepLR(o, 2, last_epoch=3); StepLR(o, 2, last_epoch=-2); StepLR(o, 2, last_epoch=1.0); PolynomialLR(o, 4.0); PolynomialLR(o, 4, "a"); ExponentialLR(o, 1); CosineAnnealingLR(o, 3.0)
"""
for text in SCHEDULERS.replace("\n", " ").split(";"):
    add(f"rates(lambda o: L.{text.strip()})")
for text in (
    "StepLR(o, 2, 0.5)",
    "MultiStepLR(o, [1, 3])",
    "ConstantLR(o, 0.5, 3)",
    "LinearLR(o)",
    "ExponentialLR(o, 0.9)",
    "PolynomialLR(o)",
    "CosineAnnealingLR(o, 3)",
    "LambdaLR(o, lambda e: 0.9 ** e)",
):
    add(f"jump(lambda o: L.{text}, [5, 2, 4])")
for text in ("CosineAnnealingWarmRestarts(o, 2)", "CosineAnnealingWarmRestarts(o, 2, 3, 0.1)"):
    add(f"jump(lambda o: L.{text}, [0.5, 1, 1.5, 2.5, 7, 9.5])")
VALUES = "[1.0, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6]"
for text in (
    "factor=0.5, patience=1, cooldown=1",
    "factor=0.5, patience=2, min_lr=[0.2, 0.05]",
    "mode='max', factor=0.5, patience=1",
    "factor=0.5, patience=0, threshold=0.2, threshold_mode='abs'",
    "mode='x'",
    "factor=1.0",
    "threshold_mode='x'",
    "min_lr=[0.1]",
):
    add(f"plateau({VALUES}, {text})")
rec.write()
