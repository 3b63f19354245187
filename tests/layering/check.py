#!/usr/bin/env python3
"""Checks that src/ follows the table of docs/internals/layering.md. Usage: check.py [ROOT]

A row of the table names a folder of src/, says whether it is linked into the user's program, and lists which other
rows it may include; `runtime/*` stands for all rows below runtime. The longest row that fits a file counts. Tests may
include everything but cli. A list (.inc) may include lists of any row: they are data, not code.

Checked are
  - every #include "..." and, for code of the program, the headers that need libstdc++;
  - every link line of CMake (DEPENDS of heddle_in_target and heddle_tool_library): it may name only what the row may
    include;
  - that no files include each other in a circle. A header and its source file (foo.hpp, foo.cpp) count as one;
  - that the rows themselves form no circle, and that each is a folder.
"""

import pathlib
import re
import sys

# C programs link the in-target code without libstdc++; these headers would need it.
NEEDS_LIBSTDCXX = {"string", "vector", "map", "set", "unordered_map", "unordered_set", "deque", "list", "iostream", "fstream",
                   "sstream", "functional", "thread", "mutex", "condition_variable", "stdexcept", "filesystem", "regex"}
TABLE = "docs/internals/layering.md"
LIBRARY = re.compile(r"heddle_(?:in_target|tool_library)\(\s*(\w+)([^)]*)\)")


class Tree:
    def __init__(self, root):
        self.source = root / "src"
        self.table = root / TABLE
        self.rows = self.read_table()
        self.files = sorted(path for path in self.source.rglob("*") if path.suffix in (".cpp", ".hpp", ".c", ".h", ".inc"))

    def read_table(self):
        """{folder: (is in the program, {rows it may include})}"""
        section = self.table.read_text().split("<!-- layering table -->", 1)[1].split("\n\n", 2)[1]
        rows = {}
        for line in section.splitlines()[2:]:
            name, where, allowed = (cell.strip() for cell in line.strip("|").split("|"))
            rows[name.strip("`").removeprefix("src/")] = (where == "program", re.findall(r"`([^`]+)`", allowed))
        for name, (where, allowed) in rows.items():
            below = [other for entry in allowed if entry.endswith("/*") for other in rows if other.startswith(entry[:-1])]
            rows[name] = (where, {entry for entry in allowed if not entry.endswith("/*")} | set(below))
        return rows

    def name(self, path):
        return path.relative_to(self.source).as_posix()

    def row_of(self, name):
        return max((row for row in self.rows if name.startswith(row + "/")), key=len, default=None)

    def may_use(self, row, other):
        return other == row or other in self.rows[row][1]


def includes_of(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line):
            yield number, match[1] == '"', match[2]


def problems_of_includes(tree, path):
    name = tree.name(path)
    row = tree.row_of(name)
    if row is None:
        return [f"src/{name}: no row of the table in {TABLE} fits"]
    is_test = name.endswith("_test.cpp")
    is_list = name.endswith(".inc")
    problems = []
    for number, own, header in includes_of(path):
        place = f"src/{name}:{number}"
        if not own:
            if tree.rows[row][0] and not is_test and header in NEEDS_LIBSTDCXX:
                problems.append(f"{place}: <{header}> needs libstdc++, which a C program does not have")
            continue
        target = tree.row_of(header)
        if target is None or not (tree.source / header).exists():
            problems.append(f'{place}: "{header}" is not a header of src/')
        elif is_list and header.endswith(".inc"):
            continue
        elif not tree.may_use(row, target) and not (is_test and target != "cli"):
            problems.append(f'{place}: {row} may not include {target} ("{header}")')
    return problems


def libraries(tree):
    """{target: (CMakeLists.txt, {rows of its sources}, [what it links])}"""
    found = {}
    for path in sorted(tree.source.rglob("CMakeLists.txt")):
        for target, words in LIBRARY.findall(path.read_text()):
            sources, links, into = [], [], None
            for word in words.split():
                into = {"SOURCES": sources, "DEPENDS": links}.get(word, into)
                if into is not None and word not in ("SOURCES", "DEPENDS"):
                    into.append(word)
            rows = {tree.row_of(tree.name((path.parent / source).resolve())) for source in sources}
            found[target] = (path, rows, links)
    return found


def problems_of_links(tree):
    targets = libraries(tree)
    problems = []
    for target, (path, rows, links) in targets.items():
        for link in links:
            for other in targets.get(link, (None, [], None))[1]:
                problems += [f"src/{tree.name(path)}: {target} may not link {link}: {row} may not include {other}"
                             for row in rows if not tree.may_use(row, other)]
    return problems


def circles(graph):
    """The groups of nodes that lead to each other (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def problems_of_circles(tree):
    modules = {}
    for path in tree.files:
        if path.stem.endswith("_test"):
            continue
        module = tree.name(path.with_suffix(""))
        used = {pathlib.PurePosixPath(header).with_suffix("").as_posix() for _, own, header in includes_of(path) if own}
        modules.setdefault(module, set()).update(used - {module})
    rows = {row: allowed - {row} for row, (_, allowed) in tree.rows.items()}
    return ([f"files that include each other: {', '.join(group)}" for group in circles(modules)] +
            [f"{TABLE}: rows that may include each other: {', '.join(group)}" for group in circles(rows)])


def problems_of_table(tree):
    problems = []
    for name, (_, allowed) in tree.rows.items():
        problems += [f"{TABLE}: the row {name} allows {other}, which has no row" for other in sorted(allowed - set(tree.rows))]
        if not (tree.source / name).is_dir():
            problems.append(f"{TABLE}: the row {name} is no folder")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent.parent
    tree = Tree(root.resolve())
    problems = [problem for path in tree.files for problem in problems_of_includes(tree, path)]
    problems += problems_of_table(tree) + problems_of_links(tree) + problems_of_circles(tree)
    print("\n".join(problems) if problems else f"{len(tree.files)} files follow the table")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
