"""Descriptions of kernels are the dicts that MindSpore 2.10 makes; functions of the kernel language run."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from ms_compat.ops import AiCPURegOp, AkgAscendRegOp, AkgGpuRegOp, CpuRegOp, CustomRegOp, DataType, TBERegOp

I32 = DataType.I32_Default
PLAIN = {"attr": [], "fusion_type": "", "dtype_format": []}
PAIR = {"inputs": [{"index": 0, "name": "x"}], "outputs": [{"index": 0, "name": "y"}]}
DEFAULT = ("int32", "DefaultFormat")
TBE = {
    "imply_type": "TBE", "async_flag": False, "binfile": "", "compute_cost": 10, "kernel": "", "partial_flag": False,
    "reshape_type": "", "dynamicRankSupport": False, "dynamicShapeSupport": False, "dynamicCompileStatic": False,
    "needCheckSupport": False, "dynamicFormat": False, "op_pattern": "", "real_input_index": [],
    "input_to_attr_index": [], "unknown_shape_formats": [],
}  # fmt: skip


def tbe():
    return (
        TBERegOp("Abs").fusion_type("ELEMWISE").async_flag(False).binfile_name("abs.so").compute_cost(10)
        .kernel_name("abs").partial_flag(True).op_pattern("formatAgnostic").need_check_supported(True)
        .dynamic_shape(True).dynamic_compile_static(True).dynamic_rank_support(True).real_input_index([1, 0])
        .input_to_attr_index([2]).unknown_shape_formats(["ND"]).reshape_type("NC").is_dynamic_format(True)
        .attr("axis", "required", "int", "all", "0").input(0, "x", None, "required", None)
        .output(0, "y", False, "required", "all").dtype_format(DataType.F16_None, DataType.F16_None)
    )  # fmt: skip


INFOS = {
    "cpu": (
        lambda: CpuRegOp("Abs").input(0, "x").output(0, "y").dtype_format(I32, I32),
        {"op_name": "Abs", **PLAIN, **PAIR, "dtype_format": [(DEFAULT, DEFAULT)], "imply_type": "CPU"},
    ),
    "aicpu": (
        lambda: AiCPURegOp("Abs").fusion_type("OPAQUE").attr("cust_aicpu", "str").input(0, "x", "required"),
        {
            "op_name": "Abs",
            "inputs": [{"index": 0, "name": "x", "paramType": "required"}],
            "outputs": [],
            "attr": [{"name": "cust_aicpu", "type": "str"}],
            "fusion_type": "OPAQUE",
            "dtype_format": [],
            "imply_type": "AiCPU",
        },
    ),
    "tbe": (
        tbe,
        {
            "op_name": "Abs",
            "inputs": [{"index": 0, "name": "x", "paramType": "required"}],
            "outputs": [{"index": 0, "name": "y", "need_compile": False, "paramType": "required", "shape": "all"}],
            "attr": [{"name": "axis", "paramType": "required", "type": "int", "value": "all", "defaultValue": "0"}],
            "fusion_type": "ELEMWISE",
            "dtype_format": [(("float16", ""), ("float16", ""))],
            **TBE,
            "binfile": "abs.so",
            "kernel": "abs",
            "partial_flag": True,
            "reshape_type": "NC",
            "dynamicRankSupport": True,
            "dynamicShapeSupport": True,
            "dynamicCompileStatic": True,
            "needCheckSupport": True,
            "dynamicFormat": True,
            "op_pattern": "formatAgnostic",
            "real_input_index": [1, 0],
            "input_to_attr_index": [2],
            "unknown_shape_formats": [["ND"]],
        },
    ),
    "tbe, empty": (lambda: TBERegOp("Abs"), {"op_name": "Abs", "inputs": [], "outputs": [], **PLAIN, **TBE}),
    "custom": (
        lambda: CustomRegOp().input(0).output(0).dtype_format(DataType.None_None, DataType.None_None).target("GPU"),
        {
            "op_name": "Custom",
            "inputs": [{"index": 0, "paramType": "required"}],
            "outputs": [{"index": 0, "paramType": "required"}],
            "attr": [],
            "fusion_type": "",
            "dtype_format": [(("", ""), ("", ""))],
            "target": "GPU",
        },
    ),
    "akg": (
        lambda: AkgGpuRegOp("A").input(0, "x").output(0, "y").attr("a", "required", "int"),
        {
            "op_name": "A",
            **PLAIN,
            **PAIR,
            "attr": [{"name": "a", "paramType": "required", "type": "int"}],
            "imply_type": "AKG",
            "processor": "CUDA",
        },
    ),
}


@pytest.mark.parametrize("name", INFOS)
def test_a_description_is_the_same_dict(name):
    make, expected = INFOS[name]
    assert make().get_op_info() == expected


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: CustomRegOp("x").input("a"), TypeError),
        (lambda: CustomRegOp(3), ValueError),
        (lambda: CustomRegOp("x").input(0, "x").dtype_format(I32, I32), ValueError),
        (lambda: CustomRegOp("x").attr(3), TypeError),
        (lambda: AkgAscendRegOp("A").input(0, "x", "required", "all"), TypeError),
        (lambda: TBERegOp("Abs").async_flag(3), TypeError),
        (lambda: TBERegOp("Abs").fusion_type(3), TypeError),
        (lambda: TBERegOp("Abs").compute_cost("a"), TypeError),
        (lambda: AiCPURegOp("A").attr("a", "int", 3), TypeError),
        (lambda: ops.op_info_register(3)(len), TypeError),
        (lambda: ops.kernel(3), TypeError),
        (lambda: ops.kernel(compile_attrs=3), TypeError),
        (lambda: ops.kernel(reg_info=3), TypeError),
    ],
)
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_types_and_layouts():
    assert len([name for name in vars(DataType) if name[0] != "_"]) == 204
    assert DataType.F32_5HD == ("float32", "NC1HWC0")
    assert DataType.BOOL_Default_Tuple == ("bool", "DefaultFormat", "tuple")


def test_registering_keeps_the_function():
    info = CustomRegOp().input(0, "x").output(0, "y").get_op_info()

    @ops.op_info_register(info)
    def three():
        return 3

    @ops.custom_info_register(info)
    def same(x):
        return x

    assert three() == 3 and same(4) == 4 and same.reg_info == (info,)


@ops.kernel(compile_attrs={"flag": True})
def product(a, b):
    d = allocate(a.shape, a.dtype)  # noqa: F821
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)  # noqa: F821
    with block_realize(c):  # noqa: F821
        for i, j in grid((a.shape[0], b.shape[1])):  # noqa: F821
            for k in serial(a.shape[1]):  # noqa: F821
                d[i, k] = 2 * a[i, k]
                c[i, j] = c[i, j] + sin(d[i, k] * b[k, j])  # noqa: F821
    return c


def test_a_kernel_runs_as_python_and_in_custom():
    a, b = np.ones((2, 4), np.float32), np.full((4, 3), 0.5, np.float32)
    expected = np.full((2, 3), 4 * np.sin(1.0), np.float32)
    np.testing.assert_allclose(product(a, b), expected, rtol=1e-6)
    assert product.ms_kernel_flag and product.compile_attrs == '{"flag": true}'
    own = ops.Custom(product, lambda x, y: [x[0], y[1]], lambda x, y: x)
    np.testing.assert_allclose(own(Tensor(a), Tensor(b)).asnumpy(), expected, rtol=1e-6)
    hybrid = ops.Custom(product, func_type="hybrid")
    for call in (hybrid, ms.jit(lambda x, y: hybrid(x, y))):
        np.testing.assert_allclose(call(Tensor(a), Tensor(b)).asnumpy(), expected, rtol=1e-6)
    with pytest.raises(TypeError, match="decorated by 'ops.kernel'"):
        ops.Custom(len, func_type="hybrid")
    assert ops.ms_kernel(lambda a: allocate(a.shape))(a).shape == (2, 4)  # noqa: F821
