"""C++ source for abstract programs, in variants that must not change their meaning.

Many programs become one source, as most of a build's time goes into headers and into the link: the first argument
selects the one that runs. Every statement has its own line, and each program has a map from lines to statements.
"""

from dataclasses import dataclass, field

from lower_openmp import THREADS

HEADERS = ["atomic", "barrier", "chrono", "condition_variable", "cstdlib", "mutex", "pthread.h", "thread"]

# The storage of the variables, and how threads reach them.
STORAGE = ["global", "static", "array", "field", "local", "captured", "heap", "frame"]
OUTLIVE_MAIN = ["global", "static", "array", "field", "captured", "heap"]
# With pthread_create, a thread gets one pointer: not the variables of a function.
BY_POINTER = ["global", "static", "array", "field", "heap", "frame"]
POLLS = [";", "std::this_thread::yield();", "std::this_thread::sleep_for(std::chrono::microseconds(20));"]
LARGE_TEAM = 8
BETWEEN = ["nothing", "function", "template"]
ACCESSES = ("read", "write", "increment")
ATOMIC_ACCESSES = ("load", "store", "add", "exchange", "await")
ORDERS = {order: f"std::memory_order_{order}" for order in ("relaxed", "acquire", "release", "acq_rel", "seq_cst")}
FENCE = 'asm volatile("" : : : "memory");'  # or two statements could become one access


@dataclass(frozen=True)
class Variant:
    storage: str = "global"
    between: str = "nothing"  # what stands between a statement and its accesses
    threads: str = "std"  # or pthread
    unrolled: bool = False  # loops are written out
    polls: str = ";"  # what is done between two looks
    team: int = THREADS  # of OpenMP: any two parts of its work can be on different threads, however many there are

    def __str__(self):
        words = [self.storage, self.threads, f"{self.between} between" if self.between != "nothing" else "", "unrolled" if self.unrolled else "",
                 f"team of {self.team}" if self.team != THREADS else ""]
        return ", ".join(word for word in words if word)


def random_variant(random, program):
    """Most are plain in most respects: otherwise a failure would be hard to explain."""
    storage = random.choice(STORAGE if not program.unjoined() else OUTLIVE_MAIN)
    threads = random.choice(["std", "std", "pthread"]) if storage in BY_POINTER and not program.is_openmp() else "std"
    return Variant(storage, random.choice(["nothing"] * 3 + BETWEEN), threads, random.random() < 0.3, random.choice(POLLS),
                   random.choice([THREADS, THREADS, LARGE_TEAM]) if program.is_openmp() else THREADS)


@dataclass
class Item:
    """One program in one variant, printed."""

    program: object
    variant: Variant
    number: int = 0
    statements: dict = field(default_factory=dict)  # of lines

    def has_large_barrier(self):
        names = self.program.named("barrier") if self.variant.threads == "std" and not self.program.is_openmp() else []
        return any(self.program.parties(name) > 2 for name in names)


class Text:
    def __init__(self):
        self.lines = []

    def add(self, *lines):
        self.lines += lines
        return len(self.lines)


class Printer:
    """Prints a program with threads; the common part of both flavours is here, too."""

    def __init__(self, text, item):
        self.text, self.item = text, item
        self.program, self.variant = item.program, item.variant
        self.names = self.expressions()
        self.helpers = []

    # -- storage

    def objects(self):
        """Type and name of everything that is shared."""
        program = self.program
        kinds = {name: "int" for name in program.named("read", "write", "increment")}
        kinds |= {op.value: "int" for op in program.operations() if op.kind == "wait"}
        kinds |= {name: "int" for name in program.named("task") if name}  # what they depend on
        if program.is_openmp():
            return kinds | {name: "int" for name in program.named("load", "store", "add")}
        kinds |= {name: "std::atomic<int>" for name in program.named(*ATOMIC_ACCESSES)}
        kinds |= {name: "std::mutex" for name in program.named("section", "try")}
        kinds |= {name: "std::timed_mutex" for name in program.named("timed")}
        kinds |= {name: "std::condition_variable" for name in program.named("wait", "notify_one", "notify_all")}
        kinds |= {name: "std::once_flag" for name in program.named("once")}
        kinds |= {name: "std::barrier<>" if self.variant.threads == "std" else "pthread_barrier_t" for name in program.named("barrier")}
        return kinds

    def initial(self, name, kind):
        if kind == "std::barrier<>":
            return f"{{{self.program.parties(name)}}}"
        return "{0}" if kind in ("int", "std::atomic<int>") else ""

    def expressions(self):
        storage, names = self.variant.storage, {}
        for at, name in enumerate(self.objects()):
            names[name] = {"array": f"cells[{2 * at + 1}]" if self.objects()[name] == "int" else name, "field": f"all.{name}", "captured": f"(*{name})",
                           "heap": f"s->{name}", "frame": f"s->{name}"}.get(storage, name)
        return names

    def declare(self, prefix=""):
        return [f"{prefix}{self.declaration(name, kind)};" for name, kind in self.objects().items()]

    def declaration(self, name, kind):
        # The end of the process would destroy it, which races with a detached thread's arrival: the model has no
        # destructors.
        if kind == "std::barrier<>" and self.program.unjoined():
            return f"{kind}& {name} = *new {kind}{self.initial(name, kind)}"
        return f"{kind} {name}{self.initial(name, kind)}"

    # -- the program

    def print(self):
        storage, number = self.variant.storage, self.item.number
        self.text.add(f"namespace p{number} {{  // {self.variant}")
        if storage == "global":
            self.text.add(*self.declare())
        elif storage == "array":
            self.text.add(f"int cells[{2 * len(self.objects()) + 2}];")
            self.text.add(*(line for line in self.declare() if not line.startswith("int ")))
        elif storage in ("field", "heap", "frame"):
            self.text.add("struct All {", *self.declare("  "), "};")
            if storage == "field":
                self.text.add("All all;")
        if self.variant.between != "nothing":
            for body in self.program.bodies:
                self.print_helpers(body)
        self.text.add("void run() {")
        if storage == "static":
            self.text.add(*self.declare("static "))
        elif storage == "local":
            self.text.add(*self.declare())
        elif storage == "captured":
            self.text.add(*(f"{kind}* {name} = new {kind}{self.initial(name, kind)};" for name, kind in self.objects().items()))
        elif storage == "heap":
            self.text.add("All* s = new All;")
        elif storage == "frame":
            self.text.add("All everything;", "All* s = &everything;")
        # Or a compiler could leave out what nobody reads. Of a struct only its own address: the fields' go nowhere.
        seen = [f"&{self.names[name]}" for name, kind in self.objects().items() if kind in ("int", "std::atomic<int>")]
        for address in ["s"] if storage in ("heap", "frame") else seen:
            self.text.add(f'asm volatile("" : : "r"({address}) : "memory");')
        for name in self.program.named("barrier") if self.variant.threads == "pthread" else []:
            self.text.add(f"pthread_barrier_init(&{self.names[name]}, nullptr, {self.program.parties(name)});")
        self.print_body(self.program.bodies[0])
        self.text.add("}", "}")

    def print_body(self, body):
        self.text.add("[[maybe_unused]] int r = 0;")
        self.print_ops(body)

    def print_ops(self, body):
        for op in body:
            getattr(self, f"print_{op.kind}", self.print_access)(op)

    def line(self, op, text):
        self.item.statements[self.text.add(text)] = op.id

    def capture(self):
        return {"local": "&", "captured": "=", "heap": "s", "frame": "s"}.get(self.variant.storage, "")

    # -- accesses

    def access(self, op, name):
        order = ORDERS[op.order]
        failure = ORDERS[{"acq_rel": "acquire", "release": "relaxed"}.get(op.order, op.order)]
        return {
            "read": f'r = {name}; asm volatile("" : "+r"(r) : : "memory");',
            "write": f"{name} = {op.value}; {FENCE}",
            "increment": f"{name} += 1; {FENCE}",
            "load": f'r = {name}.load({order}); asm volatile("" : "+r"(r) : : "memory");',
            "await": f"while ({name}.load({order}) != {op.value}) {self.variant.polls}",
            "store": f"{name}.store({op.value}, {order});",
            "add": f"r = {name}.fetch_add({op.value}, {order});",
            "exchange": f"{{ int e = {op.value}; r = {name}.compare_exchange_strong(e, {op.desired}, {order}, {failure}); }}",
        }[op.kind]

    def print_helpers(self, body):
        """A function for each access; its line is that of the access."""
        for op in body:
            self.print_helpers(op.body)
            if op.kind in (ACCESSES if self.program.is_openmp() else ACCESSES + ATOMIC_ACCESSES):
                kind = self.objects()[op.on]
                head, kind = ("static", kind) if self.variant.between == "function" else ("template <class T>", "T")
                self.line(op, f"{head} void h{op.id}({kind}& v, int& r) {{ (void)r; {self.access(op, 'v')} }}")

    def print_access(self, op):
        name = self.names[op.on]
        self.line(op, self.access(op, name) if self.variant.between == "nothing" else f"h{op.id}({name}, r);")

    # -- everything else

    def print_idle(self, op):
        self.text.add("std::this_thread::yield();" if op.on == "yield" else "std::this_thread::sleep_for(std::chrono::microseconds(20));")

    def print_section(self, op):
        self.line(op, f"{self.names[op.on]}.lock();")
        self.print_ops(op.body)
        self.text.add(f"{self.names[op.on]}.unlock();")

    def print_try(self, op):
        self.line(op, f"if ({self.names[op.on]}.try_lock()) {{")
        self.print_ops(op.body)
        self.text.add(f"{self.names[op.on]}.unlock(); }}")

    def print_timed(self, op):
        self.line(op, f"if ({self.names[op.on]}.try_lock_for(std::chrono::milliseconds(1))) {{")
        self.print_ops(op.body)
        self.text.add(f"{self.names[op.on]}.unlock(); }}")

    def print_wait(self, op):
        condition, predicate, lock = (self.names[name] for name in (op.on, op.value, op.desired))
        self.line(op, f"{{ std::unique_lock l({lock}, std::adopt_lock); while (!{predicate}) {condition}.wait(l); l.release(); }}")

    def print_notify_one(self, op):
        self.line(op, f"{self.names[op.on]}.{op.kind}();")

    print_notify_all = print_notify_one

    def print_barrier(self, op):
        name = self.names[op.on]
        self.line(op, f"{name}.arrive_and_wait();" if self.variant.threads == "std" else f"pthread_barrier_wait(&{name});")

    def print_once(self, op):
        captures = [] if self.capture() == "&" else ["&r"]
        self.line(op, f"std::call_once({self.names[op.on]}, [{', '.join([self.capture()] * bool(self.capture()) + captures)}] {{ (void)r;")
        self.print_ops(op.body)
        self.text.add("});")

    def print_if(self, op):
        self.text.add(f"if (r == {op.value}) {{")
        self.print_ops(op.body)
        self.text.add("}")

    def print_check(self, op):
        self.line(op, f"if (r != {op.value}) std::abort();")

    def print_repeat(self, op):
        if self.variant.unrolled:
            for _ in range(op.value):
                self.print_ops(op.body)
            return
        self.text.add(f"for (int i = 0; i < {op.value}; ++i) {{")
        self.print_ops(op.body)
        self.text.add("}")

    def print_spawn(self, op):
        if self.variant.threads == "std":
            self.line(op, f"std::thread t{op.value}([{self.capture()}] {{")
            self.print_body(self.program.bodies[op.value])
            self.text.add("});")
            return
        shared = self.variant.storage in ("heap", "frame")
        self.text.add(f"pthread_t t{op.value};")
        begin = "auto* s = static_cast<All*>(p);" if shared else "(void)p;"
        self.line(op, f"pthread_create(&t{op.value}, nullptr, [](void* p) -> void* {{ {begin}")
        self.print_body(self.program.bodies[op.value])
        self.text.add(f"return nullptr; }}, {'s' if shared else 'nullptr'});")

    def print_join(self, op):
        self.line(op, f"t{op.value}.join();" if self.variant.threads == "std" else f"pthread_join(t{op.value}, nullptr);")

    def print_detach(self, op):
        self.line(op, f"t{op.value}.detach();" if self.variant.threads == "std" else f"pthread_detach(t{op.value});")


class OpenMPPrinter(Printer):
    """A register belongs to a region or task: those inside hide those outside."""

    def block(self, op, pragma, register=False):
        self.text.add(f"#pragma omp {pragma}", "{ [[maybe_unused]] int r = 0;" if register else "{")
        self.print_ops(op.body)
        self.text.add("}")

    def print_access(self, op):
        if op.kind not in ATOMIC_ACCESSES:
            super().print_access(op)
            return
        name = self.names[op.on]
        how, what = {"load": ("read", f"r = {name};"), "store": ("write", f"{name} = {op.value};"), "add": ("update", f"{name} += {op.value};")}[op.kind]
        self.text.add(f"#pragma omp atomic {how}")
        self.line(op, what)

    def print_section(self, op):
        self.block(op, f"critical({op.on})")

    def print_parallel(self, op):
        self.block(op, f"parallel num_threads({self.variant.team})", register=True)

    def print_teams(self, op):
        self.block(op, "teams num_teams(2)", register=True)

    def print_for(self, op):
        schedule = "dynamic" if op.on == "dynamic" else "static, 1"
        self.text.add(f"#pragma omp for schedule({schedule}){' nowait' if op.desired else ''}", f"for (int i = 0; i < {op.value}; ++i) {{")
        self.print_ops(op.body)
        self.text.add("}")

    def print_sections(self, op):
        self.text.add(f"#pragma omp sections{' nowait' if op.desired else ''}", "{")
        for part in op.body:
            self.block(part, "section")
        self.text.add("}")

    def print_single(self, op):
        self.block(op, f"single{' nowait' if op.desired else ''}")

    def print_task(self, op):
        self.block(op, f"task depend({op.value}: {self.depends_on(op.on)})" if op.on else "task", register=True)

    def depends_on(self, name):
        """Any place will do, as long as it is always the same."""
        return self.names[name].strip("()") if self.variant.storage == "captured" else self.names[name]

    def print_taskwait(self, op):
        self.line(op, "#pragma omp taskwait")

    def print_taskgroup(self, op):
        self.block(op, "taskgroup")

    def print_barrier(self, op):
        self.line(op, "#pragma omp barrier")


def source(items):
    """The text of one source with all of them, which are numbered here."""
    text = Text()
    text.add(*(f"#include <{header}>" for header in HEADERS))
    for number, item in enumerate(items):
        item.number, item.statements = number, {}
        (OpenMPPrinter if item.program.is_openmp() else Printer)(text, item).print()
    text.add("int main(int, char** argv) {", "switch (std::atoi(argv[1])) {")
    text.add(*(f"case {item.number}: p{item.number}::run(); break;" for item in items), "}", "}")
    return "\n".join(text.lines) + "\n"
