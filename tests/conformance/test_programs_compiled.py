"""Recorded small programs: gradient functions, `mutable`, `jit` and control flow, as MindSpore answers them."""

import pytest

import ms_compat
from tests.conformance import programs

WIDER = "MindSpore refuses what is compiled here: "
REASONS = {
    "mutable value[pynative]": "the marking classes have other names",
    "mutable value[graph]": "the marking classes have other names",
    "mutable True[pynative]": "the marking classes have other names",
    "mutable True[graph]": "the marking classes have other names",
    "mutable tuple is differentiated[pynative]": WIDER + "a lambda without a source file",
    "mutable tuple is differentiated[graph]": WIDER + "a lambda without a source file",
    "mutable dict gradient[pynative]": "mutable containers are differentiated in both modes here",
    **{f"for_over_traced_range-{i}-jit[pynative]": WIDER + "range of a Tensor" for i in range(3)},
    **{f"long_range_with_break-{i}-jit[pynative]": WIDER + "a thousand iterations with a break" for i in range(2)},
    **{f"try_except-{i}-jit[pynative]": WIDER + "try" for i in range(2)},
}
EARLY = "what is no Parameter is refused when the gradient is made, with a TypeError; MindSpore finds it late"
for call in (
    "ms.grad(one, 0, [1])(X)",
    "ms.grad(one, 0, [X])(X)",
    "ops.GradOperation(get_by_list=True)(net, [1])(X)",
    "nn.ForwardValueAndGrad(net, 1)(X)",
    "ms.vjp(one, X, weights=1)",
):
    REASONS |= {f"{call}[{mode}]": EARLY for mode in ("pynative", "graph")}
del REASONS["ms.grad(one, 0, [X])(X)[pynative]"]  # any Tensor may be a weight there
for call in (
    "ms.grad(one, None, 1)(X)",
    "ms.value_and_grad(one, 0, 1)(X)",
    "ops.GradOperation(get_by_list=True)(net, 1)(X)",
):
    REASONS[f"{call}[graph]"] = EARLY
REASONS["ms.grad(one)()[graph]"] = "IndexError, as MindSpore raises for a Cell; TypeError for a function"
REASONS["ms.vjp(one, X)[1]((V, ))[graph]"] = "the pullback takes its cotangents as a tuple in both modes"
REASONS['ms.grad(Hooked("register_backward_hook", nothing))(X)[graph]'] = "MindSpore gives the 1 that the hook returned"
FILES = ("gradients", "control_flow", "refusals", "language", "builtins", "nested_transforms", "vmap_cells")
CASES = [case for name in FILES for case in programs.load(f"{name}.json")]


@pytest.fixture(autouse=True)
def pynative_afterwards():
    yield
    ms_compat.set_context(mode=ms_compat.PYNATIVE_MODE)


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_program(case):
    if case["id"] in REASONS:
        with pytest.raises(AssertionError):
            programs.check(case, ms_compat)
        return
    programs.check(case, ms_compat)


def test_reasons_name_cases():
    assert set(REASONS) <= {case["id"] for case in CASES}
