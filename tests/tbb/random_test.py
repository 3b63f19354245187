#!/usr/bin/env python3
"""Random programs on oneTBB: Heddle's reports must equal those of an oracle of the program's structure.

For each program `random_tbb` gives the text, and the pairs of accesses that race. `interpreter.cpp`, built with
`heddle c++`, executes the text. Every reported pair must be one of the oracle's, and every cell with a race must be
reported. A program with a wrong verdict is shrunk. Its number is its seed: `--first N --programs 1` runs it again.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
SITES = 400  # more than a program has accesses; each is a line of sites.inc
TIMEOUT = 900  # seconds: surely hung, however busy the machine is


class Program:
    """A random program: its number, its text, the cell of each access, and the pairs that race."""

    def __init__(self, number, text, cells, races):
        self.number = number
        self.text = text
        self.cell_of = {int(site): int(cell) for site, cell in (item.split(":") for item in cells.split())}
        self.races = {frozenset(map(int, pair.split(","))) for pair in races.split()}
        if len(self.cell_of) > SITES:
            sys.exit(f"program {number} has more accesses than sites.inc has lines")


def programs(arguments):
    command = [arguments.random, str(arguments.first), str(arguments.programs), str(arguments.size)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [Program(arguments.first + i // 3, *lines[i:i + 3]) for i in range(0, len(lines), 3)]


def steps(text):
    """The positions of single steps in the text, with all that is inside them: pairs of positions."""
    words, at, found = text.replace("(", " ( ").replace(")", " ) ").split(), 0, []

    def body():
        nonlocal at
        at += 1
        while words[at] != ")":
            begin, numbers, bodies = at, int(words[at + 1]), int(words[at + 2])
            at += 3 + numbers
            for _ in range(bodies):
                body()
            found.append((begin, at))
        at += 1

    body()
    return words, sorted(found, key=lambda step: step[0] - step[1])


def shrink(arguments, program, binary, workers):
    """The program without steps that do not matter: the large ones first."""
    tried = True
    while tried:
        tried = False
        words, places = steps(program.text)
        for begin, end in places:
            text = " ".join(words[:begin] + words[end:])
            lines = subprocess.run([arguments.random, "-"], input=text, check=True, capture_output=True, text=True).stdout.splitlines()
            smaller = Program(program.number, *lines)
            if run(arguments, smaller, binary, workers):
                program, tried = smaller, True
                break
    return program


def write_sites(path):
    """Line n + 1 is access n. The differing text keeps the compiler from merging lines."""
    line = 'case {0}: asm volatile("# {0}" ::: "memory"); if (write) cells[cell] = {0}; else asm volatile("# {0}" : : "r"(cells[cell])); break;'
    path.write_text("".join(line.format(site) + "\n" for site in range(SITES)))


def build(arguments, compiler, level, directory):
    binary = directory / f"interpreter-{compiler}{level}"
    command = [arguments.heddle, "c++", "-std=gnu++20", level, "-pthread", f"-I{directory}", str(HERE / "interpreter.cpp"), "-o", str(binary),
               "-ltbb"]
    subprocess.run(command, env=dict(os.environ, HEDDLE_CXX=COMPILERS[compiler]), check=True)
    return binary


def judge(program, report):
    """The problem, or None."""
    found = set()
    for finding in report["findings"]:
        sides = finding["first"], finding["second"]
        if any(pathlib.Path(side.get("file", "")).name != "sites.inc" for side in sides):
            return f"a race that is not between two accesses of the program: {finding['headline']}"
        pair = frozenset(side["line"] - 1 for side in sides)
        if pair not in program.races:
            return f"a false alarm: accesses {sorted(pair)} ({finding['evidence']})"
        found.add(program.cell_of[min(pair)])
    racing = {program.cell_of[min(pair)]: sorted(pair) for pair in program.races}
    if missed := set(racing) - found:
        cell = min(missed)
        return f"no race was found on cell {cell}, where accesses {racing[cell]} race"
    return None


def run(arguments, program, binary, workers):
    report = binary.with_name(f"{binary.name}-{program.number}-{workers}.json")
    command = [arguments.heddle, "run", "--predicted", f"--report={report}", str(binary)]
    environment = dict(os.environ, WORKERS=str(workers))
    environment.pop("HEDDLE_OPTIONS", None)
    try:
        done = subprocess.run(command, input=program.text, env=environment, capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
        problem = judge(program, json.loads(report.read_text()))
        if problem is None and done.returncode != (66 if json.loads(report.read_text())["summary"]["certain"] else 0):
            problem = f"exit code {done.returncode}"
    except subprocess.TimeoutExpired:
        problem = f"did not end within {TIMEOUT} s"
    except (OSError, ValueError):
        problem = f"no report: {done.stderr[-400:]}"
    report.unlink(missing_ok=True)
    return problem


def check(arguments, program, binary, workers):
    problem = run(arguments, program, binary, workers)
    if not problem:
        return None
    smallest = shrink(arguments, program, binary, workers)
    return (f"program {program.number} [{binary.name}] with {workers} workers: {problem}\n"
            f"      shrunk to {smallest.text}: {run(arguments, smallest, binary, workers) or 'only now and then'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--random", required=True, help="the program of random.cpp")
    parser.add_argument("--first", type=int, default=1, help="the number of the first program")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--size", type=int, default=30, help="steps of a program")
    parser.add_argument("--compilers", nargs="+", default=list(COMPILERS), choices=list(COMPILERS))
    parser.add_argument("--levels", nargs="+", default=["-O2"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2, 8])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="DIR", help="build here and keep the interpreters")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heddle-random-tbb-") as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        directory = pathlib.Path(arguments.keep or scratch)
        directory.mkdir(exist_ok=True)
        write_sites(directory / "sites.inc")
        pairs = [(compiler, level) for compiler in arguments.compilers for level in arguments.levels]
        binaries = list(pool.map(lambda pair: build(arguments, *pair, directory), pairs))
        everything = programs(arguments)
        racy = sum(bool(program.races) for program in everything)
        runs = [(program, binary, workers) for program in everything for binary in binaries for workers in arguments.workers]
        random.Random(1).shuffle(runs)  # long and short ones mixed
        problems = [problem for problem in pool.map(lambda what: check(arguments, *what), runs) if problem]
    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{len(everything)} programs, {racy} with races, {len(runs)} runs, {len(problems)} wrong")
    return 1 if problems or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
