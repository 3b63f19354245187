"""From OpenMP statements to instructions: a list for the initial thread, for each further thread of a team, and
for each explicit task.

All threads of a team have the same statements. Work for one of them (a chunk, a section, a single) goes to the first
to arrive: so the thread is open. A task is a list of its own, which may run from its creation on, once the siblings
that it depends on have ended.
"""

from lower import Instruction

THREADS = 2  # of a team: any two of its parts can be on different threads


class Team:
    """One parallel region."""

    def __init__(self, threads):
        self.threads = threads  # indices of their lists
        self.tasks = []


class OpenMP:
    def __init__(self, program):
        self.codes = [[]]
        self.slots = {}  # of tasks: which list, by where they are created
        self.parties = {}  # of barriers
        self.tasks = {}  # of barriers: the tasks that they wait for
        self.created = {}  # (slot, mode, variable) of the tasks that a list creates, in their order
        self.walk(program.bodies[0], 0, None, ())

    def emit(self, at, kind, op, on="", value=0, other=0):
        self.codes[at].append(Instruction(kind, on, value, other, op.order, op.id))
        return len(self.codes[at]) - 1

    def patch(self, at, index, **fields):
        self.codes[at][index] = self.codes[at][index]._replace(**fields)

    def walk(self, body, at, team, path):
        """`path` identifies a place: the same for all threads in work for one of them."""
        for op in body:
            here = (*path, op.id)
            if hasattr(self, f"lower_{op.kind}"):
                getattr(self, f"lower_{op.kind}")(op, at, team, here)
            elif op.kind == "increment":
                self.emit(at, "fetch", op, op.on)
                self.emit(at, "put", op, op.on)
            elif op.kind != "idle":
                self.emit(at, op.kind, op, op.on, op.value, op.desired)

    def lower_section(self, op, at, team, path):
        self.emit(at, "lock", op, op.on)
        self.walk(op.body, at, team, path)
        self.emit(at, "unlock", op, op.on)

    def lower_parallel(self, op, at, team, path):
        others = []
        for _ in range(THREADS - 1):
            self.codes.append([])
            others.append(len(self.codes) - 1)
        region = Team([at, *others])
        for other in others:
            self.emit(at, "spawn", op, value=other)
        for thread in region.threads:
            self.walk(op.body, thread, region, (*path, thread))
            self.team_barrier(op, thread, region)

    def lower_teams(self, op, at, team, path):
        """A league: the initial threads of its teams synchronise only at its end."""
        self.codes.append([])
        other = len(self.codes) - 1
        self.emit(at, "spawn", op, value=other)
        for thread in (at, other):
            self.walk(op.body, thread, None, (*path, thread))
        self.emit(at, "join", op, value=other)

    def team_barrier(self, op, at, team):
        name = f"barrier {op.id} of {team.threads[0]}"
        self.parties[name], self.tasks[name] = set(team.threads), team.tasks
        self.emit(at, "barrier", op, name)

    def lower_barrier(self, op, at, team, path):
        self.team_barrier(op, at, team)

    def shared(self, op, at, team, bodies, nowait):
        """The first thread to arrive takes the next of the bodies, until there are none."""
        name = f"work {op.id} of {team.threads[0]}"
        take = self.emit(at, "take", op, name)
        begins = []
        for number, body in enumerate(bodies):
            begins.append(len(self.codes[at]))
            self.walk(body, at, team, (team.threads[0], op.id, "part", number))
            self.emit(at, "goto", op, other=take)
        self.patch(at, take, value=tuple(begins), other=len(self.codes[at]))
        if not nowait:
            self.team_barrier(op, at, team)

    def lower_for(self, op, at, team, path):
        if op.on == "static":
            for number in range(op.value):
                if number % THREADS == team.threads.index(at):
                    self.walk(op.body, at, team, (*path, number))
            if not op.desired:
                self.team_barrier(op, at, team)
        else:
            self.shared(op, at, team, [op.body] * op.value, op.desired)

    def lower_sections(self, op, at, team, path):
        self.shared(op, at, team, [part.body for part in op.body], op.desired)

    def lower_single(self, op, at, team, path):
        self.shared(op, at, team, [op.body], op.desired)

    def lower_task(self, op, at, team, path):
        if path not in self.slots:
            self.codes.append([])
            self.slots[path] = slot = len(self.codes) - 1
            team.tasks.append(slot)
            self.emit(slot, "begin", op, value=())
            self.walk(op.body, slot, team, path)
        slot, siblings = self.slots[path], self.created.setdefault(at, [])
        # An `out` of a variable comes after all siblings that name it, an `in` after those with an `out`. Siblings have
        # the same creator, whatever block they are in; each thread that may create the task adds its own.
        before = (other for other, mode, name in siblings if op.on and name == op.on and "out" in (op.value, mode))
        self.patch(slot, 0, value=tuple(dict.fromkeys((*self.codes[slot][0].value, *before))))
        siblings.append((slot, op.value, op.on))
        self.emit(at, "task", op, value=slot)

    def lower_taskwait(self, op, at, team, path):
        self.emit(at, "taskwait", op, value=team.tasks)

    def lower_taskgroup(self, op, at, team, path):
        self.walk(op.body, at, team, path)
        inside = tuple(slot for place, slot in self.slots.items() if place[: len(path)] == path)
        self.emit(at, "groupwait", op, value=inside)
