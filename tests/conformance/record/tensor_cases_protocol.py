"""Cases: Python protocols of a Tensor, its cheap attributes and methods, aliasing, in-place operators."""

# ruff: noqa: E501 - one case a line

from tests.conformance.record.tensor_cases_make import DTYPES

PROTOCOL = """
len(Tensor([1, 2, 3]))
len(Tensor([[1, 2, 3]]))
len(Tensor(1))
len(Tensor([]))
bool(Tensor(True))
bool(Tensor(0))
bool(Tensor(0.5))
bool(Tensor([1]))
bool(Tensor([[0.0]]))
bool(Tensor([1, 2]))
bool(Tensor([]))
bool(Tensor(float('nan')))
bool(Tensor(1j))
bool(Tensor(0.5, ms.bfloat16))
bool(Parameter(Tensor([1.0]), name='p'))
not Tensor(0)
1 if Tensor([1, 1]) else 0
Tensor(1) and Tensor(2)
Tensor([1, 2]) and Tensor(2)
int(Tensor(3))
int(Tensor(3.7))
int(Tensor(-3.7))
int(Tensor([3]))
int(Tensor([[3]]))
int(Tensor([1, 2]))
int(Tensor([]))
int(Tensor(True))
int(Tensor(1j))
int(Tensor(float('nan')))
int(Tensor(3.5, ms.bfloat16))
float(Tensor(3))
float(Tensor(3.7))
float(Tensor([3.5]))
float(Tensor([1, 2]))
float(Tensor([]))
float(Tensor(True))
float(Tensor(1j))
float(Tensor(0.1))
float(Tensor(1.5, ms.bfloat16))
float(Tensor(0.1, ms.float16))
complex(Tensor(1 + 2j))
complex(Tensor(3))
complex(Tensor([3.5]))
complex(Tensor([1, 2]))
operator.index(Tensor(3))
operator.index(Tensor([3]))
operator.index(Tensor(3.0))
operator.index(Tensor(True))
operator.index(Tensor([1, 2]))
operator.index(Tensor(3, ms.uint8))
[10, 20, 30][Tensor(1)]
[10, 20, 30][Tensor([1])]
list(range(Tensor(3)))
[0] * Tensor(3)
Tensor(3) * [0]
(1, 2) * Tensor(2)
'a' * Tensor(2)
list(Tensor([1, 2]))
list(Tensor([[1, 2], [3, 4]]))
list(Tensor([1.5, 2.5]))
list(Tensor(1))
list(Tensor([]))
tuple(Tensor([1, 2]))
[x for x in Tensor([[1], [2]])]
a, b = Tensor([1, 2]) >> (a, b)
a, b = Tensor([1, 2, 3]) >> a
sum(Tensor([1, 2, 3]))
max(Tensor([1, 3, 2]))
min(Tensor([1.5, 3, 2]))
sorted(Tensor([3, 1, 2]))
any(Tensor([0, 1]))
all(Tensor([0, 1]))
list(zip(Tensor([1, 2]), Tensor([3, 4])))
list(enumerate(Tensor([1, 2])))
list(map(int, Tensor([1, 2])))
list(reversed(Tensor([1, 2, 3])))
next(iter(Tensor([1, 2])))
1 in Tensor([1, 2])
5 in Tensor([1, 2])
1.0 in Tensor([1, 2])
Tensor(1) in Tensor([1, 2])
Tensor([1, 2]) in Tensor([[1, 2], [3, 4]])
None in Tensor([1, 2])
'a' in Tensor([1, 2])
t = Tensor([1, 2]) >> t in [t]
Tensor([1, 2]) in [Tensor([1, 2])]
Tensor(1) in [1, 2]
Tensor([1, 2]) in [1, 2]
isinstance(hash(Tensor([1, 2])), int)
a = Tensor([1, 2]); b = Tensor([1, 2]) >> hash(a) == hash(b)
t = Tensor([1, 2]) >> hash(t) == hash(t)
t = Tensor([1, 2]) >> {t: 5}[t]
len({Tensor(1), Tensor(1)})
p = Parameter(Tensor([1.0]), name='p') >> hash(p) == hash(p), {p: 5}[p]
a = Parameter(Tensor([1.0]), name='p'); b = Parameter(Tensor([1.0]), name='p') >> hash(a) == hash(b)
round(Tensor(1.5))
round(Tensor([1.26, 2.5, 3.5]))
round(Tensor([1.26, 2.5]), 1)
abs(Tensor([-1, 2]))
abs(Tensor([-1.5, 2]))
abs(Tensor([3 + 4j]))
abs(Tensor([True, False]))
-Tensor([1, -2])
-Tensor([1.5])
-Tensor([True])
-Tensor([1], ms.uint8)
+Tensor([1, 2])
t = Tensor([1, 2]) >> (+t) is t
~Tensor([True, False])
~Tensor([0, 1])
~Tensor([1.5])
divmod(Tensor([7]), Tensor([2]))
divmod(Tensor([7, -7]), 2)
math.sqrt(Tensor(4.0))
math.floor(Tensor(1.5))
math.ceil(Tensor(1.5))
math.trunc(Tensor(1.5))
math.floor(Tensor([1.5, 2.5]))
math.isnan(Tensor(float('nan')))
np.array(Tensor([1, 2]))
np.array(Tensor([1.5], ms.float16))
np.asarray(Tensor([1, 2]))
np.asarray(Tensor([1, 2]), dtype=np.float32)
np.array(Tensor(1))
np.array([Tensor(1), Tensor(2)])
np.array([Tensor([1, 2]), Tensor([3, 4])])
np.sum(Tensor([1, 2]))
np.mean(Tensor([1.0, 2]))
np.exp(Tensor([0.0]))
np.add(Tensor([1]), Tensor([2]))
np.concatenate([Tensor([1]), Tensor([2])])
np.dot(Tensor([1, 2]), Tensor([3, 4]))
np.allclose(Tensor([1.0]), np.array([1.0]))
np.testing.assert_allclose(Tensor([1.0]), np.array([1.0]))
np.array([1, 2]) + Tensor([1, 2])
np.array([1.5, 2]) * Tensor([1, 2])
np.array([1, 2]) == Tensor([1, 5])
np.array([1, 2]) < Tensor([1, 5])
np.float32(2) * Tensor([1.0, 2])
np.arange(4)[Tensor([1, 2])]
np.arange(4)[Tensor(1)]
np.isscalar(Tensor(1))
np.shape(Tensor([[1, 2]]))
np.array([1, 2]) @ Tensor([1, 2])
memoryview(Tensor([1, 2])).shape
pickle.loads(pickle.dumps(Tensor([1, 2])))
pickle.loads(pickle.dumps(Tensor([1.5], ms.float16)))
pickle.loads(pickle.dumps(Tensor([1.5], ms.bfloat16)))
pickle.loads(pickle.dumps(Tensor(1)))
pickle.loads(pickle.dumps([Tensor([1]), Tensor([2])]))
pickle.loads(pickle.dumps(Parameter(Tensor([1.0]), name='w', requires_grad=False)))
p = pickle.loads(pickle.dumps(Parameter(Tensor([1.0]), name='w', requires_grad=False))) >> p.name, p.requires_grad
copy.copy(Tensor([1, 2]))
copy.deepcopy(Tensor([1, 2]))
t = Tensor([1, 2]); c = copy.copy(t); c[0] = 9 >> (t, c is t)
t = Tensor([1, 2]); c = copy.deepcopy(t); c[0] = 9 >> (t, c)
p = Parameter(Tensor([1.0]), name='w'); q = copy.copy(p); q[0] = 9 >> (p, q, q.name, q is p)
p = Parameter(Tensor([1.0]), name='w'); q = copy.deepcopy(p); q[0] = 9 >> (p, q, q.name)
p = Parameter(Tensor([1.0]), name='w', requires_grad=False) >> copy.deepcopy(p).requires_grad
t = Tensor([1, 2]); c = t.copy(); c[0] = 9 >> (t, c)
t = Tensor([1, 2]); c = t.clone(); c[0] = 9 >> (t, c)
Tensor([1, 2]) == None
Tensor([1, 2]) != None
Tensor([1, 2]) is None
Tensor([1, 2]) == 'a'
Tensor([1, 2]) != 'a'
Tensor(1) == 'a'
None == Tensor([1, 2])
None != Tensor([1, 2])
'a' == Tensor([1, 2])
Tensor([1, 2]) < None
Tensor([1, 2]) + None
None + Tensor([1, 2])
Tensor([1, 2]) == [1, 2]
Tensor([1, 2]) != [1, 2]
Tensor([1, 2]) == (1, 2)
Tensor([1, 2]) == np.array([1, 2])
Tensor([1, 2]) != np.array([1, 2])
Tensor([1, 2]) == Tensor([1, 2, 3])
Tensor([1, 2]) == Tensor([1])
Tensor([1, 2]) == Tensor([1, 5])
Tensor([1, 2]) != Tensor([1, 5])
Tensor([1, 2]) == 1
1 == Tensor([1, 2])
Tensor([1, 2]) == 1.0
Tensor([1, 2]) == True
Tensor([1, 2]) == 1j
Tensor([1.0, 2]) == Tensor([1, 2])
Tensor([1, 2]) == object()
Tensor([1, 2]) == ms.float32
Tensor([1, 2]) == {}
Tensor([1, 2]) + 'a'
'a' + Tensor([1, 2])
'%s' + Tensor([1])
Tensor([1, 2]) + [1, 2]
[1, 2] + Tensor([1, 2])
Tensor([1, 2]) + (1, 2)
Tensor([1, 2]) + [1.5, 2.5]
Tensor([1.0, 2]) + [1.5, 2.5]
Tensor([1.0, 2]) - [1, 2]
Tensor([1.0, 2]) + [1, 2, 3]
Tensor([1.0, 2]) + np.array([1, 2])
Tensor([1.0, 2]) * np.array([1, 2])
Tensor([1.0, 2]) - np.array([1, 2])
Tensor([1.0, 2]) / np.array([1, 2])
Tensor([1.0, 2]) + {}
Tensor([1, 2]) + Tensor([1, 2, 3])
Tensor([[1], [2]]) + Tensor([1, 2, 3])
Tensor(np.zeros((2, 3))) + Tensor(np.zeros((3, 2)))
Tensor([1, 2]) @ Tensor([3, 4])
Tensor([[1.0, 2]]) @ Tensor([[3.0], [4]])
Tensor([[1, 2]]) @ Tensor([[3], [4]])
Tensor([1.0, 2]) @ Tensor([1.0, 2, 3])
Tensor([1, 2]) @ 3
Tensor([1, 2]) << 1
operator.rshift(Tensor([4, 8]), 1)
1 << Tensor([1, 2])
Tensor([5, 6]) & 3
3 & Tensor([5, 6])
Tensor([5, 6]) | 3
Tensor([5, 6]) ^ 3
Tensor([True, False]) & True
Tensor([True, False]) | Tensor([False, False])
Tensor([1.5]) & 1
Tensor([1, 2]) > 1
Tensor([1, 2]) >= 2
1 < Tensor([1, 2])
Tensor([1, 2]) > 'a'
pow(Tensor([2, 3]), 2)
pow(2, Tensor([2, 3]))
pow(Tensor([2, 3]), 2, 5)
Tensor([1, 2]).foo
Tensor([1, 2]).__foo__
t = Tensor([1, 2]); t.foo = 3 >> t.foo
t = Tensor([1, 2]); t.shape = (2, 1) >> t
t = Tensor([1, 2]); t.dtype = ms.float32 >> t
del Tensor([1, 2])[0] >> 1
t = Tensor([1, 2]); del t[0] >> t
Tensor([1, 2])()
callable(Tensor([1]))
isinstance(Tensor([1]), np.ndarray)
isinstance(Tensor([1]), (list, tuple))
getattr(Tensor([1]), '__array__', None) is not None
'shape' in dir(Tensor([1]))
print(Tensor([1, 2]))
assert Tensor(1) == 1 >> 1
assert Tensor([1, 2]) == Tensor([1, 2]) >> 1
assert (Tensor([1, 2]) == Tensor([1, 2])).all() >> 1
"""

ATTRIBUTE = """
t = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)) >> (t.shape, t.ndim, t.size, t.itemsize, t.nbytes, t.strides, t.dtype)
Tensor(1).shape, Tensor(1).ndim, Tensor(1).size, Tensor(1).strides, Tensor(1).nbytes, Tensor(1).itemsize
Tensor(np.zeros((2, 0, 3))).shape, Tensor(np.zeros((2, 0, 3))).size, Tensor(np.zeros((2, 0, 3))).strides
Tensor([1, 2], ms.float16).strides
type(Tensor([1]).shape).__name__, type(Tensor([1]).size).__name__, type(Tensor([1]).strides).__name__
Tensor([1]).rank
Tensor([1]).dim(), Tensor([1]).ndimension()
Tensor([[1, 2]]).numel(), Tensor([[1, 2]]).nelement()
Tensor([[1, 2]]).element_size()
Tensor([[1, 2]]).stride()
Tensor([[1, 2, 3], [4, 5, 6]]).stride(0)
Tensor([[1, 2]]).storage_offset()
Tensor([[1, 2]]).is_contiguous()
Tensor([[1, 2], [3, 4]]).T.is_contiguous()
Tensor([[1, 2], [3, 4]]).T.stride()
Tensor([[1, 2], [3, 4]]).T.strides
Tensor([[1, 2], [3, 4]]).contiguous()
Tensor([[1, 2], [3, 4]]).T
Tensor([1, 2]).T
Tensor(1).T
Tensor(np.arange(6).reshape(1, 2, 3)).T.shape
Tensor(np.arange(6).reshape(1, 2, 3)).mT.shape
Tensor([[1, 2]]).H
Tensor([1.0]).real, Tensor([1 + 2j]).imag
Tensor([1 + 2j]).real
Tensor([1.0]).device
Tensor([1.0]).requires_grad
Tensor([1.0]).grad
Tensor([1.0]).is_leaf
Tensor([1.0]).grad_fn
Tensor([1.0]).data
Tensor([1.0]).name
Tensor([1.0]).has_init
Tensor([1.0]).adapter_flag
Tensor([1.0]).virtual_flag
Tensor([1.0]).const_arg
Tensor([1.0]).parent_tensor_
Tensor([1.0]).is_init
Tensor([1.0]).is_persistent_data()
Tensor([1, 2, 3]).item(1)
Tensor(5).item()
Tensor([5]).item()
Tensor([[5.5]]).item()
Tensor([1, 2]).item()
Tensor([[1, 2], [3, 4]]).item(3)
Tensor([[1, 2], [3, 4]]).item((1, 0))
Tensor([[1, 2], [3, 4]]).item(1, 0)
Tensor([1, 2, 3]).item(7)
Tensor([1, 2, 3]).item(-1)
Tensor(True).item()
Tensor(1.5).item(), Tensor(1.5, ms.float16).item()
Tensor(1.5, ms.bfloat16).item()
Tensor(1 + 2j).item()
Tensor(0.1).item()
Tensor([1, 2]).item('a')
Tensor(5).item(0)
Tensor([]).item()
t = Tensor([1, 2, 3]); r = t.itemset(1, 9) >> (t, r)
t = Tensor([[1, 2], [3, 4]]); r = t.itemset((1, 0), 9) >> (t, r)
t = Tensor(5); r = t.itemset(7) >> (t, r)
Tensor([1, 2]).tolist()
Tensor([[1.5, 2]]).tolist()
Tensor(1).tolist()
Tensor([True]).tolist()
Tensor(0.1).tolist()
Tensor([0.1]).tolist()
Tensor([1.5], ms.bfloat16).tolist()
Tensor([1 + 2j]).tolist()
Tensor([]).tolist()
Tensor([1, 2]).asnumpy()
Tensor(1).asnumpy()
type(Tensor(1).asnumpy()).__name__
Tensor([1, 2]).asnumpy().flags.writeable
Tensor([1.5], ms.bfloat16).asnumpy().dtype.name
Tensor([1, 2]).numpy()
t = Tensor([1, 2]); a = t.asnumpy(); t[0] = 9 >> a
t = Tensor([1, 2]); a = t.asnumpy().copy(); t[0] = 9 >> a
Tensor([1, 2]).get_bytes()
Tensor([3, 1, 2]).max(), Tensor([3, 1, 2]).min(), Tensor([3, 1, 2]).argmax(), Tensor([3, 1, 2]).argmin()
Tensor([3, 1, 2]).sum(), Tensor([3.0, 1, 2]).mean(), Tensor([3, 1, 2]).prod()
Tensor([True, True]).sum()
Tensor([1, 2], ms.int32).mean()
Tensor([1, 2], ms.int8).sum()
Tensor([1, 2], ms.int32).sum()
Tensor([1, 2], ms.float16).sum()
Tensor([1, 2], ms.int32).prod()
Tensor([1, 0]).all(), Tensor([1, 0]).any()
Tensor([1.0, 2.0, 4.0]).std(), Tensor([1.0, 2.0, 4.0]).var()
Tensor([1, 2, 3]).cumsum(0)
Tensor([1, 2], ms.int8).cumsum(0)
Tensor([1, 2]).reshape(2, 1), Tensor([1, 2]).reshape((2, 1)), Tensor([1, 2]).reshape([2, -1])
Tensor([1, 2]).reshape(3)
Tensor([1, 2]).reshape(-1, -1)
Tensor([1, 2]).reshape(Tensor([2, 1]))
Tensor([1, 2]).reshape()
Tensor([1]).reshape(())
Tensor([1, 2]).view(2, 1), Tensor([1, 2]).view((1, 2)), Tensor([1, 2]).view(-1)
Tensor([1, 2]).view(3)
Tensor([[1, 2], [3, 4]]).T.view(-1)
Tensor([1, 2], ms.int32).view(ms.float32)
Tensor([[1, 2], [3, 4]]).transpose(), Tensor([[1, 2], [3, 4]]).transpose(1, 0), Tensor([[1, 2], [3, 4]]).transpose((1, 0))
Tensor(np.zeros((2, 3, 4))).transpose(0, 2).shape
Tensor(np.zeros((2, 3, 4))).transpose(0, 2, 1).shape
Tensor(np.zeros((2, 3, 4))).transpose(0, 0, 1)
Tensor(np.zeros((2, 3, 4))).permute(2, 0, 1).shape, Tensor(np.zeros((2, 3, 4))).swapaxes(0, 1).shape
Tensor([[1, 2]]).squeeze().shape, Tensor([[1, 2]]).squeeze(0).shape
Tensor([[1, 2]]).squeeze(1)
Tensor([1, 2]).expand_dims(0), Tensor([1, 2]).unsqueeze(-1)
Tensor([1, 2]).expand_dims(3)
Tensor([[1, 2], [3, 4]]).flatten(), Tensor([[1, 2], [3, 4]]).ravel()
Tensor([[1, 2], [3, 4]]).flatten('F')
Tensor([1, 2]).repeat(2)
Tensor([1, 2]).broadcast_to((2, 2)), Tensor([1, 2]).expand(2, 2)
Tensor([1, 2]).fill(3)
Tensor([1, 2]).fill_(3)
Tensor([1, 2]).zero_()
Tensor([1.5]).new_zeros((2,)), Tensor([1]).new_ones((2,)), Tensor([1.5]).new_tensor([1, 2])
Tensor([1, 5, 3]).clip(2, 4), Tensor([1, 5, 3]).clamp(max=4)
Tensor([1.26, 2.5]).round(), Tensor([1.5]).floor(), Tensor([1.5]).ceil()
Tensor([1, 2]).equal(Tensor([1, 2])), Tensor([1, 2]).eq(1)
Tensor([1, 2]).add(1), Tensor([1, 2]).sub(1), Tensor([1, 2]).mul(2), Tensor([1, 2]).div(2)
Tensor([3, 1, 2]).sort()
Tensor([3, 1, 2]).argsort()
Tensor([3, 1, 2]).topk(2)
Tensor([[1, 2], [3, 4]]).diagonal(), Tensor([[1, 2], [3, 4]]).trace()
Tensor([1, 0, 2]).nonzero()
Tensor([1, 2, 3, 4]).split(2), Tensor([1, 2, 3, 4]).chunk(2)
Tensor([1.5, 2]).cpu()
Tensor([1.5, 2]).to('CPU')
Tensor([1, 2]).set_dtype(ms.float32)
t = Tensor([1, 2]) >> t.set_const_arg(True) is t
t = Tensor([1.0, 2.0]) >> t.assign_value(Tensor([3.0, 4.0])), t
t = Tensor([1.0, 2.0]); t.assign_value(Tensor([3.0])) >> t
t = Tensor([1.0, 2.0]); t.assign_value(Tensor([3, 4])) >> t
t = Tensor([1.0, 2.0]); t.copy_(Tensor([3, 4])) >> t
t = Tensor([1.0, 2.0]); t.set_data(Tensor([3.0])) >> t
t = Tensor([1.0]); t.data = Tensor([3.0]) >> t
t = Tensor([1.0, 2.0]) >> (t.add_(1), t.mul_(3), t.sub_(Tensor([1.0, 1])), t)
Tensor([1.0]).register_hook(lambda g: g)
Tensor([1.0]).value()
Tensor([1.0]).flush_from_cache()
"""

ATTRIBUTE_LINES = [f"Tensor([0, 1, 3], ms.{name}).tolist(), Tensor(1, ms.{name}).item()" for name in DTYPES]

VIEWS = {
    "view": "x.view(3, 2)",
    "view-flat": "x.view(-1)",
    "reshape": "x.reshape(3, 2)",
    "reshape-same": "x.reshape(2, 3)",
    "ops.reshape": "ops.reshape(x, (6,))",
    "transpose": "x.transpose(1, 0)",
    "ops.transpose": "ops.transpose(x, (1, 0))",
    "permute": "x.permute(1, 0)",
    "T": "x.T",
    "swapaxes": "x.swapaxes(0, 1)",
    "expand_dims": "x.expand_dims(0)",
    "ops.expand_dims": "ops.expand_dims(x, 0)",
    "unsqueeze": "x.unsqueeze(0)",
    "squeeze": "x.view(1, 2, 3).squeeze(0)",
    "flatten": "x.flatten()",
    "ravel": "x.ravel()",
    "row": "x[0]",
    "element": "x[0, 0]",
    "slice": "x[1:]",
    "slice-step": "x[:, ::2]",
    "column": "x[:, 1]",
    "ellipsis": "x[...]",
    "none": "x[None]",
    "full-slice": "x[:]",
    "list": "x[[0, 1]]",
    "mask": "x[x > -1]",
    "narrow": "x.narrow(0, 0, 1)",
    "select": "x.select(0, 0)",
    "split": "x.split(1)[0]",
    "chunk": "x.chunk(2)[0]",
    "broadcast_to": "x.broadcast_to((2, 2, 3))",
    "expand_as": "x.expand_as(x)",
    "diagonal": "x.diagonal()",
    "astype-same": "x.astype(ms.float32)",
    "to-same": "x.to(ms.float32)",
    "contiguous": "x.contiguous()",
    "copy": "x.copy()",
    "clone": "x.clone()",
    "Tensor": "Tensor(x)",
    "Parameter": "Parameter(x, name='p')",
    "plus": "+x",
    "iter": "next(iter(x))",
    "unbind": "x.unbind(0)[0]",
    "view_as": "x.view_as(x)",
    "real": "x.real",
    "data": "x.data",
    "asnumpy": "x.asnumpy()",
    "init_data": "x.init_data()",
    "identity": "ops.identity(x)",
    "stop_gradient": "ops.stop_gradient(x)",
    "mint.transpose": "mint.transpose(x, 0, 1)",
    "mint.reshape": "mint.reshape(x, (6,))",
    "mint.narrow": "mint.narrow(x, 1, 0, 2)",
    "mint.select": "mint.select(x, 0, 0)",
    "mint.split": "mint.split(x, 1)[0]",
    "mint.flatten": "mint.flatten(x)",
    "ops.squeeze": "ops.squeeze(x.view(1, 2, 3), 0)",
    "ops.flatten": "ops.flatten(x)",
}
_SOURCE = "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))"
ALIAS_LINES = [
    *(f"{_SOURCE}; y = {view}; y[{at}] = 9 >> (x, y)" for at in ("0", ":", "...") for view in VIEWS.values()),
    *(f"{_SOURCE}; y = {view}; y += 10 >> (x, y)" for view in VIEWS.values()),
    *(f"{_SOURCE}; y = {view}; x[0, 0] = 9 >> (x, y)" for view in VIEWS.values()),
]
ALIAS = """
x = Tensor([1.0, 2.0]); y = x; y += 1 >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y = y + 1 >> (x, x is y)
x = Tensor([1.0, 2.0]); y = x; y -= 1 >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y *= 2 >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y /= 2 >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y //= 2 >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y %= 2 >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y **= 2 >> (x, y, x is y)
x = Tensor([1, 2]); y = x; y &= 1 >> (x, y, x is y)
x = Tensor([1, 2]); y = x; y |= 4 >> (x, y, x is y)
x = Tensor([1, 2]); y = x; y ^= 4 >> (x, y, x is y)
x = Tensor([1, 2]); y = x; y <<= 1 >> (x, y, x is y)
x = Tensor([[1.0, 2], [3, 4]]); y = x; y @= x >> (x, y, x is y)
x = Tensor([1, 2]); y = x; y += 1.5 >> (x, y, x is y)
x = Tensor([1, 2]); y = x; y /= 2 >> (x, y, x is y)
x = Tensor([1, 2], ms.int8); y = x; y += Tensor([1, 2], ms.int32) >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y += Tensor([[1.0], [2.0]]) >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y += Tensor([1.0, 2.0, 3.0]) >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y += [1, 2] >> (x, y, x is y)
x = Tensor([1.0, 2.0]); y = x; y += np.array([1, 2]) >> (x, y, x is y)
p = Parameter(Tensor([1.0, 2.0]), name='p'); q = p; q += 1 >> (p, q, p is q)
p = Parameter(Tensor([1.0, 2.0]), name='p'); q = p; q -= 1 >> (p, q, p is q)
p = Parameter(Tensor([1.0, 2.0]), name='p'); q = p; q *= 2 >> (p, q, p is q)
p = Parameter(Tensor([1.0, 2.0]), name='p'); q = p; q /= 2 >> (p, q, p is q)
p = Parameter(Tensor([1.0, 2.0]), name='p'); q = p; q //= 2 >> (p, q, p is q)
p = Parameter(Tensor([1.0, 2.0]), name='p'); q = p; q **= 2 >> (p, q, p is q)
p = Parameter(Tensor([1, 2]), name='p'); q = p; q += 1.5 >> (p, q, p is q)
p = Parameter(Tensor([1, 2]), name='p'); q = p; q /= 2 >> (p, q, p is q)
p = Parameter(Tensor([1.0, 2.0]), name='p'); p[0] = 9 >> (p, p.name)
x = Tensor([1.0, 2.0]); y = x.view(2, 1); z = y.view(-1); z[0] = 9 >> (x, y, z)
x = Tensor([1.0, 2.0]); y = x.view(2, 1); x += 1 >> (x, y)
x = Tensor([1.0, 2.0]); y = x.view(2, 1); x.add_(1) >> (x, y)
x = Tensor([[1.0, 2.0]]); y = x.T; y.zero_() >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); x[0][0] = 9 >> x
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); x[0] += 1 >> x
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); x[:, 1] *= 2 >> x
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); x[x > 2] -= 1 >> x
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); x[[0, 0]] += 1 >> x
x = Tensor([1.0, 2.0]); p = Parameter(x, name='p'); p.set_data(Tensor([5.0, 6.0])) >> (x, p)
x = Tensor([1.0, 2.0]); p = Parameter(x, name='p'); x[0] = 9 >> (x, p)
x = Tensor([1.0, 2.0]); p = Parameter(x, name='p'); x += 1 >> (x, p)
x = Tensor([1.0, 2.0]); p = Parameter(Tensor([0.0, 0.0]), name='p'); p.set_data(x); x[0] = 9 >> (x, p)
x = Tensor([1.0, 2.0]); y = Tensor([0.0, 0.0]); y.assign_value(x); x[0] = 9 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[[1, 0]]; y[0] = 9; y[1] = 8 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[x > 1]; y[0] = 9 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[[1, 0]][0]; y[0] = 9 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[[1, 0]]; x[1] = 7; y[0, 0] = 9 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[0] + 0; y[0] = 9 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[0]; x[0] = Tensor([7.0, 8.0]) >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[0]; x[...] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[0]; x[x > 2] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x[1]; x[[0, 1]] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.view(-1); x[x > 2] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.view(-1); x[Tensor([0])] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.view(-1); y[y > 2] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.view(-1); y[[0, 1]] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.T; y[0, 1] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.T.view(-1); y[0] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.T.reshape(-1); y[0] = 5 >> (x, y)
x = Tensor([[1.0, 2.0], [3.0, 4.0]]); y = x.astype(ms.float16); y[0] = 5 >> (x, y)
x = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name='p'); y = x[0]; y[0] = 5 >> (x, y)
x = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name='p'); y = x.view(-1); y[0] = 5 >> (x, y)
x = Parameter(Tensor([1.0, 2.0]), name='p'); y = x.value(); y[0] = 5 >> (x, y)
x = Parameter(Tensor([1.0, 2.0]), name='p'); y = x.data; y[0] = 5 >> (x, y)
x = Parameter(Tensor([1.0, 2.0]), name='p'); y = x.value(); x.set_data(Tensor([7.0, 8.0])) >> (x, y)
x = Parameter(Tensor([1.0, 2.0]), name='p'); y = x.view(2, 1); x.set_data(Tensor([7.0, 8.0])) >> (x, y)
x = Parameter(Tensor([1.0, 2.0]), name='p'); y = x.view(2, 1); ops.assign(x, Tensor([7.0, 8.0])) >> (x, y)
x = Parameter(Tensor([1.0, 2.0]), name='p'); y = x.view(2, 1); ops.assign_add(x, Tensor([7.0, 8.0])) >> (x, y)
x = Tensor([1.0, 2.0]); y = x.asnumpy(); z = x + 0; x[0] = 9 >> (x, y, z)
"""
