#!/usr/bin/env python3
"""Builds and runs the cases of cases.py: each violation must be reported, at its three lines and with its pattern,
and nothing else.

examples:
  run.py --heddle build/ci/bin/heddle
  run.py --heddle build/ci/bin/heddle --models openmp --compilers clang --workers 1 8 --every 1
"""

import sys

import cases
import harness
from harness import compile_text, violations


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
    parser = harness.parser(__doc__, cases.MODELS, workers=[1, 2, 8])
    parser.add_argument("--levels", nargs="+", default=["-O1"])
    parser.add_argument("--every", type=int, default=1, help="each so-manieth case only")
    arguments = parser.parse_args()
    wrong = 0
    with harness.workspace(arguments) as folder:
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
