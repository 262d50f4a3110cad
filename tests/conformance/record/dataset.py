"""Record how `mindspore.dataset` behaves: sources, pipelines, samplers, transforms, images, settings.

Run with an interpreter that has MindSpore and Pillow: `python dataset.py [topic ...]` writes
`../data/dataset_<topic>.json`, each `{"mindspore", "recorded", "cases": [case with its outcome, ...]}`. A case is an
expression; the names it sees are those of `../dataset_names.py`, outcomes have the form that `../replay.py` documents.
The cases stand in `dataset_cases_*.py`.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import dataset_cases_archives as archives  # noqa: E402
import dataset_cases_audio as audio  # noqa: E402
import dataset_cases_boxes as boxes  # noqa: E402
import dataset_cases_files as files  # noqa: E402
import dataset_cases_pipeline as pipeline  # noqa: E402
import dataset_cases_samplers as samplers  # noqa: E402
import dataset_cases_text as text  # noqa: E402
import dataset_cases_transforms as transforms  # noqa: E402
import dataset_cases_vision as vision  # noqa: E402
import dataset_cases_vision_errors as vision_errors  # noqa: E402
import dataset_names  # noqa: E402
import tensor_runner  # noqa: E402

TOPICS = {
    "source": pipeline.SOURCE,
    "schema": pipeline.SCHEMA,
    "map": pipeline.MAP,
    "batch": pipeline.BATCH,
    "order": pipeline.ORDER,
    "sampler": samplers.SAMPLER,
    "joined": pipeline.JOINED,
    "setting": pipeline.SETTING,
    "files": files.FILES,
    "mindrecord": files.MINDRECORD,
    "streams": files.STREAMS,
    "dataloader": files.LOADER,
    "transforms": transforms.CASES,
    "text": text.CASES,
    "vision": vision.CASES,
    "vision_errors": vision_errors.CASES,
    "archives": archives.CASES,
    "boxes": boxes.CASES,
    "written": boxes.WRITTEN,
    "audio": audio.VALUES,
    "audio_errors": audio.REFUSED,
}


def lines(text):
    return [line for line in text.strip().splitlines() if line]


def main():
    for topic in sys.argv[1:] or TOPICS:
        cases = [{"expr": line} for line in dict.fromkeys(lines(TOPICS[topic]))]
        outcomes = tensor_runner.run(__file__, cases)
        rows = [{**one, **outcome} for one, outcome in zip(cases, outcomes, strict=True)]
        tensor_runner.write(Path(__file__).resolve().parents[1] / "data" / f"dataset_{topic}.json", {"cases": rows})
        kinds = [row.get("error", "value") for row in rows]
        print(topic, len(rows), {kind: kinds.count(kind) for kind in sorted(set(kinds))})


def child():
    import mindspore as ms
    import mindspore.dataset.audio
    import mindspore.dataset.dataloader  # noqa: F401

    tensor_runner.serve(lambda one: dataset_names.evaluate(one, ms))


if __name__ == "__main__":
    child() if "--worker" in sys.argv else main()
