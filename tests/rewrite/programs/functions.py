"""Calls of functions: methods, functions outside, MindSpore's own, local primitives, and those that are inserted."""

from tests.rewrite.either import (
    NAME,
    VALUE,
    Node,
    NodeType,
    SymbolTree,
    Tensor,
    facts,
    lines,
    module,
    names,
    nn,
    ops,
    outcome,
    values,
)

mstype = module("common.dtype")
DATA = Tensor([[-1.0, 0.5, 2.0]])
HELPERS = ("outside", "fills", "ping", "pong", "itself")  # functions that the networks call


def outside(x):
    x = ops.abs(x)
    return x


def fills(x):
    def inside(y):
        return y + 1

    x = inside(x)
    return x


def ping(x):
    if x.shape:
        return x
    x = pong(x)
    return x


def pong(x):
    if x.shape:
        return x
    x = ping(x)
    return x


def itself(x, n=2):
    if n == 0:
        return x
    return itself(x + 1, n - 1)


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.square = ops.Square()

    def construct(self, x):
        x = self.act(x)
        x = outside(x)
        x = self.inner_way(x)
        return x

    def inner_way(self, x):
        x = self.square(x)
        return x


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.inner = Inner()
        self.square = ops.Square()

    def construct(self, x):
        x = self.act(x)
        x = outside(x)
        x = self.outer_way(x)
        return x

    def outer_way(self, x):
        x = self.inner(self.square(x))
        return x


class Plain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        return x


class Filling(nn.Cell):
    def construct(self, x):
        x = fills(x)
        return x


class Loops(nn.Cell):
    def construct(self, x):
        x = ping(x)
        return x


class Recursion(nn.Cell):
    def construct(self, x):
        x = itself(x)
        return x


class Local(nn.Cell):
    def construct(self, x):
        square = ops.Square()
        x = square(x)
        return x


class LocalCell(nn.Cell):
    def construct(self, x):
        act = nn.ReLU()
        x = act(x)
        y = nn.Tanh()(x)
        return ops.Add()(x, y)


class Statics(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        x = self.doubled(x)
        x = Statics.doubled(x)
        return self.of_class(x)

    @staticmethod
    def doubled(x):
        return x * 2

    @classmethod
    def of_class(cls, x):
        return x + 1


class StaticParent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        x = self.changed(x)
        return x

    @staticmethod
    def changed(x):
        raise NotImplementedError


class StaticChild(StaticParent):
    @staticmethod
    def changed(x):
        return x - 3


def inner_nodes():
    tree = SymbolTree.create(Outer())
    way = tree.get_node("outer_way")
    inner = way.get_handler().get_node("inner").symbol_tree
    inner_way = inner.get_node("inner_way")
    return [
        way.get_node_type().name,
        names(way.get_handler().nodes()),
        inner_way.get_node_type().name,
        names(inner_way.nodes()),
        inner_way.get_node("square").get_name(),
        tree.get_node("square").get_name(),
        tree.get_node("inner") == Node(way.get_handler().get_node("inner")),
        len(inner.nodes()),
    ]


def changed_in_a_method():
    tree = SymbolTree.create(Outer())
    way = tree.get_node("outer_way")
    square = way.get_handler().get_node("square")
    new = Node.create_call_cell(ops.Abs(), targets=["x"], args=[NAME("x")], name="fresh")
    tree.insert(tree.after(Node(square)), new)
    code = tree.get_code()
    found = [names(way.get_handler().nodes()), way.get_handler().get_node("fresh") is not None]
    found += [lines(code, "self.fresh = obj.fresh", "x = self.fresh(x)", "square_var = self.square(x)")]
    way.get_handler().get_node("inner").set_arg("x", 0)
    tree.erase(Node(square))
    code = tree.get_code()
    found += [names(way.get_handler().nodes()), way.get_handler().get_node("square") is None]
    return [*found, lines(code, "square_var = self.square(x)"), values(tree.get_network()(DATA))]


def cells_outside_the_class():
    tree = SymbolTree.create(Outer())
    function = next(n for n in tree.nodes() if n.get_node_type() == NodeType.CallFunction)
    first = Node(function.get_handler().nodes()[0])
    new = Node.create_call_cell(ops.Abs(), targets=["x"], args=[NAME("x")], name="fresh")
    return [first.get_node_type().name, outcome(lambda: tree.insert(tree.after(first), new))]


def inserted_functions():
    tree = SymbolTree.create(Outer())

    def new():
        return Node.create_call_function(function=ops.abs, targets=["x"], args=[NAME("x")])

    tree.insert(tree.after(tree.get_node("act")), new())
    found = [len(list(tree.nodes())), lines(tree.get_code(), "import abs\n", "x = abs(x)")]
    way = tree.get_node("outer_way")
    tree.insert(tree.after(Node(way.get_handler().get_node("square"))), new())
    found += [len(way.get_handler().nodes()), lines(tree.get_code(), "import abs\n", "x = abs(x)")]
    function = next(n for n in tree.nodes() if n.get_name().startswith("outside"))
    calls = [n for n in function.get_handler().nodes() if n.get_instance_type() == ops.abs]
    tree.insert(tree.after(Node(calls[0])), new())
    found += [len(function.get_handler().nodes()), lines(tree.get_code(), "import abs\n", "x = abs(x)")]
    below = SymbolTree(way.get_handler().get_node("inner").symbol_tree)
    below.insert(below.after(below.get_node("act")), new())
    below_way = below.get_node("inner_way")
    below.insert(below.after(Node(below_way.get_handler().get_node("square"))), new())
    found += [len(list(below.nodes())), lines(tree.get_code(), "import abs\n", "x = abs(x)")]
    return [*found, values(tree.get_network()(DATA))]


def inserted_tensor():
    tree = SymbolTree.create(Plain())
    act = tree.get_node("act")
    made = Node.create_call_function(function=Tensor, targets=["a"], args=[VALUE(1.0), NAME("float32", "mstype")])
    added = Node.create_call_function(function=ops.add, targets=["x"], args=[act.get_targets()[0], NAME("a")])
    tree.insert(tree.after(act), made)
    tree.insert(tree.after(made), added)
    code = tree.get_code()
    found = lines(code, "import add\n", "x = add(x, a)")
    return [found, names(tree.nodes())]


def closures():
    tree = SymbolTree.create(Filling())
    node = tree.get_node("fills")
    code = tree.get_code()
    found = lines(code, "x = fills(x)", "def fills(x):", "def inside(y):")
    return [node.get_node_type().name, len(node.get_handler().nodes()), found, values(tree.get_network()(DATA))]


def functions_that_call_each_other():
    tree = SymbolTree.create(Loops())
    code = tree.get_code()
    return [code.count("def ping"), code.count("def pong"), values(tree.get_network()(DATA))]


def recursion():
    tree = SymbolTree.create(Recursion())
    return values(tree.get_network()(DATA))


def local_primitives():
    tree = SymbolTree.create(Local())
    node = tree.get_node("square")
    instance = node.get_instance()
    local = module("rewrite.node").LocalPrim
    return [
        [facts(node) for node in tree.nodes()],
        isinstance(instance, ops.Primitive),
        isinstance(instance, local),
        issubclass(node.get_instance_type(), ops.Square),
        values(tree.get_network()(DATA)),
    ]


def local_cells():
    tree = SymbolTree.create(LocalCell())
    return [[facts(node) for node in tree.nodes()], values(tree.get_network()(DATA))]


def static_methods():
    found = []
    for made in (Statics(), StaticChild()):
        tree = SymbolTree.create(made)
        found.append(values(tree.get_network()(DATA)))
    tree = SymbolTree.create(Statics())
    return [*found, [facts(node) for node in tree.nodes()]]


class Wrappers(nn.Cell):
    def construct(self, x, y):
        x = ops.abs(x)
        z = ops.add(ops.square(x), ops.exp(y))
        return ops.abs(z) * y


class WrapperTwice(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = Wrappers()

    def construct(self, x):
        x = self.way(x)
        return self.first(x, ops.maximum(x, x))

    def way(self, x):
        return ops.abs(x)


def functions_of_mindspore():
    tree = SymbolTree.create(WrapperTwice())
    below = tree.get_node("first").get_sub_tree()
    found = [[facts(node) for node in tree.nodes()], [facts(node) for node in below.nodes()]]
    found += [
        [names(node.get_handler().nodes()) for node in tree.nodes() if node.get_node_type().name == "CallFunction"]
    ]
    return [*found, len(list(tree.nodes(True))), values(tree.get_network()(DATA))]


class Effects(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.inner = Inner()
        self.row = nn.SequentialCell(nn.ReLU(), nn.Tanh())
        self.count = 0

    def construct(self, x):
        """A text."""
        self.act(x + 1)
        self.inner(x)
        outside(x)
        self.way(x)
        self.row(x)
        found = []
        found.append(self.act(x))
        x.shape  # noqa: B018
        3  # noqa: B018
        return found[0] + x

    def way(self, x):
        self.act(x)


def results_that_are_not_kept():
    tree = SymbolTree.create(Effects())
    return [[facts(node) for node in tree.nodes()], names(tree.nodes(True)), tree.get_code().count("act")]
