"""Branches and loops: their nodes, changes inside them, and parts that are erased or merged."""

from tests.rewrite.either import Node, SymbolTree, Tensor, facts, lines, ms, names, nn, ops, values

DATA = Tensor([[-1.0, 0.5, 2.0]])
HELPERS = ()


class Deep(nn.Cell):
    def __init__(self):
        super().__init__()
        self.add = ops.Add()

    def construct(self, x):
        x = self.add(x, x)
        return x


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.deep = Deep()
        self.square = ops.Square()
        self.act = nn.ReLU()

    def construct(self, x):
        if self.square(x):
            x = x * 2
            x = self.act(x)
        else:
            return self.deep(x)
        return x


class Forked(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.square = ops.Square()
        self.inner = Inner()

    def construct(self, x):
        if self.square(x):
            return self.way(x)
        else:
            x = self.square(x)
            x = self.inner(self.square(x))
        return x

    def way(self, x):
        if self.square(x):
            x = self.act(self.square(x))
        return x


class Looped(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Tanh()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.first(x)
        for _ in range(3):
            x = self.act(x)
            x = self.act(x)
        return x


class Whiled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        count = 3
        while count > 0:
            x = self.act(x)
            count -= 1
        else:
            count = 0
        return x


class Known(nn.Cell):
    TARGET = "CPU"

    def __init__(self):
        super().__init__()
        for index in range(7):
            setattr(self, f"square{index}", ops.Square())
            setattr(self, f"act{index}", nn.ReLU())
        self.target = "CPU"

    def construct(self, x):
        if self.square0(x):
            x = self.square0(x)
        else:
            x = self.act0(x)
        if ms.get_context("device_target") == "CPU":
            x = self.square1(x)
        else:
            x = self.act1(x)
        if Known.TARGET == "CPU":
            x = self.square2(x)
        else:
            x = self.act2(x)
        if self.target == "CPU":
            x = self.square3(x)
        else:
            x = self.act3(x)
        if self.target == "Ascend":
            x = self.square4(x)
        else:
            x = self.act4(x)
        if self.target == "Ascend":
            x = self.square5(x)
        if self.target == "GPU":
            x = self.square6(x)
        elif self.target == "CPU":
            x = self.act6(x)
        else:
            x = self.act5(x)
        return x


class Returns(nn.Cell):
    def __init__(self, top):
        super().__init__()
        self.act = nn.ReLU()
        self.top = top
        self.tail = nn.Tanh()

    def construct(self, x):
        x = self.act(x)
        if not self.top:
            return x
        x = self.tail(x)
        return x, x


class Elses(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x, n):
        if n > 3:
            x = x + 1
        elif n > 2:
            x = x + 2
        elif n > 1:
            x = x + 3
        else:
            x = self.act(x)
        for i in range(n):
            if i > 1:
                break
            x = x * 2
        else:
            x = x - 1
        y = x if n > 1 else -x
        return y


def forked():
    tree = SymbolTree.create(Forked())
    code = tree.get_code()
    found = [lines(code, "way_var = self.way(x)", "return way_var", "deep_var = self.deep(x)", "return deep_var")]
    for name in ("if_node", "if_node_1", "else_node"):
        node = tree.get_node(name)
        found += [node.get_node_type().name, names(node.get_handler().nodes())]
    inner = SymbolTree(tree.get_node("inner").get_handler().symbol_tree)
    for name in ("if_node", "else_node"):
        found.append(names(inner.get_node(name).get_handler().nodes()))
    found += [names(tree.nodes()), names(tree.nodes(True))]
    square = tree.get_node("square_2")
    new = Node.create_call_cell(nn.ReLU(), targets=square.get_targets(), args=square.get_targets(), name="fresh")
    tree.insert(tree.after(square), new)
    found.append(lines(tree.get_code(), "square_var_3 = self.fresh(square_var_3)", "square_var_3"))
    third = tree.get_node("square_3")
    tree.erase(third)
    found.append(lines(tree.get_code(), "x = self.square(x)"))
    act = inner.get_node("act")
    other = Node.create_call_cell(nn.ReLU(), targets=third.get_targets(), args=third.get_targets(), name="fresh_2")
    inner.replace(act, [other])
    return [*found, lines(tree.get_code(), "x = self.act(x)", "x = self.fresh_2(x)")]


def parts_are_erased():
    tree = SymbolTree.create(Whiled())
    found = [[facts(node) for node in tree.nodes()]]
    tree.erase("while_node")
    found.append(lines(tree.get_code(), "pass", "x = self.act(x)", "else:", "while count > 0"))
    tree.erase("while_else_node")
    found.append(lines(tree.get_code(), "pass", "else:", "while"))
    return [*found, names(tree.nodes()), values(tree.get_network()(DATA))]


def the_else_is_erased_alone():
    tree = SymbolTree.create(Whiled())
    tree.erase(tree.get_node("while_else_node"))
    found = [lines(tree.get_code(), "while count > 0", "else:", "pass"), names(tree.nodes())]
    return [*found, values(tree.get_network()(DATA))]


def looped():
    tree = SymbolTree.create(Looped())
    loop = tree.get_node("for_node")
    act, again = tree.get_node("act"), tree.get_node("act_1")
    found = [loop.get_node_type().name, names(loop.get_handler().nodes())]
    found += [act.get_handler().get_node_manager() == loop.get_handler()]
    found += [again.get_handler().get_node_manager() is loop.get_handler()]
    code = tree.get_code()
    found.append(lines(code, "range_var = range(3)", "for _ in range_var:", "x = self.act(x)"))
    new = Node.create_call_cell(nn.Sigmoid(), targets=[act.get_targets()[0]], args=[act.get_targets()[0]], name="new0")
    tree.insert(tree.after(act), new)
    found += [names(loop.get_handler().nodes()), tree.get_node("new0") == new]
    found.append(lines(tree.get_code(), "self.new0 = obj.new0", "x = self.new0(x)"))
    tree.erase(act)
    found += [names(loop.get_handler().nodes()), tree.get_node("act") is None]
    other = Node.create_call_cell(nn.Tanh(), targets=again.get_targets(), args=again.get_targets(), name="new1")
    tree.replace(again, [other])
    found += [names(loop.get_handler().nodes()), tree.get_node("act_1") is None]
    return [*found, values(tree.get_network()(DATA))]


def whiled():
    tree = SymbolTree.create(Whiled())
    found = [facts(node) for node in tree.nodes()]
    found.append(lines(tree.get_code(), "x = self.act(x)", "count -= 1", "else:", "count = 0"))
    loop, other = tree.get_node("while_node"), tree.get_node("while_else_node")
    found += [names(loop.get_handler().nodes()), names(other.get_handler().nodes())]
    act = tree.get_node("act")
    new = Node.create_call_cell(nn.Tanh(), targets=act.get_targets(), args=act.get_targets(), name="fresh")
    tree.insert(tree.after(act), new)
    tree.erase(tree.get_node("act"))
    found.append(values(tree.get_network()(DATA)))
    tree.replace(new, [Node.create_call_cell(nn.ReLU(), new.get_targets(), new.get_targets(), name="fresh_2")])
    found.append(lines(tree.get_code(), "x = self.fresh(x)", "x = self.fresh_2(x)"))
    tree.erase(loop)
    found.append(lines(tree.get_code(), "while", "x = self.fresh_2(x)", "count -= 1", "pass", "else:", "count = 0"))
    tree.erase(other)
    found.append(lines(tree.get_code(), "while", "count -= 1", "pass", "else:", "count = 0"))
    return found


def known_branches():
    tree = SymbolTree.create(Known())
    tree.flatten_static_if_control_flow()
    code = tree.get_code()
    wanted = [f"x = self.{name}{index}(x)" for name in ("square", "act") for index in range(7)]
    return lines(code, *wanted)


def returns():
    found = []
    for top in (True, False):
        tree = SymbolTree.create(Returns(top))
        found.append([facts(node) for node in tree.nodes()])
        tree.flatten_static_if_control_flow()
        found.append(names(tree.nodes()))
    return found


def elses():
    tree = SymbolTree.create(Elses())
    made = tree.get_network()
    found = [[facts(node) for node in tree.nodes(True)]]
    return [*found, *(values(made(DATA, n)) for n in (1, 2, 3, 4))]


class Merged(nn.Cell):
    def __init__(self, flag):
        super().__init__()
        self.act = nn.ReLU()
        self.tail = nn.Tanh()
        self.extra = None
        self.flag = flag

    def construct(self, x):
        if self.flag:
            x = self.act(x)
            y = x + 1
        else:
            y = self.tail(self.act(x))
        if self.extra is None:
            y = self.tail(y) * 2
        if self.tail is not None:
            y = y - self.act(x)
        z = self.way(y)
        return z * y

    def way(self, x):
        if self.flag:
            x = x * 3
        return x


class Around(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inside = Merged(False)

    def construct(self, x):
        return self.inside(x)


def merged():
    found = []
    for flag in (True, False):
        tree = SymbolTree.create(Merged(flag))
        found.append(names(tree.nodes(True)))
        tree.flatten_static_if_control_flow()
        found += [[facts(node) for node in tree.nodes(True)], values(tree.get_network()(DATA))]
    return found


def merged_below():
    tree = SymbolTree.create(Around())
    tree.flatten_static_if_control_flow()
    return [names(tree.nodes(True)), values(tree.get_network()(DATA))]


def flattened_one_by_one():
    found = []
    for name in ("if_node", "else_node"):
        for erases in (False, True):
            tree = SymbolTree.create(Merged(True))
            tree.flatten_nodes(tree.get_node(name), erases)
            found.append(names(tree.nodes()))
            found.append(lines(tree.get_code(), "pass", "else:", "if self.flag"))
            found.append(values(tree.get_network()(DATA)))
    return found
