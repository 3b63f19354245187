#!/usr/bin/env python3
"""The layering check must refuse what it is for: each case adds one fault to a small tree that follows its table."""

import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check.py")
TREE = {
    "docs/internals/layering.md": "<!-- layering table -->\n\n| folder | part of | may include |\n|---|---|---|\n| `src/low` | program | nothing |\n"
                            "| `src/high` | tool | `low` |\n| `src/high/part` | tool | `low` |\n\n",
    "src/low/CMakeLists.txt": "heddle_in_target(low SOURCES a.cpp)\n",
    "src/low/a.hpp": "",
    "src/low/a.cpp": '#include "low/a.hpp"\n',
    "src/low/b.hpp": '#include "low/a.hpp"\n',
    "src/high/CMakeLists.txt": "heddle_tool_library(high SOURCES c.cpp DEPENDS low)\nheddle_tool_library(part SOURCES part/d.cpp)\n",
    "src/high/c.cpp": '#include "low/b.hpp"\n',
    "src/high/list.inc": '#include "high/part/list.inc"\n',
    "src/high/part/list.inc": "",
    "src/high/part/d.cpp": "",
}
# refused: (the file that is replaced, its text, a part of the message)
FAULTS = {
    "an include upwards": ("src/low/b.hpp", '#include "high/c.hpp"\n', "is not a header of src/"),
    "an include beside": ("src/high/part/d.cpp", '#include "high/c.cpp"\n', "high/part may not include high"),
    "an include beside, by a list": ("src/high/part/list.inc", '#include "high/c.cpp"\n', "high/part may not include high"),
    "an include beside, of a list": ("src/high/part/d.cpp", '#include "high/list.inc"\n', "high/part may not include high"),
    "libstdc++ in the program": ("src/low/a.cpp", "#include <vector>\n", "needs libstdc++"),
    "a circle by way of a source file": ("src/low/a.cpp", '#include "low/b.hpp"\n', "include each other: low/a, low/b"),
    "a link upwards": ("src/low/CMakeLists.txt", "heddle_in_target(low\n  SOURCES a.cpp\n  DEPENDS high)\n", "low may not link high"),
    "a link beside": ("src/high/CMakeLists.txt",
                      "heddle_tool_library(high SOURCES c.cpp DEPENDS part)\nheddle_tool_library(part SOURCES part/d.cpp)\n",
                      "high may not link part"),
    "a row that is a file": ("docs/internals/layering.md", TREE["docs/internals/layering.md"][:-1] + "| `src/high/c` | tool | `low` |\n\n",
                             "high/c is no folder"),
    "rows in a circle": ("docs/internals/layering.md", TREE["docs/internals/layering.md"].replace("nothing", "`high`"),
                         "rows that may include each other: high, low"),
}


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


def main():
    code, output = check(TREE)
    wrong = [] if code == 0 else [f"the tree without a fault is refused: {output}"]
    for fault, (name, text, expected) in FAULTS.items():
        code, output = check({**TREE, name: text})
        if code == 0 or expected not in output:
            wrong.append(f"{fault}: expected '{expected}', got {code}: {output}")
    print("\n".join(wrong) if wrong else f"{len(FAULTS)} faults are refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
