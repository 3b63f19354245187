"""Does what a mode of Heddle says agree with the model? Returns what is wrong, as a phrase that is the same for the same mistake.

`run` and `serial` judge one run. What they call certain must be a race in some interleaving; if all interleavings race, so did this one. A race that needs
another order of critical sections must be told at least as predicted, if nothing but their order differs: no branch, no atomic variable.
`prove` must find a bug iff there is one, and else look at as many orders as there are classes. What `confirm` shows must be a bug, and what it
refutes must not.
"""

# With any of these another order may do other things than the run did, or is ordered otherwise.
BRANCHES = {"if", "check"}
DECIDES = BRANCHES | {"load", "store", "add", "exchange", "try", "timed", "wait", "once"}
# Who waits here is seen to wait by the verification runtime only.
BLOCKS = {"wait", "barrier", "once"}


class Expectation:
    def __init__(self, program, truth, classes):
        self.program, self.truth, self.classes = program, truth, classes

    def bugs(self):
        return self.truth.bugs()

    def deadlocks(self):
        """Is there anything to ask about the order of locks?"""
        return len(self.program.named("section")) > 1

    def one_run_says_all(self):
        """Nothing decides what the program does next but its input. OpenMP's atomic operations order nothing."""
        return not self.program.kinds() & (BRANCHES if self.program.is_openmp() else DECIDES)

    def may_hang(self):
        """On its own runtime, where only a circle of locks is seen, and ended."""
        return self.truth.deadlock and bool(self.program.kinds() & BLOCKS)

    def __str__(self):
        words = [", ".join(sorted(self.bugs())) or "no bug"]
        if self.truth.races:
            words.append("racing statements: " + " ".join("/".join(map(str, sorted(pair))) for pair in sorted(self.truth.races, key=sorted)))
        if self.classes is not None:
            words.append(f"{self.classes} classes")
        return "; ".join(words)


def statements_of(finding, item):
    return frozenset(item.statements.get(line, -1) for line in finding["lines"])


def judge_run(expected, item, verdict):
    truth, program = expected.truth, expected.program
    for finding in verdict.races(("certain",)):
        if statements_of(finding, item) not in truth.races:
            return "a certain race that is none"
    if any(finding["evidence"] == "certain" for finding in verdict.deadlocks()) and not truth.deadlock:
        return "a certain deadlock that is none"
    if truth.deadlock and not program.kinds() & (DECIDES | BLOCKS) and not program.unjoined() and not verdict.stalled and not verdict.deadlocks():
        return "a deadlock is not predicted"
    ended = not (program.unjoined() or verdict.stalled)
    if ended and truth.races and truth.always_races and not verdict.races(("certain",)):
        return "a race of every interleaving is not found"
    if ended and truth.races and not truth.deadlock and expected.one_run_says_all() and not verdict.races():
        return "a race is not even predicted"
    return None


def judge_serial(expected, item, verdict):
    if verdict.stalled and not expected.truth.deadlock:
        return "a deadlock that is none"
    if not verdict.stalled and expected.truth.always_deadlocks and expected.truth.deadlock:
        return "a deadlock of every interleaving is not found"
    return judge_run(expected, item, verdict)


def judge_prove(expected, item, verdict):
    bugs = expected.bugs()
    if verdict.word == "proved":
        if bugs:
            return f"proved, in spite of a {sorted(bugs)[-1]}"
        if expected.classes is not None and verdict.classes != expected.classes:
            return f"{'fewer' if verdict.classes < expected.classes else 'more'} orders than classes"
        return None
    if verdict.word in ("race", "deadlock", "crash"):
        return None if verdict.word in bugs else f"a {verdict.word} that is none"
    return f"no verdict but '{verdict.word}'"


def judge_confirm(expected, item, verdict):
    truth = expected.truth
    for finding in verdict.races():
        is_race = statements_of(finding, item) in truth.races
        if finding["state"] == "confirmed" and not is_race:
            return "a confirmed race that is none"
        if finding["state"] == "refuted" and is_race:
            return "a refuted race that is one"
    for finding in verdict.deadlocks():
        if finding["state"] == "confirmed" and not truth.deadlock:
            return "a confirmed deadlock that is none"
        if finding["state"] == "refuted" and truth.deadlock and not expected.program.kinds() & BLOCKS:
            return "a refuted deadlock that is one"
    return None


JUDGES = {"run": judge_run, "serial": judge_serial, "prove": judge_prove, "confirm": judge_confirm}


def disagreement(mode, expected, item, verdict):
    if verdict.problem:
        return verdict.problem.split(":")[0]
    return JUDGES[mode](expected, item, verdict)
