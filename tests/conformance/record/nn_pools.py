"""Records nn_pools.json: which options of pooling layers go with which pad mode, and what comes out."""

import itertools

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(__file__, "nn_pools.json", "Options of average and maximum pooling in every pad mode.")
INPUTS = {1: "rand(1, 2, 7)", 2: "rand(1, 2, 5, 6)", 3: "rand(1, 1, 4, 5, 5)"}
OPTIONS = ("ceil_mode=True", "count_include_pad=False", "divisor_override=3")
sets = [chosen for count in range(1, 4) for chosen in itertools.combinations(OPTIONS, count)]
for axes, inputs in INPUTS.items():
    for (kernel, stride), mode, chosen in itertools.product(((2, 2), (3, 2)), ("valid", "same", "pad"), sets):
        if axes == 1 and OPTIONS[2] in chosen:
            continue
        layer = f"nn.AvgPool{axes}d({kernel}, {stride}, pad_mode={mode!r}, {', '.join(chosen)})"
        # of a partial window in mode "valid" MindSpore's gradient fails
        rec.case(
            layer, f"{layer}({inputs})" if OPTIONS[0] in chosen else f"grads({layer}, {inputs})", modes=("pynative",)
        )
    for kind, arguments in itertools.product(
        ("AvgPool", "MaxPool"),
        ("2, 2, 'valid', padding=1", "2, 2, 'same', padding=(1,)", "2, 2, 'valid', padding=0",
         "3, 2, 'valid', ceil_mode=1", "3, 2, 'valid', ceil_mode=None"),
    ):  # fmt: skip
        layer = f"nn.{kind}{axes}d({arguments})"
        rec.case(layer, f"{layer}({inputs})", modes=("pynative",))
for arguments in ("8", "8, stride=2", "8, 2, 1, True", "8, 1, 1, True", "8, stride=2, ceil_mode=True"):
    rec.case(f"avg_pool2d({arguments})", f"ops.avg_pool2d(rand(1, 2, 5, 6), {arguments})", modes=("pynative",))

rec.write()
