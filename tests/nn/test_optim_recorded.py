"""Optimizers and learning rates against MindSpore's recorded steps, state, names and errors, in both modes."""

import pytest

import ms_compat as ms
from tests.conformance import programs

# Where we depart, and why.
KERNEL = "MindSpore's CPU kernel departs from the formula of its own reference: "
DEPARTURES = {
    "Momentum(0.05, 0.9, use_nesterov": KERNEL + "use_nesterov has no effect",
    "Momentum(0.05, 0.9, weight_decay=0.1, loss_scale=8.0, use_nesterov": KERNEL + "use_nesterov has no effect",
    "Adagrad(learning_rate=0.05, update_slots=False)": KERNEL + "update_slots has no effect",
    "FTRL(learning_rate=0.05, l1": KERNEL + "l1 has the wrong sign where `linear` is negative",
    "groups/grad_centralization/4d_weight": "in MindSpore the flag has no effect on a Parameter outside a convolution",
    "experimental.optim.Adam(make(), 0.01, weight_decay=0.1, amsgrad": KERNEL + "amsgrad has no effect",
    "mint.optim": "mint.optim is tested on its own",
    "SGD/past_the_end_of_the_list": "the last learning rate is held instead of an error out of a kernel",
    "call/list_of_gradients": "a list of gradients is taken too",
}
CASES = [*programs.load("optim_steps.json"), *programs.load("optim_rates.json")]


@pytest.mark.parametrize("case", CASES, ids=programs.case_id)
def test_optimizer_agrees_with_mindspore(case):
    for start, reason in DEPARTURES.items():
        if case["id"].startswith(start):
            pytest.skip(reason)
    programs.check({"rtol": 1e-6 if "'float'" in str(case.get("result")) else None, **case}, ms)
