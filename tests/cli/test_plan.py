"""`plan`, as far as it goes without a compiler; what it says of programs is in `tests/accelerators`."""

import importlib.util
import json

import pytest

from ms_compat.__main__ import main

STEP = (
    "import numpy as np\nimport mindspore as ms\nfrom mindspore import nn\n"
    "print('the script prints')\n"
    "net = nn.Dense(256, 256)\n"
    "step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))\n"
    "x = ms.Tensor(np.ones((8, 256), np.float32))\n"
    "step(x, x)\nraise RuntimeError('trained')\n"
)


@pytest.mark.parametrize("target", ["v9", "h100:2x2", "v5e:3"])
def test_targets_that_there_are_not(capsys, target):
    assert main(["plan", "--target", target, "train.py"]) == 2
    assert target in capsys.readouterr().err


def test_a_program_is_needed(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["plan", "--target", "v5e"])
    assert ended.value.code == 2
    assert "name a script" in capsys.readouterr().err


@pytest.mark.skipif(importlib.util.find_spec("libtpu") is not None, reason="the compiler is installed")
def test_a_missing_compiler_is_named(program, command):
    program(train=STEP)
    done = command("plan", "--target", "v5e", "train.py", check=2)
    assert "ms-compat[aot]" in done.stderr
    assert "the script prints" not in done.stderr


@pytest.mark.accelerators
@pytest.mark.parametrize("target", ["v5e", "h100"])
def test_a_script_s_step(program, command, target):
    program(train=STEP)
    done = command("plan", "--target", target, "--json", "--abstract", "train.py", check=0)
    told = json.loads(done.stdout)  # what the script prints is not in it
    assert "the script prints" in done.stderr
    assert told["fits"]
    assert told["weights"] == 4 * (256 * 256 + 256)
    assert 8 * (256 * 256 + 256) <= told["optimizer"] < 8 * (256 * 256 + 256) + 100
    assert told["data"] == 2 * 8 * 256 * 4
    assert told["flops"] == 2 * 2 * 8 * 256 * 256
    table = command("plan", "--target", target, "train.py", check=0).stdout
    assert f"TrainOneStepCell on {target}: fits" in table


@pytest.mark.accelerators
@pytest.mark.parametrize("target", ["v5e", "h100"])
def test_weights_that_no_memory_here_holds(program, command, target):
    program(train=STEP.replace("256", "262144"))
    done = command("plan", "--target", target, "--json", "--abstract", "train.py", check=1)
    told = json.loads(done.stdout)
    assert told["weights"] == 4 * (262144 * 262144 + 262144)  # 256 GiB
    assert not told["fits"]


@pytest.mark.accelerators
def test_a_script_that_trains_nothing(program, command):
    program(fails="raise ValueError('wrong')\n", nothing="print(1)\n")
    assert "exit status 1 before it trained" in command("plan", "--target", "v5e", "fails.py", check=1).stderr
    assert "trains nothing" in command("plan", "--target", "v5e", "nothing.py", check=1).stderr


GAN = (
    "import numpy as np\nimport mindspore as ms\nfrom mindspore import nn\n"
    "judge, maker = nn.Dense(64, 1), nn.Dense(32, 64)\n"
    "first, second = nn.Adam(judge.trainable_params()), nn.SGD(maker.trainable_params(), 0.1)\n"
    "of_first = ms.value_and_grad(lambda x: judge(maker(x)).mean(), None, first.parameters)\n"
    "of_second = ms.value_and_grad(lambda x: -judge(maker(x)).mean(), None, second.parameters)\n"
    "x = ms.Tensor(np.ones((8, 32), np.float32))\n"
    "for turn in range(2):\n    loss, grads = of_first(x)\n    first(grads)\n"
    "    loss, grads = of_second(x)\n    second(grads)\n    print(loss)\n"
)


@pytest.mark.accelerators
def test_each_step_of_a_script_with_two_optimizers(program, command):
    program(train=GAN, shows=GAN.replace("first(grads)", "first(grads); print(loss)"))
    told = json.loads(command("plan", "--target", "v5e", "--json", "train.py", check=0).stdout)
    assert [step["step"].split()[-1] for step in told] == ["Adam", "SGD"]
    assert all("has 2 training steps" in step["notes"][-1] for step in told)
    text = command("plan", "--target", "v5e", "train.py", check=0).stdout
    assert text.count("fits") == 2
    told = json.loads(command("plan", "--target", "v5e", "--json", "shows.py", check=0).stdout)
    assert told["step"].endswith("Adam") and "a step of SGD" in told["notes"][-1]
