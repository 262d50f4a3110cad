"""Examples that end the docstrings of primitives: {name: lines of a session}.

`tests/test_doctests.py` executes them, with the imports that the docstring shows.
"""

from __future__ import annotations

import inspect
import re

EXAMPLES = {
    "Abs": """
        >>> print(ops.Abs()(Tensor([-1.0, 2.0])))
        [1. 2.]
        """,
    "ACos": """
        >>> print(ops.ACos()(Tensor([1.0])))
        [0.]
        """,
    "Adam": """
        >>> var, m, v = [Parameter(Tensor([value])) for value in (1.0, 0.0, 0.0)]
        >>> result = ops.Adam()(var, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([1.0]))
        >>> print(var.asnumpy())
        [0.9000...]
        """,
    "AdaptiveAvgPool2D": """
        >>> print(ops.AdaptiveAvgPool2D((1, 1))(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
        [[[[2.5]]]]
        """,
    "Add": """
        >>> print(ops.Add()(Tensor([1.0, 2.0]), Tensor([3.0])))
        [4. 5.]
        """,
    "Addcmul": """
        >>> print(ops.Addcmul()(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), Tensor([1.0])))
        [7.]
        """,
    "AddN": """
        >>> print(ops.AddN()([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])]))
        [6.]
        """,
    "ApplyMomentum": """
        >>> weight, velocity = Parameter(Tensor([1.0])), Parameter(Tensor([0.0]))
        >>> result = ops.ApplyMomentum()(weight, velocity, 0.1, Tensor([1.0]), 0.9)
        >>> print(weight.asnumpy())
        [0.9]
        """,
    "Argmax": """
        >>> print(ops.Argmax()(Tensor([[1.0, 3.0], [4.0, 2.0]])))
        [1 0]
        """,
    "ArgMaxWithValue": """
        >>> position, value = ops.ArgMaxWithValue()(Tensor([1.0, 3.0, 2.0]))
        >>> print(position, value)
        1 3.0
        """,
    "Argmin": """
        >>> print(ops.Argmin()(Tensor([[1.0, 3.0], [4.0, 2.0]])))
        [0 1]
        """,
    "ArgMinWithValue": """
        >>> position, value = ops.ArgMinWithValue()(Tensor([2.0, 1.0, 3.0]))
        >>> print(position, value)
        1 1.0
        """,
    "Asin": """
        >>> print(ops.Asin()(Tensor([0.0])))
        [0.]
        """,
    "Assign": """
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> result = ops.Assign()(weight, Tensor([3.0, 4.0]))
        >>> print(weight.asnumpy())
        [3. 4.]
        """,
    "AssignAdd": """
        >>> count = Parameter(Tensor([1.0]))
        >>> result = ops.AssignAdd()(count, Tensor([2.0]))
        >>> print(count.asnumpy())
        [3.]
        """,
    "Atan": """
        >>> print(ops.Atan()(Tensor([0.0])))
        [0.]
        """,
    "Atan2": """
        >>> print(ops.Atan2()(Tensor([0.0]), Tensor([1.0])))
        [0.]
        """,
    "BatchMatMul": """
        >>> print(ops.BatchMatMul()(ops.ones((2, 1, 3)), ops.ones((2, 3, 1))).shape)
        (2, 1, 1)
        """,
    "BatchNorm": """
        >>> one, zero = Tensor([1.0]), Tensor([0.0])
        >>> output = ops.BatchNorm()(Tensor([[1.0], [3.0]]), one, zero, zero, one)[0]
        >>> print(output.shape)
        (2, 1)
        """,
    "BCEWithLogitsLoss": """
        >>> print(ops.BCEWithLogitsLoss()(Tensor([0.0]), Tensor([1.0]), Tensor([1.0]), Tensor([1.0])))
        0.6931...
        """,
    "BiasAdd": """
        >>> print(ops.BiasAdd()(Tensor([[1.0, 2.0]]), Tensor([10.0, 20.0])))
        [[11. 22.]]
        """,
    "BinaryCrossEntropy": """
        >>> print(ops.BinaryCrossEntropy()(Tensor([0.5]), Tensor([1.0]), Tensor([1.0])))
        0.6931...
        """,
    "Bincount": """
        >>> print(ops.Bincount()(Tensor([0, 1, 1], int32), Tensor(3, int32), Tensor([1.0, 1.0, 1.0])))
        [1. 2. 0.]
        """,
    "BitwiseAnd": """
        >>> print(ops.BitwiseAnd()(Tensor([6]), Tensor([3])))
        [2]
        """,
    "BitwiseOr": """
        >>> print(ops.BitwiseOr()(Tensor([6]), Tensor([3])))
        [7]
        """,
    "BitwiseXor": """
        >>> print(ops.BitwiseXor()(Tensor([6]), Tensor([3])))
        [5]
        """,
    "BroadcastTo": """
        >>> print(ops.BroadcastTo((2, 2))(Tensor([1, 2])))
        [[1 2]
         [1 2]]
        """,
    "Bucketize": """
        >>> print(ops.Bucketize(boundaries=[0.0, 10.0])(Tensor([-5.0, 5.0, 50.0])))
        [0 1 2]
        """,
    "Cast": """
        >>> print(ops.Cast()(Tensor([1.7, -1.7]), int32))
        [ 1 -1]
        """,
    "Ceil": """
        >>> print(ops.Ceil()(Tensor([1.5, -1.5])))
        [ 2. -1.]
        """,
    "CeLU": """
        >>> print(ops.CeLU(alpha=1.0)(Tensor([1.0, 0.0])))
        [1. 0.]
        """,
    "Complex": """
        >>> print(ops.Complex()(Tensor([1.0]), Tensor([2.0])))
        [1.+2.j]
        """,
    "Concat": """
        >>> print(ops.Concat(axis=1)((Tensor([[1, 2]]), Tensor([[3]]))))
        [[1 2 3]]
        """,
    "Conj": """
        >>> print(ops.Conj()(Tensor([1 + 2j])))
        [1.-2.j]
        """,
    "Cos": """
        >>> print(ops.Cos()(Tensor([0.0])))
        [1.]
        """,
    "Cosh": """
        >>> print(ops.Cosh()(Tensor([0.0])))
        [1.]
        """,
    "Cross": """
        >>> print(ops.Cross()(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])))
        [0. 0. 1.]
        """,
    "Cummax": """
        >>> values, positions = ops.Cummax(axis=0)(Tensor([1.0, 3.0, 2.0]))
        >>> print(values, positions)
        [1. 3. 3.] [0 1 1]
        """,
    "Cummin": """
        >>> values, positions = ops.Cummin(axis=0)(Tensor([2.0, 3.0, 1.0]))
        >>> print(values, positions)
        [2. 2. 1.] [0 0 2]
        """,
    "CumProd": """
        >>> print(ops.CumProd()(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
        """,
    "CumSum": """
        >>> print(ops.CumSum()(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
        """,
    "Dense": """
        >>> print(ops.Dense()(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), Tensor([1.0])))
        [[12.]]
        """,
    "Depend": """
        >>> print(ops.Depend()(Tensor([1.0]), Tensor([2.0])))
        [1.]
        """,
    "DepthToSpace": """
        >>> print(ops.DepthToSpace(2)(ops.ones((1, 4, 1, 1))).shape)
        (1, 1, 2, 2)
        """,
    "Diag": """
        >>> print(ops.Diag()(Tensor([1, 2])))
        [[1 0]
         [0 2]]
        """,
    "DiagPart": """
        >>> print(ops.DiagPart()(Tensor([[1, 2], [3, 4]])))
        [1 4]
        """,
    "Div": """
        >>> print(ops.Div()(Tensor([1.0, 2.0]), 4.0))
        [0.25 0.5 ]
        """,
    "DivNoNan": """
        >>> print(ops.DivNoNan()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        [0.  0.5]
        """,
    "Dropout": """
        >>> output, mask = ops.Dropout(keep_prob=0.5)(ops.ones((2, 3)))
        >>> print(output.shape)
        (2, 3)
        """,
    "DType": """
        >>> print(ops.DType()(Tensor([1.0])))
        Float32
        """,
    "DynamicShape": """
        >>> print(ops.DynamicShape()(Tensor([[1, 2, 3]])))
        [1 3]
        """,
    "Einsum": """
        >>> print(ops.Einsum("i,i->")((Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))))
        11.0
        """,
    "Elu": """
        >>> print(ops.Elu()(Tensor([1.0, 0.0])))
        [1. 0.]
        """,
    "Equal": """
        >>> print(ops.Equal()(Tensor([1, 2]), Tensor([1, 3])))
        [ True False]
        """,
    "Erf": """
        >>> print(ops.Erf()(Tensor([0.0])))
        [0.]
        """,
    "Erfc": """
        >>> print(ops.Erfc()(Tensor([0.0])))
        [1.]
        """,
    "Exp": """
        >>> print(ops.Exp()(Tensor([0.0])))
        [1.]
        """,
    "ExpandDims": """
        >>> print(ops.ExpandDims()(Tensor([1, 2]), 0).shape)
        (1, 2)
        """,
    "Expm1": """
        >>> print(ops.Expm1()(Tensor([0.0])))
        [0.]
        """,
    "Eye": """
        >>> print(ops.Eye()(2, 2, float32))
        [[1. 0.]
         [0. 1.]]
        """,
    "Fill": """
        >>> print(ops.Fill()(float32, (2, 2), 1))
        [[1. 1.]
         [1. 1.]]
        """,
    "FillV2": """
        >>> print(ops.FillV2()((2,), Tensor(3.0)))
        [3. 3.]
        """,
    "Flatten": """
        >>> print(ops.Flatten()(ops.ones((2, 3, 4))).shape)
        (2, 12)
        """,
    "Floor": """
        >>> print(ops.Floor()(Tensor([1.5, -1.5])))
        [ 1. -2.]
        """,
    "FloorDiv": """
        >>> print(ops.FloorDiv()(Tensor([7, -7]), 2))
        [ 3 -4]
        """,
    "FloorMod": """
        >>> print(ops.FloorMod()(Tensor([7, -7]), 4))
        [3 1]
        """,
    "Gather": """
        >>> print(ops.Gather()(Tensor([[1, 2], [3, 4]]), Tensor([1]), 0))
        [[3 4]]
        """,
    "GatherD": """
        >>> print(ops.GatherD()(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]])))
        [[2]
         [3]]
        """,
    "GatherNd": """
        >>> print(ops.GatherNd()(Tensor([[1, 2], [3, 4]]), Tensor([[0, 1], [1, 0]])))
        [2 3]
        """,
    "GeLU": """
        >>> print(ops.GeLU()(Tensor([0.0])))
        [0.]
        """,
    "Ger": """
        >>> print(ops.Ger()(Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [[3. 4.]
         [6. 8.]]
        """,
    "GLU": """
        >>> print(ops.GLU()(Tensor([1.0, 0.0])))
        [0.5]
        """,
    "Greater": """
        >>> print(ops.Greater()(Tensor([1, 2]), 1))
        [False  True]
        """,
    "GreaterEqual": """
        >>> print(ops.GreaterEqual()(Tensor([1, 2]), 2))
        [False  True]
        """,
    "Heaviside": """
        >>> print(ops.Heaviside()(Tensor([-1.0, 0.0, 1.0]), Tensor([0.5])))
        [0.  0.5 1. ]
        """,
    "HShrink": """
        >>> print(ops.HShrink()(Tensor([-1.0, 0.2, 1.0])))
        [-1.  0.  1.]
        """,
    "HSigmoid": """
        >>> print(ops.HSigmoid()(Tensor([-3.0, 0.0, 3.0])))
        [0.  0.5 1. ]
        """,
    "HSwish": """
        >>> print(ops.HSwish()(Tensor([-3.0, 3.0])))
        [-0.  3.]
        """,
    "Hypot": """
        >>> print(ops.Hypot()(Tensor([3.0]), Tensor([4.0])))
        [5.]
        """,
    "Identity": """
        >>> print(ops.Identity()(Tensor([1, 2])))
        [1 2]
        """,
    "Imag": """
        >>> print(ops.Imag()(Tensor([1 + 2j])))
        [2.]
        """,
    "Inv": """
        >>> print(ops.Inv()(Tensor([2.0, 4.0])))
        [0.5  0.25]
        """,
    "IOU": """
        >>> print(ops.IOU()(Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([[0.0, 0.0, 1.0, 1.0]])))
        [[1.]]
        """,
    "IsFinite": """
        >>> print(ops.IsFinite()(Tensor([1.0, float("inf")])))
        [ True False]
        """,
    "IsInf": """
        >>> print(ops.IsInf()(Tensor([1.0, float("inf")])))
        [False  True]
        """,
    "IsNan": """
        >>> print(ops.IsNan()(Tensor([1.0, float("nan")])))
        [False  True]
        """,
    "KLDivLoss": """
        >>> print(ops.KLDivLoss(reduction="sum")(Tensor([0.0]), Tensor([1.0])))
        0.0
        """,
    "L2Loss": """
        >>> print(ops.L2Loss()(Tensor([3.0, 4.0])))
        12.5
        """,
    "L2Normalize": """
        >>> print(ops.L2Normalize(axis=0)(Tensor([3.0, 4.0])))
        [0.6 0.8]
        """,
    "LayerNorm": """
        >>> output, mean, variance = ops.LayerNorm()(Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0]))
        >>> print(mean, variance)
        [[2.]] [[1.]]
        """,
    "Lerp": """
        >>> print(ops.Lerp()(Tensor([0.0]), Tensor([10.0]), Tensor([0.5])))
        [5.]
        """,
    "Less": """
        >>> print(ops.Less()(Tensor([1, 2]), 2))
        [ True False]
        """,
    "LessEqual": """
        >>> print(ops.LessEqual()(Tensor([1, 2]), 1))
        [ True False]
        """,
    "LinSpace": """
        >>> print(ops.LinSpace()(Tensor(0.0), Tensor(1.0), 3))
        [0.  0.5 1. ]
        """,
    "Log": """
        >>> print(ops.Log()(Tensor([1.0])))
        [0.]
        """,
    "Log1p": """
        >>> print(ops.Log1p()(Tensor([0.0])))
        [0.]
        """,
    "LogicalAnd": """
        >>> print(ops.LogicalAnd()(Tensor([True, True]), Tensor([True, False])))
        [ True False]
        """,
    "LogicalNot": """
        >>> print(ops.LogicalNot()(Tensor([True, False])))
        [False  True]
        """,
    "LogicalOr": """
        >>> print(ops.LogicalOr()(Tensor([True, False]), Tensor([False, False])))
        [ True False]
        """,
    "LogicalXor": """
        >>> print(ops.LogicalXor()(Tensor([True, True]), Tensor([True, False])))
        [False  True]
        """,
    "LogSoftmax": """
        >>> print(ops.LogSoftmax()(Tensor([0.0, 0.0])))
        [-0.6931... -0.6931...]
        """,
    "MaskedFill": """
        >>> print(ops.MaskedFill()(Tensor([1.0, 2.0]), Tensor([True, False]), 0.0))
        [0. 2.]
        """,
    "MaskedSelect": """
        >>> print(ops.MaskedSelect()(Tensor([1, 2, 3]), Tensor([True, False, True])))
        [1 3]
        """,
    "MatMul": """
        >>> print(ops.MatMul(transpose_b=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]])))
        [[11.]]
        """,
    "MatrixDeterminant": """
        >>> print(ops.MatrixDeterminant()(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        8.0
        """,
    "MatrixInverse": """
        >>> print(ops.MatrixInverse()(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
        """,
    "Maximum": """
        >>> print(ops.Maximum()(Tensor([1.0, 5.0]), 3.0))
        [3. 5.]
        """,
    "Meshgrid": """
        >>> rows, columns = ops.Meshgrid(indexing="ij")((Tensor([1, 2]), Tensor([3, 4, 5])))
        >>> print(rows.shape)
        (2, 3)
        """,
    "Minimum": """
        >>> print(ops.Minimum()(Tensor([1.0, 5.0]), 3.0))
        [1. 3.]
        """,
    "MirrorPad": """
        >>> print(ops.MirrorPad("REFLECT")(Tensor([1, 2, 3]), Tensor([[1, 1]])))
        [2 1 2 3 2]
        """,
    "Mish": """
        >>> print(ops.Mish()(Tensor([0.0])))
        [0.]
        """,
    "Mod": """
        >>> print(ops.Mod()(Tensor([7, -7]), 4))
        [ 3 -3]
        """,
    "Mul": """
        >>> print(ops.Mul()(Tensor([1.0, 2.0]), 3.0))
        [3. 6.]
        """,
    "Multinomial": """
        >>> print(ops.Multinomial()(Tensor([[0.0, 0.0, 1.0]]), 2).shape)
        (1, 2)
        """,
    "Neg": """
        >>> print(ops.Neg()(Tensor([1.0, -2.0])))
        [-1.  2.]
        """,
    "NLLLoss": """
        >>> loss, weight = ops.NLLLoss()(Tensor([[-1.0, -2.0]]), Tensor([1], int32), Tensor([1.0, 1.0]))
        >>> print(loss, weight)
        2.0 1.0
        """,
    "NonZero": """
        >>> print(ops.NonZero()(Tensor([0, 5, 6])))
        [[1]
         [2]]
        """,
    "NotEqual": """
        >>> print(ops.NotEqual()(Tensor([1, 2]), 1))
        [False  True]
        """,
    "OneHot": """
        >>> print(ops.OneHot()(Tensor([0, 2]), 3, Tensor(1.0), Tensor(0.0)))
        [[1. 0. 0.]
         [0. 0. 1.]]
        """,
    "Ones": """
        >>> print(ops.Ones()((2,), float32))
        [1. 1.]
        """,
    "OnesLike": """
        >>> print(ops.OnesLike()(Tensor([1, 2])))
        [1 1]
        """,
    "Pad": """
        >>> print(ops.Pad(((1, 1),))(Tensor([1, 2])))
        [0 1 2 0]
        """,
    "Pow": """
        >>> print(ops.Pow()(Tensor([2.0, 3.0]), 2))
        [4. 9.]
        """,
    "PReLU": """
        >>> print(ops.PReLU()(Tensor([[-2.0, 2.0]]), Tensor([0.5, 0.5])))
        [[-1.  2.]]
        """,
    "Randperm": """
        >>> print(ops.Randperm(max_length=4)(Tensor([3], int32)).shape)
        (4,)
        """,
    "Range": """
        >>> print(ops.Range()(Tensor(0), Tensor(5), Tensor(2)))
        [0 2 4]
        """,
    "Rank": """
        >>> print(ops.Rank()(Tensor([[1, 2]])))
        2
        """,
    "Real": """
        >>> print(ops.Real()(Tensor([1 + 2j])))
        [1.]
        """,
    "RealDiv": """
        >>> print(ops.RealDiv()(Tensor([1.0, 2.0]), 4.0))
        [0.25 0.5 ]
        """,
    "Reciprocal": """
        >>> print(ops.Reciprocal()(Tensor([2.0, 4.0])))
        [0.5  0.25]
        """,
    "ReduceAll": """
        >>> print(ops.ReduceAll()(Tensor([[True, False], [True, True]]), 1))
        [False  True]
        """,
    "ReduceAny": """
        >>> print(ops.ReduceAny()(Tensor([[True, False], [False, False]]), 1))
        [ True False]
        """,
    "ReduceMax": """
        >>> print(ops.ReduceMax()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 4.]
        """,
    "ReduceMean": """
        >>> print(ops.ReduceMean()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [2. 3.]
        """,
    "ReduceMin": """
        >>> print(ops.ReduceMin()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [1. 2.]
        """,
    "ReduceProd": """
        >>> print(ops.ReduceProd()(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0))
        [3. 8.]
        """,
    "ReduceStd": """
        >>> deviation, mean = ops.ReduceStd()(Tensor([1.0, 3.0, 5.0]))
        >>> print(deviation, mean)
        2.0 3.0
        """,
    "ReduceSum": """
        >>> x = Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.ReduceSum(keep_dims=True)(x, 1), ops.ReduceSum()(x))
        [[3.]
         [7.]] 10.0
        """,
    "ReLU": """
        >>> print(ops.ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
        """,
    "ReLU6": """
        >>> print(ops.ReLU6()(Tensor([-1.0, 7.0])))
        [0. 6.]
        """,
    "Reshape": """
        >>> print(ops.Reshape()(Tensor([1, 2, 3, 4]), (2, -1)))
        [[1 2]
         [3 4]]
        """,
    "ResizeBilinearV2": """
        >>> print(ops.ResizeBilinearV2()(ops.ones((1, 1, 2, 2)), (4, 4)).shape)
        (1, 1, 4, 4)
        """,
    "ResizeNearestNeighbor": """
        >>> print(ops.ResizeNearestNeighbor((1, 4))(Tensor([[[[1.0, 2.0]]]])))
        [[[[1. 1. 2. 2.]]]]
        """,
    "ReverseSequence": """
        >>> print(ops.ReverseSequence(seq_dim=1)(Tensor([[1.0, 2.0, 3.0]]), Tensor([2])))
        [[2. 1. 3.]]
        """,
    "ReverseV2": """
        >>> print(ops.ReverseV2(axis=[0])(Tensor([1, 2, 3])))
        [3 2 1]
        """,
    "Rint": """
        >>> print(ops.Rint()(Tensor([0.5, 1.6])))
        [0. 2.]
        """,
    "RmsNorm": """
        >>> output, scale = ops.RmsNorm()(Tensor([[3.0, 3.0]]), Tensor([1.0, 1.0]))
        >>> print(output.shape, scale.shape)
        (1, 2) (1, 1)
        """,
    "Roll": """
        >>> print(ops.Roll(1, 0)(Tensor([1, 2, 3])))
        [3 1 2]
        """,
    "Round": """
        >>> print(ops.Round()(Tensor([0.5, 1.5, 2.4])))
        [0. 2. 2.]
        """,
    "Rsqrt": """
        >>> print(ops.Rsqrt()(Tensor([4.0])))
        [0.5]
        """,
    "ScalarToTensor": """
        >>> print(ops.ScalarToTensor()(3, float32))
        3.0
        """,
    "ScatterAdd": """
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> result = ops.ScatterAdd()(weight, Tensor([1, 1]), Tensor([10.0, 20.0]))
        >>> print(weight.asnumpy())
        [ 1. 32.]
        """,
    "ScatterNd": """
        >>> print(ops.ScatterNd()(Tensor([[1], [3]]), Tensor([5, 6]), (4,)))
        [0 5 0 6]
        """,
    "ScatterNdAdd": """
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> result = ops.ScatterNdAdd()(weight, Tensor([[1]]), Tensor([9.0]))
        >>> print(weight.asnumpy())
        [ 1. 11.]
        """,
    "ScatterNdUpdate": """
        >>> weight = Parameter(Tensor([1.0, 2.0, 3.0]))
        >>> result = ops.ScatterNdUpdate()(weight, Tensor([[0], [2]]), Tensor([7.0, 8.0]))
        >>> print(weight.asnumpy())
        [7. 2. 8.]
        """,
    "ScatterUpdate": """
        >>> weight = Parameter(Tensor([1.0, 2.0]))
        >>> result = ops.ScatterUpdate()(weight, Tensor([1]), Tensor([9.0]))
        >>> print(weight.asnumpy())
        [1. 9.]
        """,
    "SearchSorted": """
        >>> print(ops.SearchSorted()(Tensor([1.0, 3.0, 5.0]), Tensor([2.0, 5.0])))
        [1 2]
        """,
    "Select": """
        >>> print(ops.Select()(Tensor([True, False]), Tensor([1, 2]), Tensor([3, 4])))
        [1 4]
        """,
    "SeLU": """
        >>> print(ops.SeLU()(Tensor([0.0])))
        [0.]
        """,
    "Shape": """
        >>> print(ops.Shape()(Tensor([[1, 2, 3]])))
        (1, 3)
        """,
    "Sigmoid": """
        >>> print(ops.Sigmoid()(Tensor([0.0, 100.0])))
        [0.5 1. ]
        """,
    "SigmoidCrossEntropyWithLogits": """
        >>> print(ops.SigmoidCrossEntropyWithLogits()(Tensor([0.0]), Tensor([1.0])))
        [0.6931...]
        """,
    "Sign": """
        >>> print(ops.Sign()(Tensor([-2.0, 0.0, 3.0])))
        [-1.  0.  1.]
        """,
    "Sin": """
        >>> print(ops.Sin()(Tensor([0.0])))
        [0.]
        """,
    "Sinh": """
        >>> print(ops.Sinh()(Tensor([0.0])))
        [0.]
        """,
    "Size": """
        >>> print(ops.Size()(Tensor([[1, 2, 3]])))
        3
        """,
    "Slice": """
        >>> print(ops.Slice()(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, 2)))
        [[2 3]
         [5 6]]
        """,
    "SmoothL1Loss": """
        >>> print(ops.SmoothL1Loss()(Tensor([1.0, 3.0]), Tensor([1.5, 1.0])))
        [0.125 1.5  ]
        """,
    "Softmax": """
        >>> print(ops.Softmax()(Tensor([[0.0, 0.0]])))
        [[0.5 0.5]]
        """,
    "SoftmaxCrossEntropyWithLogits": """
        >>> loss, gradient = ops.SoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
        >>> print(loss, gradient)
        [0.6931...] [[-0.5  0.5]]
        """,
    "Softplus": """
        >>> print(ops.Softplus()(Tensor([0.0])))
        [0.6931...]
        """,
    "SoftShrink": """
        >>> print(ops.SoftShrink()(Tensor([-1.0, 0.2, 1.0])))
        [-0.5  0.   0.5]
        """,
    "Softsign": """
        >>> print(ops.Softsign()(Tensor([1.0, -1.0])))
        [ 0.5 -0.5]
        """,
    "Sort": """
        >>> values, positions = ops.Sort()(Tensor([3.0, 1.0, 2.0]))
        >>> print(values, positions)
        [1. 2. 3.] [1 2 0]
        """,
    "SparseSoftmaxCrossEntropyWithLogits": """
        >>> print(ops.SparseSoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([1], int32)))
        0.6931...
        """,
    "Split": """
        >>> print([part.tolist() for part in ops.Split(axis=0, output_num=2)(Tensor([1, 2, 3, 4]))])
        [[1, 2], [3, 4]]
        """,
    "SplitV": """
        >>> print([part.tolist() for part in ops.SplitV([1, 2], 0, 2)(Tensor([1, 2, 3]))])
        [[1], [2, 3]]
        """,
    "Sqrt": """
        >>> print(ops.Sqrt()(Tensor([1.0, 4.0])))
        [1. 2.]
        """,
    "Square": """
        >>> print(ops.Square()(Tensor([2.0, 3.0])))
        [4. 9.]
        """,
    "SquaredDifference": """
        >>> print(ops.SquaredDifference()(Tensor([1.0, 5.0]), 2.0))
        [1. 9.]
        """,
    "Squeeze": """
        >>> print(ops.Squeeze(axis=1)(Tensor([[1], [2]])))
        [1 2]
        """,
    "Stack": """
        >>> print(ops.Stack(axis=0)([Tensor([1, 2]), Tensor([3, 4])]))
        [[1 2]
         [3 4]]
        """,
    "StandardNormal": """
        >>> print(ops.StandardNormal(seed=1)((2, 3)).shape)
        (2, 3)
        """,
    "StopGradient": """
        >>> print(ops.StopGradient()(Tensor([1.0])))
        [1.]
        """,
    "StridedSlice": """
        >>> print(ops.StridedSlice()(Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)))
        [[1 3]
         [4 6]]
        """,
    "Sub": """
        >>> print(ops.Sub()(Tensor([1.0, 2.0]), 1.0))
        [0. 1.]
        """,
    "Tan": """
        >>> print(ops.Tan()(Tensor([0.0])))
        [0.]
        """,
    "Tanh": """
        >>> print(ops.Tanh()(Tensor([0.0])))
        [0.]
        """,
    "TensorScatterAdd": """
        >>> print(ops.TensorScatterAdd()(Tensor([1.0, 2.0]), Tensor([[0], [0]]), Tensor([3.0, 4.0])))
        [8. 2.]
        """,
    "TensorScatterUpdate": """
        >>> print(ops.TensorScatterUpdate()(Tensor([1.0, 2.0]), Tensor([[1]]), Tensor([9.0])))
        [1. 9.]
        """,
    "TensorShape": """
        >>> print(ops.TensorShape()(Tensor([[1, 2, 3]])))
        [1 3]
        """,
    "Tile": """
        >>> print(ops.Tile()(Tensor([1, 2]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
        """,
    "TopK": """
        >>> values, positions = ops.TopK()(Tensor([1.0, 3.0, 2.0]), 2)
        >>> print(values, positions)
        [3. 2.] [1 2]
        """,
    "Trace": """
        >>> print(ops.Trace()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        5.0
        """,
    "Transpose": """
        >>> print(ops.Transpose()(Tensor([[1, 2], [3, 4]]), (1, 0)))
        [[1 3]
         [2 4]]
        """,
    "Tril": """
        >>> print(ops.Tril()(Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
        """,
    "Triu": """
        >>> print(ops.Triu()(Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
        """,
    "Trunc": """
        >>> print(ops.Trunc()(Tensor([1.7, -1.7])))
        [ 1. -1.]
        """,
    "TupleToArray": """
        >>> print(ops.TupleToArray()((1, 2, 3)))
        [1 2 3]
        """,
    "UniformInt": """
        >>> print(ops.UniformInt(seed=1)((2, 3), Tensor(0, int32), Tensor(5, int32)).shape)
        (2, 3)
        """,
    "UniformReal": """
        >>> print(ops.UniformReal(seed=1)((2, 3)).shape)
        (2, 3)
        """,
    "Unique": """
        >>> values, positions = ops.Unique()(Tensor([1, 2, 1]))
        >>> print(values, positions)
        [1 2] [0 1 0]
        """,
    "UnsortedSegmentSum": """
        >>> print(ops.UnsortedSegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 1, 0]), 2))
        [4. 2.]
        """,
    "Unstack": """
        >>> print(ops.Unstack(axis=0)(Tensor([[1, 2], [3, 4]])))
        (Tensor(shape=[2], dtype=Int64, value= [1, 2]), Tensor(shape=[2], dtype=Int64, value= [3, 4]))
        """,
    "Xlogy": """
        >>> print(ops.Xlogy()(Tensor([0.0, 2.0]), Tensor([5.0, 1.0])))
        [0. 0.]
        """,
    "Zeros": """
        >>> print(ops.Zeros()((2, 2), float32))
        [[0. 0.]
         [0. 0.]]
        """,
    "ZerosLike": """
        >>> print(ops.ZerosLike()(Tensor([1, 2])))
        [0 0]
        """,
}
_IMPORTED = ("Parameter", "Tensor", "float32", "int32", "ops")


def example(name: str) -> str:
    """The example of a primitive with its imports; empty for one without."""
    code = inspect.cleandoc(EXAMPLES.get(name, ""))
    names = [one for one in _IMPORTED if re.search(rf"\b{one}\b", code)]
    return f">>> from ms_compat import {', '.join(names)}\n{code}" if code else ""


__test__ = {name: example(name) for name in EXAMPLES}
