"""Small programs about atomicity, each with its verdict: every pattern of accesses, under every way of locking, in
every shape of tasks.

A case is a function that makes a pair of accesses in one task and an access in a parallel one, to a location of its
own. All cases of a programming model are one source text and one run, since a verdict is about a location. The text
is written here, so the lines of the three accesses are known; the definition in docs/atomicity.md decides whether
they are a violation, not Heddle.
"""

from dataclasses import dataclass

PATTERNS = ["RRR", "RRW", "RWR", "RWW", "WRR", "WRW", "WWR", "WWW"]  # first, intruder, last
SHAPES = ["step", "steps", "nested", "loop", "group", "grouped later"]
GROUPS = ("group", "grouped later")  # the second: each of the two has been annotated before, as expect_atomic<T> does
AS_STEP = ("steps", *GROUPS)  # made of the same tasks


@dataclass
class Locking:
    before: list  # what the pair does before its first access, between the two, and after the last
    between: list
    after: list
    intruder: list  # locks that the intruder holds
    lets_in: bool  # is there a moment between the two accesses at which the intruder gets its locks?


LOCKINGS = {
    "no lock": Locking([], [], [], [], True),
    "one lock": Locking(["+m"], [], ["-m"], ["m"], False),
    "taken again": Locking(["+m"], ["-m", "+m"], ["-m"], ["m"], True),
    "hand over hand": Locking(["+m"], ["+n", "-m"], ["-n"], ["m", "n"], False),
    "two locks": Locking(["+m"], ["-m", "+n"], ["-n"], ["m"], True),
    "intruder without": Locking(["+m"], [], ["-m"], [], True),
}


@dataclass
class Case:
    name: str
    pattern: str
    locking: Locking
    shape: str
    number: int = 0
    lines: tuple = ()  # of first, intruder, last

    def is_violation(self, model, workers):
        first, intruder, last = self.pattern
        conflicts = intruder == "W" or (first == "W" and last == "W")
        # An OpenMP team of one thread has one implicit task, which runs the whole loop: there is no parallel step.
        one_task = model is OpenMP and self.shape == "loop" and workers == 1
        return conflicts and self.locking.lets_in and self.shape != "steps" and not one_task


def all_cases():
    for shape in SHAPES:
        for way, locking in LOCKINGS.items():
            # A task that waits while it holds a lock may have to run the interleaving task.
            if shape == "steps" and way in ("one lock", "hand over hand"):
                continue
            for pattern in PATTERNS:
                yield Case(f"{pattern[0]}-{pattern[1]}-{pattern[2]}, {way}, {shape}", pattern, locking, shape)


class Model:
    """How a programming model says things. Lines are text; PAIR and INTRUDER stand for what a task does."""

    header = []
    lock, unlock = "{}.lock();", "{}.unlock();"
    mutex = "static std::mutex {};"
    shapes = {}
    another_step = []


class OpenMP(Model):
    name, flags = "openmp", ["-fopenmp"]
    header = ["#include <omp.h>"]
    mutex = "static omp_lock_t {};"
    lock, unlock = "omp_set_lock(&{});", "omp_unset_lock(&{});"
    another_step = ["#pragma omp task", "pause_here();", "#pragma omp taskwait"]
    tasks = ["#pragma omp parallel", "#pragma omp single", "{", "#pragma omp task", "{", "PAIR", "}", "#pragma omp task", "{", "INTRUDER", "}", "}"]
    shapes = {
        "step": tasks,
        "nested": ["#pragma omp parallel", "#pragma omp single", "{",
                   "#pragma omp task", "{", "#pragma omp task", "{", "PAIR", "}", "#pragma omp taskwait", "}",
                   "#pragma omp task", "{", "#pragma omp task", "{", "INTRUDER", "}", "#pragma omp taskwait", "}", "}"],
        "loop": ["#pragma omp parallel for schedule(dynamic, 1)", "for (int i = 0; i < 2; ++i) {",
                 "if (i == 0) {", "PAIR", "} else {", "INTRUDER", "}", "}"],
    }  # fmt: skip


class TBB(Model):
    name, flags = "tbb", ["-ltbb", "-ltbbmalloc"]
    header = ["#include <tbb/parallel_for.h>", "#include <tbb/task_group.h>", "#include <mutex>"]
    another_step = ["tbb::task_group inner;", "inner.run([] { pause_here(); });", "inner.wait();"]
    shapes = {
        "step": ["tbb::task_group group;", "group.run([] {", "PAIR", "});", "group.run([] {", "INTRUDER", "});", "group.wait();"],
        "nested": ["tbb::task_group group;",
                   "group.run([] {", "tbb::task_group inner;", "inner.run([] {", "PAIR", "});", "inner.wait();", "});",
                   "group.run([] {", "tbb::task_group inner;", "inner.run([] {", "INTRUDER", "});", "inner.wait();", "});",
                   "group.wait();"],
        "loop": ["tbb::parallel_for(0, 2, [](int i) {", "if (i == 0) {", "PAIR", "} else {", "INTRUDER", "}", "});"],
    }  # fmt: skip


class Async(Model):
    name, flags = "async", []
    header = ["#include <heddle/async.hpp>", "#include <mutex>"]
    another_step = ["heddle::finish([] {", "heddle::async([] { pause_here(); });", "});"]
    shapes = {
        "step": ["heddle::finish([] {", "heddle::async([] {", "PAIR", "});", "heddle::async([] {", "INTRUDER", "});", "});"],
        "nested": ["heddle::finish([] {", "heddle::async([] {", "heddle::async([] {", "PAIR", "});", "});",
                   "heddle::async([] {", "heddle::finish([] {", "heddle::async([] {", "INTRUDER", "});", "});", "});", "});"],
        "loop": ["heddle::forall(0, 2, [](int i) {", "if (i == 0) {", "PAIR", "} else {", "INTRUDER", "}", "});"],
    }  # fmt: skip


class Threads(Model):
    name, flags = "threads", ["-pthread"]
    header = ["#include <mutex>", "#include <thread>"]
    another_step = ["std::thread(pause_here).join();"]
    shapes = {
        "step": ["std::thread a([] {", "PAIR", "});", "std::thread b([] {", "INTRUDER", "});", "a.join();", "b.join();"],
        "nested": ["std::thread a([] {", "std::thread inner([] {", "PAIR", "});", "inner.join();", "});",
                   "std::thread b([] {", "std::thread inner([] {", "INTRUDER", "});", "inner.join();", "});",
                   "a.join();", "b.join();"],
    }  # fmt: skip


MODELS = {model.name: model for model in (OpenMP, TBB, Async, Threads)}


class Text:
    def __init__(self):
        self.lines = []

    def add(self, *lines):
        self.lines.extend(lines)
        return len(self.lines)


def locks(model, steps):
    for step in steps:
        yield (model.lock if step[0] == "+" else model.unlock).format(step[1:])


def access(op, variable, role):
    """The statements around it keep compilers from merging the code of two accesses, and so their lines."""
    what = f"{variable} = 1;" if op == "W" else f"(void){variable};"
    fence = f'asm volatile("# {role}" : : : "memory");'
    return f"{fence} {what} {fence}"


def write(model, every=1):
    """The source text of a model's cases, or of every n-th of them, and the cases with their lines."""
    known = [case for case in all_cases() if case.shape in AS_STEP or case.shape in model.shapes]
    cases = known[::every]
    text = Text()
    text.add("#include <heddle/annotate.hpp>", *model.header, "")
    text.add('static void __attribute__((noinline)) pause_here() { asm volatile("" : : : "memory"); }')
    text.add(*(model.mutex.format(name) for name in "mn"), "")
    for n, case in enumerate(cases):
        case.number = n
        variables = (f"x{n}", f"y{n}", f"x{n}") if case.shape in GROUPS else (f"x{n}",) * 3
        text.add(f"// {case.name}: {'a violation' if case.is_violation(model, 2) else 'no violation'}")
        text.add(*(f"static volatile long {name};" for name in sorted(set(variables))), f"static void case{n}() {{")
        where = {}
        for line in model.shapes["step" if case.shape in AS_STEP else case.shape]:
            if line == "PAIR":
                text.add(*locks(model, case.locking.before))
                where["first"] = text.add(access(case.pattern[0], variables[0], "first"))
                text.add("pause_here();")
                between = list(locks(model, case.locking.between))
                if case.shape == "steps":
                    between[1:1] = model.another_step
                text.add(*between)
                where["last"] = text.add(access(case.pattern[2], variables[2], "last"))
                text.add(*locks(model, case.locking.after))
            elif line == "INTRUDER":
                text.add(*locks(model, ["+" + lock for lock in case.locking.intruder]))
                where["intruder"] = text.add(access(case.pattern[1], variables[1], "intruder"))
                text.add(*locks(model, ["-" + lock for lock in reversed(case.locking.intruder)]))
            else:
                text.add(line)
        case.lines = (where["first"], where["intruder"], where["last"])
        text.add("}", "")
    text.add("int main() {")
    if model is OpenMP:
        text.add("omp_init_lock(&m);", "omp_init_lock(&n);")
    for case in cases:
        n = case.number
        if case.shape == "grouped later":
            text.add(f"heddle::atomic_location(x{n});", f"heddle::atomic_location(y{n});")
        text.add(f"heddle::atomic_group(x{n}, y{n});" if case.shape in GROUPS else f"heddle::atomic_location(x{n});")
    text.add(*(f"case{case.number}();" for case in cases), "}")
    return "\n".join(text.lines) + "\n", cases
