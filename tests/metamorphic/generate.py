"""Random abstract programs: small, so that all interleavings can be enumerated, and of one *taste* each, so that
constructs are combined often.
"""

from program import ATOMIC, LOCKS, PLAIN, Op, Program, number

FLAG = PLAIN[-1]  # what waiters on the condition look at
MEMORY_ORDERS = {"load": ("acquire", "relaxed"), "store": ("release", "relaxed"), "add": ("acq_rel", "acquire", "release", "relaxed"),
                 "exchange": ("acq_rel", "acquire", "release", "relaxed")}
# The kinds of statements of a program, with weights. All have `plain` accesses.
TASTES = {
    "plain": {"plain": 6, "section": 3, "repeat": 1},
    "locks": {"plain": 3, "section": 6, "if": 1},
    "atomics": {"plain": 3, "atomic": 6, "if": 2, "check": 1},
    "mixed": {"plain": 3, "section": 3, "atomic": 3, "if": 2, "check": 1},
    "tries": {"plain": 3, "section": 3, "try": 4, "atomic": 1},
    "timed": {"plain": 3, "section": 3, "timed": 4, "atomic": 1},
    "conditions": {"plain": 4, "signal": 3, "wait": 3, "section": 1},
    "conditions and tries": {"plain": 3, "signal": 2, "wait": 2, "try": 3, "atomic": 1},
    "once": {"plain": 4, "once": 4, "section": 2, "atomic": 1},
    "polling": {"plain": 4, "atomic": 1, "publish": 3, "await": 3},
    "barriers": {"plain": 6, "section": 2, "atomic": 1},
}


class Generator:
    def __init__(self, random, tastes=None):
        self.random = random
        name = random.choice(tastes or list(TASTES))
        self.taste, self.barriers = TASTES[name], name == "barriers"
        self.unjoined = random.random() < 0.1
        self.variables = PLAIN[: random.randint(1, 2)]
        self.atomics = ATOMIC[: random.randint(1, 2)]
        self.locks = LOCKS[: random.randint(1, 2)]
        self.weak = random.random() < 0.3
        # Each plain variable has a lock that is mostly held. Without it nearly all programs would race.
        self.guarded = random.random() < 0.5
        self.ordered = random.random() < 0.8  # locks are nested in one order: or many programs would deadlock

    def program(self):
        threads = self.random.choice([1, 2, 2, 2, 3])
        budget = {1: 7, 2: 5, 3: 3}[threads]
        bodies = [self.body(budget, ()) for _ in range(threads)]
        if self.barriers:
            bodies = [self.with_barrier(body) for body in bodies]
        return number(Program((self.main(threads, budget), *bodies)))

    def main(self, threads, budget):
        """Spawns and joins, with statements of its own before, between and after."""
        ops = []
        if self.random.random() < 0.2:
            ops += self.body(1, ())
        for thread in range(1, threads + 1):
            ops += self.spawn(thread)
            if self.random.random() < 0.3:
                ops += self.body(2 if threads < 3 else 1, ())
        if self.random.random() < 0.2:
            ops += self.body(budget // 2, ())
        if self.barriers and (threads == 1 or self.random.random() < 0.3):
            ops.append(Op("barrier", "s"))
        for thread in range(1, threads + 1):
            ops.append(Op("detach" if self.unjoined and self.random.random() < 0.6 else "join", value=thread))
        if self.random.random() < 0.3:
            ops += self.body(1, ())
        return tuple(ops)

    def spawn(self, thread):
        """At times by a thread that holds a lock, also the first spawn."""
        op = Op("spawn", value=thread)
        if self.random.random() < 0.85:
            return (op,)
        lock = self.random.choice(self.locks)
        behind = self.body(1, self.locks) if self.random.random() < 0.5 else ()
        return (Op("section", lock, body=(op, *behind)),)

    def with_barrier(self, body):
        if self.random.random() < 0.15:
            return body
        at = self.random.randint(0, len(body))
        return (*body[:at], Op("barrier", "s"), *body[at:])

    def body(self, budget, held):
        ops = []
        kinds = list(self.taste)
        for _ in range(self.random.randint(1, budget)):
            kind = self.random.choices(kinds, [self.taste[kind] for kind in kinds])[0]
            ops += getattr(self, f"make_{kind}")(held, budget)
        return tuple(ops)

    # -- statements; those that are not allowed here become an access

    def make_plain(self, held, budget):
        variable = self.random.choice(self.variables)
        kind = self.random.choice(["read", "read", "write", "increment"])
        op = Op(kind, variable, self.random.randint(1, 2) if kind == "write" else 0)
        lock = self.locks[PLAIN.index(variable) % len(self.locks)]
        if self.guarded and not held and self.random.random() < 0.85:
            return (Op("section", lock, body=(op,)),)
        return (op,)

    def make_section(self, held, budget, kind="section"):
        free = [lock for lock in self.locks if lock not in held and (not self.ordered or all(lock > other for other in held))]
        if not free:
            return self.make_plain(held, budget)
        lock = self.random.choice(free)
        return (Op(kind, lock, body=self.body(min(budget, 2), (*held, lock))),)

    def make_try(self, held, budget):
        return self.make_section(held, budget, "try")

    def make_timed(self, held, budget):
        return self.make_section(held, budget, "timed")

    def make_signal(self, held, budget):
        """The predicate becomes true, with a notification, under the lock or not; statements may come between."""
        if held:
            return self.make_plain(held, budget)
        flag, notify = Op("write", FLAG, 1), Op(self.random.choice(["notify_one", "notify_all", "notify_all"]), "c")
        if self.random.random() < 0.3:
            return (Op("section", LOCKS[0], body=(flag, notify)),)
        between = self.make_plain(held, budget) if self.random.random() < 0.3 else ()
        return (Op("section", LOCKS[0], body=(flag,)), *between, notify)

    def make_wait(self, held, budget):
        if held:
            return self.make_plain(held, budget)
        behind = self.make_plain((LOCKS[0],), budget) if self.random.random() < 0.4 else ()
        return (Op("section", LOCKS[0], body=(Op("wait", "c", FLAG, LOCKS[0]), *behind)),)

    def make_once(self, held, budget):
        if held:
            return self.make_plain(held, budget)
        return (Op("once", "o", body=self.body(1, ("once",))),)

    def make_atomic(self, held, budget):
        kind = self.random.choice(["load", "store", "add", "exchange"])
        order = self.random.choice(MEMORY_ORDERS[kind]) if self.weak and self.random.random() < 0.6 else "seq_cst"
        return (Op(kind, self.random.choice(self.atomics), self.random.randint(0, 1) if kind == "exchange" else 1,
                   self.random.randint(1, 2) if kind == "exchange" else 0, order),)

    def make_publish(self, held, budget):
        return (Op("store", ATOMIC[0], 1, order=self.random.choice(["seq_cst", "release", "relaxed"]) if self.weak else "seq_cst"),)

    def make_await(self, held, budget):
        return (Op("await", ATOMIC[0], 1, order=self.random.choice(["seq_cst", "acquire", "relaxed"]) if self.weak else "seq_cst"),)

    def make_if(self, held, budget):
        return (Op("if", value=self.random.randint(0, 1), body=self.body(min(budget, 2), held)),)

    def make_check(self, held, budget):
        """Checks what was just loaded: a program that fails before it has threads has no schedule."""
        seen = self.make_atomic(held, budget)
        return (*seen, Op("check", value=self.random.randint(0, 1))) if self.random.random() < 0.4 else seen

    def make_repeat(self, held, budget):
        return (Op("repeat", value=2, body=self.body(1, held)),)


# Kinds of statements of OpenMP programs, in the same way.
OPENMP_TASTES = {
    "loops": {"plain": 4, "for": 4, "critical": 1, "atomic": 1, "barrier": 1},
    "sections": {"plain": 4, "sections": 3, "single": 3, "critical": 1, "barrier": 1},
    "tasks": {"plain": 2, "single": 6, "critical": 1, "barrier": 1},
    "teamwork": {"plain": 3, "for": 2, "sections": 2, "single": 3, "critical": 1, "atomic": 1, "barrier": 1},
}
WITH_TASKS = {"tasks", "teamwork"}


class OpenMPGenerator:
    def __init__(self, random, tastes=None):
        self.random = random
        self.name = random.choice(tastes or list(OPENMP_TASTES))
        self.taste = OPENMP_TASTES[self.name]
        self.variables = PLAIN[: random.randint(1, 2)]
        self.guarded = random.random() < 0.4

    def program(self):
        ops = list(self.few(0.2))
        for _ in range(self.random.choice([1, 1, 1, 2])):
            ops += [Op("teams", body=self.league()) if self.random.random() < 0.1 else Op("parallel", body=self.region()), *self.few(0.3)]
        return number(Program((tuple(ops),)))

    def few(self, chance):
        return (self.access(),) if self.random.random() < chance else ()

    def some(self, most):
        return tuple(self.make_guarded() for _ in range(self.random.randint(1, most)))

    def access(self):
        kind = self.random.choice(["read", "read", "write", "increment"])
        return Op(kind, self.random.choice(self.variables), 1 if kind == "write" else 0)

    def make_guarded(self):
        if self.guarded and self.random.random() < 0.8:
            return Op("section", LOCKS[0], body=(self.access(),))
        return self.access()

    def region(self):
        kinds = list(self.taste)
        ops = []
        for _ in range(self.random.randint(1, 4)):
            kind = self.random.choices(kinds, [self.taste[kind] for kind in kinds])[0]
            ops.append(getattr(self, f"make_{kind}")())
        return tuple(ops)

    def league(self):
        """Accesses and parallel regions: only these are certainly correct inside it."""
        region = Op("parallel", body=(self.random.choice([self.make_guarded, self.make_critical, self.make_atomic])(),))
        return self.random.choice([(self.access(),), (self.access(), self.access()), (region,), (self.access(), region)])

    # -- statements of a region

    def make_plain(self):
        return self.make_guarded()

    def make_critical(self):
        return Op("section", self.random.choice(LOCKS[:2]), body=self.some(2) if not self.guarded else (self.access(),))

    def make_atomic(self):
        return Op(self.random.choice(["load", "store", "add"]), ATOMIC[0], 1, order="relaxed")

    def make_barrier(self):
        return Op("barrier")

    def make_for(self):
        return Op("for", self.random.choice(["dynamic", "dynamic", "static"]), 2, self.nowait(), body=self.some(2))

    def make_sections(self):
        return Op("sections", desired=self.nowait(), body=tuple(Op("part", body=self.some(2)) for _ in range(2)))

    def make_single(self):
        body = self.tasks(2) if self.name in WITH_TASKS and self.random.random() < 0.8 else self.some(2)
        return Op("single", desired=self.nowait(), body=body)

    def nowait(self):
        return int(self.random.random() < 0.5)

    def tasks(self, depth):
        ops = []
        for _ in range(self.random.randint(1, 3)):
            what = self.random.random()
            if what < 0.55:
                nested = depth > 1 and self.random.random() < 0.15
                depends = self.random.random() < 0.4
                ops.append(Op("task", self.random.choice(self.variables) if depends else "", self.random.choice(["in", "out", "out"]) if depends else 0,
                              body=self.tasks(1) if nested else self.some(1)))
            elif what < 0.7:
                ops.append(Op("taskwait"))
            elif what < 0.8 and depth > 1:
                ops.append(Op("taskgroup", body=self.tasks(1)))
            else:
                ops.append(self.make_guarded())
        return tuple(ops)


def random_program(random, flavours, tastes=None):
    make = {"threads": Generator, "openmp": OpenMPGenerator}[random.choice(flavours)]
    return make(random, tastes).program()
