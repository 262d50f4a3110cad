"""Patterns of Cells that are found and replaced."""

from tests.rewrite.either import (
    NAME,
    Node,
    SymbolTree,
    Tensor,
    facts,
    module,
    names,
    nn,
    ops,
    outcome,
    rewrite,
    values,
)

PatternEngine, PatternNode = rewrite.PatternEngine, rewrite.PatternNode
Replacement, VarNode = rewrite.Replacement, rewrite.VarNode
DATA = Tensor([[-1.0, 0.5, 2.0]])
HELPERS = ()


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.start = nn.Tanh()
        self.middle = nn.Sigmoid()
        self.act1 = nn.ReLU()
        self.act2 = nn.ReLU()

    def construct(self, x):
        x = self.start(x)
        x = self.middle(x)
        x = self.act1(x)
        x = self.act2(x)
        return x


class Fork(nn.Cell):
    def __init__(self):
        super().__init__()
        self.left = nn.Tanh()
        self.right = nn.Sigmoid()
        self.add = ops.Add()
        self.act = nn.ReLU()
        self.act1 = nn.ReLU()
        self.act2 = nn.ReLU()

    def construct(self, x):
        x1 = self.left(x)
        x2 = self.right(x)
        x = self.add(x1, x2)
        x = self.act(x)
        x1 = self.act1(x)
        x2 = self.act2(x)
        x = self.add(x1, x2)
        return x


class Three(nn.Cell):
    def __init__(self):
        super().__init__()
        self.left = nn.Tanh()
        self.right = nn.Tanh()
        self.sum1 = ops.Concat(1)
        self.sum2 = ops.Maximum()
        self.act = nn.ReLU()

    def construct(self, x, y, z):
        x = self.left(x)
        y = self.right(y)
        z = self.sum2(x, y)
        z = self.sum2(z, x)
        z = self.act(z)
        return z


class Leak(nn.Cell):
    def __init__(self):
        super().__init__()
        self.start = nn.Tanh()
        self.act = nn.ReLU()

    def construct(self, x):
        y = self.start(x)
        z = self.act(y)
        return y + z


class Below(nn.Cell):
    def __init__(self):
        super().__init__()
        self.chain = Chain()
        self.row = nn.SequentialCell([Chain(), nn.Tanh(), nn.Sigmoid()])

    def construct(self, x):
        x = self.chain(x)
        return self.row(x)


def _replacing(build):
    class Made(Replacement):
        def build(self, pattern, is_chain_pattern, matched):
            return build(pattern, is_chain_pattern, matched)

    return Made()


def _softplus(pattern, is_chain, matched):
    last = matched.get(pattern.name())
    first = matched.get(pattern.get_inputs()[0].name()) if pattern.get_inputs() else last
    made = Node.create_call_cell(nn.Softsign(), last.get_targets(), first.get_args(), first.get_kwargs(), "soft")
    return [made]


def one_by_one():
    tree = SymbolTree.create(Chain())
    seen = []

    def build(pattern, is_chain, matched):
        seen.append([is_chain, pattern.type().__name__, len(matched), names(matched.values())])
        node = matched.get(pattern.name())
        return [Node.create_call_cell(nn.Softsign(), ["x"], node.get_args(), node.get_kwargs())]

    changed = PatternEngine([nn.Sigmoid], _replacing(build)).apply(tree)
    found = [changed, seen, [facts(node) for node in tree.nodes()]]
    start = tree.get_node("start").get_handler()
    second = start.get_next()
    return [*found, second.get_name(), second.get_prev() is start, getattr(second, "_next").get_name()]  # noqa: B009


def a_chain_of_two():
    tree = SymbolTree.create(Chain())
    changed = PatternEngine([nn.Tanh, nn.Sigmoid], _replacing(_softplus)).apply(tree)
    again = PatternEngine([nn.Tanh, nn.Sigmoid], _replacing(_softplus)).apply(tree)
    return [changed, again, [facts(node) for node in tree.nodes()], values(tree.get_network()(DATA))]


def one_by_many():
    tree = SymbolTree.create(Chain())

    def build(pattern, is_chain, matched):
        node = matched.get(pattern.name())
        first = Node.create_call_cell(nn.Softsign(), ["x1"], node.get_args(), node.get_kwargs())
        second = Node.create_call_cell(nn.Tanh(), node.get_targets(), [NAME("x1")])
        return [first, second]

    PatternEngine([nn.Sigmoid], _replacing(build)).apply(tree)
    return [[facts(node) for node in tree.nodes()], values(tree.get_network()(DATA))]


def a_tree_of_nodes():
    tree = SymbolTree.create(Fork())

    def build(pattern, is_chain, matched):
        act, add = matched.get(pattern.name()), matched.get(pattern.get_inputs()[0].name())
        first = Node.create_call_cell(ops.Add(), ["new_add_1"], add.get_args(), add.get_kwargs(), "new_add")
        one = Node.create_call_cell(nn.ReLU(), ["new_1"], [NAME("new_add_1")], name="new_relu")
        two = Node.create_call_cell(nn.Tanh(), ["new_2"], [NAME("new_add_1")], name="new_tanh")
        last = Node.create_call_cell(ops.Add(), act.get_targets(), [NAME("new_1"), NAME("new_2")], name="new_add_2")
        return [first, one, two, last]

    changed = PatternEngine([ops.Add, nn.ReLU], _replacing(build)).apply(tree)
    return [changed, [facts(node) for node in tree.nodes()], values(tree.get_network()(DATA))]


def several_inputs():
    tree = SymbolTree.create(Three())
    left, right = PatternNode("left", nn.Tanh), PatternNode("right", nn.Tanh)
    first, last = PatternNode("first", ops.Maximum), PatternNode("last", ops.Maximum)
    left.set_inputs([VarNode()])
    right.set_inputs([VarNode()])
    first.set_inputs([left, right])
    last.set_inputs([first, left])

    def build(pattern, is_chain, matched):
        one = matched.get("left").get_args()[0]
        two = matched.get("right").get_args()[0]
        made = Node.create_call_cell(ops.Add(), ["made"], [one, two], name="made")
        end = Node.create_call_cell(ops.Add(), matched.get("last").get_targets(), [NAME("made"), one], name="end")
        return [made, end]

    changed = PatternEngine(last, _replacing(build)).apply(tree)
    return [changed, [facts(node) for node in tree.nodes()], values(tree.get_network()(DATA, DATA, DATA))]


def what_others_read_stays():
    tree = SymbolTree.create(Leak())
    changed = PatternEngine([nn.Tanh, nn.ReLU], _replacing(_softplus)).apply(tree)
    return [changed, names(tree.nodes())]


def in_called_cells():
    tree = SymbolTree.create(Below())
    changed = PatternEngine([nn.Sigmoid], _replacing(_softplus)).apply(tree)
    return [changed, names(tree.nodes(True)), names(tree.get_node("row").get_handler().node_list)]


def nodes_of_patterns():
    tree = SymbolTree.create(Chain())
    made = PatternNode.create_pattern_from_list([nn.Tanh, nn.Sigmoid])
    engine = PatternEngine([nn.Tanh], _replacing(_softplus))
    single = PatternNode("a", nn.Tanh)
    single.add_input(PatternNode("b", nn.ReLU))
    return [
        made.type().__name__,
        made.get_inputs()[0].type().__name__,
        made.get_inputs()[0].get_inputs(),
        engine.pattern().type().__name__,
        single.match(tree.get_node("start")),
        single.match(tree.get_node("middle")),
        [node.name() for node in single.get_inputs()],
        VarNode().match(tree.get_node("middle")),
        VarNode().name(),
        module("rewrite.api.pattern_engine").PatternEngine is PatternEngine,
    ]


def errors():
    tree = SymbolTree.create(Chain())
    calls = [
        lambda: PatternNode(3),
        lambda: PatternNode("a", nn.ReLU, ["b"]),
        lambda: PatternNode("a", nn.ReLU, 3),
        lambda: PatternEngine([nn.ReLU]),
        lambda: PatternEngine([nn.ReLU], 3),
        lambda: PatternEngine(3, _replacing(_softplus)),
        lambda: PatternEngine([3], _replacing(_softplus)),
        lambda: PatternEngine([int], _replacing(_softplus)),
        lambda: PatternEngine([nn.ReLU], _replacing(_softplus)).apply(3),
        lambda: PatternEngine([nn.ReLU], _replacing(lambda *a: [])).apply(tree),
        lambda: PatternNode("a", nn.ReLU).match(3),
        lambda: PatternNode("a", nn.ReLU).add_input(3),
        lambda: PatternNode("a", nn.ReLU).set_inputs([3]),
        lambda: PatternNode.create_pattern_from_list(3),
        lambda: PatternNode.from_node(3),
        lambda: Replacement(),
    ]
    return [outcome(call) for call in calls]
