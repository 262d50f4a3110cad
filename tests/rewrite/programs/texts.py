"""The text of generated modules: classes, their parents, what calls which, and names that clash."""

import re

from tests.rewrite.either import NAME, Node, SymbolTree, Tensor, facts, lines, names, nn, ops, values
from tests.rewrite.programs.places import bases, unused
from tests.rewrite.programs.places.bases import Base, NoCell, WithVariables

DATA = Tensor([[-1.0, 0.5, 2.0]])
HELPERS = ("outside",)  # functions that the networks call
DEVICE = "CPU"


def outside(x):
    x = ops.abs(x)
    return x


def _itself(x):
    return x


class Helper:
    def help(self, x):
        x = ops.abs(x)
        return x


class Leaf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.square = ops.Square()

    def construct(self, x):
        x = self.act(x)
        x = outside(x)
        x = self.leaf_way(x)
        return x

    def leaf_way(self, x):
        x = self.square(x)
        return x


class Branch(nn.Cell):
    def __init__(self):
        super().__init__()
        self.row = nn.SequentialCell([Leaf(), Leaf()])
        self.leaf = Leaf()
        self.square = ops.Square()
        self.act = nn.ReLU()
        self.helper = Helper()

    def construct(self, x):
        x = self.act(x)
        x = self.row(x)
        x = self.leaf(x)
        x = outside(x)
        x = self.branch_way(x)
        x = self.helper.help(x)
        return x

    def branch_way(self, x):
        x = self.square(x)
        return x


class Trunk(nn.Cell):
    def __init__(self, branch):
        super().__init__()
        self.act = nn.ReLU()
        self.branch = branch
        self.row = nn.SequentialCell(nn.ReLU())
        self.row.append(nn.ReLU())
        self.row.append(Leaf())
        self.square = ops.Square()
        self.branch1 = Branch()
        self.branch2 = Branch()

    def construct(self, x):
        x = self.act(x)
        x = self.branch(x)
        x = self.branch1(x)
        x = self.branch1(x)
        x = self.branch2(x)
        x = self.row(x)
        x = outside(x)
        x = self.trunk_way(x)
        return x

    def trunk_way(self, x):
        x = self.branch(self.square(x))
        return x


class Bottom(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        return x


class Middle(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Bottom()

    def construct(self, x):
        x = self.net(x)
        return x


class Chosen(nn.Cell):
    """Which Cell it has depends on an argument, and two names lead to them."""

    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        if deep:
            self.net1 = Middle()
        else:
            self.net2 = Bottom()

    def construct(self, x):
        if self.deep:
            x = self.net1(x)
        else:
            x = self.net2(x)
        return x


class ChosenOnce(nn.Cell):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep
        self.net = Middle() if deep else Bottom()

    def construct(self, x):
        if self.deep:
            x = self.net(x)
        else:
            x = self.net(x)
        return x


class ChosenPlain(nn.Cell):
    def __init__(self, deep):
        super().__init__()
        self.net = Middle() if deep else Bottom()

    def construct(self, x):
        x = self.net(x)
        return x


class Choices(nn.Cell):
    def __init__(self, kind, *which):
        super().__init__()
        for at, deep in enumerate(which, 1):
            setattr(self, f"part{at}", kind(deep))
        self.part3 = getattr(self, "part3", None) or nn.Tanh()

    def construct(self, x):
        x = self.part1(x)
        x = self.part2(x)
        x = self.part3(x)
        return x


class Annotated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.bottom = self.chosen(Bottom())

    def construct(self, x: Tensor) -> Tensor:
        x = self.act(x)
        x = self.bottom(x)
        return x

    def chosen(self, bottom: Bottom):
        return bottom


class OneParent(Base):
    def twice(self, x):
        x = x + x
        return x


class Grandchild(OneParent):
    def construct(self, x):
        x = self.with_a(x)
        x = self.twice(x)
        return x


class HasGrandchild(nn.Cell):
    def __init__(self, a, b):
        super().__init__()
        self.act = nn.ReLU()
        self.below = Grandchild(a)
        self.b = b

    def construct(self, x):
        x = self.act(x)
        x = self.below(x)
        x = x + self.b
        return x


class TwoParents(Base, NoCell):
    def __init__(self, a, b):
        Base.__init__(self, a)
        NoCell.__init__(self, a, b)
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        x = self.of_no_cell(x)
        x = self.with_a(x)
        return x


class Variables(nn.Cell):
    first = Tensor([1.0])
    second = _itself

    def __init__(self, a):
        super().__init__()
        self.a = a

    def construct(self, x):
        x = x + self.a
        x = x + self.first
        x = Variables.second(x)
        return x


class ThreeParents(Base, NoCell, WithVariables):
    def __init__(self):
        Base.__init__(self, Tensor([1.0]))
        NoCell.__init__(self, Tensor([1.0]), Tensor([2.0]))
        WithVariables.__init__(self, Tensor([1.0]))
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        x = self.of_no_cell(x)
        x = self.with_a(x)
        x = self.of_variables(x)
        return x


class ByModule(bases.Base, bases.NoCell):
    def __init__(self):
        bases.Base.__init__(self, Tensor([1.0]))
        bases.NoCell.__init__(self, Tensor([1.0]), Tensor([2.0]))

    def construct(self, x):
        x = self.of_no_cell(x)
        return self.with_a(x)


class FunctionVariable(OneParent):
    function = outside
    device = DEVICE

    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def construct(self, x):
        x = x + self.b
        if FunctionVariable.device:
            x = self.with_a(x)
        x = FunctionVariable.function(x)
        return x


class Twice(Base, nn.Cell):
    def __init__(self):
        super().__init__(Tensor([1.0]))
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.act(x)
        return x


class BelowTwice(Twice):
    def construct(self, x):
        x = self.act(x)
        return x


def _plain(code):
    """The code without the number of an import of `nn` that MindSpore renames."""
    return re.sub(r"nn_\d+\.Cell", "nn.Cell", code)


def shared_classes():
    tree = SymbolTree.create(Trunk(Branch()))
    wanted = ["class LeafOpt", "class BranchOpt", "class TrunkOpt"]
    methods = ["def leaf_way(self, x):", "def branch_way(self, x):", "def trunk_way(self, x):"]
    calls = ["self.branch = BranchOpt(self.branch)", "self.branch1 = BranchOpt(self.branch1)"]
    code = tree.get_code()
    found = [lines(code, *wanted, *methods, *calls), code.count("def outside") > 0]
    first = tree.get_node("branch1").get_handler().symbol_tree
    first.erase_node(first.get_node("act"))
    found.append(lines(tree.get_code(), *wanted))
    second = tree.get_node("branch1_1").get_handler().symbol_tree
    leaf = second.get_node("leaf").symbol_tree
    leaf.erase_node(leaf.get_node("act"))
    found.append(lines(tree.get_code(), *wanted))
    return [*found, len(list(tree.nodes())), values(tree.get_network()(DATA))]


def _choices(kind, which):
    tree = SymbolTree.create(Choices(kind, *which))
    code = _plain(tree.get_code())
    heads = re.findall(r"^class \w+\(.*\):$", code, re.MULTILINE)
    wraps = re.findall(r"^ +self\.\w+ = \w+Opt\w*\(self\.\w+\)$", code, re.MULTILINE)
    return [sorted(heads), sorted(wrap.strip() for wrap in wraps), values(tree.get_network()(DATA))]


def chosen():
    return _choices(Chosen, (True, False))


def chosen_once():
    return _choices(ChosenOnce, (True, False))


def chosen_plain():
    return _choices(ChosenPlain, (False, True, False))


def annotated():
    tree = SymbolTree.create(Annotated())
    code = tree.get_code()
    return [lines(code, "def chosen(self, bottom):", ": Bottom", "x: "), values(tree.get_network()(DATA))]


def parents():
    found = []
    made = [OneParent(Tensor([2.0])), Grandchild(Tensor([2.0])), HasGrandchild(Tensor([2.0]), Tensor([3.0]))]
    made += [TwoParents(Tensor([1.0]), Tensor([2.0])), Variables(Tensor([1.0])), ThreeParents(), ByModule()]
    made += [FunctionVariable(Tensor([2.0]), Tensor([3.0])), BelowTwice(), Twice()]
    for net in made:
        before = values(net(DATA))
        tree = SymbolTree.create(net)
        code = _plain(tree.get_code())
        heads = re.findall(r"^class \w+\(.*\):$", code, re.MULTILINE)
        found += [sorted(heads), lines(code, "first = Tensor([1.0])", "second = outside", "def outside(x):")]
        found += [before, values(tree.get_network()(DATA))]
    return found


def names_of_inserted_arguments():
    tree = SymbolTree.create(unused.Deep())
    act = tree.get_node("act")
    target = act.get_targets()[0]
    node = Node.create_call_cell(ops.Cast(), [target], [target, NAME("float32", "ms")], name="cast")
    tree.insert(tree.after(act), node)
    return [[facts(node) for node in tree.nodes()], names(tree.nodes()), values(tree.get_network()(DATA))]
