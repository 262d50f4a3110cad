"""The enums of `mindspore.dataset.vision`."""

import enum

from ms_compat._core.faces import faces


@faces("dataset.vision dataset.vision.utils")
class Inter(enum.IntEnum):
    """Interpolation. ANTIALIAS is for PIL images only, PILCUBIC for arrays of three channels.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.Resize((4, 4), vision.Inter.NEAREST)(np.zeros((2, 2, 3), np.uint8)).shape
    (4, 4, 3)
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


@faces("dataset.vision dataset.vision.utils")
class Border(str, enum.Enum):  # noqa: UP042 - str() must be "Border.EDGE"
    """Padding: a constant, the edge's value, mirrored without the edge (REFLECT) or with it (SYMMETRIC).

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.Pad([1, 0], padding_mode=vision.Border.EDGE)(np.array([[1, 2]], np.uint8)).tolist()
    [[1, 1, 2, 2]]
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


@faces("dataset.vision dataset.vision.utils")
class ConvertMode(enum.IntEnum):
    """Colour conversions for `ConvertColor`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.ConvertColor(vision.ConvertMode.COLOR_RGB2GRAY)(np.zeros((2, 2, 3), np.uint8)).shape
    (2, 2)
    """

    COLOR_BGR2BGRA = COLOR_RGB2RGBA = 0
    COLOR_BGRA2BGR = COLOR_RGBA2RGB = 1
    COLOR_BGR2RGBA = COLOR_RGB2BGRA = 2
    COLOR_RGBA2BGR = COLOR_BGRA2RGB = 3
    COLOR_BGR2RGB = COLOR_RGB2BGR = 4
    COLOR_BGRA2RGBA = COLOR_RGBA2BGRA = 5
    COLOR_BGR2GRAY = 6
    COLOR_RGB2GRAY = 7
    COLOR_GRAY2BGR = COLOR_GRAY2RGB = 8
    COLOR_GRAY2BGRA = COLOR_GRAY2RGBA = 9
    COLOR_BGRA2GRAY = 10
    COLOR_RGBA2GRAY = 11


@faces("dataset.vision dataset.vision.utils")
class ImageBatchFormat(enum.IntEnum):
    """Layout of an image batch."""

    NHWC = 0
    NCHW = 1


@faces("dataset.vision dataset.vision.utils")
class ImageReadMode(enum.IntEnum):
    """How `read_image` reads.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.write_png("colour.png", np.zeros((2, 3, 3), np.uint8))
    >>> vision.read_image("colour.png", vision.ImageReadMode.GRAYSCALE).shape
    (2, 3, 1)
    """

    UNCHANGED = 0
    GRAYSCALE = 1
    COLOR = 2


@faces("dataset.vision dataset.vision.utils")
class SliceMode(enum.IntEnum):
    """What `SlicePatches` does with a rest: fills it up or drops it.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> patches = vision.SlicePatches(1, 2, vision.SliceMode.DROP)(np.zeros((2, 5, 3), np.uint8))
    >>> [patch.shape for patch in patches]
    [(2, 2, 3), (2, 2, 3)]
    """

    PAD = 0
    DROP = 1


@faces("dataset.vision dataset.vision.utils")
class AutoAugmentPolicy(str, enum.Enum):  # noqa: UP042 - as Border
    """Policies of `AutoAugment`.

    >>> import numpy as np
    >>> from ms_compat.dataset import vision
    >>> vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(np.zeros((8, 8, 3), np.uint8)).shape
    (8, 8, 3)
    """

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"
