#!/usr/bin/env python3
"""Checks what the documents name against what is there: paths, options, packages.

  paths     a relative link must lead to a file; so must what stands in backticks and looks like a path of this
            repository
  options   every --option in backticks, in a code block or in heddle's help is one of heddle's
            (src/options/table.inc) or of a script's; every one of heddle's is in a document of docs/
  packages  the table in README.md lists exactly the packages of scripts/packages.txt
  glossary  what a document refers to ("*word* in the glossary") has a row in docs/GLOSSARY.md
  raw log   docs/raw-log.md names every reason with which a log ends
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Of the tools that the documents use.
FOREIGN_OPTIONS = {"--preset", "--build", "--output-on-failure", "--gtest_filter", "--prefix", "--install", "--list-presets"}
# Placeholders, and options of example programs.
EXAMPLE_OPTIONS = {"--help", "--version", "--verbose", "--name"}
PRODUCTS = ("build/",)


def documents():
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md"),
                   *(ROOT / "benchmarks").rglob("*.md")])


def code_of(text):
    """All inline code and all lines of code blocks, with line numbers."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
        elif in_block:
            yield number, line
        else:
            for code in re.findall(r"`([^`]+)`", line):
                yield number, code


def alternatives(path):
    """a/{b,c} names two files."""
    if match := re.search(r"\{([^{}]*,[^{}]*)\}", path):
        for part in match[1].split(","):
            yield from alternatives(path[:match.start()] + part.strip() + path[match.end():])
    else:
        yield path


def exists(path, near):
    path = re.sub(r":\d+$", "", path).rstrip("/")
    if re.search(r"[A-Z<>…]{4,}|<", path):
        return True  # a placeholder
    # The layering table names some files without their endings.
    return any(list(base.glob(path)) or list(base.glob(path + ".*")) for base in (ROOT, ROOT / "src", ROOT / "include", near))


def missing_paths(document, text):
    top = {entry.name for entry in ROOT.iterdir()} | {"src"}
    for number, line in enumerate(text.splitlines(), 1):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
            if not re.match(r"[a-z]+:", target) and not (document.parent / target).exists():
                yield f"{number}: the link to {target} leads nowhere"
    for number, code in code_of(text):
        for word in re.split(r"\s+", code):
            word = word.strip("(),;'\"").removeprefix("./")
            looks = re.fullmatch(r"[\w.*?{},+-]+(/[\w.*?{},+-]*)+(:\d+)?", word)
            if not looks or word.startswith(PRODUCTS) or word.split("/")[0] not in top:
                continue
            for path in alternatives(word):
                if not exists(path, document.parent):
                    yield f"{number}: there is no {path}"


def words_of(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return set(re.findall(r"--[a-z][a-z-]*", done.stdout))


def options_of(heddle):
    """Of all verbs, as users write them."""
    listing = subprocess.run([heddle, "options"], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"^  (?:-\w FILE, )?(--[a-z-]+)", listing, re.MULTILINE))


def exists_as(option, known):
    """--no-NAME and --NAME are one option."""
    name = option[2:].removeprefix("no-")
    return f"--{name}" in known or f"--no-{name}" in known


def help_problems(heddle, known):
    overview = subprocess.run([heddle, "--help"], capture_output=True, text=True, check=False).stdout
    for verb in re.findall(r"^  ([a-z+-]+)  ", overview, re.MULTILINE):
        for option in sorted(words_of([heddle, verb, "--help"]) - EXAMPLE_OPTIONS):
            if not exists_as(option, known):
                yield f"heddle {verb} --help: there is no option {option}"


def unknown_options(text, known):
    for number, code in code_of(text):
        for option in re.findall(r"(?<![\w-])--[a-z][a-z_-]*", code):
            if not exists_as(option, known) and option != "--no-":  # --no-NAME
                yield f"{number}: no command here has the option {option}"


def package_problems():
    listed = {line.split()[1] for line in (ROOT / "scripts/packages.txt").read_text().splitlines()
              if line and not line.startswith("#")}
    section = (ROOT / "README.md").read_text().split("## Dependencies", 1)[1].split("\n## ", 1)[0]
    shown = {name for line in section.splitlines() if line.startswith("|") for name in re.findall(r"`([^`]+)`", line.split("|")[1])}
    for name in sorted(listed - shown):
        yield f"README.md: the package {name} of scripts/packages.txt is not in the table of dependencies"
    for name in sorted(shown - listed):
        yield f"README.md: the package {name} is not in scripts/packages.txt"


def glossary_problems(text, words):
    for number, line in enumerate(text.splitlines(), 1):
        for word in re.findall(r"\*([^*]+)\* in the glossary", line):
            if word not in words:
                yield f"{number}: the glossary has no '{word}'"


def raw_log_problems():
    row = next(line for line in (ROOT / "docs/raw-log.md").read_text().splitlines() if line.startswith('| `{"type":"end"}`'))
    written = {reason for path in (ROOT / "src").rglob("*.cpp") for reason in re.findall(r'raw_log::close\("([^"]+)"\)', path.read_text())}
    for reason in sorted(written):
        if f"`{reason}`" not in row:
            yield f"docs/raw-log.md: says nothing about the reason '{reason}' of an end line"
    if not written:
        yield "no source file ends a raw log: the check of docs/raw-log.md looks for the wrong thing"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=str(ROOT / "heddle"), help="the tool whose options are compared")
    arguments = parser.parse_args()

    own = options_of(arguments.heddle)
    if not own:
        print(f"{arguments.heddle} options lists nothing")
        return 1
    known = own | FOREIGN_OPTIONS | EXAMPLE_OPTIONS
    for script in ("scripts/test", "scripts/bench", "scripts/bench-engines", "scripts/bench-prove", "scripts/bench-confirm", "scripts/fuzz", "scripts/lint", "scripts/setup",
                   "scripts/quickstart", "tests/programs/run.py", "tests/metamorphic/run.py",
                   "tests/thesis/check.py"):
        known |= words_of([str(ROOT / script), "--help"])

    words = set(re.findall(r"^\| ([^|]+?) \|", (ROOT / "docs/GLOSSARY.md").read_text(), re.MULTILINE))
    problems = [*package_problems(), *raw_log_problems(), *help_problems(arguments.heddle, own)]
    for document in documents():
        text, name = document.read_text(), document.relative_to(ROOT)
        problems += [f"{name}:{problem}" for problem in missing_paths(document, text)]
        problems += [f"{name}:{problem}" for problem in unknown_options(text, known)]
        problems += [f"{name}:{problem}" for problem in glossary_problems(text, words)]
    said = {option for document in (ROOT / "docs").rglob("*.md") for _, code in code_of(document.read_text())
            for option in re.findall(r"--[a-z][a-z-]*", code)}  # fmt: skip
    problems += [f"docs: no document says anything about {option}" for option in sorted(own) if not exists_as(option, said)]

    print("\n".join(problems) if problems else f"{len(documents())} documents name only what is there")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
