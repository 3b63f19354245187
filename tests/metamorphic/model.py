"""The truth about an abstract program: all of its interleavings, one instruction at a time, by depth-first search
over states.

Slow, and meant to be obviously right: a state has everything that the future depends on, and each rule below is a
sentence of the C++ and POSIX standards. Happens-before is kept as vector clocks in the state; so two accesses race in
an interleaving if they conflict, are not both atomic, and are unordered.

What the standards leave open is a transition of its own: a timed lock may time out whenever the lock is held; a
notification wakes any one waiter, and a waiter may wake without one; the process may end at any time after main
has, so also last. Sleeping and yielding have no effect, so they are not even statements. Values are those of
sequential consistency; the memory orders decide which accesses are ordered.
"""

from collections import namedtuple
from dataclasses import dataclass, field

from lower import LOCAL, lower
from lower_openmp import OpenMP

Thread = namedtuple("Thread", "at register spare clock status parent")  # status: a word, see below; parent: of a task
State = namedtuple("State", "threads memory released owners history raced")
# status of a thread
UNBORN, RUNS, SLEEPS, WOKEN, ARRIVED, PASSED, ENDED = "unborn", "runs", "sleeps", "woken", "arrived", "passed", "ended"

ACQUIRING = {"seq_cst", "acquire", "acq_rel"}
RELEASING = {"seq_cst", "release", "acq_rel"}


class TooLarge(Exception):
    """There are too many states."""


@dataclass
class Truth:
    races: set = field(default_factory=set)  # frozensets of one or two statements: those that race in some interleaving
    variables: set = field(default_factory=set)  # that they race on
    always_races: bool = True  # in every interleaving there is some race
    deadlock: bool = False  # in some interleaving threads wait forever (Model.stuck)
    always_deadlocks: bool = True
    failure: bool = False  # in some interleaving a check fails
    always_fails: bool = True
    states: int = 0

    def bugs(self):
        return {name for name, is_so in (("race", bool(self.races)), ("deadlock", self.deadlock), ("crash", self.failure)) if is_so}


def joined(a, b):
    return tuple(map(max, a, b))


class Model:
    def __init__(self, program, most_states, spurious):
        self.most_states = most_states
        self.spurious = spurious
        openmp = OpenMP(program) if program.is_openmp() else None
        self.code = openmp.codes if openmp else [lower(body) for body in program.bodies]
        self.tasks = openmp.tasks if openmp else {}  # of a barrier: what else it waits for
        self.places = {}  # of variables, locks and other objects: an index each
        for code in self.code:
            for i in code:
                for name in (i.on, i.value if i.kind in ("sleep", "wake") else ""):
                    if name and name not in self.places:
                        self.places[name] = len(self.places)
        self.parties = openmp.parties if openmp else {}  # of a barrier: the threads that use it
        for thread, code in enumerate(self.code):
            for i in code:
                if i.kind == "barrier":
                    self.parties.setdefault(i.on, set()).add(thread)
        # If no value decides anything, all values are 0: so there are fewer states.
        self.values = bool(program.kinds() & {"if", "check", "wait", "exchange", "await"})
        self.truth = Truth()

    # -- states

    def start(self):
        count, places = len(self.code), len(self.places)
        nothing = (0,) * count
        threads = tuple(Thread(0, 0, 0, tuple(int(t == u) for u in range(count)), RUNS if t == 0 else UNBORN, None) for t in range(count))
        state = State(threads, (0,) * places, (nothing,) * places, (None,) * places, (frozenset(),) * places, False)
        return self.settled(state, 0)

    def settled(self, state, thread):
        """After steps that only the thread itself can see: branches, and its end. None if a check failed."""
        t = state.threads[thread]
        code = self.code[thread]
        at, status = t.at, t.status
        while at < len(code) and code[at].kind in LOCAL:
            i = code[at]
            if i.kind == "check" and t.register != i.value:
                return None
            at = i.other if i.kind == "goto" or (i.kind == "if" and t.register != i.value) else at + 1
        if at >= len(code) and status == RUNS:
            status = ENDED
        return self.with_thread(state, thread, at=at, status=status)

    @staticmethod
    def with_thread(state, thread, **fields):
        threads = list(state.threads)
        threads[thread] = threads[thread]._replace(**fields)
        return state._replace(threads=tuple(threads))

    @staticmethod
    def with_item(items, at, item):
        return (*items[:at], item, *items[at + 1 :])

    # -- order

    def acquire(self, state, thread, place):
        """The thread acquires from that place."""
        return self.with_thread(state, thread, clock=joined(state.threads[thread].clock, state.released[place]))

    def release(self, state, thread, place, keep):
        """The thread releases to that place; with `keep` what was released there before stays.
        """
        clock = state.threads[thread].clock
        told = joined(clock, state.released[place]) if keep else clock
        state = state._replace(released=self.with_item(state.released, place, told))
        return self.advanced(state, thread)

    def advanced(self, state, thread):
        clock = state.threads[thread].clock
        return self.with_thread(state, thread, clock=self.with_item(clock, thread, clock[thread] + 1))

    def accessed(self, state, thread, i, write, atomic):
        place = self.places[i.on]
        clock = state.threads[thread].clock
        raced = state.raced
        for other, time, other_id, other_write, other_atomic in state.history[place]:
            if other != thread and (write or other_write) and not (atomic and other_atomic) and clock[other] < time:
                self.truth.races.add(frozenset((other_id, i.id)))
                self.truth.variables.add(i.on)
                raced = True
        mine = (thread, clock[thread], i.id, write, atomic)
        return state._replace(history=self.with_item(state.history, place, state.history[place] | {mine}), raced=raced)

    # -- transitions

    def successors(self, state, thread):
        """States after the thread's next instruction; marks spurious wakeups: (state, is it one)."""
        t = state.threads[thread]
        if t.status in (UNBORN, ENDED):
            return
        i = self.code[thread][t.at]
        for after, spurious in getattr(self, f"do_{i.kind}")(state, thread, i):
            yield after, spurious

    def step(self, state, thread, **fields):
        """Advances to the next instruction."""
        return self.with_thread(state, thread, at=state.threads[thread].at + 1, **fields)

    def value(self, state, i):
        return state.memory[self.places[i.on]] if self.values else 0

    def written(self, state, i, value):
        return self.remember(state, i, value) if self.values else state

    def remember(self, state, i, value):
        return state._replace(memory=self.with_item(state.memory, self.places[i.on], value))

    def do_read(self, state, thread, i):
        yield self.step(self.accessed(state, thread, i, False, False), thread, register=self.value(state, i)), False

    def do_write(self, state, thread, i):
        yield self.step(self.written(self.accessed(state, thread, i, True, False), i, i.value), thread), False

    def do_fetch(self, state, thread, i):
        yield self.step(self.accessed(state, thread, i, False, False), thread, spare=self.value(state, i)), False

    def do_put(self, state, thread, i):
        value = state.threads[thread].spare + 1
        yield self.step(self.written(self.accessed(state, thread, i, True, False), i, value), thread, spare=0), False

    def do_load(self, state, thread, i):
        place = self.places[i.on]
        state = self.accessed(state, thread, i, False, True)
        if i.order in ACQUIRING:
            state = self.acquire(state, thread, place)
        yield self.step(state, thread, register=self.value(state, i)), False

    def do_await(self, state, thread, i):
        """A failed poll changes nothing: only the last one counts."""
        if state.memory[self.places[i.on]] == i.value:
            yield from self.do_load(state, thread, i)

    def do_store(self, state, thread, i):
        place = self.places[i.on]
        state = self.written(self.accessed(state, thread, i, True, True), i, i.value)
        if i.order in RELEASING:
            state = self.release(state, thread, place, keep=False)
        else:  # it heads no release sequence, and ends the one that was
            nothing = (0,) * len(self.code)
            state = state._replace(released=self.with_item(state.released, place, nothing))
        yield self.step(state, thread), False

    def changed(self, state, thread, i, value):
        """A read-modify-write: it reads the last value, and continues the release sequence that it read from."""
        place = self.places[i.on]
        state = self.accessed(state, thread, i, True, True)
        if i.order in ACQUIRING:
            state = self.acquire(state, thread, place)
        state = self.written(state, i, value)
        return self.release(state, thread, place, keep=True) if i.order in RELEASING else state

    def do_add(self, state, thread, i):
        old = self.value(state, i)
        yield self.step(self.changed(state, thread, i, old + i.value), thread, register=old), False

    def do_exchange(self, state, thread, i):
        if state.memory[self.places[i.on]] == i.value:
            yield self.step(self.changed(state, thread, i, i.other), thread, register=1), False
            return
        state = self.accessed(state, thread, i, False, True)
        if i.order in ACQUIRING:
            state = self.acquire(state, thread, self.places[i.on])
        yield self.step(state, thread, register=0), False

    def taken(self, state, thread, name):
        place = self.places[name]
        return self.acquire(state._replace(owners=self.with_item(state.owners, place, thread)), thread, place)

    def given(self, state, thread, name):
        place = self.places[name]
        return self.release(state._replace(owners=self.with_item(state.owners, place, None)), thread, place, keep=False)

    def do_lock(self, state, thread, i):
        if state.owners[self.places[i.on]] is None:
            yield self.step(self.taken(state, thread, i.on), thread), False

    def do_unlock(self, state, thread, i):
        yield self.step(self.given(state, thread, i.on), thread), False

    def do_try(self, state, thread, i):
        if state.owners[self.places[i.on]] is None:
            yield self.step(self.taken(state, thread, i.on), thread), False
        else:
            yield self.with_thread(state, thread, at=i.other), False

    do_timed = do_try  # to wait for the lock is not to be scheduled until it is free

    def do_look(self, state, thread, i):
        """The predicate of a wait."""
        value = state.memory[self.places[i.on]]
        state = self.accessed(state, thread, i, False, False)
        yield (self.with_thread(state, thread, at=i.other) if value else self.step(state, thread)), False

    def do_sleep(self, state, thread, i):
        """Releases the lock and waits, in one step."""
        yield self.step(self.given(state, thread, i.value), thread, status=SLEEPS), False

    def do_wake(self, state, thread, i):
        """A wakeup without a notification only where it matters: a thread that finds nothing and sleeps again might
        as well have come later.
        """
        spurious = state.threads[thread].status == SLEEPS
        predicate = self.code[thread][self.code[thread][state.threads[thread].at + 1].other].on
        if spurious and (not self.spurious or state.memory[self.places[predicate]] == 0):
            return
        if state.owners[self.places[i.value]] is None:
            yield self.step(self.taken(state, thread, i.value), thread, status=RUNS), spurious

    def sleepers(self, state, name):
        return [t for t, thread in enumerate(state.threads) if thread.status == SLEEPS and self.code[t][thread.at].on == name]

    def do_notify_one(self, state, thread, i):
        state = self.step(state, thread)
        waiting = self.sleepers(state, i.on)
        for sleeper in waiting:
            yield self.with_thread(state, sleeper, status=WOKEN), False
        if not waiting:
            yield state, False

    def do_notify_all(self, state, thread, i):
        state = self.step(state, thread)
        for sleeper in self.sleepers(state, i.on):
            state = self.with_thread(state, sleeper, status=WOKEN)
        yield state, False

    def do_barrier(self, state, thread, i):
        status = state.threads[thread].status
        if status == RUNS:
            yield self.with_thread(state, thread, status=ARRIVED), False
        elif status == PASSED:
            yield self.step(state, thread, status=RUNS), False
        elif thread == min(self.parties[i.on]):
            tasks = [u for u in self.tasks.get(i.on, ()) if state.threads[u].status != UNBORN]
            here = [u for u, other in enumerate(state.threads) if other.status == ARRIVED and self.code[u][other.at].on == i.on]
            if set(here) == self.parties[i.on] and self.all_ended(state, tasks):
                clock = (0,) * len(self.code)
                for u in here + tasks:
                    clock = joined(clock, state.threads[u].clock)
                for u in here:
                    state = self.advanced(self.with_thread(state, u, status=PASSED, clock=clock), u)
                yield state, False

    def do_once(self, state, thread, i):
        place = self.places[i.on]
        if state.owners[place] is None and state.memory[place] == 0:
            yield self.step(state._replace(owners=self.with_item(state.owners, place, thread)), thread), False
        elif state.memory[place] == 1:
            yield self.with_thread(self.acquire(state, thread, place), thread, at=i.other), False

    def do_done(self, state, thread, i):
        yield self.step(self.remember(self.given(state, thread, i.on), i, 1), thread), False

    def do_spawn(self, state, thread, i):
        clock = joined(state.threads[thread].clock, state.threads[i.value].clock)
        state = self.with_thread(state, i.value, status=RUNS, clock=clock)
        yield self.settled(self.step(self.advanced(state, thread), thread), i.value), False

    def do_join(self, state, thread, i):
        other = state.threads[i.value]
        if other.status == ENDED:
            yield self.step(self.with_thread(state, thread, clock=joined(state.threads[thread].clock, other.clock)), thread), False

    def do_detach(self, state, thread, i):
        yield self.step(state, thread), False

    # -- OpenMP

    @staticmethod
    def all_ended(state, threads):
        return all(state.threads[u].status == ENDED for u in threads)

    def after_all(self, state, thread, others):
        """The thread happens after all that these have done."""
        for other in others:
            state = self.with_thread(state, thread, clock=joined(state.threads[thread].clock, state.threads[other].clock))
        return state

    def do_take(self, state, thread, i):
        """The next part of shared work, if there is one."""
        taken = state.memory[self.places[i.on]]
        if taken == len(i.value):
            yield self.with_thread(state, thread, at=i.other), False
        else:
            yield self.with_thread(self.remember(state, i, taken + 1), thread, at=i.value[taken]), False

    def do_task(self, state, thread, i):
        """A new task; its creator is kept, for waits for children."""
        clock = joined(state.threads[thread].clock, state.threads[i.value].clock)
        state = self.with_thread(state, i.value, status=RUNS, clock=clock, parent=thread)
        yield self.step(self.advanced(state, thread), thread), False

    def do_begin(self, state, thread, i):
        """A task begins: the siblings that it depends on have ended."""
        parent = state.threads[thread].parent
        siblings = [u for u in i.value if state.threads[u].parent == parent]
        if self.all_ended(state, siblings):
            yield self.step(self.after_all(state, thread, siblings), thread), False

    def do_taskwait(self, state, thread, i):
        children = [u for u in i.value if state.threads[u].parent == thread]
        if self.all_ended(state, children):
            yield self.step(self.after_all(state, thread, children), thread), False

    def do_groupwait(self, state, thread, i):
        if self.all_ended(state, i.value):
            yield self.step(self.after_all(state, thread, i.value), thread), False

    # -- the search

    def awaited_by(self, state, thread):
        """The thread that holds what this one waits for, if any."""
        t = state.threads[thread]
        if t.status in (UNBORN, ENDED):
            return None
        i = self.code[thread][t.at]
        name = {"lock": i.on, "once": i.on, "wake": i.value if t.status == WOKEN else ""}.get(i.kind)
        return state.owners[self.places[name]] if name else None

    def stuck(self, state):
        """Is it a deadlock that nobody goes on? While main runs, if any thread has not ended. After that the process
        ends, and a thread that only waits is cut off: it takes a cycle of threads that wait for each other.
        """
        if state.threads[0].status != ENDED:
            return True
        for thread in range(len(state.threads)):
            other = self.awaited_by(state, thread)
            for _ in state.threads:
                if other is None or other == thread:
                    break
                other = self.awaited_by(state, other)
            if other == thread:
                return True
        return False

    def run(self):
        first = self.start()
        if first is None:  # main begins with a check that fails
            return Truth(always_races=False, always_deadlocks=False, failure=True, states=1)
        truth, seen, stack = self.truth, {first}, [first]
        while stack:
            state = stack.pop()
            goes = False
            for thread in range(len(self.code)):
                for after, spurious in self.successors(state, thread):
                    goes = goes or not spurious
                    after = after and self.settled(after, thread)
                    if after is None:
                        truth.failure = True
                        truth.always_deadlocks = False
                        # The access of the check may have raced just now; earlier races are in the state.
                        truth.always_races = truth.always_races and state.raced
                    elif after not in seen:
                        seen.add(after)
                        stack.append(after)
            if not goes:  # the end, or nobody can go on
                stuck = self.stuck(state)
                truth.deadlock = truth.deadlock or stuck
                truth.always_deadlocks = truth.always_deadlocks and stuck
                truth.always_races = truth.always_races and state.raced
                truth.always_fails = False
            if len(seen) > self.most_states:
                raise TooLarge
        truth.states = len(seen)
        return truth


def truth_of(program, most_states=4000, spurious=True):
    """Raises TooLarge. With `spurious`, a wait for a condition may end without a notification."""
    return Model(program, most_states, spurious).run()
