"""A thousand random programs show what MindSpore 2.10 showed; `random_programs/README.md` tells how they are made."""

import ast
import inspect
from random import Random

import pytest

import ms_compat
from tests.conformance.random_programs import compare, evaluate, generate, known_faults, recording, sampled, triage
from tests.conformance.random_programs.shrink import shrink

PARTS = 40  # of the recorded programs, so that several processes share them
SEEDS = range(200)


@pytest.fixture(scope="module")
def recorded():
    return recording.load()


@pytest.fixture(scope="module", autouse=True)
def programs_find_mindspore():
    evaluate.load("ours")


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_programs_show_what_mindspore_showed(part, mode, recorded):
    for program in recorded[part::PARTS]:
        if mode in program:
            outcome = evaluate.run(program["text"], ms_compat, mode)
            found = compare.difference(program["text"], program[mode], outcome)
            assert found is None, f"seed {program['seed']}: {found[0]}, {found[1]}\n{program['text']}"


def test_there_are_a_thousand_in_both_modes(recorded):
    assert len(recorded) == 1000
    assert sum("graph" in program for program in recorded) >= 200
    assert sum("error" in program["pynative"] for program in recorded) < 100
    assert recording.PATH.stat().st_size < 1_000_000


def test_a_seed_gives_one_program():
    assert [generate.source(seed) for seed in SEEDS] == [generate.source(seed) for seed in SEEDS]
    assert len({generate.source(seed) for seed in SEEDS}) == len(SEEDS)


def test_programs_are_python_and_use_every_feature():
    texts = [generate.source(seed) for seed in range(2000)]
    for text in texts:
        ast.parse(generate.script(text))
    whole = "\n".join(texts)
    for feature in (
        "nn.Cell", "Parameter(", "@ms.jit", "if ", "else:", "while ", "for ", "break", "continue", ".append(", "{'a':",
        "ms.grad(", "ms.value_and_grad(", "GradOperation(", "ms.vjp(", "ms.jvp(", "ms.vmap(", "register_forward_hook",
        "InsertGradientOf", "nn.Adam(", "TrainOneStepCell", "[0] =", "+=", "ops.assign(", "float16", "float64", "int8",
        "complex64", "np.float64(", "ms.bool_", ".view(", "has_aux", "mint.", "mnp.",
    ):  # fmt: skip
        assert feature in whole, feature


def test_a_program_runs_alone(tmp_path, monkeypatch, capsys):
    path = tmp_path / "program.py"
    path.write_text(generate.script("def main():\n    show(Tensor([1.0, 2.0]) * 2)\n"), encoding="utf-8")
    monkeypatch.setattr("sys.argv", [str(path)])
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == "[2. 4.]\n"


def test_samples_take_their_operands_from_the_program():
    table = sampled.table()
    assert len(table) > 2000
    pool = {("float32", (2, 3)): ["v7"]}
    text, kind = sampled.choose(Random(3), pool)
    assert "v7" in text
    assert kind.shape is not None


def test_an_error_is_an_outcome_with_the_place_where_it_came():
    text = "def main():\n    show(1)\n    show(Tensor([1.0]) @ Tensor([[1.0, 2.0], [3.0, 4.0]]))\n"
    outcome = evaluate.run(text, ms_compat, "pynative")
    assert len(outcome["shown"]) == 1
    assert outcome["error"] in outcome["bases"]


def _outcome(value, dtype="Float32", **more):
    return {"shown": [{"type": "Tensor", "dtype": dtype, "shape": [1], "value": [value]}], **more}


@pytest.mark.parametrize(
    "wanted, got, sort",
    [
        (_outcome(1.0), _outcome(1.0 + 1e-6), None),
        (_outcome(1.0), _outcome(1.001), "value"),
        (_outcome(1.0), _outcome(float("nan")), "value"),
        (_outcome(3, "Int32"), _outcome(4, "Int32"), "value"),
        (_outcome(1.0), _outcome(1.0, "Float64"), "dtype"),
        (_outcome(1.0), {"shown": [], "error": "TypeError", "bases": ["TypeError"], "message": ""}, "refuses"),
        ({"shown": [], "error": "TypeError", "message": ""}, _outcome(1.0), "accepts"),
        (
            {"shown": [], "error": "TypeError", "message": ""},
            {"shown": [], "error": "ValueError", "bases": ["ValueError"], "message": ""},
            "error",
        ),
        (
            {"shown": [], "error": "ValueError", "message": ""},
            {"shown": [], "error": "Odd", "bases": ["Odd", "ValueError"], "message": ""},
            None,
        ),
        (_outcome(1.0), {"shown": [], "crash": -11}, "crash"),
        ({"shown": []}, {"shown": [], "crash": -11}, "crash"),
    ],
)
def test_differences_have_a_sort(wanted, got, sort):
    found = compare.difference("", wanted, got)
    assert (found and found[0]) == sort


def test_half_precision_is_compared_as_it_rounds():
    assert compare.difference("x.astype(ms.float16)", _outcome(1.0), _outcome(1.01)) is None
    assert compare.difference("", _outcome(1.0), _outcome(1.01)) is not None


def test_a_perturbed_program_differs_in_the_seventh_digit():
    text = "x = Tensor([1.5, 2.0], ms.float32)\ny = x * 0.5"
    changed = compare.perturbed(text)
    assert changed != text
    assert "* 0.5" in changed
    first = ast.parse(changed).body[0].value.args[0].elts[0].value
    assert first == pytest.approx(1.5, rel=1e-6)


def test_shrinking_keeps_the_property_and_little_else():
    text = inspect.cleandoc(
        """
        def main():
            a = Tensor([[1.0, 2.0], [3.0, 4.0]])
            b = ops.tanh(a)
            if b.sum() > 0:
                c = ops.sin(ops.erf(b) * 2) + a
            else:
                c = b
            for n in range(3):
                c = c + n
            show(a)
            show(c)
        """
    )
    small = shrink(text, lambda candidate: "ops.erf(" in candidate and "show(" in candidate)
    assert "if" not in small
    assert "for" not in small
    assert len(small) < 75


def test_limits_of_mindspore_are_told_by_their_message():
    outcome = {"error": "RuntimeError", "message": "The shape of sense must not be dynamic shape."}
    assert known_faults.limit_of(outcome, "") is not None
    assert known_faults.limit_of({"error": "RuntimeError", "message": "another"}, "") is None
    assert triage.left_out("", {"shown": [], **outcome}, {"shown": []}) == "limit"


def test_a_limit_may_ask_for_the_program():
    outcome = {"error": "ValueError", "message": "For 'BroadcastTo', in order to broadcast, each dimension pair ..."}
    assert known_faults.limit_of(outcome, "v1[v1 < 0] *= -1") is not None
    assert known_faults.limit_of(outcome, "ops.broadcast_to(v1, (2, 3))") is None
