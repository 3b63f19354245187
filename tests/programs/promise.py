#!/usr/bin/env python3
"""What `heddle run` promises (docs/USAGE.md, "What a clean run means"): every variable that races is reported, with at
least one pair of lines; every pair that is reported races; and which variables these are is the same in every run, with
any number of threads.

Random programs of tasks, some of them ordered by a taskwait, that read and write variables, each access on a line of
its own. All pairs of lines that race are known from the text.

examples:
  promise.py --heddle build/ci/bin/heddle
  promise.py --heddle build/ci/bin/heddle --seeds 1 2 3 --groups 200 --repeat 10
"""

import argparse
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile


def write(seed, groups):
    """The source text, and for each variable the pairs of lines that race."""
    choose = random.Random(seed)
    text = ["static void use(int value) { asm volatile(\"\" : : \"r\"(value)); }"]
    races = {}
    for group in range(groups):
        names = [f"v{group}_{i}" for i in range(choose.randint(1, 3))]
        text += [f"static volatile int {name};" for name in names]
        text.append(f"static void group{group}() {{")
        accesses, phase = [], 0
        for task in range(choose.randint(2, 5)):
            if task and choose.random() < 0.3:
                text.append("#pragma omp taskwait")
                phase += 1
            text += ["#pragma omp task", "{"]
            for _ in range(choose.randint(1, 4)):
                name, writes = choose.choice(names), choose.random() < 0.4
                text.append(f"{name} = {task};" if writes else f"use({name});")
                accesses.append((task, phase, name, writes, len(text)))
            text.append("}")
        text += ["#pragma omp taskwait", "}"]
        for one, other in itertools.combinations(accesses, 2):
            (a, phase_a, name_a, writes_a, line_a), (b, phase_b, name_b, writes_b, line_b) = one, other
            if a != b and phase_a == phase_b and name_a == name_b and (writes_a or writes_b):
                races.setdefault(name_a, set()).add(frozenset((line_a, line_b)))
    text += ["int main() {", "#pragma omp parallel", "#pragma omp single", "{"]
    text += [f"group{group}();" for group in range(groups)]
    text += ["}", "}"]
    return "\n".join(text) + "\n", races


def disagreements(report, races):
    found = set()
    for finding in report["findings"]:
        lines = frozenset(int(finding[side]["stack"][0]["line"]) for side in ("first", "second"))
        # One report is one pair of lines, and each line has one variable here.
        names = [name for name, pairs in races.items() if lines in pairs]
        if not names:
            yield f"lines {sorted(lines)} do not race"
        found.update(names)
    for name in races.keys() - found:
        yield f"nothing is reported about {name}, which races at {sorted(map(sorted, races[name]))[:3]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--groups", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++"])
    parser.add_argument("--levels", nargs="+", default=["-O0", "-O2"])
    arguments = parser.parse_args()
    heddle = arguments.heddle.resolve()
    wrong = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        source, program, output = (pathlib.Path(folder) / name for name in ("promise.cpp", "promise", "report.json"))
        for seed, compiler, level in itertools.product(arguments.seeds, arguments.compilers, arguments.levels):
            text, races = write(seed, arguments.groups)
            source.write_text(text)
            subprocess.run([heddle.parent / f"heddle-{compiler}", level, "-fopenmp", source, "-o", program], check=True)
            for threads, _ in itertools.product((1, 2, 8), range(arguments.repeat)):
                runs += 1
                subprocess.run([heddle, "run", f"--report={output}", program], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
                for complaint in disagreements(json.loads(output.read_text()), races):
                    wrong += 1
                    print(f"seed {seed}, {compiler} {level}, {threads} threads: {complaint}")
            print(f"seed {seed}, {compiler} {level}: {len(races)} of the variables race, in "
                  f"{sum(map(len, races.values()))} pairs of lines")
    print(f"{runs} runs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
