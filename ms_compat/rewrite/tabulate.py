"""The nodes of a tree as tables."""

from __future__ import annotations

from collections.abc import Sequence

from ms_compat.rewrite.build import Tree
from ms_compat.rewrite.nodes import Block, Statement

_HEAD = ("node type", "name", "codes", "arg providers", "target users")


def tables(tree: Tree, all_nodes: bool) -> str:
    """The table of `construct`; with `all_nodes`, also the tables of the blocks and Cells below it."""
    out = [_titled(tree.class_name, tree.root)]
    subtrees: list[Tree] = _subtrees(tree.root)
    if all_nodes:
        waiting = [(tree.class_name, tree.root)]
        seen = {id(tree.root)}
        while waiting:
            path, block = waiting.pop()
            for node in block.nodes:
                if node.inner is None or id(node.inner) in seen:
                    continue
                seen.add(id(node.inner))
                out.append(_titled(f"{path}.{node.name}", node.inner))
                waiting.append((f"{path}.{node.name}", node.inner))
                subtrees += _subtrees(node.inner)
        out += [tables(subtree, all_nodes) for subtree in dict.fromkeys(subtrees)]
    return "".join(out)


def _subtrees(block: Block) -> list[Tree]:
    return [node.subtree for node in block.nodes if node.subtree is not None]


def _titled(path: str, block: Block) -> str:
    return f"\n[{path}]\n{_table([_row(node) for node in block.nodes])}\n"


def _row(node: Statement) -> tuple[str, ...]:
    providers = [[index, (other.name, out)] for index, (other, out) in node.providers().items()]
    users = [[index, [(other.name, at) for other, at in found]] for index, found in node.users().items()]
    return str(node.kind), node.name, node.text(), str(providers), str(users)


def _table(rows: Sequence[Sequence[str]]) -> str:
    cells = [[cell.split("\n") for cell in row] for row in [_HEAD, *rows]]
    widths = [max(len(line) for row in cells for line in row[column]) for column in range(len(_HEAD))]
    lines = []
    for at, row in enumerate(cells):
        for part in range(max(len(cell) for cell in row)):
            texts = [cell[part] if part < len(cell) else "" for cell in row]
            lines.append("  ".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip())
        if at == 0:
            lines.append("  ".join("-" * width for width in widths))
    return "\n".join(lines)
