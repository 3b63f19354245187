"""Random programs about atomicity as source text, and the oracle: all triples of accesses of each, by the definition
in docs/atomicity.md.

A program is a tree of tasks that access a few variables, acquire and release locks, open regions, create tasks and
wait for them. Its meaning does not depend on values, so one serial walk determines everything: its steps, their
order, and the locks held at each moment. All programs of a text run one after the other, each with its own variables;
each access has its own line.
"""

from dataclasses import dataclass, field
from itertools import combinations

from cases import MODELS, Text, access

LOCKS = "mn"
TYPES = ["char", "short", "int", "int", "long", "long"]
# An array of longs over three blocks of shadow, which loops walk from one of these places to another: between two of
# them all elements have the same accesses, so one represents them in the oracle.
PLACES = [0, 1, 2, 16, 31, 32, 33, 64, 95, 96]


@dataclass
class Variable:
    name: str
    type: str
    meant: bool  # annotated, by itself or in a group
    location: str  # the variable's name, or the group's; or a part of the array


@dataclass
class Access:
    variable: Variable
    op: str
    line: int
    step: int
    region: int  # 0: outside
    locks: frozenset
    moment: int  # of the step's locksets


@dataclass
class Step:
    before: set  # of steps
    moments: list = field(default_factory=list)  # locksets, one for each change


class Task:
    def __init__(self, program, before, depth):
        self.program, self.depth = program, depth
        self.held, self.children, self.variables = [], [], 0
        self.region, self.in_region = 0, False
        self.enter(before)

    def enter(self, before):
        """A new step, after these."""
        closed = set(before)
        for step in before:
            closed |= self.program.steps[step].before
        self.step = len(self.program.steps)
        self.program.steps.append(Step(closed, [frozenset(self.held)]))
        if self.in_region:
            self.begin_region()

    def begin_region(self):
        self.program.regions += 1
        self.region = self.program.regions

    def change_locks(self):
        self.program.steps[self.step].moments.append(frozenset(self.held))


class Program:
    """One program: its text, written during the walk, and its violations."""

    def __init__(self, number, random, model, text, regions):
        self.number, self.random, self.model, self.text = number, random, model, text
        self.steps, self.accesses, self.regions, self.tasks = [], [], 0, 0
        self.threads = model.name == "threads"
        grouped = random.random() < 0.3
        with_regions = regions and random.random() < 0.6
        self.weights = {"access": 10, "loop": 2, "change": 2, "lock": 4, "unlock": 4, "task": 5, "wait": 1, "region": 2 if with_regions else 0, "walk": random.choice([0, 0, 5])}
        self.variables = []
        for i in range(random.randint(1, 3)):
            meant = random.random() < (0.4 if with_regions else 0.85)
            location = "group" if grouped and meant and random.random() < 0.6 else f"v{i}"
            self.variables.append(Variable(f"p{number}.v{i}", random.choice(TYPES), meant, location))
        meant = random.random() < 0.85
        self.array = [Variable(f"p{number}.row", "long", meant, f"row{i}") for i in range(len(PLACES) - 1)] if self.weights["walk"] else []
        fields = " ".join(f"volatile {v.type} {v.name.split('.')[1]};" for v in self.variables)
        if self.array:
            fields += f" alignas(256) long row[{PLACES[-1]}];"
        text.add(f"static struct {{ {fields} }} p{number};", f"static void program{number}() {{")
        if not self.threads:
            text.add("#pragma omp parallel", "#pragma omp single")
        text.add("{")
        main = Task(self, set(), 0)
        self.budget = random.randint(8, 45)
        self.body(main)
        text.add("}", "}", "")

    def annotations(self):
        members = [v.name for v in self.variables if v.location == "group"]
        if members:
            yield f"heddle::atomic_group({', '.join(members)});"
        for v in self.variables:
            if v.meant and v.location != "group":
                yield f"heddle::atomic_location({v.name});"
        if self.array and self.array[0].meant:
            yield f"heddle::atomic_location({self.array[0].name});"

    # -- statements, each with what it means

    def body(self, task):
        while self.budget > 0 and (task.depth == 0 or self.random.random() < 0.88):
            self.budget -= 1
            kinds = list(self.weights)
            getattr(self, self.random.choices(kinds, [self.weights[kind] for kind in kinds])[0])(task)
        while task.held:
            self.unlock(task)
        if task.in_region:
            self.region(task)
        if self.threads or self.random.random() < 0.3:
            self.wait(task)
        return task

    def touch(self, task, times):
        variable, op = self.random.choice(self.variables), self.random.choice("RW")
        atomic = variable.type in ("int", "long") and self.random.random() < 0.1
        if atomic:
            what = f"__atomic_store_n(&{variable.name}, 1, __ATOMIC_RELAXED);" if op == "W" else f"(void)__atomic_load_n(&{variable.name}, __ATOMIC_RELAXED);"
        else:
            what = access(op, variable.name, f"{self.number}-{len(self.accesses)}")
        line = self.text.add(what if times == 1 else f"for (int k = 0; k < {times}; ++k) {{ {what} }}")
        for _ in range(times):
            self.note(task, variable, op, line)

    def note(self, task, variable, op, line):
        moment = len(self.steps[task.step].moments) - 1
        region = task.region if task.in_region else 0
        self.accesses.append(Access(variable, op, line, task.step, region, frozenset(task.held), moment))

    def access(self, task):
        self.touch(task, 1)

    def loop(self, task):
        self.touch(task, self.random.randint(2, 3))

    def change(self, task):
        """A read and a write in one statement, which a compiler may instrument as one access."""
        variable = self.random.choice(self.variables)
        fence = f'asm volatile("# {self.number}-{len(self.accesses)}" : : : "memory");'
        line = self.text.add(f"{fence} {variable.name} += 1; {fence}")
        self.note(task, variable, "R", line)
        self.note(task, variable, "W", line)

    def walk(self, task):
        """A loop over a part of the array with one or two accesses to each element, which a compiler may instrument
        as one range."""
        low, high = sorted(self.random.sample(range(len(PLACES)), 2))
        up, ops, name = self.random.random() < 0.7, self.random.choice(["R", "W", "RW"]), self.array[0].name
        order = f"int k = {PLACES[low]}; k < {PLACES[high]}; ++k" if up else f"int k = {PLACES[high] - 1}; k >= {PLACES[low]}; --k"
        what = {"R": f"sum += {name}[k];", "W": f"{name}[k] = k;", "RW": f"{name}[k] += k + 1;"}[ops]
        fence = f'asm volatile("# {self.number}-{len(self.accesses)}" : : "r"(sum), "r"({name}) : "memory");'
        line = self.text.add(f"{{ long sum = 0; {fence} for ({order}) {what} {fence} }}")
        for part in self.array[low:high]:
            for op in ops:
                self.note(task, part, op, line)

    def lock(self, task):
        free = [lock for lock in LOCKS if all(lock > held for held in task.held)]  # in one order: nobody waits for ever
        if not free:
            return
        lock = self.random.choice(free)
        self.text.add(self.model.lock.format(lock))
        task.held.append(lock)
        task.change_locks()

    def unlock(self, task):
        if not task.held:
            return
        lock = self.random.choice(task.held)
        self.text.add(self.model.unlock.format(lock))
        task.held.remove(lock)
        task.change_locks()

    def region(self, task):
        self.text.add(f"HEDDLE_ATOMIC_REGION_{'END' if task.in_region else 'BEGIN'}();")
        task.in_region = not task.in_region
        if task.in_region:
            task.begin_region()

    def task(self, task):
        """Not under a lock: the creating thread may have to run the task at once."""
        if task.held or task.depth == 3:
            return
        self.tasks += 1
        name = f"t{self.tasks}"
        self.text.add(*([f"std::thread {name}([&] {{"] if self.threads else ["#pragma omp task", "{"]))
        self.text.add('asm volatile("" : : : "memory");')  # or GCC would leave out a task that does nothing
        child = Task(self, {task.step}, task.depth + 1)
        self.body(child)
        self.text.add("});" if self.threads else "}")
        task.children.append((name, child))
        task.enter({task.step})

    def wait(self, task):
        """If there is no task to wait for, the step continues."""
        if task.held:
            return
        if not self.threads:
            self.text.add("#pragma omp taskwait")
        if not self.threads and task.children:
            task.enter({task.step} | {child.step for _, child in task.children})
        for name, child in task.children if self.threads else []:
            self.text.add(f"{name}.join();")
            task.enter({task.step, child.step})
        task.children = []

    # -- the oracle

    def is_violation(self, a, b, c):
        if a.step != b.step or a.variable.location != b.variable.location or a.variable.location != c.variable.location:
            return False
        if not a.variable.meant and (a.region == 0 or a.region != b.region):
            return False
        if c.step == a.step or c.step in self.steps[a.step].before or a.step in self.steps[c.step].before:
            return False
        if c.op == "R" and (a.op, b.op) != ("W", "W"):
            return False
        return any(not moment & c.locks for moment in self.steps[a.step].moments[a.moment : b.moment + 1])

    def violations(self):
        """Lines of all triples and their patterns, by location."""
        found = {}
        by_location = {}
        for access in self.accesses:
            by_location.setdefault(access.variable.location, []).append(access)
        for location, accesses in by_location.items():
            for a, b in combinations(accesses, 2):
                for c in accesses:
                    if self.is_violation(a, b, c):
                        triples = found.setdefault(location, {})
                        triples.setdefault((a.line, c.line, b.line), set()).add(f"{a.op}-{c.op}-{b.op}")
        return found


def write(model_name, random, count, regions):
    model, text = MODELS[model_name], Text()
    text.add("#include <heddle/annotate.hpp>", *model.header, "", *(model.mutex.format(name) for name in LOCKS), "")
    programs = [Program(number, random, model, text, regions) for number in range(count)]
    text.add("int main() {")
    if model_name == "openmp":
        text.add(*(f"omp_init_lock(&{name});" for name in LOCKS))
    for program in programs:
        text.add(*program.annotations())
    text.add(*(f"program{program.number}();" for program in programs), "}")
    return "\n".join(text.lines) + "\n", programs
