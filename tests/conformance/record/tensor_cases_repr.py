"""Cases: the exact texts of tensors and parameters. One case a line; `setup >> expression`."""

from tests.conformance.record.tensor_cases_make import DTYPES

VALUES = """
Tensor(1)
Tensor(-1)
Tensor(1.0)
Tensor(1.5)
Tensor(-0.0)
Tensor(0.1)
Tensor(1e-5)
Tensor(1e-4)
Tensor(1e5)
Tensor(1e8)
Tensor(1e15)
Tensor(1e16)
Tensor(1e20)
Tensor(1e38)
Tensor(1e-38)
Tensor(123456.789)
Tensor(3.14159265)
Tensor(16777217)
Tensor(True)
Tensor(False)
Tensor(float('nan'))
Tensor(float('inf'))
Tensor(-float('inf'))
Tensor(1 + 2j)
Tensor(1.5 - 2.25j)
Tensor(-1j)
Tensor(0.1, ms.float64)
Tensor(1e300, ms.float64)
Tensor(1 / 3, ms.float64)
Tensor(1 / 3, ms.float16)
Tensor(1 / 3, ms.bfloat16)
Tensor(1 / 3, ms.float32)
Tensor([1])
Tensor([1.0])
Tensor([1, 2, 3])
Tensor([1, -20, 300])
Tensor([1.0, 2.0, 3.0])
Tensor([1.5, 2.25, 3.125])
Tensor([0.1, 0.2, 0.3])
Tensor([-0.1, 0.2, -10.5])
Tensor([1 / 3, 2 / 3, 1.0])
Tensor([1e-5, 1.0])
Tensor([1e-4, 1.0])
Tensor([1e-3, 1.0])
Tensor([1e5, 1.0])
Tensor([1e8, 1.0])
Tensor([1e10, 1e-10])
Tensor([100000.0, 0.5])
Tensor([1234567.0, 1.0])
Tensor([12345678.0, 1.0])
Tensor([99999999.0, 100000000.0])
Tensor([1e20, 1e30])
Tensor([1e-20, 1e-30])
Tensor([1e-7, 2e-7])
Tensor([float('nan'), 1.0])
Tensor([float('inf'), 1.0])
Tensor([-float('inf'), 1.5])
Tensor([float('nan'), float('inf'), -float('inf')])
Tensor([float('nan'), 100.25])
Tensor([0.0, -0.0])
Tensor([True, False])
Tensor([[True, False], [False, True]])
Tensor([1 + 2j, 3 - 4j])
Tensor([1.5 + 2.25j, -3j])
Tensor([1e10 + 1e-10j, 1])
Tensor([[1 + 2j, 3.5], [0, -1j]])
Tensor([1 / 3 + 2 / 3 * 1j], ms.complex64)
Tensor([1 / 3 + 2 / 3 * 1j], ms.complex128)
Tensor([0.1, 1 / 3], ms.float64)
Tensor([0.1, 1 / 3], ms.float16)
Tensor([0.1, 1 / 3], ms.bfloat16)
Tensor([1.0, 2.0], ms.bfloat16)
Tensor([1000.0, 0.001], ms.bfloat16)
Tensor([65504.0, 6e-5], ms.float16)
Tensor([1e300, 1e-300], ms.float64)
Tensor([127, -128], ms.int8)
Tensor([255, 0], ms.uint8)
Tensor([2**63 - 1, -2**63])
Tensor([2**31 - 1, 5], ms.int32)
Tensor(np.array([2**64 - 1, 1], np.uint64))
Tensor([[1, 2], [3, 4]])
Tensor([[1.0, 2.0], [3.0, 4.0]])
Tensor([[1.5, -2.25], [300.125, 4.0]])
Tensor([[1.0, 2.0, 3.0]])
Tensor([[1.0], [2.0], [3.0]])
Tensor([[1, 200], [-3000, 4]])
Tensor([[1e-8, 1.0], [2.0, 3.0]])
Tensor(np.arange(8).reshape(2, 2, 2))
Tensor(np.arange(8.0).reshape(2, 2, 2))
Tensor(np.arange(8, dtype=np.float32).reshape(2, 2, 2) / 7)
Tensor(np.arange(16).reshape(2, 2, 2, 2))
Tensor(np.arange(16, dtype=np.float32).reshape(1, 2, 2, 2, 2))
Tensor(np.arange(30))
Tensor(np.arange(100))
Tensor(np.arange(100.0, dtype=np.float32))
Tensor(np.arange(100).reshape(10, 10))
Tensor(np.arange(60, dtype=np.float32).reshape(2, 30) / 7)
Tensor(np.arange(500))
Tensor(np.arange(999))
Tensor(np.arange(1000))
Tensor(np.arange(1001))
Tensor(np.arange(1001, dtype=np.float32))
Tensor(np.arange(2000, dtype=np.float32) / 3)
Tensor(np.arange(10000))
Tensor(np.arange(2000).reshape(2, 1000))
Tensor(np.arange(2000).reshape(1000, 2))
Tensor(np.arange(2000.0).reshape(40, 50))
Tensor(np.arange(1200, dtype=np.float32).reshape(3, 4, 100))
Tensor(np.arange(4096, dtype=np.int32).reshape(8, 8, 64))
Tensor(np.arange(10000).reshape(10, 10, 10, 10))
Tensor(np.zeros((32, 32), np.float32))
Tensor(np.ones((100, 100), bool))
Tensor(np.full((40, 40), 1e-5, np.float32))
Tensor(np.zeros((1, 1, 2000), np.float16))
Tensor(np.zeros(2000, np.complex64))
Tensor(np.arange(2000)).astype(ms.bfloat16)
Tensor(np.zeros((2, 3), np.float32)).astype(ms.bfloat16)
Tensor(np.zeros((3,), np.float32))
Tensor(np.ones((2, 2), np.float64))
Tensor([])
Tensor([[]])
Tensor(np.zeros((0, 3), np.float32))
Tensor(np.zeros((2, 0), np.int32))
Tensor(np.zeros((2, 0, 3), np.float32))
Tensor(np.zeros((0,), bool))
Tensor(np.linspace(0, 1, 11, dtype=np.float32))
Tensor(np.linspace(-1, 1, 5, dtype=np.float64))
Tensor(np.logspace(-3, 3, 7, dtype=np.float32))
Tensor(np.random.RandomState(0).randn(3, 4).astype(np.float32))
Tensor(np.random.RandomState(0).randn(3, 4))
Tensor(np.random.RandomState(0).randn(3, 4).astype(np.float16))
Tensor(np.random.RandomState(0).randn(12).astype(np.float32) * 1000)
Tensor(np.random.RandomState(0).randint(-1000, 1000, (3, 4)))
Parameter(Tensor([1.0, 2.0]), name='w')
Parameter(Tensor(3), name='w')
Parameter(Tensor(1.5), name='a.b', requires_grad=False)
Parameter(Tensor([1, 2]))
Parameter(Tensor(np.zeros((2, 3), np.float32)), name='w')
Parameter(Tensor(np.arange(2000, dtype=np.float32)), name='w')
Parameter([1.0, 2.0], name='w')
Parameter(np.ones(2, np.float16), name='w')
"""

TEXT = """
repr((Tensor([1.5]), Tensor(2)))
str((Tensor([1.5]), Tensor(2)))
str([Tensor([1.5, 2.0]), 3])
str({'a': Tensor([1.5])})
str({'a': Tensor([[1.5], [2.0]])})
repr([Parameter(Tensor([1.0]), name='w')])
f'{Tensor([1.5, 2])}'
f'{Tensor([1.5, 2])!r}'
f'{Tensor(1.5)}'
f'{Tensor(2)}'
f'{Tensor(1.5):.3f}'
f'{Tensor(1.5):8.2e}'
f'{Tensor(7):d}'
f'{Tensor(7):04d}'
f'{Tensor(1.5):>10}'
f'{Tensor([1.5]):.2f}'
f'{Tensor([1.5, 2.0]):.2f}'
f'{Tensor([[1.5]]):.2f}'
f'{Tensor(7):>5}'
f'{Tensor(True)}'
f'{Tensor(True):d}'
f'{Tensor(1+2j):.1f}'
f'{Parameter(Tensor(1.5), name="w"):.2f}'
format(Tensor(1.5), '')
format(Tensor([1.5, 2]), '')
'%s' % Tensor([1, 2])
'%r' % Tensor([1, 2])
'%d' % Tensor(3)
'%d' % Tensor([3])
'%.2f' % Tensor(1.5)
'%.2f' % Tensor([1.5])
'%.2f' % Tensor([1.5, 2.0])
'{}'.format(Tensor(1.5))
'{:.1f}'.format(Tensor(1.25))
str(Tensor(1.5).asnumpy())
str(ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='b')]))
repr(ParameterTuple([Parameter(Tensor([1.0]), name='a'), Parameter(Tensor([2.0]), name='b')]))
repr(ParameterTuple([]))
p = Parameter(Tensor([1.0]), name='a'); p.name = 'zz' >> str(p)
t = Tensor([1.0, 2.0]); t[0] = 5 >> repr(t)
t = Tensor(np.arange(6).reshape(2, 3)) >> str(t[1]), repr(t[:, 1]), repr(t.T)
repr(Tensor([1.0, 2.0]) + 1)
repr(Tensor([1.0, 2.0]) > 1)
repr(Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()))
str(Tensor(shape=(2, 2), dtype=ms.float32, init=ms.common.initializer.One()))
repr(Tensor(shape=(2, None), dtype=ms.float32))
repr(Tensor(shape=(2, 3), dtype=ms.float32))
str(Tensor.__doc__ is not None)
np.set_printoptions(precision=2); r = repr(Tensor([1.23456, 2])); np.set_printoptions(precision=8) >> r
Tensor([1, 2]).__class__.__name__
type(Tensor([1, 2])).__qualname__
"""

REPR_LINES = [
    *(f"{way}({value})" for value in VALUES.strip().splitlines() for way in ("repr", "str")),
    # One dimension: a line holds 12 or 24 elements, more than 1000 are cut. More dimensions: each is cut beyond 6.
    *(
        f"repr(Tensor(np.arange({size}, dtype='{name}')))"
        for name in ("int8", "int64", "uint8", "float16", "float32", "float64", "complex64")
        for size in (11, 12, 13, 23, 24, 25, 36, 48, 49)
    ),
    *(f"repr(Tensor(np.ones({size}, bool)))" for size in (11, 12, 13, 24, 25, 48, 1000, 1001)),
    *(f"repr(Tensor(np.arange({size}), ms.bfloat16))" for size in (12, 13, 24, 25)),
    *(f"repr(Tensor(np.zeros({size}, np.float32)))" for size in (1000, 1001, 5000)),
    *(
        f"{way}(Tensor(np.arange({' * '.join(map(str, shape))}).reshape({shape})))"
        for way in ("repr", "str")
        for shape in (
            (6, 6),
            (7, 6),
            (6, 7),
            (7, 7),
            (2, 7),
            (7, 2),
            (2, 2, 7),
            (2, 7, 2),
            (7, 2, 2),
            (1, 7),
            (7, 1),
            (1, 12),
            (1, 25),
        )
    ),
    *(
        f"repr(Tensor({value}))"
        for value in (
            *(
                "[1000, 2]",
                "[-5, 1000]",
                "[1.5, -2]",
                "np.arange(30) * 100",
                "np.arange(1001) * 100",
                "np.arange(30) * -1.5",
            ),
            *("[1000, 2], ms.bfloat16", "[[1000, 2], [3, 4]], ms.bfloat16", "np.arange(30) * -1.5, ms.bfloat16"),
            *(
                "[1.5 + 2j, -3j], ms.complex64",
                "[100.25 + 2j, -3j], ms.complex64",
                "[float('nan'), 1.0]",
                "[True, False, True]",
            ),
            *(
                "[1e300, 1.0], ms.float64",
                "[-1e300, 1.0], ms.float64",
                "[float('inf'), -1.0]",
                "[[float('nan')], [-1.0]]",
                "[-1.0, 2.0]",
            ),
        )
    ),
    *(
        f"{way}(Tensor({value}, ms.{name}))"
        for name in DTYPES
        for value in ("1", "[0, 1]", "[[1, 0, 1], [0, 1, 1]]", "np.zeros((0, 2))")
        for way in ("repr", "str")
    ),
]
