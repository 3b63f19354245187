"""Shared by the tests of this folder: arguments, a working folder, building a text, and the findings of a run."""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMPILERS = {"gcc": "g++", "clang": "clang++-19"}


def parser(description, models, compilers=tuple(COMPILERS), workers=(2,)):
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--heddle", required=True, type=lambda path: str(Path(path).resolve()))
    made.add_argument("--models", nargs="+", default=list(models), choices=list(models))
    made.add_argument("--compilers", nargs="+", default=list(compilers), choices=list(COMPILERS))
    made.add_argument("--workers", nargs="+", type=int, default=list(workers))
    made.add_argument("--keep", help="folder for the programs")
    return made


@contextlib.contextmanager
def workspace(arguments):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(arguments.keep or temporary)
        folder.mkdir(exist_ok=True)
        yield folder


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
        capture_output=True, text=True, timeout=900)  # fmt: skip
    if not report.exists():
        sys.exit(f"{program.name} made no report (exit code {ran.returncode}):\n{ran.stderr[-2000:]}")
    found = {}
    for finding in json.loads(report.read_text())["findings"]:
        if "intruder" not in finding:
            continue
        lines = tuple(finding[role].get("line", 0) for role in ("first", "intruder", "last"))
        found[lines] = finding["pattern"], finding["evidence"]
    return found, ran.returncode
