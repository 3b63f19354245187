#!/usr/bin/env python3
"""Proves the programs of programs/: the verdict, and the number of classes, must be those in each program's head.

A head has lines `// prove: proved|race|deadlock|crash|undecided`, and optionally `// classes: N`, `// assumptions:
NAME ...` (short names of ASSUMPTIONS; without the line: none), `// options: ...` (of heddle prove) and `// flags:
...` (of the compiler). Of what is proved, the assumptions must be exactly those, and the certificate is checked; of
what is not, the schedule is replayed, twice, and both reports must be the same.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
EXIT_CODES = {"proved": 0, "race": 66, "deadlock": 66, "crash": 66, "undecided": 4}
# Short names for heads, and the words of `heddle prove`.
ASSUMPTIONS = {
    "atomics": "weakly ordered atomic operations behave as sequentially consistent ones",
    "timeouts": "a timeout passes only when no other thread can run",
    "spins": "a failed poll is retried only when what it read has another value",
    "clocks": "clocks show the time that sleeps and timeouts took, and no more",
    "locks": "locks that one task acquires and another releases order nothing",
    "wake-ups": "no wait for a condition variable ends without a notification",
    "input": "input from outside is the same in every execution",
    "own-blocks": "blocks that a thread allocates in the region are its own, and so is what tasks reach by its number or its variables",
    "cut-off": "a wait for something from outside at the end of the process is never satisfied",
    "serial-thread": "the last thread to arrive at a barrier is its serial thread",
    "readers-first": "a reader does not wait for a writer that waits",
    "tries": "a try of a free lock succeeds, and weak exchanges fail only if the values differ",
    "signals": "signals and cancellations come at one moment only, of several possible ones",
    "copies": "the teams of a target region share nothing that only the region has",
    "thread-numbers": "a task runs on the thread that created it",
    "one-order": "the order of some operations does not matter: on descriptors, ends of threads, cancelled oneTBB tasks",
    "no-reuse": "memory that another thread frees is not allocated again",
}


def head(source):
    fields = dict(re.findall(r"^// (prove|classes|assumptions|options|flags): (.*)$", source.read_text(), re.M))
    if fields.get("prove") not in EXIT_CODES:
        sys.exit(f"{source}: no line '// prove: ...'")
    if unknown := set(fields.get("assumptions", "").split()) - ASSUMPTIONS.keys():
        sys.exit(f"{source}: no such assumptions: {' '.join(sorted(unknown))}")
    return fields


def run(command, folder):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=1800)


def replays(heddle, proof, folder):
    """Runs the replay that the proof prints, twice; an error if it does not show the bug."""
    told = re.search(r"^heddle: to see it again: heddle (.*)$", proof.stderr, re.M)
    if not told or "could not be followed" in proof.stderr:
        return "no schedule that can be followed:\n" + proof.stderr
    reports = [run([heddle, *shlex.split(told[1])], folder) for _ in range(2)]
    if reports[0].stderr != reports[1].stderr:
        return "two replays print different reports"
    if reports[0].returncode == 0:
        return "the replay shows nothing:\n" + reports[0].stderr
    return None


def assumed(proof):
    """The assumptions of the verdict, by short names; the text itself if there is none."""
    told = re.search(r"; assumptions: (.*)$", proof.stderr, re.M)
    names = {words: name for name, words in ASSUMPTIONS.items()}
    return {names.get(words, words) for words in told[1].split("; ") if words != "none"} if told else set()


def check(heddle, source, folder):
    """None, or the problem."""
    fields = head(source)
    name = source.stem
    built = run([heddle, "c++", "-std=c++20", "-g", "-O1", source, *fields.get("flags", "").split(), "-o", name], folder)
    if built.returncode != 0:
        return "does not compile:\n" + built.stderr
    proof = run([heddle, "prove", "--summary=summary.json", *fields.get("options", "").split(), f"./{name}"], folder)
    summary_file = folder / "summary.json"
    if not summary_file.exists():
        return f"no summary; exit code {proof.returncode}:\n{proof.stderr}"
    summary = json.loads(summary_file.read_text())
    expected = fields["prove"]
    if summary["verdict"] != expected or proof.returncode != EXIT_CODES[expected]:
        return f"'{summary['verdict']}', exit code {proof.returncode}, instead of '{expected}':\n{proof.stderr}"
    if "classes" in fields and summary["executions"] != int(fields["classes"]):
        return f"{summary['executions']} classes instead of {fields['classes']}"
    if expected == "undecided":
        return None
    if expected != "proved":
        return replays(heddle, proof, folder)
    if assumed(proof) != set(fields.get("assumptions", "").split()):
        return f"assumptions: {', '.join(sorted(assumed(proof))) or 'none'}, instead of {fields.get('assumptions', 'none')}"
    certificate = run([heddle, "check-certificate", *fields.get("options", "").split(), f"{name}.certificate", f"./{name}"], folder)
    return None if certificate.returncode == 0 else "its certificate does not hold:\n" + certificate.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True, type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="only these programs")
    arguments = parser.parse_args()
    heddle = arguments.heddle.resolve()
    wrong = 0
    sources = [s for s in sorted((HERE / "programs").glob("*.cpp")) if not arguments.names or s.stem in arguments.names]
    for source in sources:
        with tempfile.TemporaryDirectory() as folder:
            problem = check(heddle, source, pathlib.Path(folder))
        print(f"{'FAIL' if problem else 'ok  '} {source.stem}", flush=True)
        if problem:
            wrong += 1
            print("     " + problem.replace("\n", "\n     "))
    print(f"{len(sources) - wrong} of {len(sources)} programs as expected")
    return 1 if wrong or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
