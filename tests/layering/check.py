#!/usr/bin/env python3
"""Checks that every folder of src/ includes only what the layering table of docs/ARCHITECTURE.md allows it.

A row of the table names a folder of src/ (or the beginning of a path, for the few files that stand apart), says whether it is linked
into the user's program, and lists what it may include besides itself. The longest row that fits a file counts. Tests may
include anything that is below them.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "src"
TABLE = ROOT / "docs" / "ARCHITECTURE.md"
# C programs link the in-target code without libstdc++; these headers would need it.
NEEDS_LIBSTDCXX = {"string", "vector", "map", "set", "unordered_map", "unordered_set", "deque", "list", "iostream", "fstream",
                   "sstream", "functional", "thread", "mutex", "condition_variable", "stdexcept", "filesystem", "regex"}


def read_table():
    """{path prefix: (is in the program, [prefixes it may include])}"""
    section = TABLE.read_text().split("<!-- layering table -->", 1)[1].split("\n\n", 2)[1]
    rows = {}
    for line in section.splitlines()[2:]:
        name, where, allowed = (cell.strip() for cell in line.strip("|").split("|"))
        rows[name.strip("`").removeprefix("src/")] = (where == "program", re.findall(r"`([^`]+)`", allowed))
    return rows


def row_of(path, rows):
    fits = [name for name in rows if path == name or path.startswith(name + "/") or path.startswith(name + ".")]
    return max(fits, key=len, default=None)


def problems_of(path, rows):
    name = path.relative_to(SOURCE).as_posix()
    row = row_of(name, rows)
    if row is None:
        return [f"src/{name}: no row of the table in docs/ARCHITECTURE.md fits"]
    in_program, allowed = rows[row]
    is_test = name.endswith("_test.cpp")
    problems = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := re.match(r'\s*#\s*include\s+"([^"]+)"', line):
            target = row_of(match[1], rows)
            if target is None or not (SOURCE / match[1]).exists():
                problems.append(f"src/{name}:{number}: \"{match[1]}\" is not a header of src/")
            elif target != row and target not in allowed and not (is_test and target != "cli"):
                problems.append(f"src/{name}:{number}: {row} may not include {target} (\"{match[1]}\")")
        if match := re.match(r"\s*#\s*include\s+<([^>]+)>", line):
            if in_program and not is_test and match[1] in NEEDS_LIBSTDCXX:
                problems.append(f"src/{name}:{number}: <{match[1]}> needs libstdc++, which a C program does not have")
    return problems


def main():
    rows = read_table()
    files = sorted(path for path in SOURCE.rglob("*") if path.suffix in (".cpp", ".hpp", ".c", ".h"))
    problems = [problem for path in files for problem in problems_of(path, rows)]
    for name, (_, allowed) in rows.items():
        problems += [f"docs/ARCHITECTURE.md: the row {name} allows {other}, which has no row" for other in allowed if other not in rows]
        if not any(file.relative_to(SOURCE).as_posix().startswith(name) for file in files):
            problems.append(f"docs/ARCHITECTURE.md: the row {name} fits no file")
    print("\n".join(problems) if problems else f"{len(files)} files follow the table")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
