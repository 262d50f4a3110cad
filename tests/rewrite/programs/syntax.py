"""Tools for trees of `ast`: what is found, renamed and flattened."""

import ast
import inspect

from tests.rewrite.either import SymbolTree, lines, module, nn, ops, outcome

helpers = module("rewrite.ast_helpers")
AstFinder, AstReplacer = helpers.AstFinder, helpers.AstReplacer
AstFlattener = module("rewrite.ast_helpers.ast_flattener").AstFlattener
HELPERS = ()


class Simple(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = 1
        self.second = ops.add(1, 1)

    def construct(self, x):
        x = self.first + x
        x = self.second + x
        return x


class Other(nn.Cell):
    def construct(self, x):
        return ops.add(x, x)


class Named(nn.Cell):
    def __init__(self):
        super(Named, self).__init__()  # noqa: UP008
        Named._number()
        self.a = Named._number()
        self.b = Named._number() + 1
        self.c = ops.add(Named._number(), 1)
        self.d = Other()

    @staticmethod
    def _number():
        return 1

    def construct(self, x):
        a = Named._number()
        b = Named._number() + a
        c = ops.add(Named._number(), b)
        return self.d(c)


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.start = nn.Tanh()
        self.middle = nn.Sigmoid()
        self.act = nn.ReLU()

    def construct(self, x):
        x = self.start(x + 1)
        x = x + 1 * 5 + 4 / 2 + self.middle(x)
        self.act(x * 5)
        x = self.act(x + 1)
        x = True and x or x
        x = self.act(x)
        y = z = self.middle(x * 2)
        for i in range(len(x.shape) + 1):
            x = self.act(x * i + y)
        if self.act(x) > 1 and y < self.act(z):
            x = [x + 1, (y, z * 2)]
        return x + 3, [y * z, self.act(-y)]


class Several(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def construct(self, x):
        y = self.act(x)
        return y, y, x


class Unpacked(nn.Cell):
    def __init__(self):
        super().__init__()
        self.several = Several()
        self.add = ops.Add()

    def construct(self, x):
        add_var_2, (add_var_1, (add_var,)) = self.several(x)
        x = self.add(self.add(add_var_1, add_var), add_var_2)
        return x


def found():
    root = ast.parse(inspect.getsource(Simple))
    one = AstFinder(root).find_all(ast.Assign)
    two = AstFinder(root).find_all((ast.Assign, ast.Attribute))
    kinds = [type(node).__name__ for node in two]
    wrong = outcome(lambda: AstFinder(root).find_all(3))
    return [len(one), kinds, wrong, len(AstFinder(root).find_all(ast.Lambda))]


def renamed():
    source = inspect.getsource(Named)
    root = ast.parse(source)
    replacer = AstReplacer(root)
    replacer.replace_all("Named", "Other")
    after = ast.unparse(root)
    replacer.undo_all()
    back = ast.unparse(root)
    return [lines(text, "Named", "Other") for text in (source, after, back)]


def flattened():
    root = ast.parse(inspect.getsource(Nested))
    AstFlattener().transform(root)
    init, construct = root.body[0].body
    return [len(root.body), len(init.body), len(construct.body), ast.unparse(construct).splitlines()]


def targets_in_tuples():
    code = SymbolTree.create(Unpacked()).get_code()
    return lines(code, "add_var_3 = self.add(add_var_1, add_var)", "x = self.add(add_var_3, add_var_2)")
