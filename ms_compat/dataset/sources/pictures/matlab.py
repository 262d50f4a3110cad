"""Collections with MATLAB's files: Caltech 101, Oxford's 102 flowers, Semantic Boundaries.

They are `GeneratorDataset`s of a random-access source, as in MindSpore.
"""

import os
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.errors import value_error
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset._support.matlab_files import read_variables
from ms_compat.dataset.sources.files import check_folder, choice, files_in, subfolders
from ms_compat.dataset.sources.generator import GeneratorDataset
from ms_compat.dataset.sources.pictures.base import with_shared_arguments


def read_variable(api: str, path: str, name: str) -> Any:
    """A variable of a MATLAB file."""
    return read_variables(api, path, [name])[name]


class _Pictures:
    """A random-access source of pictures; a subclass defines `__len__` and `__getitem__`."""

    def __init__(self, api: str, folder: str, decode: bool) -> None:
        self.api, self.folder, self.decode = api, folder, decode

    def image(self, *names: str) -> np.ndarray:
        """A picture: (H, W, 3) of uint8, or its file's bytes."""
        path = os.path.join(self.folder, *names)
        data = np.fromfile(path, np.uint8)
        if not self.decode:
            return data
        from ms_compat.dataset.vision.files import Decode

        return Decode()(data)


_OUTLINES = {
    "Faces": "Faces_2",
    "Faces_easy": "Faces_3",
    "Motorbikes": "Motorbikes_16",
    "airplanes": "Airplanes_Side_2",
}
_OBJECTS = (
    """
    Faces Faces_easy Leopards Motorbikes accordion airplanes anchor ant barrel bass beaver binocular bonsai
    brain brontosaurus buddha butterfly camera cannon car_side ceiling_fan cellphone chair chandelier
    cougar_body cougar_face crab crayfish crocodile crocodile_head cup dalmatian dollar_bill dolphin dragonfly
    electric_guitar elephant emu euphonium ewer ferry flamingo flamingo_head garfield gerenuk gramophone
    grand_piano hawksbill headphone hedgehog helicopter ibis inline_skate joshua_tree kangaroo ketch lamp laptop
    llama lobster lotus mandolin mayfly menorah metronome minaret nautilus octopus okapi pagoda panda pigeon
    pizza platypus pyramid revolver rhino rooster saxophone schooner scissors scorpion sea_horse snoopy
    soccer_ball stapler starfish stegosaurus stop_sign strawberry sunflower tick trilobite umbrella watch
    water_lilly wheelchair wild_cat windsor_chair wrench yin_yang
    """
).split()


class _Caltech101(_Pictures):
    def __init__(self, folder: str, target_type: str, decode: bool) -> None:
        super().__init__("Caltech101Dataset", folder, decode)
        self.target_type = target_type
        root = os.path.join(folder, "101_ObjectCategories")
        self.classes = [name for name in sorted(os.listdir(root)) if name != "BACKGROUND_Google"]
        self.rows = [
            (label, number)
            for label, name in enumerate(self.classes)
            if name in subfolders(root)
            for number in range(1, len(files_in(os.path.join(root, name))) + 1)
        ]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        label, number = self.rows[index]
        kind = self.classes[label]
        row: tuple[Any, ...] = (self.image("101_ObjectCategories", kind, f"image_{number:04}.jpg"),)
        if self.target_type != "annotation":
            row += (label,)
        if self.target_type != "category":
            name = os.path.join("Annotations", _OUTLINES.get(kind, kind), f"annotation_{number:04}.mat")
            row += (read_variable(self.api, os.path.join(self.folder, name), "obj_contour"),)
        return row


@with_shared_arguments
@faces("dataset")
class Caltech101Dataset(GeneratorDataset):
    """Reads Caltech 101: "image", "category" (int64) and "annotation", the outline (2, points) of float64.

    Args:
        dataset_dir: the folder of `101_ObjectCategories` and `Annotations`.
        target_type: "category", "annotation" or "all": which columns follow the image; None is "category".
    """

    def __init__(
        self,
        dataset_dir: str,
        target_type: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        api = "Caltech101Dataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        self.target_type = choice(api, "target_type", target_type, ("category", "annotation", "all"), "category")
        self.decode = check_bool(api, "decode", False if decode is None else decode)
        both = ["category", "annotation"]
        super().__init__(
            _Caltech101(dataset_dir, self.target_type, self.decode),
            ["image", *(both if self.target_type == "all" else [self.target_type])],
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )

    def get_class_indexing(self) -> dict[str, int]:
        """The labels of the 101 classes by name."""
        return {name: label for label, name in enumerate(_OBJECTS)}


_FLOWERS = """
    pink primrose, hard-leaved pocket orchid, canterbury bells, sweet pea, english marigold, tiger lily, moon
    orchid, bird of paradise, monkshood, globe thistle, snapdragon, colt's foot, king protea, spear thistle,
    yellow iris, globe-flower, purple coneflower, peruvian lily, balloon flower, giant white arum lily, fire
    lily, pincushion flower, fritillary, red ginger, grape hyacinth, corn poppy, prince of wales feathers,
    stemless gentian, artichoke, sweet william, carnation, garden phlox, love in the mist, mexican aster, alpine
    sea holly, ruby-lipped cattleya, cape flower, great masterwort, siam tulip, lenten rose, barbeton daisy,
    daffodil, sword lily, poinsettia, bolero deep blue, wallflower, marigold, buttercup, oxeye daisy, common
    dandelion, petunia, wild pansy, primula, sunflower, pelargonium, bishop of llandaff, gaura, geranium, orange
    dahlia, pink-yellow dahlia?, cautleya spicata, japanese anemone, black-eyed susan, silverbush, californian
    poppy, osteospermum, spring crocus, bearded iris, windflower, tree poppy, gazania, azalea, water lily, rose,
    thorn apple, morning glory, passion flower, lotus, toad lily, anthurium, frangipani, clematis, hibiscus,
    columbine, desert-rose, tree mallow, magnolia, cyclamen, watercress, canna lily, hippeastrum, bee balm, ball
    moss, foxglove, bougainvillea, camellia, mallow, mexican petunia, bromelia, blanket flower, trumpet creeper,
    blackberry lily
    """


class _Flowers102(_Pictures):
    def __init__(self, folder: str, task: str, usage: str, decode: bool) -> None:
        super().__init__("Flowers102Dataset", folder, decode)
        self.task = task
        self.labels = (
            read_variable(self.api, os.path.join(folder, "imagelabels.mat"), "labels")[0].astype(np.uint32) - 1
        )
        parts = ("trnid", "tstid", "valid") if usage == "all" else (_PARTS[usage],)
        held = [read_variable(self.api, os.path.join(folder, "setid.mat"), part)[0] for part in parts]
        self.numbers = np.concatenate(held).astype(int).tolist()

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        number = self.numbers[index]
        row: tuple[Any, ...] = (self.image("jpg", f"image_{number:05}.jpg"),)
        if self.task == "Segmentation":
            row += (self.image("segmim", f"segmim_{number:05}.jpg"),)
        return (*row, self.labels[number - 1])


_PARTS = {"train": "trnid", "test": "tstid", "valid": "valid"}


@with_shared_arguments
@faces("dataset")
class Flowers102Dataset(GeneratorDataset):
    """Reads Oxford's 102 flowers: "image", with the task "Segmentation" "segmentation", and "label" of uint32.

    Args:
        dataset_dir: the folder of `jpg`, `segmim`, `imagelabels.mat` and `setid.mat`.
        task: "Classification" or "Segmentation"; None is "Classification".
        usage: "train", "valid", "test" or "all"; None is all.
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str | None = "Classification",
        usage: str | None = "all",
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        api = "Flowers102Dataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        self.task = choice(api, "task", task, ("Classification", "Segmentation"), "Classification")
        self.usage = choice(api, "usage", usage, ("train", "valid", "test", "all"), "all")
        self.decode = check_bool(api, "decode", False if decode is None else decode)
        for name in ("jpg", "segmim")[: 1 + (self.task == "Segmentation")]:
            check_folder(api, os.path.join(dataset_dir, name))
        for name in ("imagelabels.mat", "setid.mat"):
            if not os.path.isfile(os.path.join(dataset_dir, name)):
                raise value_error(api, "dataset_dir", f"a folder with the file {name!r}", dataset_dir)
        super().__init__(
            _Flowers102(dataset_dir, self.task, self.usage, self.decode),
            ["image", *(["segmentation"] if self.task == "Segmentation" else []), "label"],
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )

    def get_class_indexing(self) -> dict[str, int]:
        """The labels of the 102 kinds by name."""
        return {name: label for label, name in enumerate(" ".join(_FLOWERS.split()).split(", "))}


class _Boundaries(_Pictures):
    def __init__(self, folder: str, task: str, usage: str, decode: bool) -> None:
        super().__init__("SBDataset", folder, decode)
        self.task, self.names = task, []
        for part in ("train", "val") if usage == "all" else (usage,):
            path = os.path.join(folder, f"{part}.txt")
            with reading(self.api, path), open(path, encoding="utf-8") as file:
                self.names += [name for line in file if (name := line.strip())]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        name = self.names[index]
        path = os.path.join(self.folder, "cls", f"{name}.mat")
        held = read_variable(self.api, path, "GTcls")
        with reading(self.api, path):
            held = held[0][self.task][0]
            if self.task == "Boundaries":
                held = np.stack([held[kind][0].toarray() for kind in range(_KINDS)])
        return self.image("img", f"{name}.jpg"), held


_KINDS = 20  # of objects, as in Pascal VOC


@with_shared_arguments
@faces("dataset")
class SBDataset(GeneratorDataset):
    """Reads Semantic Boundaries: "image" and "task", the boundaries (20, H, W) or the segmentation (H, W).

    Args:
        dataset_dir: the folder of `img`, `cls` and the lists such as `train.txt`.
        task: "Boundaries" or "Segmentation".
        usage: "train", "val", "train_noval" or "all", which is "train" and "val".
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Boundaries",
        usage: str = "all",
        num_samples: int | None = None,
        num_parallel_workers: int = 1,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        api = "SBDataset"
        self.dataset_dir = check_folder(api, dataset_dir)
        check_choice(api, "task", check_type(api, "task", task, str), ("Boundaries", "Segmentation"))
        check_choice(api, "usage", check_type(api, "usage", usage, str), ("train", "val", "train_noval", "all"))
        self.task, self.usage = task, usage
        self.decode = check_bool(api, "decode", False if decode is None else decode)
        super().__init__(
            _Boundaries(dataset_dir, task, usage, self.decode),
            ["image", "task"],
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )
