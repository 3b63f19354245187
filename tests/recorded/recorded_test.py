#!/usr/bin/env python3
"""Records the programs of tests/programs and judges their histories: a race must be found iff the program is wrong.

Whatever the running program's verdict rests on must be in the history: order, locks, new memory, memory that belongs to threads.
The histories must also be legal, ticket by ticket: see src/event/run_state.hpp.
"""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "programs"))
import run as programs  # noqa: E402

TIMEOUT = 120  # seconds; a run takes well under one


def lines_of(text):
    return dict(line.split(" ", 1) for line in text.splitlines() if " " in line)


def judge(program, said):
    """The first thing that is wrong, or None."""
    if said.get("problem") != "none":
        return f"the history cannot be read: {said.get('problem')}"
    if said["legal"] != "yes":
        return f"not a legal history: event {said['legal']}"
    certain, predicted = map(int, said["races"].split())
    if program.expect == "clean" and certain:
        return f"{certain} racing pairs in a correct program"
    if program.expect == "race" and not certain:
        return "no race"
    if program.expect == "predicted" and not certain + predicted:
        return "no race, not even a predicted one"
    return None


def record(arguments, program, binary, workers, history):
    environment = programs.run_environment(program, workers)
    command = [arguments.heddle, "record", "-o", str(history), str(binary), *program.arguments]
    try:
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT)
        if done.returncode != 0:
            return f"heddle record exits with {done.returncode}: {done.stderr[-400:]}"
        judged = subprocess.run([arguments.replay, str(history)], capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
    except subprocess.TimeoutExpired as late:
        return f"did not end within {TIMEOUT} s: {late.cmd}"
    if judged.returncode != 0:
        return f"replay exits with {judged.returncode}: {judged.stderr[-400:]}"
    return judge(program, lines_of(judged.stdout))


def check(arguments, members, compiler, directory):
    binary, why = programs.build(arguments.heddle, members, compiler, arguments.level, directory)
    if binary is None:
        return 1, [f"{members[0].name} [{compiler}]: does not compile: {why}"]
    problems, runs = [], 0
    for program in members:
        for workers in program.worker_counts([1, 2, 8]):
            for _ in range(arguments.repeat):
                runs += 1
                history = f"{binary}-{workers}.hist"
                if problem := record(arguments, program, binary, workers, history):
                    problems.append(f"{program.name} [{compiler}] with {workers} workers: {problem}")
                    break
                os.unlink(history)
    if not (problems and arguments.keep):
        binary.unlink(missing_ok=True)
    return runs, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--replay", required=True, help="the program of replay.cpp")
    parser.add_argument("--compilers", nargs="+", default=["gcc", "clang"])
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="only one program in so many, others with each compiler")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", metavar="DIR", help="work here and keep what failed")
    parser.add_argument("names", nargs="*", help="only programs whose name contains one of these")
    arguments = parser.parse_args()
    sources = sorted(p for p in programs.HERE.glob("*/*/*") if p.suffix in (".c", ".cpp"))
    chosen = [p for p in map(programs.Program, sources) if not arguments.names or any(n in p.name for n in arguments.names)]
    builds = [(members, c) for shift, c in enumerate(arguments.compilers)
              for members in programs.together.groups([p for i, p in enumerate(chosen) if c in p.compilers and p.has_history and p.model != "tbb"
                                                       and (i + shift) % arguments.every == 0])]
    runs, problems = 0, []
    with tempfile.TemporaryDirectory(prefix="heddle-recorded-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        directory = arguments.keep or scratch
        os.makedirs(directory, exist_ok=True)
        for future in concurrent.futures.as_completed([pool.submit(check, arguments, *build, directory) for build in builds]):
            count, found = future.result()
            runs += count
            problems += found
            for problem in found:
                print(f"FAIL {problem}", flush=True)
    print(f"{len(builds)} builds, {runs} recordings, {len(problems)} failed")
    return 1 if problems or not builds else 0


if __name__ == "__main__":
    sys.exit(main())
