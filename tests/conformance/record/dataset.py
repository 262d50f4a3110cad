"""Records how `mindspore.dataset` behaves: sources, pipelines, samplers, transforms, images, settings.

Run with an interpreter that has MindSpore and Pillow: `python dataset.py [topic ...]` writes
`../data/dataset_<topic>.json`, each `{"mindspore", "recorded", "cases": [case with its outcome, ...]}`. A case is an
expression; the names it sees are those of `../dataset_names.py`, outcomes have the form that `../replay.py` documents.
The cases stand in `dataset_cases_*.py`.
"""

import sys
from pathlib import Path

from tests.conformance import dataset_names
from tests.conformance.record import dataset_cases_archives as archives
from tests.conformance.record import dataset_cases_audio as audio
from tests.conformance.record import dataset_cases_boxes as boxes
from tests.conformance.record import dataset_cases_collections as collections
from tests.conformance.record import dataset_cases_files as files
from tests.conformance.record import dataset_cases_jieba as jieba
from tests.conformance.record import dataset_cases_pipeline as pipeline
from tests.conformance.record import dataset_cases_samplers as samplers
from tests.conformance.record import dataset_cases_text as text
from tests.conformance.record import dataset_cases_transforms as transforms
from tests.conformance.record import dataset_cases_vision as vision
from tests.conformance.record import dataset_cases_vision_errors as vision_errors
from tests.conformance.record import dataset_cases_vision_exact as vision_exact
from tests.conformance.record import dataset_cases_vision_kinds as vision_kinds
from tests.conformance.record import dataset_cases_writer as writer
from tests.conformance.record import tensor_runner

CLIP = "archive('videos') + '/clip.avi'"
VIDEO = f"""
V.read_video({CLIP})[1:]
V.read_video({CLIP})[0].shape
[V.read_video({CLIP}, *times)[0].shape for times in ((0, 3), (2, 5), (7, 7), (2.5, 5.5), (0, 0), (9, 12))]
V.read_video({CLIP}, 2, 5)[1:]
V.read_video({CLIP}, 2.5, 5.5)[1:]
V.read_video({CLIP}, 0.35, 0.55, 'sec')[1:]
V.read_video({CLIP}, 0.35, 0.55, 'sec')[0].shape
V.read_video({CLIP}, 9, 12)[1:]
V.read_video({CLIP}, -1)
V.read_video({CLIP}, 3, 2)
V.read_video({CLIP}, 'a')
V.read_video({CLIP}, 0, 'a')
V.read_video({CLIP}, 0, 1, 'min')
V.read_video({CLIP}, 0, 1, 3)
V.read_video(3)
V.read_video('/none')
V.read_video(archive('videos'))
V.read_video(archive('videos') + '/cut.avi')
V.read_video_timestamps({CLIP})
V.read_video_timestamps({CLIP}, 'sec')
V.read_video_timestamps({CLIP}, 'min')
V.read_video_timestamps({CLIP}, 3)
V.read_video_timestamps(3)
V.read_video_timestamps('/none')
V.read_video_timestamps(archive('videos') + '/cut.avi')
V.VideoDecoder({CLIP}).metadata
V.VideoDecoder(3)
V.VideoDecoder('/none')
V.DecodeVideo()(np.fromfile({CLIP}, np.uint8))[1]
V.DecodeVideo()(np.fromfile({CLIP}, np.uint8))[0].shape
V.DecodeVideo()(np.zeros(3, np.uint8))
V.DecodeVideo()(np.zeros(0, np.uint8))
V.DecodeVideo()(np.zeros((3, 3), np.uint8))
V.DecodeVideo()(np.zeros(3, np.int32))
"""
TOPICS = {
    "source": pipeline.SOURCE,
    "schema": pipeline.SCHEMA,
    "map": pipeline.MAP,
    "batch": pipeline.BATCH,
    "order": pipeline.ORDER,
    "sampler": samplers.SAMPLER,
    "shuffled": samplers.SHUFFLED,
    "classes": samplers.CLASSES,
    "joined": pipeline.JOINED,
    "setting": pipeline.SETTING,
    "files": files.FILES,
    "mindrecord": files.MINDRECORD,
    "mindwriter": writer.CASES,
    "streams": files.STREAMS,
    "dataloader": files.LOADER,
    "transforms": transforms.CASES,
    "text": text.CASES,
    "jieba": jieba.CASES,
    "vision": vision.CASES,
    "vision_errors": vision_errors.CASES,
    "vision_exact": vision_exact.CASES,
    "vision_kinds": vision_kinds.CASES,
    "archives": archives.CASES,
    "pictures": collections.PICTURES,
    "corpora": collections.CORPORA,
    "boxes": boxes.CASES,
    "written": boxes.WRITTEN,
    "video": VIDEO,
    "audio": audio.VALUES,
    "audio_errors": audio.REFUSED,
}

ATOL = {"vision_exact": 1e-6}  # of floats: near zero, sums of float32 have no relative error


def lines(text):
    return [line for line in text.strip().splitlines() if line]


def main():
    for topic in sys.argv[1:] or TOPICS:
        given = {"atol": ATOL[topic]} if topic in ATOL else {}
        cases = [{"expr": line, **given} for line in dict.fromkeys(lines(TOPICS[topic]))]
        outcomes = tensor_runner.run(__file__, cases)
        rows = [{**one, **outcome} for one, outcome in zip(cases, outcomes, strict=True)]
        tensor_runner.write(Path(__file__).resolve().parents[1] / "data" / f"dataset_{topic}.json", {"cases": rows})
        kinds = [row.get("error", "value") for row in rows]
        print(topic, len(rows), {kind: kinds.count(kind) for kind in sorted(set(kinds))})


def child():
    import mindspore as ms
    import mindspore.dataset.audio
    import mindspore.dataset.dataloader
    import mindspore.mindrecord

    tensor_runner.serve(lambda one: dataset_names.evaluate(one, ms))


if __name__ == "__main__":
    child() if "--worker" in sys.argv else main()
