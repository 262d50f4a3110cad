"""Cases: every byte of what `mindspore.dataset.vision` makes of noise, for all interpolations, dtypes and channels.

`digest` and `noise` are of `../dataset_names.py`. Noise shows what smooth pictures hide: every rounding, and which
pixel is the nearest. Values of floats are given as they are, of small images.

`Affine` is exact for most angles only: MindSpore's matrix is of float32, which moves some places by 1/32.
"""

from itertools import product

INTERPOLATIONS = ("NEAREST", "BILINEAR", "BICUBIC", "AREA")
SHAPES = ("17, 31", "17, 31, 1", "18, 30, 3", "17, 31, 4")
INTEGERS = ("uint8", "uint16", "int16", "bool")
QUARTER = "[[0,0],[29,0],[29,17],[0,17]], [[3,2],[26,1],[28,15],[1,16]]"
BYTES = [
    *(
        f"V.Resize({size}, V.Inter.{how})(noise({shape}))"
        for size, how, shape in product(("(9, 15)", "(13, 40)", "(64, 7)"), INTERPOLATIONS, SHAPES)
    ),
    *(
        f"V.Rotate({turn})(noise({shape}))"
        for turn, shape in product(
            [
                text
                for how in INTERPOLATIONS
                for text in (f"33, V.Inter.{how}", f"-77.3, V.Inter.{how}, True", f"361, V.Inter.{how}, True, None, 7")
            ],
            SHAPES,
        )
    ),
    *(
        f"V.Affine(15, [0.1, -0.1], 1.2, [5, 3], V.Inter.{how}, {fill})(noise({shape}))"
        for how, fill, shape in product(INTERPOLATIONS, ("0", "(9, 99, 199)"), SHAPES)
    ),
    *(f"V.Perspective({QUARTER}, V.Inter.{how})(noise({shape}))" for how, shape in product(INTERPOLATIONS, SHAPES)),
    *(
        f"V.GaussianBlur({kernel})(noise({shape}))"
        for kernel, shape in product(("3", "7", "(5, 11), (0.5, 3.0)", "31, 50", "1"), SHAPES)
    ),
    *(
        f"V.{name}(noise(64, 96, 3))"
        for name in (
            "AdjustBrightness(1.3)",
            "AdjustContrast(0.3)",
            "AdjustContrast(3.3)",
            "AdjustSaturation(0.3)",
            "AdjustSaturation(3.3)",
            "AdjustHue(0.01)",
            "AdjustHue(-0.3)",
            "AdjustSharpness(0.3)",
            "AdjustSharpness(3.3)",
            "AdjustGamma(2.2, 0.7)",
            "Equalize()",
            "AutoContrast(5.0, [3, 7])",
        )
    ),
    "V.AdjustContrast(0)(noise(2, 2, 3))",
    *(
        f"V.ConvertColor(V.ConvertMode.COLOR_{mode})(noise({shape}))"
        for mode, shape in (
            *product(("BGR2BGRA", "BGRA2BGR", "BGR2RGBA", "RGBA2BGR", "BGR2RGB", "BGRA2RGBA"), SHAPES),
            *product(("BGR2GRAY", "RGB2GRAY", "BGRA2GRAY", "RGBA2GRAY"), SHAPES),
            *product(("GRAY2BGR", "GRAY2BGRA"), SHAPES),
        )
    ),
    *(
        f"{call}(noise(17, 31, 3, dtype='{kind}'))"
        for call, kind in product(
            (
                "V.Rotate(33, V.Inter.BILINEAR)",
                "V.Affine(15, [0.1, -0.1], 1.2, [5, 3], V.Inter.NEAREST)",
                f"V.Perspective({QUARTER}, V.Inter.BILINEAR)",
                "V.Resize((9, 40), V.Inter.BICUBIC)",
                "V.Resize((9, 11), V.Inter.AREA)",
                "V.GaussianBlur(5, 1.5)",
                "V.AdjustSharpness(0.3)",
                "V.ConvertColor(V.ConvertMode.COLOR_RGB2GRAY)",
            ),
            INTEGERS[1:],
        )
    ),
    "V.Rotate(33, V.Inter.NEAREST, True)(noise(9, 8, dtype='bool'))",
    "V.Rotate(33, V.Inter.BILINEAR)(noise(9, 8, 3, dtype='int8'))",
    "V.Affine(-20, [0, 0], 1.2, 5, V.Inter.BILINEAR)(noise(9, 8, 3, dtype='int32'))",
    f"V.Perspective({QUARTER}, V.Inter.NEAREST)(noise(9, 8, 3, dtype='int32'))",
    f"V.Perspective({QUARTER}, V.Inter.BILINEAR)(noise(9, 8, 3, dtype='int32'))",
    "V.Resize((4, 7), V.Inter.NEAREST)(noise(9, 8, 3, dtype='float16'))",
    "V.Resize((4, 7), V.Inter.NEAREST)(noise(9, 8, dtype='int32'))",
    *(
        f"{name}(noise(0, 5, 3))"
        for name in ("V.Resize((3, 3))", "V.Rotate(33)", "V.GaussianBlur(3)", "V.AdjustHue(0.1)")
    ),
]
FLOATS = [
    f"{call}(noise(5, 7, 3, dtype='{kind}') / np.{kind}(255))"
    for call, kind in product(
        (
            *(f"V.Resize((3, 9), V.Inter.{how})" for how in INTERPOLATIONS),
            *(f"V.Rotate(33, V.Inter.{how}, True)" for how in INTERPOLATIONS),
            *(f"V.Affine(15, [0.1, -0.1], 1.2, [5, 3], V.Inter.{how})" for how in INTERPOLATIONS),
            "V.Perspective([[0,0],[6,0],[6,4],[0,4]], [[1,0],[5,1],[6,4],[0,3]], V.Inter.BICUBIC)",
            "V.GaussianBlur(5, 1.5)",
            "V.AdjustSharpness(1.7)",
            "V.AdjustBrightness(0.77)",
        ),
        ("float32", "float64"),
    )
]
CASES = "\n".join([*(f"digest({text})" for text in BYTES), *FLOATS])
