"""The figures of the table of packages that the marked suite produces, counted from its cases."""

from tests.ecosystem import (
    cells,
    mindaudio_cases,
    mindcv_models,
    mindocr_nets,
    mindone_generate,
    mindone_models,
    mindone_nets,
    mindone_schedulers,
    mindpet_cases,
    mindyolo_models,
    own_tests,
    recorded,
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
        mode: sum(mode not in ways.FAULTS[f][0].get(way, ()) for f in ways.GENERATING for way in ways.WAYS)
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
    builds, equal, compiled = of("builds"), of("PYNATIVE"), of("GRAPH")
    trains, trained = of("PYNATIVE gradient"), of("GRAPH gradient")
    return {
        "mindone": {
            "builds": f"{builds[0]} of {len(families)} transformers, {builds[1]} of {len(nets)} nets of diffusers",
            "equal": f"{equal[0]} and {equal[1]}, in GRAPH_MODE {compiled[0]} and {compiled[1]};"
            f" {len(schedulers.SCHEDULERS) - len(schedulers.FAULTS)} of {len(schedulers.SCHEDULERS)} schedulers;"
            f" `generate` {generated['PYNATIVE']} of {len(ways.GENERATING) * len(ways.WAYS)},"
            f" in GRAPH_MODE {generated['GRAPH']}",
            "trains": f"{trains[0]} and {trains[1]}, in GRAPH_MODE {trained[0]} and {trained[1]}",
        },
        "mindcv": {
            "builds": f"{len(models)} of {len(models)} tried",
            "equal": f"{held(models, mindcv_models.FAULTS, 'outputs')} to MindSpore's",
            "trains": f"{held(models, mindcv_models.FAULTS, 'step')}, {len(smooth)} more without the kink of"
            " ReLU; optimizers, trainers, losses, schedulers and data"
            f" in {len(recorded.recorded('mindcv_training'))} cases",
            "own tests": "its archives have none",
        },
        "mindocr": {
            "builds": f"{len(mindocr_nets.NETS)} of {len(mindocr_nets.NETS) + 1} nets tried",
            "equal": f"{ocr['net PYNATIVE_MODE']} to MindSpore's, in GRAPH_MODE {ocr['net GRAPH_MODE']}",
            "trains": f"the {ocr['trained PYNATIVE_MODE']} that MindSpore trains, in GRAPH_MODE"
            f" {ocr['trained GRAPH_MODE']};"
            f" data, decoding and schedules in {len(recorded.recorded('mindocr_training'))} cases",
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
        "mindpet": {
            "builds": "8 of 8 layers",
            "equal": f"{len(mindpet_cases.DELTAS)} of the 6 layers that MindSpore computes, and"
            f" {len(mindpet_cases.ACTIVATIONS)} activations, to MindSpore's",
            "trains": f"{len(mindpet_cases.DELTAS)}; freezing and its checkpoints in {len(mindpet_cases.FROZEN)} cases",
            "own tests": "its archives have none",
        },
    }
