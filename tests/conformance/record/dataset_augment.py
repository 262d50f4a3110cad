"""Records what the random augmentations can give: 6,000 draws each, as a digest of the pixels and how often it came.

Run with an interpreter that has MindSpore: `python dataset_augment.py` writes `../data/dataset_augment.json`.
"""

import collections
import hashlib
from pathlib import Path

from tests.conformance import dataset_names
from tests.conformance.record import tensor_runner

TRANSFORMS = (
    "V.RandAugment(1, 0)",
    "V.RandAugment(1, 9)",
    "V.RandAugment(1, 7, 10, V.Inter.NEAREST, 7)",
    "V.TrivialAugmentWide(5)",
    "V.AutoAugment()",
    "V.AutoAugment(V.AutoAugmentPolicy.IMAGENET, V.Inter.BICUBIC, 9)",
    "V.AutoAugment(V.AutoAugmentPolicy.CIFAR10)",
    "V.AutoAugment(V.AutoAugmentPolicy.SVHN)",
)
DRAWS = 6000


def main():
    import mindspore
    import mindspore.dataset.audio
    import mindspore.dataset.dataloader

    names = dataset_names.namespace(mindspore)
    image = dataset_names.photo(12, 16)
    found = {}
    for text in TRANSFORMS:
        transform = eval(text, names)
        drawn = (hashlib.sha1(transform(image).tobytes()).hexdigest()[:16] for _ in range(DRAWS))
        found[text] = dict(collections.Counter(drawn).most_common())
        print(text, len(found[text]))
    path = Path(__file__).resolve().parents[1] / "data" / "dataset_augment.json"
    tensor_runner.write(path, {"image": "photo(12, 16)", "draws": DRAWS, "outcomes": found})


if __name__ == "__main__":
    main()
