"""The number of classes of executions of a program, by brute force: docs/prove.md, "What is explored".

Enumerates all sequences of steps; of those that differ by swapping adjacent independent steps, one is kept. The order
of a sequence is written as a number for each thread: it identifies the thread's last step, with all that happens
before that step. Equal numbers, equal classes.

For programs of threads, locks and atomic variables, without a race: the number for other constructs depends on the
exploration, and prove.md guarantees nothing about it.
"""

from collections import namedtuple

from lower import LOCAL, lower
from model import TooLarge

ATOMICS = {"load", "store", "add", "exchange"}
COUNTED = {"read", "write", "increment", "section", "try", "load", "store", "add", "exchange", "if", "check", "repeat", "idle", "spawn", "join"}
# A step ends before the first, and after the second.
BEGINS = ATOMICS | {"lock", "try", "join"}
ENDS = ATOMICS | {"unlock", "try", "spawn", "idle"}

Actor = namedtuple("Actor", "at register held started order")  # order: see above
State = namedtuple("State", "actors memory last")  # last: steps with their orders, which later ones may depend on


class Step:
    """The objects that a step touches, and how."""

    def __init__(self, held):
        self.held_before = held
        self.held_ever = set(held)
        self.tried = None
        self.atomic = None  # (variable, writes)
        self.accesses = set()  # (variable, writes)

    def footprint(self, held_after):
        changed = (self.held_before ^ held_after) | ({self.tried} if self.tried else set())
        pulsed = self.held_ever - self.held_before - held_after - changed
        touches = self.accesses if self.held_ever else set()
        return (frozenset(changed), frozenset(pulsed), frozenset(self.held_ever), frozenset(touches), self.atomic)


def conflict(a, b):
    return any(x == y and (write or other) for x, write in a for y, other in b)


def depend(a, b):
    """The three rules of prove.md."""
    changed, pulsed, held, touches, atomic = a
    changed_b, pulsed_b, held_b, touches_b, atomic_b = b
    if changed & (changed_b | pulsed_b) or changed_b & pulsed:
        return True
    if held & held_b and conflict(touches, touches_b):
        return True
    return bool(atomic and atomic_b and conflict([atomic], [atomic_b]))


class Classes:
    def __init__(self, program, most):
        self.code = [lower(body, idles=True) for body in program.bodies]
        self.most = most
        self.split = False  # a step ends behind each acquisition, too
        self.orders = {}  # a number for each

    def count(self):
        """A try must be able to find the lock held by another thread: as soon as the program has one, acquisitions are
        steps of their own.
        """
        total = self.search()
        if self.tried and not self.split:
            self.split = True
            total = self.search()
        return total

    def search(self):
        self.tried = False
        start = State(tuple(Actor(0, 0, frozenset(), t == 0, 0) for t in range(len(self.code))), (), ())
        start = start._replace(actors=tuple(self.settled(t, actor) for t, actor in enumerate(start.actors)))
        seen, stack, complete = {self.key(start)}, [start], set()
        while stack:
            state = stack.pop()
            moves = [self.make_step(state, t) for t in range(len(self.code)) if self.can_go_on(state, t)]
            if not moves:
                complete.add(self.key(state))
            for after in moves:
                if (key := self.key(after)) not in seen:
                    seen.add(key)
                    stack.append(after)
            if len(seen) > self.most:
                raise TooLarge
        return len(complete)

    def number(self, order):
        return self.orders.setdefault(order, len(self.orders) + 1)

    @staticmethod
    def key(state):
        return tuple(actor.order for actor in state.actors)

    def settled(self, thread, actor):
        at = actor.at
        while at < len(self.code[thread]) and self.code[thread][at].kind in LOCAL:
            i = self.code[thread][at]
            at = i.other if i.kind == "goto" or (i.kind == "if" and actor.register != i.value) else at + 1
        return actor._replace(at=at)

    def can_go_on(self, state, thread):
        actor = state.actors[thread]
        if not actor.started or actor.at >= len(self.code[thread]):
            return False
        i = self.code[thread][actor.at]
        if i.kind == "lock":
            return all(i.on not in other.held for other in state.actors)
        if i.kind == "join":
            other = state.actors[i.value]
            return other.started and other.at >= len(self.code[i.value])
        return True

    def make_step(self, state, thread):
        actors, memory = list(state.actors), dict(state.memory)
        actor = actors[thread]
        step, spare = Step(actor.held), 0
        after = set()  # orders of other threads that the step comes after by structure
        spawned = None
        while True:
            i = self.code[thread][actor.at]
            at, register, held = actor.at + 1, actor.register, actor.held
            if i.kind in ("read", "fetch", "load"):
                value = memory.get(i.on, 0)
                register, spare = (register, value) if i.kind == "fetch" else (value, spare)
            elif i.kind in ("write", "store"):
                memory[i.on] = i.value
            elif i.kind == "put":
                memory[i.on] = spare + 1
            elif i.kind == "add":
                register = memory.get(i.on, 0)
                memory[i.on] = register + i.value
            elif i.kind == "exchange":
                register = int(memory.get(i.on, 0) == i.value)
                if register:
                    memory[i.on] = i.other
            elif i.kind == "lock":
                held = held | {i.on}
            elif i.kind == "unlock":
                held = held - {i.on}
            elif i.kind == "try":
                # Before there is another thread it finds the lock as this one left it.
                self.tried |= any(other.started for t, other in enumerate(actors) if t != thread)
                step.tried = i.on
                if any(i.on in other.held for other in actors):
                    at = i.other
                else:
                    held = held | {i.on}
            elif i.kind == "spawn":
                spawned = i.value
            elif i.kind == "join":
                after.add(actors[i.value].order)
            if i.kind in ATOMICS:
                step.atomic = (i.on, i.kind != "load")  # an exchange that may change the value counts as one that does
            if i.kind in ("read", "write", "fetch", "put"):
                step.accesses.add((i.on, i.kind in ("write", "put")))
            step.held_ever |= held
            actor = self.settled(thread, actor._replace(at=at, register=register, held=held))
            if i.kind in ENDS or (self.split and i.kind == "lock") or actor.at >= len(self.code[thread]):
                break
            if self.code[thread][actor.at].kind in BEGINS:
                break
        footprint = step.footprint(actor.held)
        for other, order, other_footprint in state.last:
            if other != thread and depend(footprint, other_footprint):
                after.add(order)
        order = self.number((thread, actor.order, frozenset(after)))
        actors[thread] = actor._replace(order=order)
        if spawned is not None:
            actors[spawned] = actors[spawned]._replace(started=True, order=self.number(("spawned", order)))
        return State(tuple(actors), tuple(sorted(memory.items())), (*state.last, (thread, order, footprint)))


def classes_of(program, most=3000):
    """None if the program does something else, or if there are too many to count."""
    if not program.kinds() <= COUNTED:
        return None
    try:
        return Classes(program, most).count()
    except TooLarge:
        return None
