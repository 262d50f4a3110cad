"""Records builtins.json: what Python's built-in functions, operators and statements give in compiled functions."""
# ruff: noqa: E501 - tables of programs, one case a line

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(
    __file__,
    "builtins.json",
    "Built-in functions, methods of containers, and names of the module in compiled functions.",
    """
import functools, math

COUNT = 3
ROWS = Tensor(np.ones((2, 3), np.float32))
ITEMS = [1, 2, 3]
ARRAY = np.array([1.0, 2.0])


def add(a, b):
    return a + b


def above(a):
    return a > 1


def inputs():
    return Tensor(np.array([1, -2, 3], np.float32)), Tensor(np.float32(2)), 3, [1, 2, 3], {"a": 1, "b": 2}, (Tensor([1.0]), Tensor([2.0]))
""",
)
EXPRESSIONS = """\
map(lambda a, b: a + b, (1, 2, 3), (4, 5, 6))
map(lambda a: a + 1, [1, 2, 3])
map(add, l, l)
map(add, t, t)
map(int, (1.5, 2.5))
map(str, l)
map(lambda v: v.shape, t)
map(above, range(3))
map(above, l)[0]
[map(above, l)]
tuple(map(lambda v: v + 1, t))
zip(l, (4, 5, 6))
zip(l, l, l)
zip(t, l)
zip(l, (1, 2))
zip(x, x)
zip(range(3), l)
zip(zip(l, l), l)
len(zip(l, l))
zip(l, l)[0]
zip(l, l) == ((1, 1), (2, 2), (3, 3))
isinstance(zip(l, l), tuple)
(zip(l, l), 1)
dict(zip(["a", "b"], [1, 2]))
filter(lambda a: a > 1, l)
filter(above, (1, 2, 3))
filter(lambda v: v.shape == (1,), t)
isinstance(filter(above, l), list)
enumerate(l)
enumerate(l, 2)
enumerate(l, start=3)
enumerate(t)
enumerate(x)
enumerate(zip(l, l))
enumerate(l)[1]
isinstance(enumerate(l), tuple)
{"m": map(above, l), "e": enumerate(l)}
[a * i for i, a in enumerate(t)]
[a + b for a, b in zip(l, (4, 5, 6))]
list(zip(*[(1, 2), (3, 4)]))
max(s, 3)
max(1, s)
min(s, 3)
max(s, s + 1)
max(1, 2.5)
d.items()
d.keys()
d.values()
d.has_key("a")
d.has_key("z")
range(3)
range(int(s))
isinstance(ARRAY, np.ndarray)
isinstance(np.array([1, 2]), np.ndarray)
isinstance(ARRAY, (np.ndarray, int))
isinstance(x, np.ndarray)
ARRAY[0]
np.sum(ARRAY)
np.float32(1.5)
np.sqrt(4.0)
np.prod(x.shape)
x.shape[0] * np.float32(2)
functools.reduce(add, l)
sum(t)
sum(l)
sorted(l, key=lambda a: -a)
divmod(-7, 3)
divmod(x, 2)
round(2.567, 2)
abs(s)
any(x > 0)
all([s > 0, s > 1])
1 < s < 5
{i: x for i in l}
[*l, *t]
"%s-%.2f" % ("a", 1.5)
"{} {}".format(n, "a")
""".splitlines()
BODIES = {
    "a global that a loop adds to": "for i in range(3):\n    ROWS += i\nreturn ROWS",
    "a global that is added to": "COUNT += 1\nreturn COUNT",
    "a global on the right of its own name": "COUNT = COUNT + 1\nreturn COUNT",
    "a global that a while changes": "while COUNT < 6:\n    COUNT += 1\nreturn COUNT",
    "a list that is a global": "ITEMS = ITEMS + [4]\nreturn ITEMS",
    "a global that one path sets": "if n > 5:\n    COUNT = 10\nreturn COUNT",
    "a global in an inner function": "def inner(a):\n    COUNT = COUNT + a\n    return COUNT\nreturn inner(2)",
    "two walks over zip": "z, r = zip(l, l), 0\nfor a, b in z:\n    r += a\nfor a, b in z:\n    r += b\nreturn r",
    "two walks over map": "m, r = map(lambda a: a + 1, l), 0\nfor i in m:\n    r += i\nfor i in m:\n    r += i\nreturn r",
    "two walks over enumerate": "e = enumerate(l)\nreturn [i for i, _ in e], [a for _, a in e]",
    "unpacking zip": "a, b, c = zip(l, l)\nreturn b",
    "a filter's length": "m = filter(lambda a: a > 1, l)\nreturn len(m), m[0]",
    "an element of zip": "p = zip(l, t)\nreturn p[0][1], len(p)",
}


def case(name, body):
    lines = "\n".join("    " + line for line in body.split("\n"))
    rec.case(name, "f(*inputs())", f"@ms.jit\ndef f(x, s, n, l, d, t):\n{lines}", modes=("pynative",))


for expression in EXPRESSIONS:
    case(expression, f"return {expression}")
for name, body in BODIES.items():
    case(name, body)

rec.write()
