#!/usr/bin/env python3
"""Random programs on oneTBB: what Heddle reports must be what an oracle says.

A program is a tree of constructs with accesses in it, each variable accessed twice. The oracle writes down every strand and every edge that
the constructs promise, and takes the transitive closure: two accesses race iff neither comes before the other, one of them writes, and
no filter excludes them. random_program.cpp executes the program. A disagreement is shrunk by leaving out parts.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VARIABLES = 48
MODES = ("parallel", "in_order", "out_of_order")
KINDS = ("access", "group", "run", "wait", "for", "invoke", "reduce", "pipeline", "graph", "execute")


class Generator:
    """Makes programs as nested lists; an access has no variable yet."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.budget = 40

    def sequence(self, depth, groups):
        length = self.random.randint(1, 3)
        return [op for op in (self.operation(depth, groups) for _ in range(length)) if op]

    def operation(self, depth, groups):
        self.budget -= 1
        if depth == 0 or self.budget < 0 or self.random.random() < 0.35:
            return ["access", None]
        deeper = lambda inner=groups: self.sequence(depth - 1, inner)
        kind = self.random.choice(["group", "group", "run", "run", "wait", "for", "invoke", "reduce", "pipeline", "graph", "execute"])
        if kind == "group":
            return ["group", [op for _ in range(self.random.randint(1, 3)) for op in deeper(groups + 1)]]
        if kind == "run":
            return ["run", self.random.randrange(groups), deeper()] if groups else ["access", None]
        if kind == "wait":
            return ["wait"] if groups else ["access", None]
        if kind == "for":
            return ["for", [deeper() for _ in range(self.random.randint(2, 4))]]
        if kind == "invoke":
            return ["invoke", [deeper() for _ in range(3)]]
        if kind == "reduce":
            leaves = self.random.randint(2, 6)
            return ["reduce", [deeper() for _ in range(leaves)], [[low, high, deeper()] for low, high in joins(0, leaves)]]
        if kind == "pipeline":
            items, stages = self.random.randint(2, 4), self.random.randint(2, 3)
            # With the ends in order, which item waits for which token is certain.
            modes = ["in_order"] + [self.random.choice(MODES) for _ in range(stages - 2)] + ["in_order"]
            return ["pipeline", self.random.randint(1, 3), items, modes, [deeper(0) for _ in range(items * stages)]]
        if kind == "graph":
            nodes = self.random.randint(2, 5)
            edges = [[a, b] for a in range(nodes) for b in range(a + 1, nodes) if self.random.random() < 0.4]
            return ["graph", [deeper(0) for _ in range(nodes)], edges]
        # Whoever waits in one arena does not run the tasks of another: none may be left there.
        return ["execute", deeper(0)]


def joins(low, high):
    """The ranges that a reduction joins, as blocked_range splits them."""
    if high - low < 2:
        return []
    middle = low + (high - low) // 2
    return joins(low, middle) + joins(middle, high) + [(low, high)]


def accesses_of(part):
    if isinstance(part, list):
        if part and part[0] == "access":
            yield part
        else:
            for inner in part:
                yield from accesses_of(inner)


def assign(program, seed):
    """Pairs of accesses get a variable; who is left over reads one of its own."""
    chooser = random.Random(seed)
    accesses = list(accesses_of(program))
    chooser.shuffle(accesses)
    for at, access in enumerate(accesses):
        variable, which = (at // 2, at % 2) if at < 2 * VARIABLES else (VARIABLES - 1, 0)
        write = chooser.random() < 0.7 and at < 2 * VARIABLES
        access[1:] = [variable, which, int(write)]


class Oracle:
    """Strands and edges of one program."""

    def __init__(self, program):
        self.before = [0]  # of each strand, as bits: all that come before it
        self.made = {}  # (variable, which) -> (strand, write, filters)
        self.waits = []
        self.run(program, 0, [], ())

    def strand(self, *predecessors):
        known = 0
        for p in predecessors:
            known |= self.before[p] | 1 << p
        self.before.append(known)
        return len(self.before) - 1

    def run(self, sequence, now, groups, filters):
        for operation in sequence:
            now = self.operation(operation, now, groups, filters)
        return now

    def operation(self, operation, now, groups, filters):
        kind = operation[0]
        if kind == "access":
            self.made.setdefault(tuple(operation[1:3]), []).append((now, operation[3], filters))
            return now
        if kind == "execute":
            return self.run(operation[1], now, groups, filters)
        if kind == "group":
            group = []
            now = self.run(operation[1], now, groups + [group], filters)
            return self.strand(now, *group)
        if kind == "wait":
            now = self.strand(now, *groups[-1])
            return now
        if kind == "run":
            groups[-1 - operation[1]].append(self.run(operation[2], self.strand(now), groups, ()))
            return self.strand(now)
        if kind in ("for", "invoke"):
            ends = [self.run(part, self.strand(now), groups, ()) for part in operation[1]]
            return self.strand(now, *ends)
        if kind == "reduce":
            return self.reduce(operation, now, groups)
        if kind == "pipeline":
            return self.pipeline(operation, now)
        nodes, edges = operation[1], operation[2]
        ends = []
        for number, part in enumerate(nodes):
            ends.append(self.run(part, self.strand(now, *(ends[a] for a, b in edges if b == number)), [], ()))
        return self.strand(now, *ends)

    def reduce(self, operation, now, groups):
        ends = {(i, i + 1): self.run(part, self.strand(now), groups, ()) for i, part in enumerate(operation[1])}
        for low, high, part in operation[2]:
            middle = low + (high - low) // 2
            ends[low, high] = self.run(part, self.strand(ends[low, middle], ends[middle, high]), groups, ())
        return self.strand(now, ends[0, len(operation[1])])

    def pipeline(self, operation, now):
        _, tokens, items, modes, parts = operation
        stages, ends = len(modes), {}
        for item in range(items):
            for stage, mode in enumerate(modes):
                predecessors = [now]
                if stage:
                    predecessors.append(ends[item, stage - 1])
                if mode == "in_order" and item:
                    predecessors.append(ends[item - 1, stage])
                if stage == 0 and item >= tokens:
                    predecessors.append(ends[item - tokens, stages - 1])
                excluded = ((id(operation), stage),) if mode == "out_of_order" else ()
                ends[item, stage] = self.run(parts[item * stages + stage], self.strand(*predecessors), [], excluded)
        return self.strand(now, *ends.values())

    def racing(self):
        result = set()
        for (variable, which), first in self.made.items():
            for a, a_writes, a_filters in first if which == 0 else ():
                for b, b_writes, b_filters in self.made.get((variable, 1), ()):
                    ordered = a == b or self.before[b] >> a & 1 or self.before[a] >> b & 1
                    if not ordered and (a_writes or b_writes) and not set(a_filters) & set(b_filters):
                        result.add(variable)
        return result


def words(sequence):
    yield "["
    for operation in sequence:
        kind = operation[0]
        yield kind
        if kind == "access":
            yield from map(str, operation[1:])
        elif kind in ("group", "execute"):
            yield from words(operation[1])
        elif kind == "run":
            yield str(operation[1])
            yield from words(operation[2])
        elif kind == "invoke":
            for part in operation[1]:
                yield from words(part)
        elif kind in ("for", "reduce", "graph"):
            yield str(len(operation[1]))
            for part in operation[1]:
                yield from words(part)
            if kind == "reduce":
                yield str(len(operation[2]))
                for low, high, part in operation[2]:
                    yield from (str(low), str(high))
                    yield from words(part)
            if kind == "graph":
                yield str(len(operation[2]))
                for edge in operation[2]:
                    yield from map(str, edge)
        elif kind == "pipeline":
            yield from map(str, [operation[1], operation[2], len(operation[3]), *operation[3]])
            for part in operation[4]:
                yield from words(part)
    yield "]"


def found(arguments, binary, program, workers, directory):
    report = pathlib.Path(tempfile.mkstemp(dir=directory, suffix=".json")[1])
    command = [arguments.heddle, "run", "--quiet", f"--report={report}", str(binary), *words(program)]
    try:
        done = subprocess.run(command, env=dict(os.environ, WORKERS=str(workers)), capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "did not end"
    try:
        findings = json.loads(report.read_text())["findings"]
    except (OSError, ValueError, KeyError):
        return f"exit code {done.returncode}, no report: {done.stderr[-300:]}"
    finally:
        report.unlink(missing_ok=True)
    if done.returncode not in (0, 66):
        return f"exit code {done.returncode}: {done.stderr[-300:]}"
    return {int(number) for number in re.findall(r"touch<(\d+)", json.dumps(findings))}


def disagreement(arguments, binary, program, directory, workers):
    expected = Oracle(program).racing()
    said = found(arguments, binary, program, workers, directory)
    if said == expected:
        return None
    if isinstance(said, str):
        return said
    return f"the oracle says {sorted(expected)}, Heddle {sorted(said)}: missed {sorted(expected - said)}, too many {sorted(said - expected)}"


def smaller(part):
    """Every program with one operation less."""
    if not isinstance(part, list):
        return
    for at, inner in enumerate(part):
        if isinstance(inner, list) and inner and inner[0] in KINDS:
            yield part[:at] + part[at + 1:]
    for at, inner in enumerate(part):
        if isinstance(inner, list):
            for less in smaller(inner):
                yield part[:at] + [less] + part[at + 1:]


def shrink(arguments, binary, program, directory, workers):
    changed = True
    while changed:
        changed = False
        for less in smaller(program):
            if disagreement(arguments, binary, less, directory, workers):
                program, changed = less, True
                break
    return program


def check(arguments, binary, seed, directory):
    program = Generator(seed).sequence(4, 0)
    assign(program, seed)
    workers = (1, 2, 4)[seed % 3]
    problem = disagreement(arguments, binary, program, directory, workers)
    if not problem:
        return None
    program = shrink(arguments, binary, program, directory, workers)
    return f"seed {seed}, {workers} workers: {disagreement(arguments, binary, program, directory, workers) or problem}\n  " + " ".join(words(program))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--level", default="-O1")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heddle-tbb-oracle-") as directory:
        binary = pathlib.Path(directory) / "random_program"
        command = [arguments.heddle, "c++", "-std=c++20", arguments.level, str(HERE / "random_program.cpp"), "-o", str(binary), "-ltbb"]
        built = subprocess.run(command, env=dict(os.environ, HEDDLE_CXX=arguments.compiler), capture_output=True, text=True)
        if built.returncode:
            print(built.stderr[-2000:])
            return 1
        seeds = range(arguments.seed, arguments.seed + arguments.programs)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            problems = [p for p in pool.map(lambda seed: check(arguments, binary, seed, directory), seeds) if p]
    for problem in problems:
        print("FAIL", problem)
    races = sum(len(Oracle(p).racing()) for p in made(seeds))
    print(f"{arguments.programs} programs, {races} races, {len(problems)} disagreements")
    return 1 if problems or not races else 0


def made(seeds):
    for seed in seeds:
        program = Generator(seed).sequence(4, 0)
        assign(program, seed)
        yield program


if __name__ == "__main__":
    sys.exit(main())
