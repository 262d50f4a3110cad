"""The figures of the table of packages that the marked suite produces, counted from its cases."""

from tests.ecosystem import (
    cells,
    mindaudio_cases,
    mindcv_models,
    mindflow_cases,
    mindformers_llama,
    mindformers_models,
    mindnlp_generate,
    mindnlp_models,
    mindocr_nets,
    mindone_generate,
    mindone_models,
    mindone_nets,
    mindone_pipelines,
    mindone_schedulers,
    mindpet_cases,
    mindyolo_models,
    own_tests,
    recorded,
    troubleshooter_cases,
)


def held(cases, faults, outcome: str) -> int:
    """How many cases have an outcome."""
    return sum(outcome not in faults.get(name, ((), ""))[0] for name in cases)


def counted() -> dict[str, dict[str, str]]:
    """The columns of each package, in the words of the table."""
    families, nets = mindone_models.FAMILIES, mindone_nets.NETS
    of = lambda outcome: (  # noqa: E731
        held(families, mindone_models.FAULTS, outcome),
        held(nets, mindone_nets.FAULTS, outcome),
    )
    schedulers, ways = mindone_schedulers, mindone_generate
    generated = {
        mode: sum(
            mode not in ways.FAULTS.get(f, ({}, ""))[0].get(way, ()) for f in ways.GENERATING for way in ways.WAYS
        )
        for mode in ways.MODES
    }
    models, versions = mindcv_models.RECORDED, mindyolo_models.VERSIONS
    smooth = [name for name, values in models.items() if "smooth step" in values]
    cases = recorded.recorded("mindyolo_models")
    near = lambda version: mindyolo_models.HALF.get(version, 0) <= 1e-3  # noqa: E731
    yolo = {
        f"{what} {mode}": sum(
            f"{version} {what} {mode}_MODE" in cases for version in versions if what == "forward" or near(version)
        )
        for what in ("forward", "step")
        for mode in ("PYNATIVE", "GRAPH")
    }
    ocr = {
        f"{what} {mode}": sum(
            case.startswith(what) and case.endswith(mode) for case in recorded.recorded("mindocr_cases")
        )
        for what in ("net", "trained")
        for mode in cells.MODES
    }
    nlp, tokens = mindnlp_models, mindnlp_generate
    of_nlp = lambda outcome: held(nlp.TRIED, nlp.FAULTS, outcome)  # noqa: E731
    same = len(tokens.GENERATING) * len(mindone_generate.WAYS) - sum(len(ways) for ways, _ in tokens.FAULTS.values())
    flows = recorded.recorded("mindflow_cases")
    of_flow = lambda what, mode: sum(c.split()[0] == what and c.endswith(mode) for c in flows)  # noqa: E731
    pipelines = held(mindone_pipelines.PIPELINES, mindone_pipelines.FAULTS, "GRAPH")
    older = {
        what: sum(
            f"{model} {what} PYNATIVE_MODE" in recorded.recorded("mindformers_models")
            for model, case in mindformers_models.MODELS.items()
            if case[0] == mindformers_models.OLD and mindformers_models.HALF.get(model, 0) <= 1e-3
        )
        for what in ("forward", "step")
    }
    tried = sum(case[0] == mindformers_models.OLD for case in mindformers_models.MODELS.values())
    builds, equal, compiled = of("builds"), of("PYNATIVE"), of("GRAPH")
    trains, trained = of("PYNATIVE gradient"), of("GRAPH gradient")
    return {
        "mindone": {
            "builds": f"{builds[0]} of {len(families)} transformers, {builds[1]} of {len(nets)} nets of diffusers",
            "equal": f"{equal[0]} and {equal[1]}, in GRAPH_MODE {compiled[0]} and {compiled[1]};"
            f" {len(schedulers.SCHEDULERS) - len(schedulers.FAULTS)} of {len(schedulers.SCHEDULERS)} schedulers,"
            f" {pipelines} of {len(mindone_pipelines.PIPELINES)} pipelines;"
            f" `generate` {generated['PYNATIVE']} of {len(ways.GENERATING) * len(ways.WAYS)}"
            f" ({len(ways.GENERATING)} families, {len(ways.WAYS)} ways), in GRAPH_MODE {generated['GRAPH']}",
            "trains": f"{trains[0]} and {trains[1]}, in GRAPH_MODE {trained[0]} and {trained[1]}; trainers, optimizers,"
            f" averages and schedules in {len(recorded.recorded('mindone_training'))} cases",
        },
        "mindcv": {
            "builds": f"{len(models) + 1} of {len(models) + 2} tried",
            "equal": f"{held(models, mindcv_models.FAULTS, 'outputs')} to MindSpore's, in GRAPH_MODE"
            f" {len(mindcv_models.BOTH)} of {len(mindcv_models.BOTH)}; 2 of them without a part that it refuses",
            "trains": f"{held(models, mindcv_models.FAULTS, 'step')}, {len(smooth)} more without the kink of"
            " ReLU; optimizers, trainers, losses, schedulers and data"
            f" in {len(recorded.recorded('mindcv_training'))} cases; from pictures through checkpoints to accuracies in"
            f" {len(recorded.recorded('mindcv_flow'))}",
            "own tests": "its archives have none",
        },
        "mindocr": {
            "builds": f"{len(mindocr_nets.NETS)} of {len(mindocr_nets.NETS) + 1} nets tried",
            "equal": f"{ocr['net PYNATIVE_MODE']} to MindSpore's, in GRAPH_MODE {ocr['net GRAPH_MODE']}",
            "trains": f"the {ocr['trained PYNATIVE_MODE']} that MindSpore trains, in GRAPH_MODE"
            f" {ocr['trained GRAPH_MODE']};"
            f" data, decoding and schedules in {len(recorded.recorded('mindocr_training'))} cases;"
            f" from pictures through checkpoints to metrics in {len(recorded.recorded('mindocr_flow'))}",
            "own tests": "its archives have none",
        },
        "mindformers": {
            "builds": "Llama in 2 ways, ChatGLM2",
            "equal": f"Llama to HuggingFace's, in both modes; `generate` {len(mindformers_llama.WAYS)} of"
            f" {len(mindformers_llama.WAYS)}, LoRA, `pipeline`; ChatGLM2 alike in both modes",
            "trains": "3 in both modes; five steps of `Trainer`, its checkpoints, and resuming",
            "own tests": "its archives have none",
        },
        "mindformers 1.3.2": {
            "builds": f"{tried} of {tried + len(mindformers_models.FAULTS) - 1} models tried",
            "equal": f"{older['forward']} to MindSpore's, in both modes; `generate` with beams",
            "trains": f"{older['step']} in both modes",
            "own tests": "its archives have none",
        },
        "mindyolo": {
            "builds": f"{len(versions)} of {len(versions)} versions",
            "equal": f"{yolo['forward PYNATIVE']} to MindSpore's, in GRAPH_MODE {yolo['forward GRAPH']}",
            "trains": f"{yolo['step GRAPH']} of 9 in GRAPH_MODE, {yolo['step PYNATIVE']} of 2 in PYNATIVE_MODE"
            f" that MindSpore trains; layers, overlaps and data in"
            f" {len(recorded.recorded('mindyolo_training'))} cases",
            "own tests": "its archives have none",
        },
        "mindaudio": {
            "builds": "8 of 9 nets tried",
            "equal": f"the {len(mindaudio_cases.BUILT)} that MindSpore computes, in both modes,"
            f" and {len(mindaudio_cases.WAVES)} functions of waves",
            "trains": f"{len(mindaudio_cases.BUILT)} in both modes",
            "own tests": f"{own_tests.OWN_TESTS} of the {own_tests.OWN_TESTS} that MindSpore passes",
        },
        "mindnlp": {
            "builds": f"{of_nlp('builds')} of {len(nlp.TRIED)} transformers",
            "equal": f"{of_nlp('forward')}; `generate` {same} of {len(tokens.GENERATING) * len(mindone_generate.WAYS)}",
            "trains": f"{of_nlp('gradient')}, steps of SGD {of_nlp('step')}; its `Trainer`, resuming and LoRA",
        },
        "mindflow": {
            "builds": f"{len(mindflow_cases.NETS)} of the {len(mindflow_cases.NETS)} nets that MindSpore computes",
            "equal": f"{of_flow('net', 'PYNATIVE_MODE')} to MindSpore's, in GRAPH_MODE {of_flow('net', 'GRAPH_MODE')};"
            f" flows {of_flow('flow', 'PYNATIVE_MODE')}, in GRAPH_MODE {of_flow('flow', 'GRAPH_MODE')}",
            "trains": f"{of_flow('net', 'PYNATIVE_MODE')} and {of_flow('informed', 'PYNATIVE_MODE')} that learn"
            f" equations, in GRAPH_MODE {of_flow('net', 'GRAPH_MODE')} and {of_flow('informed', 'GRAPH_MODE')}",
        },
        "troubleshooter": {
            "builds": "does not apply",
            "equal": "saved values and gradients, converted and compared weights, compared folders and nets, dumps,"
            f" tracking, proposals, to PyTorch's and to arithmetic, in {len(troubleshooter_cases.CASES)} cases",
            "trains": "does not apply",
            "own tests": "its archives have none",
        },
        "mindpet": {
            "builds": "8 of 8 layers",
            "equal": f"{len(mindpet_cases.DELTAS)} of the 6 layers that MindSpore computes, and"
            f" {len(mindpet_cases.ACTIVATIONS)} activations, to MindSpore's",
            "trains": f"{len(mindpet_cases.DELTAS)}; freezing and its checkpoints in {len(mindpet_cases.FROZEN)} cases",
            "own tests": "its archives have none",
        },
    }
