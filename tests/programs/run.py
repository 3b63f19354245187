#!/usr/bin/env python3
"""Runs the programs under correct/ and wrong/ with Heddle and compares each report with what the program's own
comments promise.

A program's first lines say what to expect (see README.md beside this file); lines that take part in a race carry
`// race: A`. A verdict is right when
  clean      nothing certain is reported, and the exit code is the program's own;
  race       every certain finding lies on two lines of one letter, every letter is found, and the exit code is 66;
  predicted  every letter is found, as certain or as predicted, and no certain finding lies elsewhere.
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
import zlib

import recorded
import together

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-19", "clang++-19")}
TIMEOUT = 900  # seconds; a run takes well under one, but the machine may be busy
LEVELS = ["-O0", "-O2"]
# Ways to run a program: on its own runtime, on Heddle's, and on its own with the verdict taken from its history.
WORKERS = {"parallel": [1, 2, 8], "serial": [1, 4, 64], "recorded": [1, 2, 8]}


class Program:
    """One source file and the expectations in its comments."""

    def __init__(self, path):
        self.path = path
        self.name = f"{path.parent.parent.name}/{path.parent.name}/{path.stem}"
        self.model = path.parent.name
        text = path.read_text()
        head = text.split("\n\n", 1)[0]
        self.expect = self._field(head, "expect") or "clean"
        self.workers = [int(n) for n in (self._field(head, "workers") or "1 2 8").split()]
        self.compilers = (self._field(head, "compilers") or "gcc clang").split()
        self.serial = (self._field(head, "serial") or ("yes" if "gcc" in self.compilers else "no")) == "yes"
        self.flags = (self._field(head, "flags") or "").split()
        self.has_history = self._field(head, "history") != "none"
        self.arguments = []
        self.env = dict(item.split("=", 1) for item in (self._field(head, "env") or "").split())
        self.races = {}
        for number, line in enumerate(text.splitlines(), 1):
            for letters in re.findall(r"// race: ([A-Z](?:[ ,]+[A-Z])*)", line):
                for letter in re.findall("[A-Z]", letters):
                    self.races.setdefault(letter, set()).add(number)

    @staticmethod
    def _field(head, name):
        match = re.search(rf"^// {name}: *(.*)$", head, re.M)
        return match and match.group(1).strip()

    def runs_on(self, way, compiler):
        if way == "serial" and (self.model == "openmp" or "-fopenmp" in self.flags):
            return compiler == "gcc" and self.serial
        if way == "recorded" and (self.model == "tbb" or not self.has_history):
            return False
        return compiler in self.compilers

    def is_recorded_by(self, compiler, level):
        """Builds take turns: each program is recorded in one of them."""
        builds = [(c, l) for c in self.compilers for l in LEVELS]
        return (compiler, level) == builds[zlib.crc32(self.name.encode()) % len(builds)]

    def one_worker_count(self, compiler, level):
        """Builds take turns, so that each number of workers has some build of the program."""
        return [self.workers[zlib.crc32(f"{self.name} {compiler} {level}".encode()) % len(self.workers)]]

    def worker_counts(self, wanted, way="parallel"):
        # Thread programs choose their own number of threads: one run is as good as three. Tasks of heddle/async.hpp
        # run when they are created.
        if self.model in ("threads", "async"):
            return [2]
        # Logical threads cost little, so any number will do that is not one where the program needs two.
        return [n for n in wanted if n in self.workers or (way == "serial" and n > 1)]


def compile_command(heddle, program, compiler, level, output, source=None):
    is_c = program.path.suffix == ".c"
    command = [heddle, "cc" if is_c else "c++", "-std=gnu17" if is_c else "-std=gnu++20", level]
    command += ["-fopenmp"] if program.model == "openmp" else ["-pthread"]
    libraries = ["-ltbb", "-ltbbmalloc"] if program.model == "tbb" else []
    environment = dict(os.environ, HEDDLE_CC=COMPILERS[compiler][0], HEDDLE_CXX=COMPILERS[compiler][1])
    return command + program.flags + [str(source or program.path), "-o", str(output)] + libraries, environment


def run_environment(program, workers):
    """OMP_NUM_THREADS is for OpenMP, WORKERS for workers.hpp, with which programs of tbb/ set the number, PROGRAM for
    together.py."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(workers), WORKERS=str(workers), PROGRAM=program.name, **program.env)
    environment.pop("HEDDLE_OPTIONS", None)
    return environment


def line_in(program, access):
    return access.get("line") if pathlib.Path(access.get("file", "")).name == program.path.name else None


def judge(program, report, exit_code):
    """The first problem, or None."""
    found = set()
    certain = 0
    for finding in report["findings"]:
        pair = {line_in(program, finding["first"]), line_in(program, finding["second"])}
        letters = {letter for letter, lines in program.races.items() if pair <= lines}
        if finding["evidence"] == "certain":
            certain += 1
            if program.expect == "clean":
                return f"false alarm: {finding['headline']} at lines {pair}"
            if not letters:
                return f"a race that is not one of the marked: lines {pair}: {finding['headline']}"
        if finding["evidence"] == "certain" or program.expect == "predicted":
            found |= letters
    if missed := set(program.races) - found:
        return f"race {', '.join(sorted(missed))} was not found"
    wanted = 66 if certain else 0
    if exit_code != wanted:
        return f"exit code {exit_code}, not {wanted}"
    return None


def run_once(heddle, program, binary, workers, way, replay):
    environment = run_environment(program, workers)
    if way == "recorded":
        return recorded.run_once(heddle, replay, program, [str(binary), *program.arguments], environment, f"{binary}.hist", TIMEOUT)
    report_path = f"{binary}.json"
    how = ["--serial", f"--threads={workers}"] if way == "serial" else []
    command = [heddle, "run", *how, "--predicted", f"--report={report_path}", str(binary), *program.arguments]
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"did not end within {TIMEOUT} s"
    try:
        report = json.loads(pathlib.Path(report_path).read_text())
    except (OSError, ValueError):
        return f"no report; exit code {done.returncode}; stderr ends: {done.stderr[-400:]}"
    problem = judge(program, report, done.returncode)
    return problem and f"{problem}\n      reproduce: OMP_NUM_THREADS={workers} WORKERS={workers} PROGRAM={program.name} {' '.join(command)}"


def build(heddle, members, compiler, level, directory):
    """One binary for the programs; returns (binary, None) or (None, why there is none)."""
    program = members[0]
    stem = program.name.replace("/", "-") + (f"-and-{len(members) - 1}-more" if len(members) > 1 else "")
    binary = pathlib.Path(directory) / f"{stem}-{compiler}{level}"
    source = None
    if len(members) > 1:
        source = binary.with_name(f"{binary.name}.cpp")
        source.write_text(together.source(members, [HERE / "workers.hpp"] if program.model == "tbb" else []))
    command, environment = compile_command(heddle, program, compiler, level, binary, source)
    # The main of a program among others is an ordinary function, which must return a value.
    built = subprocess.run(command + ["-Werror=return-type"], env=environment, capture_output=True, text=True, errors="replace", check=False)
    return (binary, None) if built.returncode == 0 else (None, built.stderr[-1500:])


def check(heddle, members, compiler, level, arguments, directory):
    """All runs of one build; returns (number of runs, list of problems)."""
    binary, why = build(heddle, members, compiler, level, directory)
    if binary is None:
        return 1, [f"{members[0].name} [{compiler} {level}]: does not compile: {why}"]
    problems, runs = [], 0
    for program in members:
        for way in arguments.ways:
            if not program.runs_on(way, compiler):
                continue
            if way == "recorded" and arguments.record_by_turns and not program.is_recorded_by(compiler, level):
                continue
            wanted = arguments.workers or WORKERS[way]
            # There the number of workers changes nothing under the verification runtime.
            if program.model == "tbb" and way == "serial" and not arguments.workers:
                wanted = program.one_worker_count(compiler, level)
            for workers in program.worker_counts(wanted, way):
                # The verification runtime is deterministic: a second run would be the same.
                for _ in range(1 if way == "serial" else arguments.repeat):
                    runs += 1
                    if problem := run_once(heddle, program, binary, workers, way, arguments.replay):
                        problems.append(f"{program.name} [{compiler} {level}] with {workers} workers, {way}: {problem}")
                        break
    if not (problems and arguments.keep):
        binary.unlink(missing_ok=True)
    return runs, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="example: run.py --compilers gcc --levels=-O0 --repeat 20 taskwait")
    parser.add_argument("--heddle", default=str(ROOT / "heddle"), help="the tool (default: the one at the root of the repository)")
    parser.add_argument("--compilers", nargs="+", default=list(COMPILERS), choices=list(COMPILERS))
    parser.add_argument("--levels", nargs="+", default=LEVELS, help="write --levels=-O2")
    parser.add_argument("--workers", nargs="+", type=int, help="default: 1 2 8, serial 1 4 64")
    parser.add_argument("--ways", nargs="+", default=["parallel"], choices=list(WORKERS),
                        help="parallel: on the program's own runtime; serial: on the verification runtime (OpenMP code by GCC only); "
                        "recorded: by heddle record, and its history is judged")
    parser.add_argument("--replay", help="what judges a history: the program of tests/recorded/replay.cpp")
    parser.add_argument("--record-by-turns", action="store_true", help=f"record each program with one compiler at one of the levels {LEVELS}")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each build with each number of workers (soak: 20)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() + 1, help="builds under way; the default has one more than processors, "
                        "as programs also wait")
    parser.add_argument("--without", metavar="MODEL", nargs="+", default=[], help="leave out the programs of these folders")
    parser.add_argument("--keep", metavar="DIR", help="build here and keep what failed")
    parser.add_argument("names", nargs="*", help="only programs whose name contains one of these")
    arguments = parser.parse_args()
    if "recorded" in arguments.ways and not arguments.replay:
        parser.error("--ways recorded needs --replay")

    sources = sorted(p for p in HERE.glob("*/*/*") if p.suffix in (".c", ".cpp"))
    programs = [p for p in map(Program, sources) if p.model not in arguments.without
                and (not arguments.names or any(n in p.name for n in arguments.names))]
    builds = [(members, c, level) for c in arguments.compilers for level in arguments.levels
              for members in together.groups([p for p in programs if any(p.runs_on(way, c) for way in arguments.ways)])]
    runs, problems, done = 0, [], 0
    with tempfile.TemporaryDirectory(prefix="heddle-programs-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        directory = arguments.keep or scratch
        os.makedirs(directory, exist_ok=True)
        pending = [pool.submit(check, arguments.heddle, *build, arguments, directory) for build in builds]
        for future in concurrent.futures.as_completed(pending):
            count, found = future.result()
            runs, done = runs + count, done + 1
            for problem in found:
                print(f"FAIL {problem}", flush=True)
            problems += found
            if sys.stderr.isatty():
                print(f"\r{done} of {len(builds)} builds", end="", file=sys.stderr, flush=True)
    print(f"{len(programs)} programs, {len(builds)} builds, {runs} runs")
    print(f"{runs - len(problems)} passed, {len(problems)} failed")
    return 1 if problems or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
