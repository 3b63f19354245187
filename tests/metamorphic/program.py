"""The abstract program: the behaviour of a generated C++ source, as data.

A program is a few bodies; the first is that of the initial thread, which spawns and joins the others. A body is a
tuple of statements, and a statement may have a body of its own (a critical section, a branch). The storage of a
variable, the form of the source and its compilation are the printer's business, and must not change the program's
meaning.

Each thread has one register, which reads, loads and exchanges set, and branches and checks read.
"""

from dataclasses import dataclass, replace

PLAIN = ("x", "y", "z")
ATOMIC = ("a", "b")
LOCKS = ("m", "n", "k")


@dataclass(frozen=True)
class Op:
    """A statement. What `on`, `value` and `desired` mean depends on the kind:

    read, write, increment      of a plain variable; `value` is what is written
    load, store, add, exchange  of an atomic variable, in memory order `order`; exchange is
    compare_exchange_strong(value, desired)
    await                       loads until the atomic variable is `value`
    section, try, timed         `body` under the lock `on`: acquired, only if it is free, only if it comes free in time
    wait                        under the lock `desired`, on the condition `on`: until the plain variable `value` is
                                not 0
    notify_one, notify_all      of the condition `on`
    barrier                     all threads that use it
    once                        `body` by the first to arrive, before any thread continues
    if                          `body` if the register is `value`
    check                       the register is `value`, or the program fails
    idle                        a sleep or a yield: no effect
    repeat                      `body`, `value` times
    spawn, join, detach         the thread `value`

    and in OpenMP, where a section is a critical one, and atomic operations are those of `omp atomic`

    parallel                    `body` by each thread of a team
    teams                       `body` by the initial thread of each of two teams
    for                         `value` rounds of `body`, by the schedule `on`; with `desired`, without a barrier at
                                its end
    sections                    the bodies of its `part`s; with `desired`, without a barrier at its end
    single                      `body`, by one of them; with `desired`, without a barrier at its end
    task                        `body`, at some time; `value` (in, out) says how it depends on the variable `on`, if
                                on any
    taskwait, taskgroup         for the children; for all tasks that are created in `body`, and theirs
    barrier                     the whole team
    """

    kind: str
    on: str = ""
    value: object = 0
    desired: object = 0
    order: str = "seq_cst"
    body: tuple = ()
    id: int = 0


@dataclass(frozen=True)
class Program:
    bodies: tuple  # of tuples of Op

    @staticmethod
    def walk(body):
        for op in body:
            yield op
            yield from Program.walk(op.body)

    def operations(self):
        for body in self.bodies:
            yield from self.walk(body)

    def kinds(self):
        return {op.kind for op in self.operations()}

    def unjoined(self):
        """Is main over before some thread is?"""
        return not {op.value for op in self.operations() if op.kind == "spawn"} <= {op.value for op in self.bodies[0] if op.kind == "join"}

    def parties(self, barrier):
        """How many threads use it."""
        return sum(any(op.kind == "barrier" and op.on == barrier for op in self.walk(body)) for body in self.bodies)

    def is_openmp(self):
        return bool(self.kinds() & {"parallel", "teams"})

    def named(self, *kinds):
        """The objects that statements of these kinds are about, in their order."""
        return sorted({op.on for op in self.operations() if op.kind in kinds})


def number(program):
    """The program with its statements numbered from 1."""
    count = 0

    def walk(body):
        nonlocal count
        numbered = []
        for op in body:
            count += 1
            mine = count
            numbered.append(replace(op, id=mine, body=walk(op.body)))
        return tuple(numbered)

    return Program(tuple(walk(body) for body in program.bodies))


def with_idling(program, random, percent):
    """The same program, with a sleep or a yield before so many of its statements."""

    def walk(body):
        for op in body:
            if random.randrange(100) < percent:
                yield Op("idle", random.choice(["sleep", "yield"]))
            yield replace(op, body=tuple(walk(op.body)))

    return Program(tuple(tuple(walk(body)) for body in program.bodies))


def text(program):
    """For people: one statement a line, numbered as pairs of racing statements are."""
    lines = []

    def walk(body, depth):
        for op in body:
            words = [op.kind, op.on, str(op.value) if op.value or op.kind in ("write", "store", "if", "check", "spawn", "join", "await") else ""]
            words += [str(op.desired) if op.desired else "", op.order if op.order != "seq_cst" else ""]
            lines.append(f"{op.id:4} {'  ' * depth}{' '.join(word for word in words if word)}")
            walk(op.body, depth + 1)

    for thread, body in enumerate(program.bodies):
        lines.append(f"thread {thread}:" if thread else "main:")
        walk(body, 1)
    return "\n".join(lines)
