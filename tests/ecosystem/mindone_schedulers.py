"""Five steps of each scheduler of mindone's diffusers against diffusers': prints the largest difference as JSON."""

import json

import numpy as np

from tests.ecosystem.mindone_models import difference, told

SCHEDULERS = (
    "DDIM EulerDiscrete PNDM DPMSolverMultistep HeunDiscrete LMSDiscrete KDPM2Discrete UniPCMultistep DEISMultistep"
    " FlowMatchEulerDiscrete DPMSolverSinglestep"
).split()
FAULTS = {"KDPM2Discrete": "MindSpore's lerp of its infinite ends is NaN, in its own kernels too"}


def compare() -> dict[str, float | str]:
    """The differences after the last step; NaN is told as text."""
    import diffusers
    import mindspore as ms
    import torch
    from mindone import diffusers as mindone

    rng = np.random.RandomState(0)
    start, noise = rng.randn(1, 3, 8, 8).astype(np.float32), rng.randn(10, 1, 3, 8, 8).astype(np.float32)
    found: dict[str, float | str] = {}
    for name in SCHEDULERS:
        with told(found, name):
            theirs, ours = (getattr(source, f"{name}Scheduler")() for source in (diffusers, mindone))
            theirs.set_timesteps(5)
            ours.set_timesteps(5)
            x, y = torch.tensor(start), ms.Tensor(start)
            for i, (t, s) in enumerate(zip(theirs.timesteps, ours.timesteps, strict=True)):
                x = theirs.step(torch.tensor(noise[i % 10]), t, x).prev_sample
                y = ours.step(ms.Tensor(noise[i % 10]), s, y)[0]
            found[name] = difference(y.asnumpy(), x.numpy())
            if np.isnan(found[name]):
                found[name] = "NaN"
    return found


if __name__ == "__main__":
    print(json.dumps(compare()))
