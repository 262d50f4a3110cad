"""The operations' samples, lowered for CUDA and TPU: this needs neither an accelerator nor its compiler.

A part runs by default; `-m accelerators` lowers all.
"""

import pytest

import ms_compat as ms
from tests.accelerators import lowered
from tests.accelerators.targets import compiler
from tests.conformance import replay
from tests.ops import samples

SETUP = samples.SETUP + "\nimport ms_compat.numpy as mnp"
SOME = "ops.tril(x); ops.triu(x,1); ops.eye(3); ops.diag(x[0]); ops.diagonal(x); ops.trace(x); ops.matmul(h,h.T)"
# Takes the values of a Tensor at the time when it is compiled.
UNTRACEABLE = {"pad", "mirror_pad"}
# JAX's singular values for TPUs do not compile where 64-bit types are on.
UNCOMPILED = {"v5e": {"svd", "_pinv", "norm"}, "h100": set()}
# Computes in 64 bits what nobody named as that, and why.
WIDE = {
    "floor_div floor_divide div": "MindSpore divides in Float64 before it rounds",
    "digamma lgamma": "MindSpore computes in Float64",
    "_range": "the numbers of a range are Float64 or Int64 until they are cast, as MindSpore's",
    "count_nonzero mean std var std_mean": "sums of integers",
    "pow": "powers of integers",
    "equal less greater": "a Python number beside an integer or bool: MindSpore promotes so",
    "_repeat _bincount quantile nanquantile unique searchsorted diagonal_scatter": "indices of JAX's functions",
    "svd _pinv norm cholesky inverse qr det slogdet matrix_power lstsq eigh": "JAX's decompositions",
}
KNOWN = {name for names in WIDE for name in names.split()}


def calls(expressions):
    """Each call of an operation on Tensors that the expressions make, those alike once."""
    seen = set()
    for expression in expressions:
        found = []
        with lowered.operations(found):
            outcome = replay.evaluate({"expr": expression, "setup": SETUP}, ms)
        if "error" in outcome:
            continue
        for op, args, kwargs in found:
            key = (op.name, lowered.signature(args, kwargs))
            if key not in seen:
                seen.add(key)
                yield expression, op, args, kwargs


def check(expressions):
    count, wrong = 0, []
    for expression, op, args, kwargs in calls(expressions):
        if op.name in UNTRACEABLE:
            continue
        for platform in lowered.PLATFORMS:
            text, types = lowered.lowered(op, args, kwargs, platform)
            count += 1
            if lowered.calls_host(text):
                wrong.append(f"{expression}: {op.name} calls the host on {platform}")
            wide = lowered.wide_arithmetic(text, types)
            if wide and op.name not in KNOWN:
                wrong.append(f"{expression}: {op.name} on {platform}: {', '.join(sorted(wide))}")
    assert wrong == []
    return count


def test_some_lower_for_both():
    every = [expression for topic in samples.TOPICS for expression in samples.samples(topic)]
    assert check([*SOME.split("; "), *every[::60]]) > 40


@pytest.mark.accelerators
@pytest.mark.parametrize("topic", list(samples.TOPICS))
def test_all_lower_for_both(topic):
    assert check(samples.samples(topic)) > 0


@pytest.mark.accelerators
@pytest.mark.parametrize("target", ["v5e", "h100"])
def test_a_hundred_compile(target):
    every = [expression for topic in samples.TOPICS for expression in samples.samples(topic)]
    devices = compiler(target)
    left_out = UNTRACEABLE | UNCOMPILED[target]
    chosen = [call for call in calls(every[::6]) if call[1].name not in left_out][:100]
    assert len(chosen) == 100
    for _, op, args, kwargs in chosen:
        lowered.compiled(op, args, kwargs, devices[0])
