#!/usr/bin/env python3
"""The check of line lengths must find prose in every kind of file, and nothing else. Each case is one small file."""

import pathlib
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).with_name("check.py")
PROSE = "word " * 24 + "end"  # 123 characters
SHORT = "word " * 20 + "end"
CODE = "x" * 130
REFUSED = {
    "a document": ("a.md", PROSE),
    "an item of a list": ("a.md", f"- {PROSE}"),
    "a document behind fenced code": ("a.md", f"```\n{CODE}\n```\n{PROSE}"),
    "a paragraph that ends in a link": ("a.md", f"{PROSE} [a link](docs/a.md)"),
    "a comment of C++": ("a.cpp", f"// {PROSE}"),
    "a comment behind code": ("a.hpp", f"int a;  // {PROSE}"),
    "a comment behind a string": ("a.cpp", f'auto a = "//"; // {PROSE}'),
    "a comment behind digits": ("a.cpp", f"int a = 1'000'000;  // it's {PROSE}"),
    "a comment in a block": ("a.c", f"/* a\n   {PROSE} */"),
    "a comment behind a raw string": ("a.cpp", f'auto a = R"x(" )" )x";  // {PROSE}'),
    "a comment of a list of macros": ("a.inc", f"// {PROSE}"),
    "a comment of Python": ("a.py", f"a = 1  # {PROSE}"),
    "a docstring": ("a.py", f'def a():\n    """{PROSE}"""'),
    "a docstring's second line": ("a.py", f'"""Short.\n\n{PROSE}"""'),
    "a script in Python": ("script", f"#!/usr/bin/env python3\n# {PROSE}"),
    "a comment of shell": ("a.sh", f"# {PROSE}"),
    "a comment behind a command": ("a.sh", f"echo '#' \"$#\"  # {PROSE}"),
    "a script in shell": ("script", f"#!/bin/bash\n# {PROSE}"),
    "a comment of CMake": ("CMakeLists.txt", f"add_test(a)  # {PROSE}"),
    "a CMake module": ("a.cmake", f"# {PROSE}"),
}
ACCEPTED = {
    "prose that fits": ("a.md", SHORT),
    "a row of a table": ("a.md", f"| {PROSE} |"),
    "fenced code": ("a.md", f"```\n{PROSE}\n```"),
    "an address": ("a.md", f"- https://example.org/{CODE}"),
    "code": ("a.cpp", f"int {CODE};"),
    "a string": ("a.cpp", f'auto a = "// {PROSE}";'),
    "a raw string": ("a.cpp", f'auto a = R"(\n// {PROSE}\n)";'),
    "a string of Python": ("a.py", f'a = "# {PROSE}"'),
    "a string of shell": ("a.sh", f"echo '\n# {PROSE}\n'"),
    "an expansion of shell": ("a.sh", f"echo ${{a#{CODE}}}"),
    "a string of CMake": ("CMakeLists.txt", f'message("# {PROSE}")'),
    "a file of another kind": ("a.json", f"// {PROSE}"),
}


def check(name, text):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, name).write_text(text + "\n")
        run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


def main():
    wrong = []
    for title, (name, text) in REFUSED.items():
        code, output = check(name, text)
        line = len(text.split("\n"))
        if code != 1 or not output.startswith(f"{name}:{line}: ") or len(output.splitlines()) != 1:
            wrong.append(f"{title}: expected a problem in line {line}, got {code}: {output}")
    for title, (name, text) in ACCEPTED.items():
        code, output = check(name, text)
        if code != 0:
            wrong.append(f"{title}: expected no problem, got {code}: {output}")
    print("\n".join(wrong) if wrong else f"{len(REFUSED)} faults are refused, {len(ACCEPTED)} cases are accepted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
