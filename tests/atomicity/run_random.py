#!/usr/bin/env python3
"""Random programs (random_programs.py) under `heddle run --check=atomicity` against all triples: a violation of each
location that has one, none of another, and each that is reported is one.

examples:
  run_random.py --heddle build/ci/bin/heddle
  run_random.py --heddle build/ci/bin/heddle --programs 500 --seeds 1 2 3 --workers 1 2 8
"""

import sys
from itertools import product
from random import Random

import harness
import random_programs
from cases import MODELS
from harness import compile_text, violations


def disagreements(program, found):
    """`found`: lines of the three accesses to the pattern."""
    truth = program.violations()
    lines = {access.line for access in program.accesses}
    known = {triple: patterns for of_location in truth.values() for triple, patterns in of_location.items()}
    reported = {triple: pattern for triple, (pattern, _) in found.items() if triple[0] in lines}
    for triple, pattern in reported.items():
        if pattern not in known.get(triple, ()):
            yield f"program {program.number}: lines {triple} are no violation, or not {pattern}"
    for location, triples in truth.items():
        if not triples.keys() & reported.keys():
            yield f"program {program.number}: nothing found of {location}, such as lines {min(triples)} {triples[min(triples)]}"


def main():
    parser = harness.parser(__doc__, ["openmp", "threads"], compilers=["gcc"])
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--checks", nargs="+", default=["atomicity", "race,atomicity"])
    parser.add_argument("--programs", type=int, default=150)
    parser.add_argument("--seeds", nargs="+", type=int, default=[1])
    arguments = parser.parse_args()
    wrong = 0
    with harness.workspace(arguments) as folder:
        for seed in arguments.seeds:
            for name in arguments.models:
                # Where there is no region, memory that is not annotated does not matter: another path through the
                # hooks.
                for regions in (False, True):
                    kind = f"random-{name}{'-regions' if regions else ''}-{seed}"
                    text, programs = random_programs.write(name, Random(kind), arguments.programs // 2, regions)
                    for compiler in arguments.compilers:
                        program = compile_text(arguments, text, kind, compiler, arguments.level, MODELS[name].flags, folder)
                        for workers, check in product(arguments.workers, arguments.checks):
                            found, code = violations(arguments, program, workers, folder, check)
                            problems = [each for one in programs for each in disagreements(one, found)]
                            if code not in (0, 66):
                                problems.append(f"exit code {code}")
                            wrong += len(problems)
                            print(f"{program.name}, {workers} workers, {check}: {len(programs)} programs, {len(found)} violations, {len(problems)} wrong", flush=True)
                            for problem in problems[:10]:
                                print("  " + problem)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
