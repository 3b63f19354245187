"""Does the verdict of a mode of Heddle agree with the model? Returns the problem, as a phrase that is the same for
the same mistake.

`run` and `serial` check one run. What they call certain must be a race in some interleaving; if all interleavings
race, this one did. A race that needs another order of critical sections must be reported at least as predicted, if
only that order differs: no branch, no atomic variable. `prove` must find a bug iff there is one, and otherwise explore
as many orders as there are classes. A finding that `confirm` confirms must be a bug, and one that it refutes must not.
"""

from classes import classes_of

# With any of these another order may execute other statements than the run did, or be ordered differently.
BRANCHES = {"if", "check"}
DECIDES = BRANCHES | {"await", "load", "store", "add", "exchange", "try", "timed", "wait", "once"}
# Only the verification runtime sees that a thread is blocked here.
BLOCKS = {"wait", "barrier", "once", "await"}


# The assumptions of a proof, and the statements that they concern.
ASSUMPTIONS = {
    "weakly ordered": {"await", "load", "store", "add", "exchange", "barrier"},
    "notification": {"wait"},
    "serial thread": {"barrier"},
    "a try of a free lock": {"try", "timed", "exchange", "barrier"},
    "from outside is the same": {"timed", "idle"},
    "clocks show the time": {"timed", "idle", "await"},
    "a failed poll": {"await", "load", "exchange", "try", "timed", "idle", "barrier", "once"},
}


class Expectation:
    """The model's result for a program; `assumed` is the result if no wait for a condition ends without a
    notification.
    """

    def __init__(self, program, truth, assumed, classes):
        self.program, self.truth, self.assumed, self.classes = program, truth, assumed, classes

    def of_variant(self, printed):
        """With sleeps and yields in between. They change no verdict; but a critical section with one spans several
        steps, so that others cannot run inside it: there are more classes.
        """
        if self.classes is None or printed == self.program:
            return self
        return Expectation(self.program, self.truth, self.assumed, classes_of(printed))

    def bugs(self):
        return self.truth.bugs()

    def deadlocks(self):
        """Does the program have a lock order?"""
        return len(self.program.named("section")) > 1

    def one_run_says_all(self):
        """Only its input decides what the program does. OpenMP's atomic operations order nothing."""
        return not self.program.kinds() & (BRANCHES if self.program.is_openmp() else DECIDES)

    def may_hang(self):
        """On its own runtime, which detects only a cycle of locks, and ends it."""
        return self.truth.deadlock and bool(self.program.kinds() & BLOCKS)

    def __str__(self):
        words = [", ".join(sorted(self.bugs())) or "no bug"]
        if self.truth.races:
            words.append("racing statements: " + " ".join("/".join(map(str, sorted(pair))) for pair in sorted(self.truth.races, key=sorted)))
        if self.classes is not None:
            words.append(f"{self.classes} classes")
        if self.assumed.bugs() != self.bugs():
            words.append("without spurious wake-ups: " + (", ".join(sorted(self.assumed.bugs())) or "no bug"))
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
    if ended and not truth.deadlock and expected.one_run_says_all():
        variables = {op.id: op.on for op in program.operations()}
        found = {variables.get(statement) for finding in verdict.races() for statement in statements_of(finding, item)}
        if truth.variables - found:
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
        for name in verdict.assumptions:
            if not any(words in name and kinds & item.program.kinds() for words, kinds in ASSUMPTIONS.items()):
                return f"it assumes for nothing that {name}"
        if any("notification" in name for name in verdict.assumptions):
            bugs = expected.assumed.bugs()
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
        if finding["state"] == "refuted" and statements_of(finding, item) in expected.assumed.races:
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
