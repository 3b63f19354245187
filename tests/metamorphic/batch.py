"""A batch: programs in variants that are built as one source, by one compiler at one level, and asked about one by
one.
"""

import collections
import itertools
import pathlib
import random
import shutil
import tempfile
from dataclasses import dataclass

import printer
from classes import classes_of
from compare import Expectation, disagreement
from generate import random_program
from model import TooLarge, truth_of
from program import text, with_idling


@dataclass
class Batch:
    name: str
    items: list  # printer.Item
    expected: list  # an Expectation for each
    compiler: str
    level: str
    seed: int


@dataclass
class Disagreement:
    """A mode's verdict on an item differs from the model's."""

    what: str
    mode: str
    item: printer.Item
    expected: Expectation
    verdict: object
    compiler: str
    level: str
    seed: int

    def __str__(self):
        return (f"{self.mode}: {self.what} [{self.compiler} {self.level}; {self.item.variant}; batch {self.seed}]\n"
                f"     the model: {self.expected}\n     {self.verdict.command}\n{indented(text(self.item.program))}")


def indented(words):
    return "\n".join("       " + line for line in words.splitlines())


def expectation(program):
    """None if the program is too large to enumerate, or may poll forever."""
    try:
        truth = truth_of(program)
        assumed = truth_of(program, spurious=False) if "wait" in program.kinds() else truth
    except TooLarge:
        return None
    if truth.deadlock and "await" in program.kinds():
        return None  # a thread that polls forever reaches no end state
    return Expectation(program, truth, assumed, None if truth.bugs() else classes_of(program))


def programs(seed, flavours, tastes):
    """Without end."""
    for number in itertools.count():
        chance = random.Random(f"{seed}-{number}")
        program = random_program(chance, flavours, tastes)
        if expected := expectation(program):
            yield program, expected


def make(arguments, seed):
    """All batches of a seed; programs of one batch are different ones, or in different variants."""
    builds = [(compiler, level) for compiler in arguments.compilers for level in arguments.levels]
    chance = random.Random(f"variants {seed}")
    waiting = collections.defaultdict(list)
    count = 0
    for program, expected in itertools.islice(programs(seed, arguments.flavours, arguments.tastes), arguments.programs):
        for compiler, level in chance.sample(builds * arguments.variants, arguments.variants):
            printed = with_idling(program, chance, 30) if chance.random() < arguments.idling / 100 else program
            build = (compiler, level, program.is_openmp())
            waiting[build].append((printer.Item(printed, printer.random_variant(chance, program)), expected.of_variant(printed)))
            if len(waiting[build]) == arguments.batch:
                count += 1
                yield make_one(waiting.pop(build), build, seed, count)
    for build, pairs in waiting.items():
        count += 1
        yield make_one(pairs, build, seed, count)


def make_one(pairs, build, seed, count):
    return Batch(f"s{seed}-{count}", [item for item, _ in pairs], [expected for _, expected in pairs], *build[:2], seed)


def build(tool, batch, folder):
    """Builds the binary; raises if that fails."""
    source, binary = folder / "programs.cpp", folder / "programs"
    source.write_text(printer.source(batch.items))
    if error := tool.build(source, binary, batch.compiler, batch.level, ["-fopenmp"] if batch.items[0].program.is_openmp() else []):
        raise RuntimeError(f"a generated source does not compile ({batch.compiler} {batch.level}):\n{error}")
    return binary


def check(tool, batch, modes, every, scratch, keep):
    """Counts of what was asked, and the disagreements."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch, prefix=batch.name))
    counts, wrong = collections.Counter(), []
    binary = build(tool, batch, folder)
    for item, expected in zip(batch.items, batch.expected):
        counts["programs in variants"] += 1
        for mode in modes:
            if item.number % every.get(mode, 1) != 0 or not can_be_asked(mode, item, expected, batch.compiler):
                continue
            counts[mode] += 1
            verdict = tool.ask(mode, binary, item.number, folder, expected.deadlocks())
            counts["certificates"] += verdict.certificate_checked
            if what := disagreement(mode, expected, item, verdict):
                wrong.append(Disagreement(what, mode, item, expected, verdict, batch.compiler, batch.level, batch.seed))
    if wrong and keep:
        shutil.copytree(folder, keep / batch.name, dirs_exist_ok=True)
    shutil.rmtree(folder)
    return counts, wrong


def can_be_asked(mode, item, expected, compiler):
    """On its own runtime, a program that hangs is not ended; the verification runtime runs OpenMP by GCC. A large
    team has too many orders, and so has a std::barrier, in which three threads synchronise by atomic variables.
    """
    if mode == "run":
        return not expected.may_hang()
    if mode in ("prove", "confirm") and (item.variant.team != printer.THREADS or item.has_large_barrier()):
        return False
    return compiler == "gcc" or not expected.program.is_openmp()
