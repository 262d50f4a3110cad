"""Packages for MindSpore import and compute as far as the table says."""

import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest

from tests.ecosystem import (
    mindaudio_cases,
    mindcv_flow,
    mindcv_models,
    mindcv_training,
    mindflow_cases,
    mindformers_llama,
    mindformers_models,
    mindnlp_generate,
    mindnlp_models,
    mindnlp_training,
    mindocr_cases,
    mindocr_flow,
    mindocr_nets,
    mindocr_training,
    mindone_generate,
    mindone_models,
    mindone_nets,
    mindone_pipelines,
    mindone_schedulers,
    mindone_training,
    mindpet_cases,
    mindyolo_models,
    mindyolo_training,
    recorded,
    troubleshooter_cases,
)
from tests.ecosystem.own_tests import OWN_TESTS
from tests.ecosystem.table import PACKAGES

ROOT = pathlib.Path(__file__).parents[2]
DISTRIBUTIONS = {"mindflow": "mindflow-ascend"}
pytestmark = pytest.mark.ecosystem
CASES = {
    "mindcv": mindcv_training,
    "mindcv from pictures to accuracies": mindcv_flow,
    "mindpet": mindpet_cases,
    "mindaudio": mindaudio_cases,
    "mindflow": mindflow_cases,
    "mindone": mindone_training,
    "mindyolo": mindyolo_training,
    "mindocr": mindocr_training,
    "mindocr from pictures to metrics": mindocr_flow,
}
# What `.ci/run` tries: some of three packages, in a few minutes.
SMALL = {"mindaudio", "mindcv", "mindyolo", "mobilenet_v2_035_96", "squeezenet1_0", "convnextv2_atto", "yolov5"}


def marked(names):
    """The names as parameters, of which some are marked as small."""
    return [pytest.param(name, marks=[pytest.mark.small] * (name in SMALL), id=name) for name in names]


def ran(module, *arguments):
    """What a module of this folder prints last, in a process of its own, since packages change what they find."""
    command = [sys.executable, "-m", "ms_compat", "run", "-m", f"tests.ecosystem.{module}", *arguments]
    # packages of several years hold generated protobuf code of as many versions; in Python all of it is read
    environment = {**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])


def needs(*packages):
    for package in packages:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")


def needs_version(package, version):
    needs(package)
    found = importlib.metadata.version(DISTRIBUTIONS.get(package, package))
    if found != version:
        pytest.skip(f"{package} {found} is not the version that was tried")


@pytest.mark.parametrize("name", marked(PACKAGES))
def test_modules_import(name):
    package, row = name.split()[0], PACKAGES[name]
    needs_version(package, row["version"])
    found = ran("imports", package)
    imported, _, modules = row["imports"].partition("/")
    assert found["modules"] == int(modules)
    assert found["modules"] - sum(found["failed"].values()) >= int(imported), found["failed"]


def wrong(found, outcomes, limit=1e-4):
    """The outcomes that are errors, or differences beyond float32's rounding over some layers."""
    return {name for name in outcomes if not isinstance(found.get(name), float) or not found[name] < limit}


def failing(module, name):
    """The outcomes of a net that fail, as the module argues, whatever answers `import mindspore`."""
    return module.FAULTS.get(name, (set(), ""))[0]


@pytest.mark.parametrize("family", mindone_models.FAMILIES)
def test_models_of_mindone_equal_huggingface(family):
    needs("mindone", "torch", "transformers")
    found = ran("mindone_models", family)
    assert wrong(found, mindone_models.OUTCOMES) == failing(mindone_models, family), found


@pytest.mark.parametrize("net", mindone_nets.NETS)
def test_nets_of_mindone_equal_diffusers(net):
    needs("mindone", "torch", "diffusers")
    found = ran("mindone_nets", net)
    assert wrong(found, mindone_models.OUTCOMES) == failing(mindone_nets, net), found


def test_schedulers_of_mindone_equal_diffusers():
    needs("mindone", "torch", "diffusers")
    found = ran("mindone_schedulers")
    assert wrong(found, mindone_schedulers.SCHEDULERS) == set(mindone_schedulers.FAULTS), found


@pytest.mark.parametrize("pipeline", mindone_pipelines.PIPELINES)
def test_pipelines_of_mindone_equal_diffusers(pipeline):
    needs("mindone", "torch", "transformers", "diffusers")
    found = ran("mindone_pipelines", pipeline)[pipeline]
    assert wrong(found, mindone_pipelines.OUTCOMES) == failing(mindone_pipelines, pipeline), found


@pytest.mark.parametrize("family", mindone_generate.GENERATING)
def test_mindone_generates_the_tokens_of_huggingface(family):
    needs("mindone", "torch", "transformers")
    found = ran("mindone_generate", family)
    failing, _ = mindone_generate.FAULTS.get(family, ({}, ""))
    expected = {f"{way} {mode}" for way, modes in failing.items() for mode in modes}
    tried = [f"{way} {mode}" for way in mindone_generate.WAYS for mode in mindone_generate.MODES]
    assert {name for name in tried if found.get(name) != "equal"} == expected, found


@pytest.mark.parametrize("family", mindnlp_models.TRIED)
def test_models_of_mindnlp_equal_huggingface(family):
    needs("mindnlp", "torch", "transformers")
    found = ran("mindnlp_models", family)
    assert wrong(found, mindnlp_models.OUTCOMES) == failing(mindnlp_models, family), found


@pytest.mark.parametrize("family", mindnlp_generate.GENERATING)
def test_mindnlp_generates_the_tokens_of_huggingface(family):
    needs("mindnlp", "torch", "transformers")
    found = ran("mindnlp_generate", family)
    failing, _ = mindnlp_generate.FAULTS[family]
    assert {way for way, told in found.items() if told != "equal"} == set(failing), found


@pytest.mark.parametrize("case", mindnlp_training.CASES)
def test_mindnlp_trains_as_pytorch_does(case):
    needs("mindnlp", "torch", "transformers")
    found = ran("mindnlp_training", case)
    assert found and not wrong(found, found, mindnlp_training.LIMIT), found


@pytest.mark.parametrize("model", marked(mindcv_models.RECORDED))
def test_models_of_mindcv_equal_mindspore(model):
    needs("mindcv")
    found = ran("mindcv_models", model)
    limits = mindcv_models.LIMITS.get(model, {})
    missed = {what for what in mindcv_models.RECORDED[model] if wrong(found, [what], limits.get(what, 1e-4))}
    assert missed == failing(mindcv_models, model), found


@pytest.mark.parametrize("cases", marked(CASES))
def test_cases_equal_mindspore(cases):
    needs(cases.split()[0])
    module = CASES[cases]
    name = module.__name__.rpartition(".")[2]
    found = ran(name)
    assert set(found) == set(recorded.recorded(name))
    limit = getattr(module, "limit", lambda case: 1e-4)
    assert not {case: outcomes for case, outcomes in found.items() if wrong(outcomes, outcomes, limit(case))}


@pytest.mark.parametrize("version", marked(mindyolo_models.VERSIONS))
def test_models_of_mindyolo_equal_mindspore(version):
    needs("mindyolo")
    cases = [case for case in recorded.recorded("mindyolo_models") if case.split()[0] == version]
    found = ran("mindyolo_models", *cases)
    assert set(found) == set(cases)
    limits = {"forward": 1e-4, "step": mindyolo_models.HALF.get(version, 1e-4)}
    assert not {case: told for case, told in found.items() if wrong(told, told, limits[case.split()[1]])}


@pytest.mark.parametrize("net", mindocr_nets.NETS)
def test_nets_of_mindocr_equal_mindspore(net):
    needs("mindocr")
    cases = [case for case in recorded.recorded("mindocr_cases") if mindocr_cases.CASES[case].args[0] == net]
    found = ran("mindocr_cases", *cases)
    assert set(found) == set(cases)
    assert not {case: told for case, told in found.items() if wrong(told, told, mindocr_cases.limit(case))}


OF_1_3 = [name for name, case in mindformers_models.MODELS.items() if case[0] == mindformers_models.OLD]


@pytest.mark.parametrize("model", [*OF_1_3, "generate beams"])
def test_models_of_mindformers_equal_mindspore(model):
    needs_version("mindformers", mindformers_models.OLD)
    starts = (model,) if model.startswith("generate") else (f"{model} forward", f"{model} step")
    cases = [case for case in recorded.recorded("mindformers_models") if case.startswith(starts)]
    found = ran("mindformers_models", *cases)
    assert set(found) == set(cases) and cases
    assert not {case: told for case, told in found.items() if wrong(told, told, mindformers_models.limit(case))}


@pytest.mark.parametrize("case", mindformers_llama.CASES)
def test_llama_of_mindformers_equals_huggingface(case):
    needs_version("mindformers", mindformers_models.NEW)
    needs("torch", "transformers", "sentencepiece")
    found = ran("mindformers_llama", case)
    assert found and not wrong(found, found), found


@pytest.mark.parametrize("case", troubleshooter_cases.CASES)
def test_troubleshooter_tells_what_pytorch_gives(case):
    needs("troubleshooter", "torch", "pysnooper")
    found = ran("troubleshooter_cases", case)
    assert found and not wrong(found, found), found


def test_tests_of_mindaudio_pass():
    needs("mindaudio", "mir_eval")
    archive = os.environ.get("ECOSYSTEM_MINDAUDIO")
    if not archive:
        pytest.skip("the unpacked archive, which has the tests, is not named by ECOSYSTEM_MINDAUDIO")
    found = ran("own_tests", archive)
    assert len(found) == OWN_TESTS and not {test: told for test, told in found.items() if told != "passed"}
