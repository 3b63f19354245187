#!/usr/bin/env python3
"""Builds and runs the programs under correct/ and wrong/ with --check=deadlock, and compares each report with the
program's comments.

A program of wrong/ says `// expect: deadlock`, and marks the lines at which the locks of a cycle are wanted with `//
wants: A`; `// length: N` where they are not as many as the cycle has edges. `// happens: yes`: the run has that
deadlock, and is ended by SIGTERM. `// alone: yes`: not built with others. Each letter must be found once, nothing
else, and the exit code is 66. Nothing may be found in the others.

examples:
  run.py --heddle build/ci/bin/heddle
  run.py --heddle build/ci/bin/heddle --compilers gcc --levels=-O0 --ways parallel serial --repeat 20 threads/
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "programs"))
import together  # noqa: E402

SHARED = [HERE / "turns.hpp", HERE / "happens.hpp"]
COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
FLAGS = {"threads": ["-pthread"], "openmp": ["-fopenmp"], "tbb": ["-pthread", "-ltbb", "-ltbbmalloc"]}
TIMEOUT = 900  # seconds; a run takes well under one, and a deadlock would take for ever


class Program:
    def __init__(self, path):
        self.path, self.model = path, path.parent.name
        self.name = f"{path.parent.parent.name}/{self.model}/{path.stem}"
        text = path.read_text()
        self.wrong = "// expect: deadlock" in text
        self.happens = "// happens: yes" in text
        self.group = self.name if "// alone: yes" in text else self.model
        length = re.search(r"// length: (\d+)", text)
        self.length = length and int(length.group(1))
        self.cycles = {}
        for number, line in enumerate(text.splitlines(), 1):
            for letters in re.findall(r"// wants: ([A-Z ]+)", line):
                for letter in letters.split():
                    self.cycles.setdefault(letter, []).append(number)


def judge(program, report, exit_code):
    """The first problem, or None."""
    found = []
    for finding in report["findings"]:
        lines = [edge["wants"].get("line") for edge in finding["edges"]]
        letters = [letter for letter, marked in program.cycles.items() if set(marked) == set(lines)]
        if program.happens != (finding["evidence"] == "certain"):
            return f"{finding['evidence']}: {finding['headline']}"
        if not letters:
            return f"a deadlock that is none: {finding['headline']}"
        if len(lines) != (program.length or len(program.cycles[letters[0]])):
            return f"a cycle of {len(lines)}: {finding['headline']}"
        for edge, after in zip(finding["edges"], finding["edges"][1:] + finding["edges"][:1]):
            held = after["holds"][after["held_for"]]
            if held["lock"]["id"] != edge["wants"]["lock"]["id"] or not held["stack"] or not edge["wants"]["stack"]:
                return f"an edge does not lead to the next one: {finding['headline']}"
        if len({edge["wants"]["lock"].get("identity") for edge in finding["edges"]}) != len(lines):
            return f"two locks have one name: {finding['headline']}"
        found += letters
    if sorted(found) != sorted(program.cycles):
        return f"found {sorted(found)}, not {sorted(program.cycles)}"
    wanted = 66 if program.wrong else 0
    return None if exit_code == wanted else f"exit code {exit_code}, not {wanted}"


def identities(report):
    """The identities of a report's locks and tasks, which are the same in every run."""
    findings = json.loads(pathlib.Path(report).read_text())["findings"]
    return sorted({edge["wants"]["lock"]["identity"] for f in findings for edge in f["edges"]}
                  | {task["identity"] for f in findings for task in f["tasks"]})  # fmt: skip


def run_once(heddle, program, binary, way):
    report = f"{binary}-{program.path.stem}-{way}.json"
    command = [heddle, "run", "--check=deadlock", *(["--serial"] if way == "serial" else []), f"--report={report}", binary]
    try:
        done = subprocess.run(command, env=os.environ | {"PROGRAM": program.name}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT)  # fmt: skip
        problem = judge(program, json.loads(pathlib.Path(report).read_text()), done.returncode)
    except subprocess.TimeoutExpired:
        problem = f"did not end within {TIMEOUT} s"
    except (OSError, ValueError):
        problem = f"no report: {done.stderr[-500:]}"
    if way == "serial" and program.model == "threads" and not problem:
        other = report.replace("-serial.json", "-parallel.json")
        if os.path.exists(other) and identities(other) != identities(report):
            problem = f"names differ between runs: {identities(other)}, {identities(report)}"
    return problem and f"{problem}\n      reproduce: PROGRAM={program.name} {' '.join(map(str, command))}"


def check(arguments, programs, compiler, level, folder):
    model = programs[0].model
    binary = pathlib.Path(folder) / f"{programs[0].group.replace('/', '-')}-{compiler}{level}"
    text = binary.with_suffix(".cpp")
    text.write_text(together.source(programs, SHARED))
    compiled = subprocess.run([arguments.heddle, "c++", "-std=c++20", "-g", level, text, "-o", binary, *FLAGS[model]],
                              env=os.environ | {"HEDDLE_CXX": COMPILERS[compiler]},
                              capture_output=True, text=True)  # fmt: skip
    if compiled.returncode != 0:
        return 1, [f"{model} [{compiler} {level}] does not compile: {compiled.stderr[-1500:]}"]
    runs, problems = 0, []
    for program in programs:
        for way in arguments.ways:
            if way == "serial" and model == "openmp" and compiler != "gcc":
                continue  # the verification runtime has GCC's entry points only
            if way == "serial" and program.happens:
                continue  # there a deadlock ends the run, before a signal does
            for _ in range(arguments.repeat if way == "parallel" else 1):
                runs += 1
                if problem := run_once(arguments.heddle, program, binary, way):
                    problems.append(f"{program.name} [{compiler} {level}], {way}: {problem}")
                    break
    return runs, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=str(ROOT / "heddle"))
    parser.add_argument("--compilers", nargs="+", default=list(COMPILERS), choices=list(COMPILERS))
    parser.add_argument("--levels", nargs="+", help="default: -O2 with GCC, -O0 with clang; write --levels=-O2")
    parser.add_argument("--ways", nargs="+", default=["parallel", "serial"], choices=["parallel", "serial"])
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="DIR", help="build here, and keep everything")
    parser.add_argument("names", nargs="*", help="only programs whose name contains one of these")
    arguments = parser.parse_args()
    programs = [Program(path) for path in sorted(HERE.glob("*/*/*.cpp"))]
    programs = [p for p in programs if not arguments.names or any(name in p.name for name in arguments.names)]
    groups = {p.group: [other for other in programs if other.group == p.group] for p in programs}
    builds = [(members, compiler, level) for members in groups.values() for compiler in arguments.compilers
              for level in arguments.levels or ["-O2" if compiler == "gcc" else "-O0"]]  # fmt: skip
    runs, problems = 0, []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for count, found in pool.map(lambda build: check(arguments, *build, folder), builds):
            runs += count
            problems += found
    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{len(programs)} programs, {len(builds)} builds, {runs} runs, {len(problems)} failed")
    return 1 if problems or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
