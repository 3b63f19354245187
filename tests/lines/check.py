#!/usr/bin/env python3
"""Checks that prose has at most 120 characters a line. Usage: check.py [ROOT]

Prose is
  - a line of a document (*.md), except rows of tables, fenced code, and a line that is one URL or link;
  - a line with a comment in C++, Python, shell and CMake files, and the docstrings of Python. A comment behind code
    counts as well.
Lines of code without a comment are the business of the formatters.
"""

import io
import pathlib
import re
import subprocess
import sys
import tokenize

LIMIT = 120
CPP = {".cpp", ".hpp", ".c", ".h", ".inc"}
# A line that is one address or link, perhaps the item of a list: it cannot be broken.
UNBREAKABLE = re.compile(r"\s*(?:[-*]\s+)?\S*(?:https?://|\]\()\S+")
CPP_TOKEN = re.compile(
    r'R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"'  # a raw string
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'"  # not the separator of digits
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)", re.DOTALL)
# Quotes may span lines in shell; a # inside a word ($#, ${x#y}) begins no comment.
HASH_TOKEN = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?:(?<=\s)|^)(?P<comment>#[^\n]*)""", re.DOTALL | re.MULTILINE)
CMAKE_TOKEN = re.compile(r"""\[\[.*?\]\]|"(?:\\.|[^"\\])*"|(?P<comment>#[^\n]*)""", re.DOTALL)


def lines_of_matches(pattern, text):
    """The numbers of the lines that the comments found by `pattern` touch."""
    numbers = set()
    for match in pattern.finditer(text):
        if match["comment"] is not None:
            first = text.count("\n", 0, match.start()) + 1
            numbers.update(range(first, first + match[0].count("\n") + 1))
    return numbers


def lines_of_python(text):
    numbers = set()
    begins_statement = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins_statement):
            numbers.update(range(token.start[0], token.end[0] + 1))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins_statement = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)
    return numbers


def lines_of_document(text):
    numbers, fenced = set(), False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.lstrip().startswith("|") and not UNBREAKABLE.fullmatch(line):
            numbers.add(number)
    return numbers


def prose_of(path, text):
    """The numbers of the lines of a file that are prose; none if the file has no known language."""
    first = text.split("\n", 1)[0]
    if path.suffix == ".md":
        return lines_of_document(text)
    if path.suffix in CPP:
        return lines_of_matches(CPP_TOKEN, text)
    if path.suffix == ".py" or (first.startswith("#!") and "python" in first):
        return lines_of_python(text)
    if path.suffix == ".sh" or (first.startswith("#!") and "sh" in first):
        return lines_of_matches(HASH_TOKEN, text)
    if path.suffix == ".cmake" or path.name == "CMakeLists.txt":
        return lines_of_matches(CMAKE_TOKEN, text)
    return set()


def files_of(root):
    """All files that git tracks or would add; all files if there is no repository (a released archive)."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        return sorted(root / name for name in listed.stdout.split("\0") if name)
    return sorted(path for path in root.rglob("*") if path.relative_to(root).parts[0] != "build")


def problems_of(root, path):
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return []  # a damaged history of the tests
    lines = text.split("\n")
    long = [number for number, line in enumerate(lines, 1) if len(line) > LIMIT]
    if not long:
        return []
    prose = prose_of(path, text)
    return [f"{path.relative_to(root)}:{number}: {len(lines[number - 1])} characters of prose, {LIMIT} are allowed"
            for number in long if number in prose]


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent.parent).resolve()
    files = [path for path in files_of(root) if path.is_file()]
    problems = [problem for path in files for problem in problems_of(root, path)]
    print("\n".join(problems) if problems else f"the prose of {len(files)} files has at most {LIMIT} characters a line")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
