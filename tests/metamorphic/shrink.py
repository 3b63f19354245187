"""From a disagreement to the smallest program that still shows it.

Each round tries everything that makes the program smaller by one: without a statement, without a thread, a block's
body in place of the block, a simpler variant. All of these are built as one source. The smallest one that shows the
same mistake goes into the next round.
"""

import pathlib
import tempfile
import time
from dataclasses import replace

import batch
import printer
from compare import disagreement
from program import Program, number, text

TIME_LIMIT = 60  # seconds for one disagreement
REPEAT = 3  # `run` is not deterministic


def size(item):
    plain, variant = printer.Variant(), item.variant
    return (len(list(item.program.operations())), sum(getattr(variant, name) != getattr(plain, name) for name in vars(plain)))


def different(wrong):
    """One of each kind of mistake, the smallest ones first."""
    chosen = {}
    for one in sorted(wrong, key=lambda one: size(one.item)):
        chosen.setdefault((one.mode, one.what), one)
    return list(chosen.values())


def without_a_statement(body):
    for at, op in enumerate(body):
        yield (*body[:at], *body[at + 1 :])
        if op.body and op.kind not in ("sections", "part"):
            yield (*body[:at], *op.body, *body[at + 1 :])
        for inner in without_a_statement(op.body):
            yield (*body[:at], replace(op, body=inner), *body[at + 1 :])


def smaller_programs(program):
    bodies = program.bodies
    for thread in range(1, len(bodies)):
        yield without_thread(program, thread)
    for thread, body in enumerate(bodies):
        for shorter in without_a_statement(body):
            yield Program((*bodies[:thread], shorter, *bodies[thread + 1 :]))


def without_thread(program, gone):
    main = []
    for op in program.bodies[0]:
        if op.kind not in ("spawn", "join", "detach"):
            main.append(op)
        elif op.value != gone:
            main.append(replace(op, value=op.value - (op.value > gone)))
    return Program((tuple(main), *(body for thread, body in enumerate(program.bodies) if thread not in (0, gone))))


def waits_under_locks(body, held=()):
    """A wait for a condition holds the lock that it releases."""
    for op in body:
        if op.kind == "wait" and op.desired not in held:
            return False
        if not waits_under_locks(op.body, (*held, op.on) if op.kind == "section" else held):
            return False
    return True


def legal(program):
    """There are threads; each is spawned once, and joined or detached afterwards. Or there is a team; each part of
    its work has statements.
    """
    if program.is_openmp():
        blocks = ("parallel", "teams", "for", "sections", "single", "task", "taskgroup", "part")
        return all(op.body for op in program.operations() if op.kind in blocks) and all(
            part.kind == "part" for op in program.operations() if op.kind == "sections" for part in op.body)
    if not all(waits_under_locks(body) for body in program.bodies):
        return False
    spawned, joined = [], []
    for op in program.operations():
        if op.kind == "spawn":
            spawned.append(op.value)
        elif op.kind in ("join", "detach"):
            if op.value not in spawned:
                return False
            joined.append(op.value)
    return spawned and sorted(spawned) == list(range(1, len(program.bodies))) and sorted(joined) == sorted(spawned)


def smaller(item):
    for program in smaller_programs(item.program):
        if legal(program):
            yield printer.Item(number(program), item.variant)
    for name, value in vars(printer.Variant()).items():
        if getattr(item.variant, name) != value:
            yield printer.Item(item.program, replace(item.variant, **{name: value}))


def fits(item):
    """A thread that main does not join needs variables that outlive main's."""
    return not item.program.unjoined() or item.variant.storage in printer.OUTLIVE_MAIN


def shows(tool, one, candidates, scratch):
    """The smallest of the candidates that shows the same mistake, as a disagreement; None if none does."""
    pairs = [(item, batch.expectation(item.program)) for item in candidates]
    pairs = [(item, expected) for item, expected in pairs if expected and batch.can_be_asked(one.mode, item, expected, one.compiler)]
    pairs.sort(key=lambda pair: size(pair[0]))
    if not pairs:
        return None
    made = batch.make_one(pairs, (one.compiler, one.level), one.seed, 0)
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    binary = batch.build(tool, made, folder)
    for item, expected in pairs:
        for _ in range(REPEAT if one.mode in ("run", "confirm") else 1):
            verdict = tool.ask(one.mode, binary, item.number, folder, expected.deadlocks())
            if disagreement(one.mode, expected, item, verdict) == one.what:
                return replace(one, item=item, expected=expected, verdict=verdict)
    return None


def smallest(tool, one, scratch):
    """The disagreement, shrunk, as a text with its source."""
    end = time.monotonic() + TIME_LIMIT
    while time.monotonic() < end:
        found = shows(tool, one, [item for item in smaller(one.item) if fits(item)], scratch)
        if found is None:
            break
        one = found
    source = printer.source([one.item])
    return "\n".join([f"SMALLEST {one.mode}: {one.what} [{one.compiler} {one.level}]", f"// The model says: {one.expected}",
                      f"// {one.mode} says: {said(one)}", *(f"//   {line}" for line in text(one.item.program).splitlines()), source])


def said(one):
    verdict = one.verdict
    words = [verdict.problem, verdict.word and f"{verdict.word}, {verdict.classes} orders", "deadlock" if verdict.stalled else "",
             *(finding["headline"] for finding in verdict.findings)]
    return "; ".join(word for word in words if word) or "nothing"
