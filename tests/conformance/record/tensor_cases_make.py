"""Cases: making tensors, dtypes, what a Tensor is. One case a line; `setup >> expression`."""

NUMPY = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
DTYPES = ["bool_", *NUMPY[1:10], "bfloat16", *NUMPY[10:]]

CONSTRUCT = """
Tensor(1)
Tensor(-1)
Tensor(1.0)
Tensor(True)
Tensor(1j)
Tensor(2**40)
Tensor(2**62)
Tensor(2**63)
Tensor(2**64)
Tensor(1e300)
Tensor(float('nan'))
Tensor([1, 2])
Tensor([1.0, 2])
Tensor([1, 2.5])
Tensor([True, False])
Tensor([True, 2])
Tensor([True, 2.5])
Tensor([1, 1j])
Tensor((1, 2))
Tensor([[1, 2], [3, 4]])
Tensor([(1, 2), (3, 4)])
Tensor(((1.0, 2), [3, 4]))
Tensor([])
Tensor([[]])
Tensor([[], []])
Tensor(())
Tensor([[1, 2], [3]])
Tensor([1, [2]])
Tensor('abc')
Tensor(['a', 'b'])
Tensor(None)
Tensor([None])
Tensor([1, None])
Tensor(object())
Tensor({1: 2})
Tensor({1, 2})
Tensor(range(3))
Tensor(b'ab')
Tensor(x for x in [1, 2])
Tensor()
Tensor(np.array([1, 'a'], object))
Tensor(np.array(['ab', 'c']))
Tensor(np.array(None))
Tensor(np.datetime64('2020-01-01'))
Tensor(np.array(['2020-01-01'], 'datetime64[D]'))
Tensor(np.array([1, 2], '>i4'))
Tensor(np.array([1.5, 2], '>f4'))
Tensor(np.arange(6).reshape(2, 3).T)
Tensor(np.arange(6)[::-1])
Tensor(np.arange(6)[::2])
Tensor(np.zeros((2, 0, 3), np.float32))
Tensor(np.longdouble(1.5))
Tensor([np.float32(1), np.float32(2)])
Tensor([np.float64(1), np.float64(2)])
Tensor([np.int32(1), np.int32(2)])
Tensor([np.int8(1), 2])
Tensor([np.array([1, 2]), np.array([3, 4])])
Tensor([np.array([1, 2], np.float32), np.array([3, 4], np.float32)])
Tensor([Tensor(1), Tensor(2)])
Tensor([Tensor([1, 2]), Tensor([3, 4])])
Tensor([Tensor(1), 2])
Tensor(Tensor([1, 2], ms.int32))
Tensor(Tensor([1, 2], ms.int32), ms.float32)
Tensor(Tensor([1.5, 2], ms.float32), ms.int32)
Tensor(Tensor(3))
Tensor(Parameter(Tensor([1.0]), name='p'))
Tensor([1, 2], ms.float32)
Tensor([1.7, -2.7], ms.int32)
Tensor([1.7, 300.2], ms.uint8)
Tensor([0, 1, 2], ms.bool_)
Tensor([0.0, 0.5], ms.bool_)
Tensor([1, 2], dtype=ms.float16)
Tensor([1, 2], ms.bfloat16)
Tensor([1, 2], ms.complex64)
Tensor([1 + 2j], ms.float32)
Tensor([300, -1], ms.int8)
Tensor([300], ms.uint8)
Tensor([-1], ms.uint8)
Tensor(-1, ms.uint16)
Tensor(2**40, ms.int32)
Tensor(1e300, ms.float32)
Tensor(70000.0, ms.float16)
Tensor([1, 2], np.float32)
Tensor([1, 2], 'float32')
Tensor([1, 2], float)
Tensor([1, 2], int)
Tensor([1, 2], 'foo')
Tensor([1, 2], ms.float_)
Tensor([1, 2], ms.int_)
Tensor([1, 2], ms.string)
Tensor([1, 2], ms.tensor_type)
Tensor([1, 2], 5)
Tensor([1, 2], foo=3)
Tensor(input_data=[1, 2])
Tensor(input_data=3, dtype=ms.float32)
Tensor(shape=(2, 3), dtype=ms.float32)
Tensor(shape=(2, 3))
Tensor(shape=(2, 2), dtype=ms.float32, init=0)
Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One())
t = Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()) >> (t.has_init, t.init_data(), t.has_init)
t = Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()) >> (t.shape, t.dtype, t.size, t.ndim)
t = Tensor(shape=(2, 2), dtype=ms.float16, init=ms.common.initializer.Constant(3)) >> t.init_data()
t = Tensor(shape=(2, 2), dtype=ms.int32, init=ms.common.initializer.Constant(3)) >> t.init_data()
t = Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()) >> t + 1
t = Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()) >> t.asnumpy()
t = Tensor(shape=(2, 2), dtype=ms.float32, init='ones') >> t.init_data()
Tensor(shape=2, dtype=ms.float32, init=ms.common.initializer.One()).init_data()
Tensor(shape=(2, -1), dtype=ms.float32, init=ms.common.initializer.One())
Tensor(shape=(2, None), dtype=ms.float32)
Tensor(shape=(2, None), dtype=ms.float32).shape
Tensor(shape=None, dtype=ms.float32).shape
Tensor(dtype=ms.float32)
Tensor([1, 2], shape=(2,))
Tensor([1, 2], shape=(3,))
Tensor([1, 2], ms.float32, (2,))
Tensor([1.0], init=ms.common.initializer.One())
Tensor([1, 2], const_arg=True)
Tensor([1, 2], const_arg=1)
Tensor([1, 2], device='CPU')
Tensor([1, 2], device='GPU')
Tensor([1.0]).has_init
Tensor([1.0]).init_data()
ms.tensor(1)
ms.tensor([1.5, 2])
ms.tensor([1, 2], ms.float16)
ms.tensor([1, 2], dtype=ms.int8)
ms.tensor(np.array([1, 2], np.uint8))
ms.tensor(Tensor([1, 2]))
ms.tensor('a')
ms.tensor(None)
ms.tensor()
type(ms.tensor(1)) is Tensor
Tensor.from_numpy(np.array([1, 2], np.int16))
Tensor.from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3))
Tensor.from_numpy(np.array(1.5))
Tensor.from_numpy(np.arange(6).reshape(2, 3).T)
Tensor.from_numpy(np.arange(6)[::2])
Tensor.from_numpy([1, 2])
Tensor.from_numpy(3)
Tensor.from_numpy(np.array(['a']))
Tensor.from_numpy(np.zeros((0, 2), np.float32))
ms.from_numpy(np.array([1, 2], np.int16))
a = np.array([1, 2]); t = Tensor(a); a[0] = 9 >> t
a = np.array([1, 2]); t = Tensor.from_numpy(a); a[0] = 9 >> t
a = Tensor([1, 2]); t = Tensor(a); a[0] = 9 >> t
a = Tensor([1, 2]); t = Tensor(a) >> t is a
ms.is_tensor(Tensor(1))
ms.is_tensor(1)
ms.is_tensor(Parameter(Tensor([1.0]), name='p'))
isinstance(Parameter(Tensor([1.0]), name='p'), Tensor)
Tensor([1, 2]).astype(ms.float32)
Tensor([1, 2]).astype('float32')
Tensor([1, 2]).astype(np.float32)
Tensor([1, 2]).astype(float)
Tensor([1, 2]).astype(int)
Tensor([1, 2]).astype(bool)
Tensor([1, 2]).astype('bool_')
Tensor([1, 2]).astype('int')
Tensor([1, 2]).astype('foo')
Tensor([1, 2]).astype(None)
Tensor([1, 2]).astype(ms.float32, False)
Tensor([1, 2]).astype(ms.float32, copy=1)
t = Tensor([1, 2]) >> t.astype(ms.int64) is t
t = Tensor([1, 2]) >> t.astype(ms.int64, copy=False) is t
Tensor([1, 2]).to(ms.float16)
Tensor([1, 2]).to('float16')
t = Tensor([1, 2]) >> t.to(ms.int64) is t
Tensor([1.9, -1.9]).astype(ms.int32)
Tensor([300.7, 1.0]).astype(ms.int16)
Tensor([300, -1]).astype(ms.uint8)
Tensor([300, -200]).astype(ms.int8)
Tensor([2.0, 0.0, -0.5, float('nan')]).astype(ms.bool_)
Tensor([1.0 + 2j]).astype(ms.float32)
Tensor([1, 2]).astype(ms.complex64)
Tensor([1e10, 70000.0]).astype(ms.float16)
Tensor([1.00390625, 3.14159]).astype(ms.bfloat16)
Tensor([1, 2]).int(), Tensor([1.5, 2]).long(), Tensor([1, 2]).half(), Tensor([1, 0]).bool(), Tensor([1, 2]).float()
Tensor([1, 2]).double(), Tensor([1, 2]).byte(), Tensor([1, 2]).short(), Tensor([1, 2]).bfloat16()
Tensor([1, 2]).type()
Tensor([1, 2]).type(ms.float32)
Tensor([1, 2]).type_as(Tensor([1.0]))
"""

CONSTRUCT_LINES = [
    *(f"Tensor(np.array([1, 0, 3]).astype('{name}'))" for name in NUMPY),
    *(f"Tensor(np.{name}{'_' if name == 'bool' else ''}(1))" for name in NUMPY),
    *(f"Tensor(np.array(1).astype('{name}'))" for name in NUMPY),
    *(f"Tensor([0, 1, 3], ms.{name})" for name in DTYPES),
    *(f"Tensor([0, 1, 3], ms.{name}).asnumpy()" for name in DTYPES if name != "bfloat16"),
    *(f"Tensor(3.7, ms.{name})" for name in DTYPES),
    *(f"Tensor(True, ms.{name})" for name in DTYPES),
    *(f"Tensor(np.array([1.5, 2.5], np.float32), ms.{name})" for name in DTYPES),
    *(f"Tensor([1.5, 0.0, 2.5], ms.float32).astype(ms.{name})" for name in DTYPES),
    *(f"Tensor([1, 0, 3], ms.{name}).astype(ms.float32)" for name in DTYPES),
    *(f"Tensor([-1.5, -2.5], ms.float32).astype(ms.{name})" for name in DTYPES),
]

DTYPE = """
[str(d) for d in (ms.int_, ms.uint, ms.float_, ms.number, ms.string, ms.tensor_type, ms.type_none)]
[repr(d) for d in (ms.int_, ms.uint, ms.float_, ms.number, ms.string, ms.tensor_type, ms.type_none)]
ms.float32 == ms.float32
ms.float32 != ms.float32
ms.float32 == ms.float64
ms.float32 == 'float32'
ms.float32 == 'Float32'
ms.float32 == np.float32
ms.float32 == None
ms.float32 is ms.float32
ms.float32 != 1
ms.float32 < ms.float64
Tensor([1.0]).dtype == ms.float32
Tensor([1.0]).dtype is ms.float32
Tensor([1.0]).dtype in (ms.float16, ms.float32)
Tensor([1.0]).dtype in [ms.float16, ms.int32]
hash(ms.float32) == hash(ms.float32)
{ms.float32: 1}[Tensor([1.0]).dtype]
len({ms.float32, ms.float64, ms.float32})
f'{ms.float32}'
f'{ms.float32!r}'
'%s' % ms.int8
ms.int_ == ms.int64
ms.float_ == ms.float32
copy.copy(ms.float32) == ms.float32
copy.deepcopy(ms.float32) == ms.float32
pickle.loads(pickle.dumps(ms.float32)) == ms.float32
bool(ms.float32)
ms.half, ms.single, ms.double, ms.byte, ms.short, ms.intc, ms.intp, ms.long, ms.uintc
ms.half == ms.float16
ms.bool_, ms.int32, ms.bfloat16
ms.float32()
ms.float32(1)
isinstance(ms.float32, ms.Type)
ms.dtype_to_nptype(ms.bfloat16).__name__
ms.dtype_to_nptype(ms.string)
ms.dtype_to_nptype(1)
ms.dtype_to_nptype('float32')
ms.dtype_to_nptype(None)
ms.dtype_to_pytype(ms.float32)
ms.dtype_to_pytype(1)
ms.pytype_to_dtype(float)
ms.pytype_to_dtype(int)
ms.pytype_to_dtype(bool)
ms.pytype_to_dtype(complex)
ms.pytype_to_dtype(str)
ms.pytype_to_dtype(list)
ms.pytype_to_dtype(np.float16)
ms.pytype_to_dtype(np.float64)
ms.pytype_to_dtype(np.int8)
ms.pytype_to_dtype(np.bool_)
ms.pytype_to_dtype(np.dtype('int8'))
ms.pytype_to_dtype(ms.int32)
ms.pytype_to_dtype(object)
ms.pytype_to_dtype(1)
ms.get_py_obj_dtype(1)
ms.get_py_obj_dtype(1.0)
ms.get_py_obj_dtype(True)
ms.get_py_obj_dtype(ms.float32)
str(ms.get_py_obj_dtype(Tensor([1.0])))
ms.common.dtype.dtype_to_nptype(ms.float16)
ms.QuantDtype.INT8
ms.common.dtype.float_type
ms.common.dtype.all_types
str(ms.common.dtype.number_type)
str(ms.common.dtype.TensorType(ms.float32)), repr(ms.common.dtype.TensorType(ms.float32))
ms.TensorType(ms.float32) == ms.TensorType(ms.float32)
ms.dtype.float32
ms.common.dtype.dtype_size(ms.float32)
ms.iinfo(ms.int8).max, ms.iinfo(ms.int8).min, ms.iinfo(ms.int8).bits
ms.finfo(ms.float32).eps, ms.finfo(ms.float32).max, ms.finfo(ms.float32).tiny, ms.finfo(ms.float32).bits
ms.is_floating_point(Tensor([1.0])), ms.is_floating_point(Tensor([1]))
ops.is_floating_point(Tensor([1.0])), ops.is_floating_point(Tensor([1]))
Tensor([1.0]).is_floating_point(), Tensor([1]).is_floating_point()
Tensor([1j]).is_complex(), Tensor([1]).is_complex()
Tensor([1.0]).is_signed(), Tensor([1], ms.uint8).is_signed()
"""

DTYPE_LINES = [
    *(f"str(ms.{name}), repr(ms.{name}), '%s' % ms.{name}" for name in DTYPES),
    *(f"ms.dtype_to_nptype(ms.{name})" for name in DTYPES if name != "bfloat16"),
    *(f"ms.dtype_to_pytype(ms.{name})" for name in DTYPES),
    *(f"ms.pytype_to_dtype(np.{name}{'_' if name == 'bool' else ''})" for name in NUMPY),
    *(f"Tensor([1], ms.{name}).itemsize, Tensor([1, 2], ms.{name}).nbytes" for name in DTYPES),
    *(f"type(ms.{name}).__name__" for name in DTYPES),
]
