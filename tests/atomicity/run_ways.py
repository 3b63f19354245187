#!/usr/bin/env python3
"""Every way to declare atomic data, in every programming model: regions in the source, functions, critical sections,
variables and groups by name. A case is a pair of accesses and an interleaving one; it is a violation if, and only if,
its declaration is in force.

examples:
  run_ways.py --heddle build/ci/bin/heddle
  run_ways.py --heddle build/ci/bin/heddle --models openmp --compilers clang --workers 1 2 8
"""

import sys

import harness
from cases import MODELS, Text, access, locks
from harness import compile_text, violations

IN_SOURCE = "what the source says"  # in force in every run


class Case:
    """A pair of accesses, what is around them, and who intrudes. `way`: the option with which it is a violation;
    None: it never is."""

    def __init__(self, name, way, pair, intruder="W v"):
        self.name, self.way, self.pair, self.intruder = name, way, pair, intruder
        self.lines = {}

    @property
    def triple(self):
        return self.lines["first"], self.lines["intruder"], self.lines["last"]


# "R v" is an access, "+m" takes a lock, anything else is text.
CASES = [
    Case("scope", IN_SOURCE, ["{ heddle::atomic_region region;", "R v", "W v", "}"]),
    Case("scope in a scope", IN_SOURCE, ["{ heddle::atomic_region region;", "R v", "{ heddle::atomic_region inner; }", "W v", "}"]),
    Case("C", IN_SOURCE, ["HEDDLE_ATOMIC_REGION_BEGIN();", "W v", "W v", "HEDDLE_ATOMIC_REGION_END();"], "R v"),
    Case("lock taken again in a region", IN_SOURCE, ["{ heddle::atomic_region region;", "+m", "R v", "-m", "+m", "W v", "-m", "}"], "W v under m"),
    Case("lock held all through a region", None, ["{ heddle::atomic_region region;", "+m", "R v", "W v", "-m", "}"], "W v under m"),
    Case("two regions", None, ["{ heddle::atomic_region region;", "R v", "}", "{ heddle::atomic_region region;", "W v", "}"]),
    Case("half outside", None, ["R v", "{ heddle::atomic_region region;", "W v", "}"]),
    Case("behind", None, ["{ heddle::atomic_region region; }", "R v", "W v"]),
    Case("no conflict", None, ["{ heddle::atomic_region region;", "R v", "W v", "}"], "R v"),
    Case("function", "function:meant_to_be_atomic", ["meant_to_be_atomic();"]),
    Case("two calls", None, ["half_of_it(true);", "half_of_it(false);"]),
    Case("critical section", "critical-sections", ["+m", "R v", "W v", "-m"]),
    Case("two critical sections", None, ["+m", "R v", "-m", "+m", "W v", "-m"], "W v under m"),
    Case("variable", "var:named", ["R named", "W named"], "W named"),
    Case("group", "group:one,other", ["R one", "R other"], "W one"),
    Case("group, the other", "group:this_one,that_one", ["R this_one", "R this_one"], "W that_one"),
]  # fmt: skip
# Data without annotations, in critical sections of a lock that is released and acquired again: predicted, and nothing
# else counts in such a run.
REACQUIRED = "reacquired-locks"
IN_LOCKS_TAKEN_AGAIN = ("lock taken again in a region", "two critical sections")
WAYS = [case.way for case in CASES if case.way not in (None, IN_SOURCE)]


def write_part(case, text, model, parts, roles):
    roles = iter(roles)
    for part in parts:
        if part[0] in "+-":
            text.add(*locks(model, [part]))
        elif part[:2] in ("R ", "W "):
            role = next(roles)
            variable = f"v{case.number}" if part[2] == "v" and len(part) == 3 else part[2:]
            case.lines[role] = text.add(access(part[0], variable, f"{case.number} {role}"))
        else:
            text.add(part)


def write(model):
    text = Text()
    text.add("#include <heddle/annotate.hpp>", *model.header, "", model.mutex.format("m"))
    text.add(*(f"volatile int {name};" for name in ("named", "one", "other", "this_one", "that_one", "f", "h")))
    function = next(case for case in CASES if case.name == "function")
    calls = next(case for case in CASES if case.name == "two calls")
    for number, case in enumerate(CASES):
        case.number = number
        text.add(f"static volatile int v{number};")
    text.add('extern "C" __attribute__((noinline)) void meant_to_be_atomic() {')
    function.lines["first"] = text.add(access("R", "f", "function first"))
    function.lines["last"] = text.add(access("W", "f", "function last"))
    text.add("}", "__attribute__((noinline)) static void half_of_it(bool first) {", "if (first) {")
    calls.lines["first"] = text.add(access("R", "h", "calls first"))
    text.add("} else {")
    calls.lines["last"] = text.add(access("W", "h", "calls last"))
    text.add("}", "}")
    for case in CASES:
        text.add(f"static void case{case.number}() {{")
        for line in model.shapes["step"]:
            if line == "PAIR":
                write_part(case, text, model, case.pair, ["first", "last"])
            elif line == "INTRUDER":
                what = case.intruder.replace(" under m", "")
                what = {"function": "W f", "two calls": "W h"}.get(case.name, what)
                under = ["+m", what, "-m"] if "under m" in case.intruder else [what]
                write_part(case, text, model, under, ["intruder"])
            else:
                text.add(line)
        text.add("}")
    text.add("int main() {", *(["omp_init_lock(&m);"] if model.name == "openmp" else []))
    text.add(*(f"case{case.number}();" for case in CASES), "}")
    return "\n".join(text.lines) + "\n"


def problems(way, found):
    """`found`: lines of the three accesses, to the pattern. Ignores races."""
    for case in CASES:
        expected = case.name in IN_LOCKS_TAKEN_AGAIN if way == REACQUIRED else case.way == IN_SOURCE or (way is not None and case.way == way)
        reported = [triple for triple in found if set(triple) & set(case.lines.values())]
        if expected and reported != [case.triple]:
            yield f"{case.name}: {case.triple} is a violation, and reported is {reported}"
        if not expected and reported:
            yield f"{case.name}: {reported} is no violation"


def main():
    parser = harness.parser(__doc__, MODELS)
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--check", default="atomicity")
    arguments = parser.parse_args()
    wrong = 0
    with harness.workspace(arguments) as folder:
        for name in arguments.models:
            text = write(MODELS[name])
            for compiler in arguments.compilers:
                program = compile_text(arguments, text, f"ways-{name}", compiler, arguments.level, MODELS[name].flags, folder)
                for workers in arguments.workers:
                    for way in [None, *WAYS, REACQUIRED]:
                        options = [f"--atomic={way}"] if way else []
                        options += ["--predicted"] if way == REACQUIRED else []
                        found, code = violations(arguments, program, workers, folder, arguments.check, options)
                        for problem in problems(way, found):
                            wrong += 1
                            print(f"{program.name}, {workers} workers, {way or 'no option'}: {problem}")
                        if code != (0 if way == REACQUIRED else 66):
                            wrong += 1
                            print(f"{program.name}, {workers} workers, {way or 'no option'}: exit code {code}")
                print(f"{program.name}: {len(CASES)} cases, {len(WAYS) + 2} runs", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
