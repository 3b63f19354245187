#!/usr/bin/env python3
"""Checks that the cost of an analysis grows with the program, and no faster. Usage: run.py --heddle TOOL [SHAPE...]

Each shape of shapes.cpp makes one thing n times. Valgrind counts the instructions of the program, and of the tool
where there is something to report, for n and for FACTOR * n; what a run costs with one is subtracted. So neither the
machine nor its load matters. OpenMP has one thread, where the analysis is the same and nobody waits: so the counts are
too. Where there are more threads they vary from run to run: one that waits for another adds to them. So what seems to
grow too fast is measured again, by turns with more things, where that often matters less, and the least count of each
size is taken: a power stays.
"""

import argparse
import concurrent.futures
import itertools
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FACTOR = 8
# Cost may grow like n to this power. n log n, as of the trees that clocks are, looks like 1.05 to 1.1 here.
MOST = 1.1
AGAIN = 4  # times as many things where the first measurement is above that
TRIES = 6
RACES, DEADLOCKS, ATOMICITY = "race", "race,deadlock", "race,atomicity"
# Shapes whose first size is not the usual one, as what they do costs little or much.
USUAL = 250
SIZES = {"accesses": 10000, "memory_touched": 1000, "thread_rounds": 128, "detached_threads": 50, "asyncs": 50, "nested_regions": 150,
         "regions": 150, "readers_of_a_table": 4000, "racing_variables": 100000, "places_that_race": 32, "locksets_of_one_variable": 500}
THREADS = {"chunks": 2}  # of OpenMP: one thread gets a loop as one chunk
# Shapes with findings: the tool reports them.
REPORTED = {"racing_variables", "places_that_race"}
# Those that other checkers have more to do with than races.
ALSO = {DEADLOCKS: ["locks", "nested_locks", "sections_of_one_lock", "tasks_under_a_lock", "locksets_of_one_variable"],
        ATOMICITY: ["annotated_siblings", "annotated_groups", "annotated_reacquired", "annotated_cells", "siblings", "tree_with_waits"]}


class Growth:
    def __init__(self, heddle, program, folder):
        self.heddle, self.program, self.folder = heddle, program, folder
        self.measured = itertools.count()  # each measurement has logs of its own

    def instructions(self, shape, size, checks):
        logs = self.folder / f"{shape}-{next(self.measured)}"
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no", "--cachegrind-out-file=/dev/null", "--trace-children=yes",
                   f"--log-file={logs}.%p", *([self.heddle, "run", "--exit-code=0"] if shape in REPORTED else []), self.program, shape, str(size)]
        # A thread of libomp that waits must not spin: it would count.
        environment = dict(os.environ, OMP_NUM_THREADS=str(THREADS.get(shape, 1)), OMP_WAIT_POLICY="passive", HEDDLE_OPTIONS=f"check={checks}")
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            raise RuntimeError(f"{shape} {size}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        counts = [int(count.replace(",", "")) for log in self.folder.glob(f"{logs.name}.*") for count in re.findall(r"I +refs: +([\d,]+)", log.read_text())]
        if len(counts) != (2 if shape in REPORTED else 1):
            raise RuntimeError(f"{shape} {size}: valgrind counted {len(counts)} processes")
        return sum(counts)

    def exponent(self, shape, checks):
        """n to which power, and instructions for one of the n."""
        least = {}
        for attempt in range(TRIES):
            size = SIZES.get(shape, USUAL) * (AGAIN if attempt % 2 else 1)
            sizes = (1, size, FACTOR * size)
            for n in sizes:
                least[n] = min(self.instructions(shape, n, checks), least.get(n, math.inf))
            start, small, large = (least[n] for n in sizes)
            if start < small < large:
                power = math.log((large - start) / (small - start)) / math.log(FACTOR)
                if power <= MOST or attempt + 1 == TRIES:
                    return power, (large - start) / FACTOR / size
        raise RuntimeError(f"{shape}: {start}, {small}, {large} instructions: too few things to count what they cost")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True, type=pathlib.Path, help="the tool")
    parser.add_argument("--compiler", default="g++", help="that builds the shapes (g++)")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help="only these")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heddle-growth-") as folder:
        folder = pathlib.Path(folder)
        heddle, program = arguments.heddle.resolve(), folder / "shapes"
        build = [heddle, "c++", "-std=c++20", "-O2", "-g", "-fopenmp", HERE / "shapes.cpp", "-o", program]
        subprocess.run(build, env=dict(os.environ, HEDDLE_CXX=arguments.compiler), check=True)
        known = subprocess.run([program], capture_output=True, text=True, check=False).stderr.split("\n")[1:]
        shapes = arguments.shapes or [name for name in known if name]
        jobs = [(shape, RACES) for shape in shapes] + [(shape, checks) for checks, names in ALSO.items() for shape in names if shape in shapes]
        growth = Growth(heddle, program, folder)
        wrong = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (shape, checks), (power, each) in zip(jobs, pool.map(lambda job: growth.exponent(*job), jobs)):
                bad = power > MOST
                wrong += bad
                print(f"{'FAIL' if bad else 'ok  '} {shape:26} {checks:15} n^{power:.2f} {each:10.0f} instructions each", flush=True)
    print(f"{len(jobs) - wrong} of {len(jobs)} grow with their size")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
