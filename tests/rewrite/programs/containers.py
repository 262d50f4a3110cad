"""Containers of Cells: their nodes are listed, inserted, erased and replaced."""

from tests.rewrite.either import NAME, Node, NodeType, SymbolTree, Tensor, facts, lines, names, nn, ops, values


class Unit(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.Tanh()
        self.second = nn.ReLU()
        self.skip = nn.SequentialCell([nn.ReLU(), nn.Sigmoid()])

    def construct(self, x):
        kept = x
        out = self.first(x)
        out = self.second(out)
        kept = self.skip(kept)
        out = out + kept
        out = self.second(out)
        return out


class Tower(nn.Cell):
    def __init__(self):
        super().__init__()
        self.start = nn.ReLU()
        self.square = ops.Square()
        self.row = nn.SequentialCell([Unit() for _ in range(3)])
        self.row.append(self.start)
        self.row.append(nn.Sigmoid())

    def construct(self, x):
        x = self.start(x)
        x = self.square(x)
        x = self.row(x)
        return x


class Shelf(nn.Cell):
    def __init__(self, plain):
        super().__init__()
        cells = [nn.ReLU(), nn.ReLU(), nn.ReLU(), Unit()]
        self.boards = cells if plain else nn.CellList(cells)
        self.start = nn.Tanh()

    def construct(self, x):
        x = self.start(x)
        for board in self.boards:
            x = board(x)
        return x


DATA = Tensor([[-1.0, 0.5, 2.0]])
HELPERS = ()


def listed():
    tree = SymbolTree.create(Tower())
    row = tree.get_node("row")
    return [
        facts(row),
        names(row.get_handler().node_list),
        [node.get_instance_type().__name__ for node in row.get_handler().nodes()],
        [node.get_node_type().name for node in row.get_handler().nodes()],
        row.get_handler().node_count,
        names(tree.get_handler().nodes()),
        names(tree.nodes(True)),
        names(tree.all_nodes(False)),
    ]


def inserted():
    tree = SymbolTree.create(Tower())
    row = tree.get_node("row")
    for node in row.get_handler().nodes():
        if node.get_instance_type() is nn.ReLU:
            new = Node.create_call_cell(nn.Tanh(), targets=["x_1"], name="fresh", args=[NAME("anything")])
            tree.insert(tree.before(Node(node)), new)
            break
    found = row.get_handler()
    made = tree.get_network()
    return [names(found.node_list), len(found.nodes()), values(made(DATA))]


def inserted_below():
    tree = SymbolTree.create(Tower())
    row = tree.get_node("row").get_handler()
    for node in row.node_list:
        if node.get_node_type() == NodeType.Tree:
            inner = Node(node).get_sub_tree()
            new = Node.create_call_cell(nn.Sigmoid(), targets=["out"], name="fresh", args=[NAME("out")])
            inner.insert(inner.after(inner.get_node("second")), new)
            break
    made = tree.get_network()
    return [hasattr(made.row[index], "fresh") for index in range(3)] + [values(made(DATA))]


def erased():
    tree = SymbolTree.create(Tower())
    row = tree.get_node("row")
    before = len(tree.get_handler().nodes())
    last = row.get_handler().nodes()[-1]
    erased = tree.erase(Node(last))
    inside = names(row.get_handler().nodes())
    small = values(tree.get_network()(DATA))
    for user in row.get_users():
        user.set_arg(0, "x")
    tree.erase(row)
    return [erased.get_name(), inside, small, len(tree.get_handler().nodes()) - before]


def erased_below():
    tree = SymbolTree.create(Tower())
    inner = tree.get_node("row").get_handler().node_list[1].symbol_tree
    before = len(inner.nodes())
    for node in list(inner.nodes()):
        if node.get_name() == "second":
            for user in Node(node).get_users():
                user.set_arg(0, "out")
            inner.erase_node(node)
    again = tree.get_node("row").get_handler().node_list[1].symbol_tree
    return [len(inner.nodes()) - before, names(again.nodes()), values(tree.get_network()(DATA))]


def replaced():
    tree = SymbolTree.create(Tower())
    row = tree.get_node("row")
    last = row.get_handler().nodes()[-1]
    tree.replace(Node(last), [Node.create_call_cell(nn.Tanh(), targets=["x_1"], name="fresh", args=[NAME("x")])])
    made = tree.get_network()
    found = [names(row.get_handler().node_list), type(made.row[4]).__name__, values(made(DATA))]
    tree.replace(row, [Node.create_call_cell(nn.Tanh(), targets=["x"], name="single", args=[NAME("x")])])
    return [*found, names(tree.nodes())]


def _shelf(plain):
    tree = SymbolTree.create(Shelf(plain))
    boards = tree.get_node("self.boards")
    loop = tree.get_node("for_node")
    found = [facts(node) for node in tree.nodes()] + [names(boards.get_handler().nodes())]
    found += [names(loop.get_handler().nodes())]
    relu = tree.get_node("ReLU")
    new = Node.create_call_cell(nn.Tanhshrink(), [relu.get_targets()[0]], name="new0")
    tree.insert(tree.after(relu), new)
    found += [names(boards.get_handler().nodes()), tree.get_node("new0") is not None]
    tree.erase(tree.get_node("ReLU_1"))
    found += [names(boards.get_handler().nodes()), tree.get_node("ReLU_1") is None]
    other = Node.create_call_cell(nn.Tanhshrink(), [relu.get_targets()[0]], name="new1")
    tree.replace(tree.get_node("ReLU_2"), [other])
    found += [names(boards.get_handler().nodes()), tree.get_node("ReLU_2") is None]
    wanted = ["self.boards[3] = UnitOpt(self.boards[3])", "self.boards.insert(1, self.new0)", "del self.boards[2]"]
    wanted += ["self.boards.insert(3, self.new1)", "self_boards = self.boards", "for board in self_boards:"]
    found += [lines(tree.get_code(), *wanted, "x = board(x)")]
    return [*found, values(tree.get_network()(DATA))]


def cell_list():
    return _shelf(False)


def list_of_cells():
    return _shelf(True)
