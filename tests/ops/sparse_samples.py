"""Samples of sparse tensors: one expression a line, evaluated by MindSpore and ms_compat."""

SETUP = """
f4, i4, i8, f8, f2 = ms.float32, ms.int32, ms.int64, ms.float64, ms.float16
COOTensor, CSRTensor, RowTensor, SparseTensor = ms.COOTensor, ms.CSRTensor, ms.RowTensor, ms.SparseTensor
def at(t=i4): return Tensor([[0, 1], [1, 2]], t)
def coo(t=i4, v=f4, values=(1, 2), shape=(3, 4)): return COOTensor(at(t), Tensor(list(values), v), shape)
def other(values=(3, 4), v=f4): return COOTensor(Tensor([[0, 0], [1, 2]], i8), Tensor(list(values), v), (3, 4))
def csr(v=f4, t=i4, values=(1, 2, 3, -4)):
    return CSRTensor(Tensor([0, 1, 1, 3, 4], t), Tensor([0, 3, 4, 0], t), Tensor(list(values), v), (4, 5))
def csr2(): return CSRTensor(Tensor([0, 2, 2, 3, 3], i4), Tensor([0, 1, 2], i4), Tensor([9, 8, 7], f4), (4, 5))
def thick(): return CSRTensor(Tensor([0, 1, 2], i4), Tensor([0, 1], i4), Tensor([[1, 2], [3, 4]], f4), (2, 3, 2))
def row(i, v): return RowTensor(Tensor(i), Tensor(v), (9, 8))
def grid(*shape, t=f4): return Tensor(np.arange(int(np.prod(shape))).reshape(shape), t)
def parts(x): return (type(x).__name__, *x.to_tuple()) if hasattr(x, "to_tuple") else x
def shown(*xs): return tuple([str(x) for x in xs])
def values(x):
    if isinstance(x, tuple): return tuple([values(item) for item in x])
    return x.values if hasattr(x, "to_tuple") else x
picked = Tensor([[0, 1], [1, 2], [1, 3], [2, 4]], i8); four = Tensor([1, 2, 3, 4], f4); box = Tensor([3, 5], i8)
ids = Tensor([0, 0, 2, 2], i4); table = Tensor([[0, 1], [2, 3], [4, 5]], f4)
class Make(nn.Cell):
    def construct(self, i, v): return COOTensor(i, v * 2, (3, 4))
class MakeCsr(nn.Cell):
    def construct(self, p, i, v): return CSRTensor(p, i, v * 2, (4, 5))
class MakeRow(nn.Cell):
    def construct(self, i, v):
        x = RowTensor(i, v * 2, (3, 2))
        return x.values, x.indices, x.dense_shape
class MakeSparse(nn.Cell):
    def construct(self, i, v):
        x = SparseTensor(i, v * 2, (3, 4))
        return x.values, x.indices, x.shape
class Made(nn.Cell):
    def construct(self, i, v): return ops.make_coo_tensor(i, v, (3, 4))
class MadeRow(nn.Cell):
    def construct(self, i, v):
        r = ops.make_row_tensor(i, v, (3, 2))
        return ops.row_tensor_get_values(r), ops.row_tensor_get_indices(r), ops.row_tensor_get_dense_shape(r)
class Same(nn.Cell):
    def construct(self, x): return x
class Facts(nn.Cell):
    def construct(self, x): return x.indices, x.values, x.shape, x.dtype, x.size, x.itemsize, x.ndim
class Nested(nn.Cell):
    def construct(self, x): return (x.values, x.indices), [x.values]
class Kinds(nn.Cell):
    def construct(self, x): return isinstance(x, COOTensor), isinstance(x, CSRTensor), isinstance(x, Tensor)
class Mv(nn.Cell):
    def construct(self, x, v): return x.mv(v)
class Parted(nn.Cell):
    def construct(self, p, i, v, d): return CSRTensor(p, i, v, (4, 5)).mv(d)
class Times(nn.Cell):
    def construct(self, x, v): return x * v
class Plus(nn.Cell):
    def construct(self, x, d): return x + d
class Sum(nn.Cell):
    def construct(self, x): return x.sum(1)
class Dense(nn.Cell):
    def construct(self, x): return x.to_dense()
class Square(nn.Cell):
    def construct(self, x): return ops.coo_square(x)
scaled = ops.MultitypeFuncGraph("scaled")
@scaled.register("Tensor", "Tensor")
def _tensor(s, g): return g * s
@scaled.register("Tensor", "RowTensor")
def _row(s, g): return RowTensor(g.indices, g.values * s, g.dense_shape)
@scaled.register("Tensor", "COOTensor")
def _coo(s, g): return COOTensor(g.indices, g.values * s, g.shape)
@scaled.register("Tensor", "CSRTensor")
def _csr(s, g): return CSRTensor(g.indptr, g.indices, g.values * s, g.shape)
class Scaled(nn.Cell):
    def construct(self, s, x): return scaled(s, x)
class ScaledRow(nn.Cell):
    def construct(self, s, i, v): return scaled(s, RowTensor(i, v, (3, 2))).values
class Step(nn.Cell):
    def __init__(self, opt):
        super().__init__()
        self.opt = opt
    def construct(self, i, v): return self.opt((RowTensor(i, v, (4, 2)),))
def stepped(name, **settings):
    w = ParameterTuple([Parameter(Tensor(np.arange(8).reshape(4, 2) / 10, f4), name="w")])
    step = Step(getattr(nn, name)(w, learning_rate=0.1, **settings))
    for rows in ([1, 3], [2, 3], [2, 3]):
        step(Tensor(rows, i4), Tensor([[1, 2], [3, -4]], f4))
    return Tensor(w[0].asnumpy())
"""

_NAMES = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log log1p neg relu "
)
_NAMES += "relu6 round sigmoid sin sinh softsign sqrt square tan tanh"
UNARY = [
    *[f"parts(ops.coo_{name}(coo(v=f4, values=(0.5, 1.5))))" for name in _NAMES.split()],
    *[f"parts(ops.csr_{name}(csr(values=(0.5, -1.5, 2.5, 7))))" for name in _NAMES.split()],
    *[f"ops.coo_{name}(coo(v=f2)).values.dtype" for name in _NAMES.split()],
    "ops.coo_abs(csr())", "ops.csr_abs(coo())", "ops.coo_tanh(Tensor([1.0]))", "ops.csr_sin(1)",
]  # fmt: skip

SAMPLES = """
shown(coo(), coo(i8, i4), csr(), csr(f8, i8), thick(), coo(v=f2), coo(v=ms.bool_), coo(v=ms.complex64))
shown(RowTensor(Tensor([0]), Tensor([[1, 2]], f4), (3, 2)), SparseTensor(at(), Tensor([1, 2], f4), (3, 4)))
shown(COOTensor(Tensor(np.zeros((0, 2), np.int32)), Tensor(np.zeros(0, np.float32)), (3, 4)))
shown(COOTensor(at(), Tensor([1.5, 2.25e-7], f4), (3, 4)), COOTensor(at(), Tensor([1.5, 2], ms.bfloat16), (3, 4)))
shown(row(np.arange(24), np.arange(12.0)), row(np.arange(27), np.arange(28.0)), row(np.arange(29), np.arange(30.0)))
shown(row(np.arange(13), np.arange(26.0).reshape(2, 13)))
shown(row(np.arange(26).reshape(13, 2), np.arange(28).reshape(14, 2)))
shown(row(np.arange(2), np.arange(8).reshape(2, 2, 2)), row(np.arange(2), np.array([True, False] * 10)))
repr(coo()), repr(csr()), repr(RowTensor(Tensor([0]), Tensor([[1, 2]], f4), (3, 2)))
COOTensor()
COOTensor(at(), Tensor([1, 2]), [3, 4])
COOTensor(at(), Tensor([1, 2, 3]), (3, 4))
COOTensor(at(), Tensor([1, 2]), (3,))
COOTensor(at(), Tensor([1, 2]), (3, 4, 5))
COOTensor(at(), Tensor([[1], [2]]), (3, 4))
COOTensor(Tensor([0, 1]), Tensor([1, 2]), (3, 4))
COOTensor(at(f4), Tensor([1, 2]), (3, 4))
COOTensor(at(ms.uint8), Tensor([1, 2]), (3, 4))
parts(COOTensor(at(ms.int16), Tensor([1, 2]), (3, 4)))
COOTensor(at(), [1, 2], (3, 4))
COOTensor(at(), Tensor([1, 2]), (3, -4))
COOTensor(at(), Tensor([1, 2]), (3, 4.0))
COOTensor(Tensor(np.zeros((13, 2), np.int32)), Tensor(np.zeros(13)), (3, 4))
parts(COOTensor(coo_tensor=coo()))
COOTensor(coo_tensor=csr())
COOTensor(at(), coo_tensor=coo())
CSRTensor()
CSRTensor(Tensor([0, 1], i4), Tensor([0, 1], i4), Tensor([1, 2], f4), (2, 4))
CSRTensor(Tensor([0, 1, 2], i4), Tensor([0], i4), Tensor([1, 2], f4), (2, 4))
parts(CSRTensor(Tensor([0, 1, 2], i4), Tensor([0, 1], i8), Tensor([1, 2], f4), (2, 4)))
parts(CSRTensor(Tensor([0, 1, 2], ms.int16), Tensor([0, 1], ms.int16), Tensor([1, 2], f4), (2, 4)))
CSRTensor(Tensor([0, 1, 2], ms.int8), Tensor([0, 1], ms.int8), Tensor([1, 2], f4), (2, 4))
CSRTensor(Tensor([0, 1, 2], f4), Tensor([0, 1], i4), Tensor([1, 2], f4), (2, 4))
CSRTensor(Tensor([0, 1, 2], i4), Tensor([0, 1], i4), Tensor([1, 2], f4), [2, 4])
CSRTensor(Tensor([0, 1, 2], i4), Tensor([0, 1], i4), Tensor([1, 2], f4), (2,))
CSRTensor(Tensor([0, 1, 2], i4), Tensor([0, 1], i4), Tensor([[1, 2], [1, 2]], f4), (2, 4))
CSRTensor(Tensor([0, 1, 2], i4), Tensor([0, 1], i4), [1, 2], (2, 4))
CSRTensor(csr_tensor=coo())
parts(CSRTensor(csr_tensor=csr()))
CSRTensor(Tensor([0, 1, 2], i4), csr_tensor=csr())
RowTensor()
RowTensor(Tensor([0]), Tensor([[1, 2]]), [3, 2])
str(RowTensor(row_tensor=RowTensor(Tensor([0]), Tensor([[1, 2]]), (3, 2))))
RowTensor(row_tensor=coo())
SparseTensor(at(), Tensor([1, 2]), [3, 4])
SparseTensor(at(), Tensor([1, 2]), (3, 4)).values, SparseTensor(at(), Tensor([1, 2]), (3, 4)).shape
coo().indices, coo().values, coo().shape, coo().dtype, coo().size, coo().itemsize, coo().ndim, coo().to_tuple()
csr().indptr, csr().indices, csr().values, csr().shape, csr().dtype, csr().size, csr().itemsize, csr().ndim
csr().to_tuple(), thick().size, thick().ndim
parts(coo().astype(i4)), parts(coo().astype("float64")), parts(csr().astype(f2)), parts(coo().astype(np.float32))
coo().astype("foo")
coo().astype(1)
parts(coo(values=(-1, 2)).abs()), parts(csr().abs()), parts(-coo()), parts(-csr())
coo().to_dense(), coo(i8).to_dense(), coo(v=i4).to_dense(), coo(v=f2).to_dense(), csr().to_dense(), csr(f8).to_dense()
csr(t=i8).to_dense(), COOTensor(Tensor([[1, 2], [0, 1], [1, 2]]), Tensor([1, 2, 4], f4), (3, 4)).to_dense()
COOTensor(Tensor([[0, 0], [0, 9]]), Tensor([1, 2], f4), (3, 4)).to_dense()
COOTensor(Tensor([[0, 0], [0, -1]]), Tensor([1, 2], f4), (3, 4)).to_dense()
parts(coo().to_csr()), parts(csr().to_coo()), parts(csr(i4).to_coo()), parts(coo(v=f8).to_csr())
parts(COOTensor(Tensor([[1, 3], [1, 2], [0, 1], [1, 0], [0, 3]], i4), Tensor([1, 2, 3, 4, 5], f4), (3, 4)).to_csr())
parts(coo(i8).coalesce())
thick().to_dense()
thick().to_coo()
csr().sum(1), csr().sum(-1), csr().sum(axis=1), thick().sum(1)
csr().sum(0)
csr().sum(2)
csr().mv(grid(5, 1)), csr(i4).mv(grid(5, 1)), csr().mv(grid(5, 1, t=i4))
csr().mv(grid(5))
csr().mv(grid(4, 1))
csr().mv(1)
thick().mv(grid(3, 1))
csr().mm(grid(5, 2)), csr().mm(grid(5, 1))
csr().mm(grid(5))
csr().mm(grid(4, 2))
csr().mm(coo())
parts(csr().add(csr2(), Tensor(1, f4), Tensor(2, f4))), parts(csr() + csr2()), parts(csr() - csr())
csr().add(csr(), 1, 2)
csr() + grid(4, 5)
parts(coo(i8).add(other(), Tensor(0, f4))), parts(coo(i8).add(other((3, -2)), Tensor(0, f4)))
parts(coo(i8).add(other((3, -2)), Tensor(10, f4))), parts(coo(i8).add(coo(i8, values=(3, -1.5)), Tensor(1, f4)))
parts(coo(i8).add(coo(v=f8), Tensor(1, i4))), parts(coo(i8, i4).add(coo(i8, i4), Tensor(0, i4)))
parts(coo(i8) + other()), parts(coo(i8) - coo(i8))
coo() + Tensor(np.ones((3, 4), np.float32)), coo() - grid(3, 4), grid(3, 4) + coo(), grid(3, 4) - coo()
parts(coo() * grid(3, 4)), parts(coo() / grid(3, 4)), parts(grid(3, 4) * coo()), parts(grid(4, 5) * csr())
coo() + grid(3, 5)
coo() * coo()
2 * coo()
2 * csr()
grid(3, 4) / coo()
grid(4, 5) / csr()
grid(4, 5) + csr()
parts(csr() * grid(4, 5)), parts(csr() / grid(4, 5)), parts(csr() * grid(5)), parts(csr() * grid(1, 5))
parts(csr() * grid(4, 1)), parts(csr(i4) * grid(4, 5)), parts(thick() * grid(2, 3, 2))
csr() * 2, csr() / 2, csr() * Tensor([[2]], f4), csr(i4) * 2, csr(i4) * 2.5, csr(i4) / 2
csr() * Tensor([[[2]]], f4)
csr() * grid(5, 4)
thick() * grid(2, 3, 1)
csr() == csr(), coo() == coo(), bool(coo()), isinstance(coo(), Tensor)
len(coo())
coo()[0]
ops.coo_add(coo(i8), coo(i8), Tensor([0], f4))
parts(ops.coo_concat((coo(i8), coo(i8)))), parts(ops.coo_concat((coo(i8), other()), 1))
parts(ops.coo_concat([coo(i8), coo(i8), coo(i8)], -1))
parts(ops.coo_concat((COOTensor(Tensor([[1, 2], [0, 1]]), Tensor([1, 2], f4), (3, 4)), coo(i8)), 1))
ops.coo_concat((coo(i8),), 1)
ops.coo_concat((coo(i8), coo(i8, i4)), 1)
ops.coo_concat((coo(i8), coo(i8)), 2)
parts(ops.csr_add(csr(), csr(i4), Tensor(1, f4), Tensor(2, f4)))
parts(ops.csr_add(csr(), csr(), Tensor(1), Tensor([2])))
ops.csr_add(csr(), coo(), Tensor(1, f4), Tensor(2, f4))
parts(ops.csr_softmax(csr(), f4)), parts(ops.csr_softmax(csr(f8), f4)), parts(ops.csr_softmax(csr(t=i8), f4))
ops.csr_softmax(csr(i4), f4)
ops.csr_softmax(coo(), f4)
ops.csr_softmax(csr(), i4)
parts(ops.csr_to_coo(csr())), ops.csr_to_dense(csr()), ops.csr_mv(csr(), grid(5, 1)), ops.csr_reduce_sum(csr(), 1)
ops.csr_to_coo(coo())
ops.csr_to_dense(coo())
ops.csr_mm(csr(), grid(5, 2))
ops.csr_reduce_sum(csr(), 1.0)
parts(ops.csr_mul(csr(), grid(4, 5))), parts(ops.csr_div(csr(), grid(4, 5)))
ops.csr_div(csr(), 2), ops.csr_mul(csr(), 2)
ops.csr_mul(csr(), coo())
ops.csr_gather(csr().indptr, csr().indices, grid(4, 5), (4, 5))
ops.csr_gather(Tensor([0, 1, 2], i4), Tensor([0, 1], i4), grid(2, 3, 2), (2, 3, 2))
ops.csr2coo(csr().indptr, 4), ops.coo2csr(Tensor([0, 2, 2, 3], i4), 4)
parts(ops.dense_to_sparse_coo(Tensor([[0, 1], [2, 0]], f4)))
parts(ops.dense_to_sparse_csr(Tensor([[0, 1], [2, 0]], f4)))
parts(Tensor([[0, 1], [2, 0]], f4).to_coo()), parts(Tensor([[0, 1], [2, 0]], f4).to_csr())
parts(Tensor([[0, 0], [0, 0]], f4).to_coo()), parts(Tensor([[0, 1], [0, 0]], ms.bool_).to_coo())
ops.dense_to_sparse_coo(Tensor([0, 1], f4))
ops.dense_to_sparse_coo(1)
ops.dense_to_sparse_csr(Tensor([[[0, 1], [2, 0]]], f4))
ops.coo_tensor_get_dense_shape(coo()), ops.coo_tensor_get_indices(coo()), ops.coo_tensor_get_values(coo())
ops.csr_tensor_get_dense_shape(csr()), ops.csr_tensor_get_indices(csr()), ops.csr_tensor_get_indptr(csr())
ops.csr_tensor_get_values(csr())
ops.coalesce(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1, 5, 4], f4), Tensor([3, 3]))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1, 5, 4], f8), Tensor([3, 3]))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 9]]), Tensor([1, 5, 4], f4), Tensor([3, 3]))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, -1]]), Tensor([1, 5, 4], f4), Tensor([3, 3]))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1, 5], f4), Tensor([3, 3]))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1, 5, 4], f4), Tensor([3, 3, 3]))
ops.Coalesce()(Tensor([0, 0, 1]), Tensor([1, 5, 4], f4), Tensor([3]))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1, 5, 4], f4), Tensor([3, 3], i4))
ops.Coalesce()(Tensor([[0, 0, 1], [1, 1, 2]]), Tensor([1, 5, 4], i4), Tensor([3, 3]))
ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), grid(4, 3))
ops.SparseTensorDenseMatmul()(at(), four[:2], (3, 4), grid(4, 3))
ops.SparseTensorDenseMatmul(True)(at(i8), four[:2], (3, 4), grid(3, 3))
ops.SparseTensorDenseMatmul(adjoint_dt=True)(at(i8), four[:2], (3, 4), grid(2, 4))
ops.SparseTensorDenseMatmul(True, True)(at(i8), four[:2], Tensor([3, 4]), grid(2, 3))
ops.SparseTensorDenseMatmul()(at(i8), Tensor([1, 2], i4), (3, 4), grid(4, 3, t=i4))
ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), grid(4, 3, t=f8))
ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), grid(4))
ops.SparseTensorDenseMatmul()(at(i8), four[:3], (3, 4), grid(4, 3))
ops.SparseTensorDenseMatmul()(Tensor([[0, 1], [5, 2]]), four[:2], (3, 4), grid(4, 3))
ops.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4, 5), grid(4, 3))
ops.SparseTensorDenseMatmul(1)
ops.SparseToDense()(at(), four[:2], (3, 4)), ops.SparseToDense()(at(i8), Tensor([1, 2], f8), [3, 4])
ops.SparseToDense()(Tensor([[0, 1], [0, 1]]), four[:2], Tensor([3, 4]))
ops.SparseToDense()(Tensor([[0], [2]]), four[:2], (3,))
ops.SparseToDense()(Tensor([[0, 1, 1], [2, 1, 0]]), four[:2], (3, 4, 2))
ops.SparseToDense()(at(), Tensor([True, True]), (3, 4))
ops.SparseToDense()(Tensor([[0, 1], [0, 7]]), four[:2], (3, 4))
ops.SparseToDense()(Tensor([[0, 1], [0, -1]]), four[:2], (3, 4))
ops.SparseToDense()(at(), four[:3], (3, 4))
ops.SparseToDense()(Tensor([0, 1]), four[:2], (3,))
ops.SparseToDense()(at(f4), four[:2], (3, 4))
ops.SparseTensorDenseAdd()(at(), four[:2], Tensor([3, 4], i4), grid(3, 4))
ops.SparseTensorDenseAdd()(at(i8), Tensor([1, 2], i4), Tensor([3, 4], i8), grid(3, 4, t=i4))
ops.SparseTensorDenseAdd()(at(i8), four[:2], Tensor([3, 5], i8), grid(3, 4))
ops.SparseTensorDenseAdd()(at(), four[:2], Tensor([3, 4], i8), grid(3, 4))
ops.SparseTensorDenseAdd()(at(i8), four[:2], Tensor([3, 4], i8), grid(3, 4, t=f8))
ops.SparseTensorDenseAdd()(Tensor([[0, 1], [9, 2]]), four[:2], Tensor([3, 4], i8), grid(3, 4))
ops.SparseSlice()(picked, four, box, Tensor([0, 1], i8), Tensor([2, 3], i8))
ops.SparseSlice()(picked, Tensor([1, 2, 3, 4], i4), box, Tensor([1, 2], i8), Tensor([9, 9], i8))
ops.SparseSlice()(picked, four, box, Tensor([0, 0], i8), Tensor([1, 1], i8))
ops.SparseSlice()(picked, four, box, Tensor([0, -1], i8), Tensor([1, 1], i8))
ops.SparseSlice()(picked, four[:3], box, Tensor([0, 1], i8), Tensor([1, 1], i8))
ops.SparseSlice()(picked, four, box, Tensor([0, 1, 1], i8), Tensor([1, 1], i8))
ops.SparseGatherV2()(grid(3, 4), Tensor([0., 2]), 1)
ops.SegmentSum()(four, ids), ops.SegmentMean()(four, ids), ops.SegmentMax()(four, ids)
ops.SegmentMin()(four, ids), ops.SegmentProd()(four, ids)
ops.SegmentSum()(grid(2, 2, t=i4), Tensor([1, 1])), ops.SegmentMean()(Tensor([[1, -2], [4, -5]], i4), Tensor([1, 1]))
ops.SegmentMax()(grid(2, 2, t=i4), Tensor([1, 1])), ops.SegmentMin()(Tensor([-3, 2], i4), Tensor([1, 1], i4))
ops.SegmentProd()(grid(2, 2, t=i4), Tensor([1, 1]))
ops.SegmentMean()(Tensor([1 + 1j, 2], ms.complex64), Tensor([0, 0]))
ops.SegmentSum()(four, Tensor([0, 2, 1, 2], i4))
ops.SegmentSum()(four, Tensor([-1, 0, 1, 2], i4))
ops.SegmentSum()(four, Tensor([0, 0, 1], i4))
ops.SegmentSum()(four, Tensor([0., 0, 1, 1]))
ops.SegmentSum()(four, Tensor([[0, 0], [1, 1]], i4))
ops.SegmentSum()(Tensor([True, False]), Tensor([0, 0], i4))
ops.SegmentMax()(Tensor([1 + 1j, 2], ms.complex64), Tensor([0, 0], i4))
ops.SegmentSum()(Tensor(np.zeros((0, 2)), f4), Tensor(np.zeros(0, np.int32)))
ops.sparse_segment_mean(table, Tensor([0, 1, 2], i4), Tensor([1, 2, 2], i4))
ops.sparse_segment_mean(Tensor(table, f8), Tensor([0, 1, 1]), Tensor([1, 1, 2]))
ops.sparse_segment_mean(table, Tensor([0, 1], i4), Tensor([1, 2, 2], i4))
ops.sparse_segment_mean(Tensor(table, i4), Tensor([0, 1, 1], i4), Tensor([1, 1, 2], i4))
ops.sparse_segment_mean(table, Tensor([0, 1, 1], i4), Tensor([1, 1, 2], i8))
nn.SparseTensorDenseMatmul()(at(i8), four[:2], (3, 4), grid(4, 3))
nn.SparseTensorDenseMatmul(adjoint_st=True)(at(i8), four[:2], (3, 4), grid(3, 3))
nn.SparseTensorDenseMatmul(1)
nn.SparseToDense()(coo()), nn.SparseToDense()(coo(i8, i4)), repr(nn.SparseToDense())
nn.SparseToDense()(csr())
ms.grad(Square())(coo())
ms.grad(Mv(), (0, 1))(csr(), grid(5, 1)), ops.GradOperation(get_all=True)(Mv())(csr(), grid(5, 1))
ms.grad(Parted(), (0, 1, 2, 3))(*csr().to_tuple()[:3], grid(5, 1))
"""

GRAPH = """
parts(Make()(at(), Tensor([1, 2], f4)))
parts(MakeCsr()(*csr().to_tuple()[:3]))
MakeRow()(Tensor([0]), Tensor([[1, 2]], f4))
MakeSparse()(at(), Tensor([1, 2], f4))
parts(Made()(at(), Tensor([1, 2], f4)))
MadeRow()(Tensor([0]), Tensor([[1, 2]], f4))
parts(Same()(coo())), parts(Same()(csr())), str(Same()(RowTensor(Tensor([0]), Tensor([[1, 2]], f4), (3, 2))))
Facts()(coo())
Nested()(coo())
Kinds()(coo())
parts(Scaled()(Tensor(3, f4), coo())), parts(Scaled()(Tensor(3, f4), csr()))
ScaledRow()(Tensor(3, f4), Tensor([0]), Tensor([[1, 2]], f4))
Plus()(coo(), grid(3, 4)), Plus()(grid(3, 4), coo()), Sum()(csr()), Dense()(coo()), Dense()(csr())
Mv()(csr(), grid(5, 1)), parts(Times()(csr(), grid(4, 5)))
ms.grad(Make(), (0, 1))(at(), Tensor([1, 2], f4))
values(ms.grad(Mv(), (0, 1))(csr(), grid(5, 1))), values(ops.GradOperation(get_all=True)(Mv())(csr(), grid(5, 1)))
ms.grad(Parted(), (0, 1, 2, 3))(*csr().to_tuple()[:3], grid(5, 1))
values(ms.grad(Sum())(csr())), values(ms.grad(Times(), (0, 1))(csr(), grid(4, 5))), values(ms.grad(Square())(coo()))
values(ms.grad(Dense())(coo())), values(ms.value_and_grad(Square())(coo())), type(ms.grad(Square())(coo())).__name__
stepped("Adam"), stepped("Adam", weight_decay=0.1), stepped("FTRL")
stepped("LazyAdam"), stepped("LazyAdam", weight_decay=0.1), stepped("LazyAdam", loss_scale=2.0)
"""

CASES = [
    *[{"expr": line} for line in (*UNARY, *SAMPLES.strip().splitlines())],
    *[{"expr": line, "graph": True} for line in GRAPH.strip().splitlines()],
]
