#!/usr/bin/env python3
"""Confirms the patterns of patterns/*.cpp: each must end as the line above it says (see patterns.hpp), and prints the
table of rates.

Of a real bug some finding must be confirmed within the tries, and its witness must have the expected effect on the
program. Of a safe program nothing may be confirmed. Each written schedule is replayed (--replays times), and must
show its finding each time; and once on a program whose source was changed elsewhere (unless --no-edit).
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FLAGS = {"threads": [], "openmp": ["-fopenmp"], "tbb": ["-ltbb"]}
EFFECTS = ["none", "output", "exit-code", "endless", "deadlock", "assertion", "crash"]
# Shifts every line, and adds a function and a lambda before all others.
UNRELATED = """// Somebody has changed something else meanwhile.
namespace somewhere_else {
inline long helper(long x) {
  auto twice = [](long y) { return 2 * y; };
  return twice(x) + 1;
}
long (*volatile kept)(long) = helper;
}  // namespace somewhere_else

"""


def patterns(source):
    """name -> (state, effect, options)"""
    found = {}
    for block in re.finditer(r"((?:^// (?:expect|options): .*\n)+)(?:static )?void (\w+)\(\)", source.read_text(), re.M):
        expect = re.search(r"expect: (\w+) ?([\w-]*)", block[1])
        options = re.search(r"options: (.*)", block[1])
        found[block[2]] = (expect[1], expect[2] or "none", options[1].split() if options else [])
    return found


def run(command, folder, timeout=900):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, errors="replace",
                          timeout=timeout)


def build(heddle, source, folder, output, text=None):
    path = source
    if text is not None:
        (folder / "edited").mkdir(exist_ok=True)
        path = folder / "edited" / source.name
        path.write_text(text)
    built = run(["env", "HEDDLE_CXX=g++", heddle, "c++", "-std=c++20", "-g", "-O1", "-I", HERE / "patterns", path,
                 *FLAGS[source.stem], "-o", output], folder)
    if built.returncode != 0:
        sys.exit(f"{source} does not compile:\n{built.stderr}")


def kind_of(effect):
    """The word of patterns.hpp for a phrase of the report."""
    for word, mark in (("none", r"^$"), ("output", "^prints|^does not print"), ("exit-code", "^exit code"), ("endless", "^does not end"),
                       ("deadlock", "^deadlock"), ("assertion", "[Aa]ssertion"), ("crash", "^killed by")):
        if re.search(mark, effect):
            return word
    return effect


class Outcome:
    def __init__(self, name, confirmation_of, problem):
        self.name, self.problem = name, problem
        states = [c["state"] for c in confirmation_of]
        self.state = next((s for s in ("confirmed", "undecided", "refuted") if s in states), "clean")
        confirmed = [c for c in confirmation_of if c["state"] == "confirmed"]
        self.confirmed, self.findings = len(confirmed), len(states)
        self.tries = max((c["tries"] for c in confirmed), default=0)
        self.thrashes = sum(c["thrashes"] for c in confirmation_of)
        self.effect = max((kind_of(c["effect"]) for c in confirmed), key=EFFECTS.index, default="")
        self.schedules = [c["schedule"] for c in confirmed]


def confirm(heddle, program, name, options, extra, folder):
    out = folder / name
    done = run([heddle, "confirm", "--serial", "--quiet", "--threads=2", "--timeout=600", f"--report={name}.json", f"--out={out}", *extra, *options, program, name],
               folder)
    report = folder / f"{name}.json"
    if not report.exists():
        return Outcome(name, [], f"exit code {done.returncode}, no report:\n{done.stderr}")
    told = json.loads(report.read_text())
    outcome = Outcome(name, [f["confirmation"] for f in told["findings"]] + ([told["search"]] if "search" in told else []), None)
    codes = {"confirmed": 66, "undecided": 4}
    if done.returncode != codes.get(outcome.state, 0):
        outcome.problem = f"exit code {done.returncode} though it is {outcome.state}"
    return outcome


def replay(heddle, program, name, options, schedule, folder):
    checks = [option for option in options if option.startswith(("--check", "--atomic"))]
    done = run([heddle, "replay", "--quiet", "--threads=2", *checks, schedule, program, name], folder)
    # A search has no finding: its effect shows it.
    shows = (done.returncode != 0 or schedule.endswith("bug-0.schedule")) and "does not follow" not in done.stderr and "does not fit" not in done.stderr
    return None if shows else f"{schedule} shows nothing:\n{done.stderr}"


def check(outcome, expected, replays):
    state, effect, _ = expected
    if outcome.problem:
        return outcome.problem
    if outcome.state != state:
        return f"{outcome.state} instead of {state}"
    if state == "confirmed" and EFFECTS.index(outcome.effect) < EFFECTS.index(effect):
        return f"its effect is {outcome.effect}, not {effect}"
    return next((problem for schedule in outcome.schedules if (problem := replays(schedule))), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True, type=pathlib.Path)
    parser.add_argument("--replays", type=int, default=1, help="how often each schedule is replayed")
    parser.add_argument("--no-edit", action="store_true", help="do not replay on a changed source")
    parser.add_argument("--models", nargs="*", default=sorted(FLAGS), choices=sorted(FLAGS))
    parser.add_argument("--options", default="", help="more options for heddle confirm: --strategy=random")
    parser.add_argument("names", nargs="*", help="only these patterns")
    arguments = parser.parse_args()
    heddle = arguments.heddle.resolve()
    wrong = total = real = shown = 0
    for model in arguments.models:
        source = HERE / "patterns" / f"{model}.cpp"
        known = {n: e for n, e in patterns(source).items() if not arguments.names or n in arguments.names}
        if not known:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            program, edited = folder / model, folder / f"{model}-edited"
            build(heddle, source, folder, program)
            if not arguments.no_edit:
                build(heddle, source, folder, edited, UNRELATED + source.read_text())
            print(f"{'':5}{model:42} {'state':10} {'of':>3} {'tries':>5} {'thrashes':>8}  effect")
            for name, expected in known.items():
                outcome = confirm(heddle, program, name, expected[2], arguments.options.split(), folder)

                def replays(schedule):
                    programs = [program] * arguments.replays + ([] if arguments.no_edit else [edited])
                    return next((p for one in programs if (p := replay(heddle, one, name, expected[2], schedule, folder))), None)

                problem = check(outcome, expected, replays)
                total += 1
                wrong += problem is not None
                real += expected[0] == "confirmed"
                shown += outcome.confirmed > 0 and expected[0] == "confirmed"
                print(f"{'FAIL' if problem else 'ok':5}{name:42} {outcome.state:10} {f'{outcome.confirmed}/{outcome.findings}':>3} "
                      f"{outcome.tries:5} {outcome.thrashes:8}  {outcome.effect}", flush=True)
                if problem:
                    print("     " + problem.replace("\n", "\n     "), flush=True)
    print(f"{total - wrong} of {total} patterns as expected; {shown} of {real} real bugs confirmed")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
