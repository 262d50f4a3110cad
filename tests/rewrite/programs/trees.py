"""What `get_handler` returns, and trees that are built by hand from a class's source."""

import ast
import inspect
import os

from tests.rewrite.either import (
    NAME,
    VALUE,
    Node,
    ScopedValue,
    SymbolTree,
    Tensor,
    facts,
    lines,
    module,
    names,
    nn,
    ops,
    outcome,
    rewrite,
    values,
)

Inner = module("rewrite.symbol_tree").SymbolTree
InnerNode = module("rewrite.node").Node
DATA = Tensor([[-1.0, 0.5, 2.0]])
HELPERS = ()


class Chain(nn.Cell):
    def __init__(self):
        super().__init__()
        self.start = nn.Tanh()
        self.middle = nn.Sigmoid()
        self.act1 = nn.ReLU()
        self.act2 = nn.ReLU()
        self.act3 = nn.ReLU()

    def construct(self, x):
        x = self.start(x)
        x = self.middle(x)
        x = self.act1(x)
        x = self.act2(x)
        x = self.act3(x)
        return x


class Takes(nn.Cell):
    def construct(self, first, second, third=None):
        return first + second + third


class TakesMore(nn.Cell):
    def construct(self, a, b, *rest, f=6, h=7, **more):
        return a + b + f + h + sum(rest) + sum(more.values())


class Below(nn.Cell):
    def __init__(self):
        super().__init__()
        self.square = ops.Square()
        self.act = nn.ReLU()
        self.row = nn.SequentialCell(nn.ReLU())

    def construct(self, x):
        x = self.act(x)
        return self.way(x)

    def way(self, x):
        x = self.square(x)
        return self.row(x)


class Above(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()
        self.below = Below()

    def construct(self, x):
        x = self.act(x)
        return self.way(x)

    def way(self, x):
        return self.below(x)


def _by_hand():
    net = Chain()
    root = ast.parse(inspect.getsource(Chain))
    kind = root.body[0]
    init, construct = kind.body
    tree = Inner(net, root)
    tree.set_class_ast(kind)
    tree.set_init_func_ast(init)
    tree.set_ast_root(construct)
    tree.append_input_node(ast.arg(arg="x", annotation=None, type_comment=None), "x")
    made = []
    for at, name in enumerate(["start", "middle", "act1", "act2", "act3"]):
        node = InnerNode.create_call_buildin_op(
            getattr(net, name), construct.body[at], [NAME("x")], NAME(name, "self"), [NAME("x")], {}, name
        )
        made.append(tree.append_origin_field(node))
    tree.append_origin_field(InnerNode.create_output_node(construct.body[5], [NAME("x")]))
    return tree, made


def _edges(tree, node):
    return [
        names(tree.get_node_inputs(node)),
        [[user.get_name(), at] for user, at in tree.get_node_users(node)],
        [[at, other.get_name(), out] for at, (other, out) in node.get_arg_providers().items()],
        [[other.get_name(), at] for other, at in node.get_target_users(0)],
    ]


def by_hand():
    tree, made = _by_hand()
    found = [len(list(tree.nodes())), names(tree.nodes()), len(tree._root_ast.body)]
    return found + [_edges(tree, node) for node in made]


def inserted_by_hand():
    tree, (_, middle, act1, act2, _) = _by_hand()
    construct = tree._root_ast
    node = InnerNode.create_call_buildin_op(
        ops.Add(), None, [NAME("x")], NAME("fresh"), [NAME("x"), VALUE(1)], {}, "fresh"
    )
    node = tree.insert_node(node, act2, True)
    written = node.get_ast()
    found = [len(construct.body), names(tree.nodes()), _edges(tree, act2), _edges(tree, node)]
    found += [str(list(node.get_normalized_args().values())), list(node.get_normalized_args())]
    found += [type(written).__name__, [type(arg).__name__ for arg in written.value.args]]
    found += [_edges(tree, tree.get_node("act1")), tree.get_node("fresh") is node]
    found += [outcome(lambda: tree.insert_node(_new(), tree.get_input_nodes()[0], True))]
    return found


def _new():
    return InnerNode.create_call_buildin_op(ops.Add(), None, [NAME("x")], NAME("n"), [NAME("x"), VALUE(1)], {}, "n")


def arguments_by_hand():
    found = []
    for by_node in (False, True):
        tree, (_, middle, act1, act2, _) = _by_hand()
        tree.set_node_target(middle, 0, "x1")
        for node in (act1, act2):
            if by_node:
                tree.set_node_arg_by_node(node, 0, middle)
            else:
                tree.set_node_arg(node, 0, middle.get_targets()[0])
        found += [_edges(tree, middle)[:2], _edges(tree, act1)[:2], _edges(tree, act2)[:2]]
        found += [act2.get_ast().value.args[0].id, str(middle.get_targets()), str(act2.get_args())]
    return found


def erased_by_hand():
    tree, (_, middle, act1, act2, _) = _by_hand()
    construct = tree._root_ast
    tree.erase_node(act1)
    found = [len(construct.body), names(tree.nodes())]
    return [*found, _edges(tree, tree.get_node("middle")), _edges(tree, tree.get_node("act2"))]


def replaced_by_hand():
    tree, (_, middle, act1, act2, _) = _by_hand()
    construct = tree._root_ast
    one = Node.create_call_cell(nn.Tanh(), [NAME("fresh")], middle.get_targets()).get_handler()
    two = Node.create_call_cell(nn.ReLU(), [act1.get_targets()[0]], one.get_targets(), name="last").get_handler()
    last = tree.replace(act1, [one, two])
    found = [len(construct.body), names(tree.nodes()), last.get_name()]
    found += [construct.body[2].value.func.attr, construct.body[3].value.func.attr]
    found += [_edges(tree, node) for node in (middle, last.get_inputs()[0], last, act2)]
    same = Node.create_call_cell(nn.Tanh(), [NAME("x_2")], [NAME("x_2")], name="same").get_handler()
    tree.replace(act2, [same])
    return [*found, str(same.get_args()), names(tree.nodes())]


def files_by_hand():
    tree, (_, middle, act1, act2, _) = _by_hand()
    found = []
    for name in ("made.py", "other"):
        tree.set_saved_file_name(name)
        found.append(tree.get_saved_file_name())
    tree.set_node_arg_by_node(act2, 0, middle)
    tree.erase_node(act1)
    tree.save_network_to_file()
    found.append(os.path.exists("other.py"))
    os.remove("other.py")
    return found


def arguments_by_parameter():
    found = []
    calls = [
        (Takes(), [NAME("x"), VALUE(1)], {"third": NAME("y")}),
        (TakesMore(), [NAME("x")] * 4, {"h": VALUE(1), "f": VALUE(2), "other": NAME("y")}),
        (TakesMore(), [VALUE((4,)), VALUE(5), VALUE([5]), NAME("x")], {"h": VALUE([1]), "f": VALUE((2,))}),
        (ops.Add(), [NAME("x"), NAME("y")], {}),
        (ops.Concat(), [VALUE((1, 2))], {"axis": VALUE(0)}),
    ]
    for cell, args, kwargs in calls:
        node = InnerNode.create_call_buildin_op(cell, None, [NAME("x")], NAME("fresh"), args, kwargs, "fresh")
        found += [[[key, str(value), value.type.name] for key, value in node.get_normalized_args().items()]]
        found += [str(node.get_args()), str(node.get_kwargs())]
    node = InnerNode.create_call_buildin_op(
        Takes(), None, [NAME("x")], NAME("fresh"), [NAME("x"), VALUE(1)], {"third": NAME("y")}, "fresh"
    )
    node.update_ast_node()
    call = node.get_ast().value
    found += [[type(arg).__name__ for arg in call.args], [word.arg for word in call.keywords]]
    node.set_arg(VALUE(2), 1)
    found += [node.get_normalized_args().get("second").value, node.get_ast().value.args[1].value]
    return [*found, node._args_num, node._kwargs_num, node._normalized_args_keys]


def wrong_arguments():
    def make(cell, args, kwargs):
        return lambda: Node.create_call_cell(cell, ["x"], args, kwargs)

    calls = [
        make(Takes(), [NAME("x")] * 4, {}),
        make(Takes(), [NAME("x")], {"first": NAME("y")}),
        make(Takes(), [NAME("x")], {"other": NAME("y")}),
        make(TakesMore(), [NAME("x")], {"other": NAME("y")}),
        make(TakesMore(), [NAME("x")], {"a": NAME("y")}),
        make(Takes(), [], {}),
    ]
    return [outcome(call) for call in calls]


def who_owns_a_node():
    tree = SymbolTree.create(Above())
    found = [node.get_symbol_tree().get_handler() == tree.get_handler() for node in tree.nodes()]
    way = tree.get_node("way").get_handler()
    found += [Node(node).get_symbol_tree().get_handler() == tree.get_handler() for node in way.nodes()]
    below = SymbolTree(tree.get_node("below").get_handler().symbol_tree)
    for node in below.nodes():
        found.append(node.get_symbol_tree().get_handler() == below.get_handler())
    for name in ("way", "row"):
        for node in below.get_node(name).get_handler().nodes():
            found.append(Node(node).get_symbol_tree().get_handler() == below.get_handler())
    found += [tree.get_node("act").get_handler().get_node_manager() is tree.get_handler()]
    found += [type(below.get_origin_network()).__name__, type(below.get_handler().get_origin_network()).__name__]
    return [*found, isinstance(tree.get_node("below").get_sub_tree(), SymbolTree)]


def new_keywords():
    tree = SymbolTree.create(Above())
    call = tree.get_node("below")
    below = call.get_sub_tree()
    below.insert(below.after(below.get_inputs()[-1]), Node.create_input("extra"))
    call.get_handler().append_kwarg({"extra": NAME("x")})
    code = tree.get_code()
    found = lines(code, "def construct(self, x, extra=None):", "self.below(x, extra=x)")
    return [found, names(below.get_handler().nodes()), values(tree.get_network()(DATA))]


def new_parameters():
    tree = SymbolTree.create(Takes())
    node = tree.get_node("input_third")
    fresh = node.create_input("z")
    found = [fresh.get_node_type().name, fresh.get_name()]
    tree.insert(tree.after(node), fresh)
    found += [tree.get_handler().get_node("input_z") is not None, names(tree.get_handler().nodes())]
    found += [lines(tree.get_code(), "construct(self, first, second, third=None, z=None)")]
    return [*found, outcome(lambda: tree.insert(tree.before("input_first"), Node.create_call_function(len, ["a"])))]


def names_of_new_nodes():
    made = [
        Node.create_call_cell(nn.ReLU(), ["y"], [NAME("x")]),
        Node.create_call_cell(ops.Add(), ["y", "z"], [NAME("x"), NAME("x")]),
        Node.create_call_cell(nn.ReLU(), [NAME("y")], [NAME("x")], name="given"),
        Node.create_call_function(ops.abs, ["y"], [NAME("x")]),
        Node.create_call_function(len, ["y"], [NAME("x")]),
        Node.create_input("more"),
    ]
    found = [[facts(node), node.get_symbol_tree() is None] for node in made]
    tree = SymbolTree.create(Chain())
    for node in made[:5]:
        tree.insert(tree.before("act1"), node)
    again = Node.create_call_cell(nn.ReLU(), ["y"], [NAME("x")])
    tree.insert(tree.before("act1"), again)
    return [*found, names(tree.nodes()), [facts(node) for node in tree.nodes()][3:7]]


def texts_of_values():
    made = [
        VALUE(1), VALUE(1.5), VALUE(True), VALUE(None), VALUE("a"), VALUE((1, "a")), VALUE([1, 2]), VALUE({"a": 1}),
        VALUE(Tensor), NAME("x"), NAME("x", "self"), *ScopedValue.create_name_values(["a", "b"], ["self", ""]),
    ]  # fmt: skip
    found = [[str(value) if value.value is not Tensor else "", value.type.name] for value in made]
    found += [NAME("x") == NAME("x"), NAME("x") == NAME("x", "self"), VALUE(1) == VALUE(1)]
    found += [VALUE(1) == NAME("1"), hash(NAME("x")) == hash(NAME("x")), VALUE((1,)) == VALUE((1,))]
    return [*found, {kind.name: kind.value for kind in rewrite.ValueType}, [kind.name for kind in rewrite.NodeType]]
