"""Cases: reading and writing through every form of index. One case a line; `setup >> expression`."""

INDICES = """
0
1
-1
-2
2
-3
5
True
False
None
...
:
1:
:1
-1:
:-1
::2
1::2
::-1
2:0:-1
1:1
5:
0:100
::0
()
(0,)
0, 0
0, -1
-1, -1
1, 2, 3
0, 0, 0, 0
2, 0
0, 3
0, 1:
0, ::2
0, ::-1
:, 0
:, -1
:, 1
:, 3
:, 1:
1:, 1:
1:, :2
:, :, 0
:, :, :, 0
..., 0
0, ...
..., 1:
..., 0, 1
0, ..., 1
..., ...
None, 0
0, None
None, None
None, ..., None
:, None
:, None, 1
None, :, 1
None, [0, 1]
0, None, 1
..., None
True, 0
0, True
0, False
:, True
True, True
[0]
[0, 1]
[1, 0, 1]
[-1, 0]
[5]
[0, 5]
[]
[True, False]
[False, False]
[True, True, False]
[True]
[[0, 1], [1, 0]]
[[True, False, True], [False, True, False]]
[0, 1], [1, 2]
[0, 1], [0]
[0, 1], [0, 1, 2]
[[0], [1]], [0, 2]
[0, 1], 0
0, [0, 2]
:, [0, 2]
:, [2, 0, 0]
[0, 1], :
[1], 1:
1:, [0]
..., [0, 2]
[0, 1], ...
[0], None
[0, 1], None, [1, 2]
:, [True, False, True]
[True, False], [True, False, True]
[True, False], 0
[True, False], :
(0, 1), 
[(0, 1)]
[0.0, 1.0]
1.0
1.5
'a'
{}
object()
1j
np.int32(1)
np.int64(-1)
np.uint8(1)
np.bool_(True)
np.float32(1)
np.array(1)
np.array([0, 1])
np.array([1, 0], np.int32)
np.array([1, 0], np.uint8)
np.array([[0, 1], [1, 1]])
np.array([True, False])
np.array([[True, False, True], [False, True, False]])
np.array([0.0, 1.0])
np.array([], np.int64)
np.array([0, 1]), np.array([1, 2])
:, np.array([0, 2])
Tensor(0)
Tensor(1)
Tensor(-1)
Tensor(5)
Tensor(1, ms.int32)
Tensor(1, ms.uint8)
Tensor(1.0)
Tensor(True)
Tensor(False)
Tensor([0])
Tensor([0, 1])
Tensor([1, 0], ms.int32)
Tensor([1, 0], ms.uint8)
Tensor([1, 0], ms.int8)
Tensor([-1, 0])
Tensor([0, 5])
Tensor([[0, 1], [1, 0]])
Tensor([0.0, 1.0])
Tensor([])
Tensor(np.array([], np.int64))
Tensor([True, False])
Tensor([False, False])
Tensor([True, True, False])
Tensor([[True, False, True], [False, True, False]])
Tensor([[True, False], [False, True]])
Tensor([0, 1]), Tensor([1, 2])
Tensor([0, 1]), 1
1, Tensor([0, 1])
Tensor(1), Tensor(2)
Tensor(1), 0
Tensor(1), 1:
0, Tensor(1)
:, Tensor(1)
:, Tensor([0, 2])
Tensor([0, 1]), :
Tensor([0, 1]), None
..., Tensor([0, 2])
Tensor([0, 1]), ...
Tensor([True, False]), 0
Tensor([True, False]), Tensor([0, 2])
:, Tensor([True, False, True])
Tensor([[0], [1]]), Tensor([0, 2])
[0, 1], Tensor([1, 2])
Tensor([0, 1]), [1, 2]
np.array([0, 1]), Tensor([1, 2])
Tensor([0, 1]), Tensor([0, 1, 2])
slice(None)
slice(0, 2)
slice(Tensor(0), Tensor(1))
Tensor(0):Tensor(1)
:Tensor(1)
slice(0, 1.5)
slice('a')
slice(None, None, Tensor(2))
slice(np.int64(0), np.int64(1))
range(2)
x > 2
x == 100
x > -1
~(x > 2)
x[:, 0] > 0
x > 2, 0
x.nonzero()
ms.float32
"""

INDICES_3D = """
0
0, 1
0, 1, 2
..., 0
:, 1
:, 1, 0
:, :, -1
0, ..., 0
1:, ..., ::2
None, :, 0
:, None, 0
[0, 1], [1, 2]
[0, 1], [1, 2], [3, 0]
[0, 1], :, [1, 2]
[0, 1], 1:, [1, 2]
:, [0, 1], [1, 2]
:, [0, 1], 1
0, :, [1, 2]
0, [0, 1], :
[0, 1], :, 0
[0], ..., [1]
[0, 1], None, 1
0, None, [0, 1]
0, :, [0, 1], None
:, [[0, 1], [1, 2]]
[[0, 1]], :, [[1], [2]]
x > 10
x[0] > 5
x[:, 0, 0] > 1
x[..., 0] > 5
:, x[0, :, 0] > 1
x[:, :, 0] > 5, 1
Tensor([0, 1]), :, Tensor([1, 2])
Tensor([1]), 0, ...
::2, ::2, ::2
::2, [0, 1], ::2
...
..., ..., 0
0, 0, 0, 0
Tensor(1), Tensor(2), Tensor(3)
Tensor(1), :, Tensor(3)
True, ..., 0
[True, False], :, 0
[True, False], [0, 1, 2]
[True, True], [0, 2]
"""

READ_EXTRA = """
x = Tensor(5) >> x[0]
x = Tensor(5) >> x[...]
x = Tensor(5) >> x[()]
x = Tensor(5) >> x[None]
x = Tensor(5) >> x[True]
x = Tensor(5) >> x[Tensor(True)]
x = Tensor(5) >> x[:]
x = Tensor([1, 2, 3]) >> x[1]
x = Tensor([1, 2, 3]) >> x[::-1]
x = Tensor([1, 2, 3]) >> x[3]
x = Tensor([1, 2, 3]) >> x[-4]
x = Tensor([1, 2, 3]) >> x[0, 0]
x = Tensor([1, 2, 3]) >> x[[0, 2]]
x = Tensor([1, 2, 3]) >> x[1:1]
x = Tensor([1, 2, 3]) >> x[x > 5]
x = Tensor([1, 2, 3]) >> [x[i] for i in range(3)]
x = Tensor([1, 2, 3]) >> x[Tensor([2, 0, 0])]
x = Tensor([1, 2, 3]) >> x[Tensor(2)]
x = Tensor([]) >> x[0]
x = Tensor(np.zeros((0, 3), np.float32)) >> x[0]
x = Tensor(np.zeros((0, 3), np.float32)) >> x[:, 0]
x = Tensor([True, False]) >> x[0], x[1:]
x = Tensor([1 + 2j, 3]) >> x[0], x[1:]
x = Tensor([1.5, 2.5], ms.float16) >> x[0], x[1:], x[[1]]
x = Tensor([1.5, 2.5], ms.bfloat16) >> x[0], x[1:]
x = Tensor([1, 2], ms.uint64) >> x[0], x[1:], x[[1]]
x = Tensor([1, 2], ms.int8) >> x[0], x[::2], x[Tensor([1])], x[x > 1]
x = Parameter(Tensor([[1.0, 2.0]]), name='p') >> x[0], type(x[0]).__name__, x[0, 1]
x = Tensor(np.arange(2**8).reshape((2,) * 8)) >> x[0, 1, 0, 1, 0, 1, 0, 1]
x = Tensor(np.arange(2**8).reshape((2,) * 8)) >> x[..., 1]
x = Tensor(np.arange(2**9).reshape((2,) * 9)) >> x[0, 1, 0, 1, 0, 1, 0, 1, 0]
x = Tensor(np.arange(2**9).reshape((2,) * 9)) >> x[..., 1]
x = Tensor(np.arange(6).reshape(2, 3)) >> x[0][1]
x = Tensor(np.arange(6).reshape(2, 3)) >> x.__getitem__(0)
x = Tensor(np.arange(6).reshape(2, 3)) >> x.__getitem__((0, 1))
"""

WRITE_INDICES = """
0
-1
2
5
True
False
None
...
:
1:
::2
::-1
1:1
()
0, 0
1, -1
0, 3
2, 0
0, 0, 0
0, 1:
:, 0
:, 1:
:, ::2
..., 0
0, ...
None, 0
:, None
[0]
[0, 1]
[1, 0, 1]
[5]
[]
[True, False]
[True]
[[0, 1], [1, 0]]
[0, 1], [1, 2]
[0, 1], 0
0, [0, 2]
:, [0, 2]
[0, 1], :
[[0], [1]], [0, 2]
:, [True, False, True]
1.5
'a'
np.int64(1)
np.array([1, 0])
np.array([True, False])
Tensor(1)
Tensor(-1)
Tensor(5)
Tensor(True)
Tensor(1.0)
Tensor([0])
Tensor([1, 0])
Tensor([0, 5])
Tensor([True, False])
Tensor([True, True, False])
Tensor([0.0, 1.0])
Tensor([0, 1]), Tensor([1, 2])
Tensor(1), 0
:, Tensor([0, 2])
Tensor([0, 1]), 1:
x > 2
x == 100
x[:, 0] > 0
x > 2, 0
"""

WRITE_VALUES = """
9
9.5
True
None
'a'
[7, 8, 9]
[[7, 8, 9]]
[7, 8]
(7, 8, 9)
[]
np.array([7.0, 8, 9])
np.array(7)
np.float32(7.5)
Tensor(7.0)
Tensor(7)
Tensor([7])
Tensor([7.0, 8, 9], ms.float32)
Tensor([[7], [8]])
Tensor([[7, 8, 9], [10, 11, 12]])
Tensor([7, 8])
Tensor([7, 8, 9, 10])
"""

WRITE_EXTRA = r"""
x = Tensor([1, 2, 3]); x[0] = 9.7 >> x
x = Tensor([1, 2, 3]); x[0] = -9.7 >> x
x = Tensor([1, 2, 3]); x[0] = Tensor(9.7) >> x
x = Tensor([1, 2, 3]); x[:] = Tensor([1.5, 2.5, 3.5]) >> x
x = Tensor([1, 2, 3]); x[0] = True >> x
x = Tensor([1, 2, 3]); x[0] = 1j >> x
x = Tensor([1, 2, 3]); x[0] = float('nan') >> x
x = Tensor([1, 2, 3], ms.int8); x[0] = 300 >> x
x = Tensor([1, 2, 3], ms.int8); x[0] = Tensor(300) >> x
x = Tensor([1, 2, 3], ms.uint8); x[0] = -1 >> x
x = Tensor([1, 2, 3], ms.int32); x[0] = 2**40 >> x
x = Tensor([1.0, 2, 3], ms.float16); x[0] = 1e10 >> x
x = Tensor([1.0, 2, 3], ms.float16); x[0] = 1.5 >> x
x = Tensor([1.0, 2, 3], ms.bfloat16); x[0] = 1.5 >> x
x = Tensor([1.0, 2, 3], ms.float64); x[0] = 0.1 >> x
x = Tensor([1.0, 2, 3]); x[0] = Tensor(0.1, ms.float64) >> x
x = Tensor([1.0, 2, 3]); x[0] = Tensor(1j) >> x
x = Tensor([1.0, 2, 3]); x[0] = Tensor([[1.0]]) >> x
x = Tensor([1.0, 2, 3]); x[0] = [5] >> x
x = Tensor([1.0, 2, 3]); x[0:2] = [5, 6] >> x
x = Tensor([1.0, 2, 3]); x[0:2] = (5, 6) >> x
x = Tensor([1.0, 2, 3]); x[0:2] = [5.5, Tensor(6.0)] >> x
x = Tensor([1.0, 2, 3]); x[0:2] = [5, 6, 7] >> x
x = Tensor([1.0, 2, 3]); x[0:2] = Tensor([5.0]) >> x
x = Tensor([1.0, 2, 3]); x[0] = np.float64(5) >> x
x = Tensor([1.0, 2, 3]); x[0] = np.array(5.0) >> x
x = Tensor([1.0, 2, 3]); x[0:2] = np.array([5.0, 6]) >> x
x = Tensor([True, False]); x[0] = 0 >> x
x = Tensor([True, False]); x[0] = 2 >> x
x = Tensor([True, False]); x[0] = False >> x
x = Tensor([True, False]); x[0] = 0.5 >> x
x = Tensor([True, False]); x[:] = Tensor([0, 5]) >> x
x = Tensor([1 + 1j, 2]); x[0] = 3 >> x
x = Tensor([1 + 1j, 2]); x[0] = 3j >> x
x = Tensor(5); x[...] = 7 >> x
x = Tensor(5); x[()] = 7 >> x
x = Tensor(5); x[0] = 7 >> x
x = Tensor(5); x[None] = 7 >> x
x = Tensor(5); x[:] = 7 >> x
x = Tensor(5); x[True] = 7 >> x
x = Tensor([]); x[0] = 7 >> x
x = Tensor([]); x[:] = 7 >> x
x = Tensor([1, 2, 3]); x[[0, 0, 0]] = Tensor([7, 8, 9]) >> x
x = Tensor([1, 2, 3]); x[[0, 0, 1]] = [7, 8, 9] >> x
x = Tensor([1, 2, 3]); x[x > 1] = 0 >> x
x = Tensor([1, 2, 3]); x[x > 1] = Tensor([7, 8]) >> x
x = Tensor([1, 2, 3]); x[x > 1] = [7, 8] >> x
x = Tensor([1, 2, 3]); x[x > 1] = Tensor([7]) >> x
x = Tensor([1, 2, 3]); x[x > 1] = Tensor([7, 8, 9]) >> x
x = Tensor([1, 2, 3]); x[x > 9] = 0 >> x
x = Tensor([1, 2, 3]); x[x > 1] += 5 >> x
x = Tensor([1, 2, 3]); x[0], x[1] = x[1], x[0] >> x
x = Tensor([1, 2, 3]); x[1:] = x[:-1] >> x
x = Tensor([1, 2, 3]); x[::-1] = x >> x
x = Tensor([1, 2, 3]); x[:] = x[::2] >> x
x = Tensor([1, 2, 3]); x[0] = x >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[0, :, [1, 2]] = 0 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[[0, 1], :, [1, 2]] = Tensor([[1, 2, 3], [4, 5, 6]]) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[:, [0, 1], [1, 2]] = 0 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[..., 0] = Tensor([7, 8, 9]) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[..., 0] = Tensor([[7], [8]]) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[1:, ..., ::2] = -1 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[0, None, 1] = -1 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[x[0] > 5] = 0 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[x > 20] = Tensor([1, 2, 3]) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[Tensor([True, False])] = 0 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[0, 1, 2, 3] = 0 >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[0] = Tensor([[1], [2], [3]]) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[0] = Tensor([1, 2, 3]) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[0] = Tensor(np.zeros((1, 3, 4), np.int64)) >> x
x = Tensor(np.arange(24).reshape(2, 3, 4)); x[:, 0] = np.array([1, 2, 3, 4]) >> x
x = Parameter(Tensor([1.0, 2.0]), name='p'); x[0] = 9 >> x, x.name
x = Parameter(Tensor([1.0, 2.0], ms.float16), name='p'); x[0] = Tensor(9.5) >> x
x = Tensor([1, 2, 3]); x.__setitem__(0, 9) >> x
x = Tensor([1, 2, 3]); r = x.__setitem__(0, 9) >> r is None, r is x
x = Tensor([1, 2, 3]); x[5] = 1 >> x
x = Tensor([1, 2, 3]); x['a'] = 1 >> x
x = Tensor([1, 2, 3]); x[1.0] = 1 >> x
x = Tensor([1, 2, 3]); x[0] = object() >> x
x = Tensor([1, 2, 3]); x[0] = {} >> x
x = Tensor([1, 2, 3]); x[0] = [] >> x
x = Tensor([1, 2, 3]); x[0:0] = 5 >> x
x = Tensor([1, 2, 3]); x[0:0] = Tensor([]) >> x
x = Tensor([1, 2, 3]); x[0:0] = Tensor([1, 2]) >> x
x = Tensor([1, 2, 3])\ntry:\n    x[7] = 5\nexcept IndexError:\n    pass >> x
x = Tensor([1, 2, 3])\ntry:\n    x[:] = Tensor([1, 2])\nexcept (ValueError, RuntimeError):\n    pass >> x
"""

_X = "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))"
_CUBE = "x = Tensor(np.arange(24).reshape(2, 3, 4))"


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


READ_LINES = [
    *(f"{_X} >> x[{index}]" for index in _lines(INDICES)),
    *(f"{_CUBE} >> x[{index}]" for index in _lines(INDICES_3D)),
    *_lines(READ_EXTRA),
]
WRITE_LINES = [
    *(
        f"{_X}; x[{index}] = {value} >> x"
        for index in _lines(WRITE_INDICES)
        for value in ("9", "Tensor(7)", "[7, 8, 9]")
    ),
    *(
        f"{_X}; x[{index}] = {value} >> x"
        for index in ("0", ":, 0", ":", "[1]", "x > 2", "0, 0", "Tensor([0, 1]), Tensor([1, 2])", "1:, 1:", "Tensor(1)")
        for value in _lines(WRITE_VALUES)
    ),
    *(f"{_X}; x[{index}] += 10 >> x" for index in ("0", ":, 0", "...", "[0, 0]", "x > 2", "0, 0", "Tensor([0, 1])")),
    *_lines(WRITE_EXTRA),
]
