#!/usr/bin/env python3
"""Builds and runs the cases of cases.py: each violation must be reported, at its three lines and with its pattern, and nothing else.

examples:
  run.py --heddle build/ci/bin/heddle
  run.py --heddle build/ci/bin/heddle --models openmp --compilers clang --workers 1 8 --every 1
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import cases

COMPILERS = {"gcc": "g++", "clang": "clang++-19"}


def compile_text(arguments, text, name, compiler, level, flags, folder):
    source = folder / f"{name}.cpp"
    source.write_text(text)
    program = folder / f"{name}-{compiler}{level}"
    compiled = subprocess.run(
        [arguments.heddle, "c++", "-std=c++20", "-g", level, source, "-o", program, *flags],
        env=os.environ | {"HEDDLE_CXX": COMPILERS[compiler]}, capture_output=True, text=True)  # fmt: skip
    if compiled.returncode != 0:
        sys.exit(f"{source.name} does not build:\n{compiled.stderr}")
    return program


def violations(arguments, program, workers, folder, check="atomicity", options=()):
    """Of each violation the lines of its three accesses, its pattern and its evidence; and the exit code."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    ran = subprocess.run(
        [arguments.heddle, "run", f"--check={check}", *options, "--max-reports=0", f"--report={report}", program],
        env=os.environ | {"OMP_NUM_THREADS": str(workers), "WORKERS": str(workers)},
        capture_output=True, text=True, timeout=120)  # fmt: skip
    if not report.exists():
        sys.exit(f"{program.name} made no report (exit code {ran.returncode}):\n{ran.stderr[-2000:]}")
    found = {}
    for finding in json.loads(report.read_text())["findings"]:
        if "intruder" not in finding:
            continue
        lines = tuple(finding[role].get("line", 0) for role in ("first", "intruder", "last"))
        found[lines] = finding["pattern"], finding["evidence"]
    return found, ran.returncode


def compare(model, workers, known, found, code):
    expected = {case.lines: case for case in known if case.is_violation(model, workers)}
    for lines, case in expected.items():
        if lines not in found:
            yield f"missed: {case.name}, lines {lines}"
        elif found[lines] != ("-".join(case.pattern), "certain"):
            yield f"{case.name}: reported as {found[lines]}"
    by_line = {line: case for case in known for line in case.lines}
    for lines in found.keys() - expected.keys():
        case = by_line.get(lines[0])
        yield f"false alarm at lines {lines}: {case.name if case else 'nobody knows what'}"
    if code != 66:
        yield f"exit code {code}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--models", nargs="+", default=list(cases.MODELS), choices=list(cases.MODELS))
    parser.add_argument("--compilers", nargs="+", default=list(COMPILERS), choices=list(COMPILERS))
    parser.add_argument("--levels", nargs="+", default=["-O1"])
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2, 8])
    parser.add_argument("--every", type=int, default=1, help="each so-manieth case only")
    parser.add_argument("--keep", help="folder for the programs")
    arguments = parser.parse_args()
    arguments.heddle = str(Path(arguments.heddle).resolve())
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.keep or temporary)
        folder.mkdir(exist_ok=True)
        for name in arguments.models:
            for compiler in arguments.compilers:
                for level in arguments.levels:
                    model = cases.MODELS[name]
                    text, known = cases.write(model, arguments.every)
                    program = compile_text(arguments, text, name, compiler, level, model.flags, folder)
                    for workers in arguments.workers:
                        found, code = violations(arguments, program, workers, folder)
                        problems = list(compare(model, workers, known, found, code))
                        wrong += len(problems)
                        print(f"{program.name} with {workers} workers: {len(known)} cases, {len(found)} violations, {len(problems)} wrong", flush=True)
                        for problem in problems[:20]:
                            print("  " + problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
