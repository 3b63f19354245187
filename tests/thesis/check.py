#!/usr/bin/env python3
"""Checks benchmarks/thesis: the table of programs against the folder, and the programs against their verdicts.

The table (benchmarks/thesis/table.txt) and the programs state the same facts twice, for two readers; here they are
compared:
  - each row has its program and each program its row, 56 of them;
  - a program's first lines have the row's verdict and size, and so has its code;
  - a racy program marks where it races.
Then programs are built and run with two workers, and checked as those of tests/programs are: by their own comments.
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "programs"), str(ROOT / "benchmarks" / "thesis")]
import run  # noqa: E402
import table  # noqa: E402

# One of each kind: plain arrays, isolated sections, futures on tasks and on threads, nested tasks, a kernel; racy and
# clean.
HANDFUL = ("DataRaceIsolateSimple1", "FuturesIso", "PrimeNumCounter", "JGFCryptBenchSizeA", "DoubleBranchExample",
           "ManyNetworkRequests", "TrueDep1OrigYes", "VectorAdd")


def table_problems(rows):
    if len(rows) != 56:
        yield f"the table has {len(rows)} rows, not 56"
    there = {path.stem: path for path in table.FOLDER.glob("*.cpp")}
    for name in sorted({row.name for row in rows} ^ set(there)):
        yield f"{name} is in the table or in the folder, not in both"
    for row in rows:
        if path := there.get(row.name):
            yield from (f"{row.name}: {problem}" for problem in program_problems(row, path))


def program_problems(row, path):
    program, text = run.Program(path), path.read_text()
    if program.expect != row.verdict:
        yield f"says `expect: {program.expect}`, the table says {row.verdict}"
    if (row.verdict == "race") != bool(program.races):
        yield "marks races if and only if it has none"
    said = re.search(r"^// size: (\d+) \w", text, re.M)
    coded = re.search(r"size_argument\(argc, argv, ([\d']+),", text)
    for what, match in (("its first lines", said), ("its code", coded)):
        number = match and int(match[1].replace("'", ""))
        if number != row.size:
            yield f"the size is {row.size} in the table and {number} in {what}"
    if row.full < row.size:
        yield "the full size is less than the default one"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=str(ROOT / "heddle"), help="the tool (default: the one at the root of the repository)")
    parser.add_argument("--programs", choices=("none", "handful", "all"), default="handful", help="which are run (default: handful)")
    parser.add_argument("--compilers", nargs="+", default=["gcc"], choices=list(run.COMPILERS))
    parser.add_argument("--levels", nargs="+", default=["-O2"], help="write --levels=-O2")
    parser.add_argument("--workers", nargs="+", type=int, default=[2])
    parser.add_argument("--repeat", type=int, default=1, help="runs of each build with each number of workers")
    parser.add_argument("--size", default="x0.1", help="argument of the programs, as `x0.1` of their default work (default: %(default)s)")
    parser.add_argument("--keep", metavar="DIR", help="build here and keep what failed")
    arguments = parser.parse_args()
    arguments.ways, arguments.replay = ["parallel"], None  # as tests/programs/run.py wants to know

    rows = table.read()
    problems = list(table_problems(rows))
    chosen = [row.name for row in rows if arguments.programs == "all" or (arguments.programs == "handful" and row.name in HANDFUL)]
    runs = 0
    with tempfile.TemporaryDirectory(prefix="heddle-thesis-") as scratch:
        directory = arguments.keep or scratch
        os.makedirs(directory, exist_ok=True)
        for name in chosen:
            program = run.Program(table.FOLDER / f"{name}.cpp")
            program.model, program.arguments, program.flags = "openmp", [arguments.size], ["-pthread"]
            for compiler in arguments.compilers:
                for level in arguments.levels:
                    count, found = run.check(arguments.heddle, [program], compiler, level, arguments, directory)
                    runs += count
                    problems += found
    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{len(rows)} rows, {runs} runs, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
