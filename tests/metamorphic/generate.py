"""Random abstract programs: small, so that all interleavings can be looked at, and of one *taste* each, so that constructs meet often."""

from program import ATOMIC, LOCKS, PLAIN, Op, Program, number

MEMORY_ORDERS = {"load": ("acquire", "relaxed"), "store": ("release", "relaxed"), "add": ("acq_rel", "acquire", "release", "relaxed"),
                 "exchange": ("acq_rel", "acquire", "release", "relaxed")}
# Which kinds of statements a program has, with weights. `plain` accesses are in all of them.
TASTES = {
    "plain": {"plain": 6, "section": 3, "repeat": 1},
    "locks": {"plain": 3, "section": 6, "if": 1},
    "atomics": {"plain": 3, "atomic": 6, "if": 2, "check": 1},
    "mixed": {"plain": 3, "section": 3, "atomic": 3, "if": 2, "check": 1},
}


class Generator:
    def __init__(self, random, tastes=None):
        self.random = random
        self.taste = TASTES[random.choice(tastes or list(TASTES))]
        self.variables = PLAIN[: random.randint(1, 2)]
        self.atomics = ATOMIC[: random.randint(1, 2)]
        self.locks = LOCKS[: random.randint(1, 2)]
        self.weak = random.random() < 0.3
        self.guarded = random.random() < 0.5  # each plain variable has a lock that is mostly held: or nearly all programs would race
        self.ordered = random.random() < 0.8  # locks are nested in one order: or many programs would deadlock

    def program(self):
        threads = self.random.choice([1, 2, 2, 2, 3])
        budget = {1: 7, 2: 5, 3: 3}[threads]
        bodies = [self.body(budget, ()) for _ in range(threads)]
        return number(Program((self.main(threads, budget), *bodies)))

    def main(self, threads, budget):
        """Spawns and joins, with something to do of its own before, between and behind."""
        ops = []
        if self.random.random() < 0.2:
            ops += self.body(1, ())
        for thread in range(1, threads + 1):
            ops.append(Op("spawn", value=thread))
            if self.random.random() < 0.3:
                ops += self.body(2 if threads < 3 else 1, ())
        if self.random.random() < 0.2:
            ops += self.body(budget // 2, ())
        for thread in range(1, threads + 1):
            ops.append(Op("join", value=thread))
        if self.random.random() < 0.3:
            ops += self.body(1, ())
        return tuple(ops)

    def body(self, budget, held):
        ops = []
        kinds = list(self.taste)
        for _ in range(self.random.randint(1, budget)):
            kind = self.random.choices(kinds, [self.taste[kind] for kind in kinds])[0]
            ops += getattr(self, f"make_{kind}")(held, budget)
        return tuple(ops)

    # -- statements; those that cannot be here become an access

    def make_plain(self, held, budget):
        variable = self.random.choice(self.variables)
        kind = self.random.choice(["read", "read", "write", "increment"])
        op = Op(kind, variable, self.random.randint(1, 2) if kind == "write" else 0)
        lock = self.locks[PLAIN.index(variable) % len(self.locks)]
        if self.guarded and not held and self.random.random() < 0.85:
            return (Op("section", lock, body=(op,)),)
        return (op,)

    def make_section(self, held, budget):
        free = [lock for lock in self.locks if lock not in held and (not self.ordered or all(lock > other for other in held))]
        if not free:
            return self.make_plain(held, budget)
        lock = self.random.choice(free)
        return (Op("section", lock, body=self.body(min(budget, 2), (*held, lock))),)

    def make_atomic(self, held, budget):
        kind = self.random.choice(["load", "store", "add", "exchange"])
        order = self.random.choice(MEMORY_ORDERS[kind]) if self.weak and self.random.random() < 0.6 else "seq_cst"
        return (Op(kind, self.random.choice(self.atomics), self.random.randint(0, 1) if kind == "exchange" else 1,
                   self.random.randint(1, 2) if kind == "exchange" else 0, order),)

    def make_if(self, held, budget):
        return (Op("if", value=self.random.randint(0, 1), body=self.body(min(budget, 2), held)),)

    def make_check(self, held, budget):
        return (Op("check", value=self.random.randint(0, 1)),) if self.random.random() < 0.4 else self.make_atomic(held, budget)

    def make_repeat(self, held, budget):
        return (Op("repeat", value=2, body=self.body(1, held)),)
