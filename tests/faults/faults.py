#!/usr/bin/env python3
"""Every allocation and every system call of the tool fails once, and nothing that was found may be lost.

usage: faults.py --heddle TOOL --inject INJECT --allocations LIBRARY [--every N] [--most N] [--only REGEX] [--jobs N]

Each scenario is a command line of one verb. It is run once undisturbed, and once to count the calls of each class
(allocations; opening, writing, reading, closing, renaming, mapping, starting and waiting for processes; and, in the
program under test, what its runtime system does). Then it is run again for every call, or every Nth (--every), and
that one call fails: inject.cpp and allocations.cpp say how. What must hold each time:

- The tool ends by itself, not by a signal, and says nothing of an exception that nobody caught.
- Its exit code is the undisturbed one, or one that says that something went wrong. If it is the undisturbed one,
  everything that was printed and written before is there again; else a message names the cause, and the file if it is
  one of the user's.
- A call that was interrupted or did only half of its work (EINTR, a short read or write) changes nothing.
- If the program under test came to its end, its race is in the report, or in a raw log that is kept and named.
- A file that is written has its old text or all of the new one; no other file has appeared, changed or gone.
- The call did fail: a fault that did not happen is no test.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

# Seconds after which a command has surely hung, however busy the machine is.
HANG = int(os.environ.get("HEDDLE_FAULTS_HANG", 300))
FAILED = (2, 70)  # a file that cannot be read or written; no memory

PROGRAM = r"""
#include <pthread.h>
#include <unistd.h>
int counter, shared;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* racy) {
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  if (racy) ++shared;
  return nullptr;
}
int main(int count, char**) {
  void* racy = count > 1 ? &shared : nullptr;
  pthread_t threads[2];
  for (auto& thread : threads) pthread_create(&thread, nullptr, work, racy);
  for (auto& thread : threads) pthread_join(thread, nullptr);
  return write(1, "done\n", 5) == 5 ? 0 : 1;
}
"""
RACE = "DATA RACE 1 (certain"


@dataclasses.dataclass
class Class:
    """Calls that fail in the same way."""
    name: str
    calls: str  # empty: allocations
    fault: str
    who: str = "tool"
    harmless: bool = False  # it must change nothing
    timed: bool = False  # how many there are is a matter of time

    @property
    def cause(self):
        texts = {"ENOSPC": "No space left on device", "EIO": "Input/output error", "EMFILE": "Too many open files",
                 "ENOMEM": "memory", "EAGAIN": "Resource temporarily unavailable", "": "out of memory"}
        return texts[self.fault]


CLASSES = [
    Class("allocate", "", ""),
    Class("open", "open,openat,creat,memfd_create,pipe,pipe2,socketpair,dup,fcntl", "EMFILE"),
    Class("write", "write,pwrite64,writev", "ENOSPC"),
    Class("write-half", "write,pwrite64,writev", "short", harmless=True),
    Class("write-interrupted", "write,pwrite64,writev", "EINTR", harmless=True),
    Class("read", "read,pread64,readv", "EIO"),
    Class("read-half", "read,pread64,readv", "short", harmless=True),
    Class("read-interrupted", "read,pread64,readv", "EINTR", harmless=True),
    Class("close", "close", "EIO"),
    Class("name", "rename,renameat,renameat2,linkat,mkdir,ftruncate,fchmod,fsync", "EIO"),
    Class("unnamed", "openat,linkat", "EOPNOTSUPP", harmless=True),
    Class("map", "mmap,mremap", "ENOMEM"),
    Class("start", "clone,clone3,fork,vfork,execve", "EAGAIN"),
    Class("wait", "wait4,waitid,poll", "EINTR", harmless=True, timed=True),
    Class("program-write", "write", "ENOSPC", "program"),
    Class("program-write-half", "write", "short", "program", harmless=True),
    Class("program-write-interrupted", "write", "EINTR", "program", harmless=True),
    Class("program-open", "openat,fcntl", "EMFILE", "program"),
    Class("program-map", "mmap,mremap", "ENOMEM", "program", timed=True),
]


@dataclasses.dataclass
class Scenario:
    name: str
    words: str
    code: int
    needs: dict = dataclasses.field(default_factory=dict)  # files that are there before, by their place in `Files`
    writes: tuple = ()  # files that are made, or replaced
    shows: tuple = ()  # texts that must be in what is printed or written
    runs: bool = False  # starts the program
    steers: bool = False  # on the verification runtime: how often it looks for news is a matter of time
    also: tuple = ()  # exit codes that say that nothing is decided
    may: tuple = ()  # files that may come
    names: bool = False  # prints names from debug information, which libdw does not find if it gets no memory or file


@dataclasses.dataclass
class Outcome:
    code: int  # negative: a signal
    printed: str
    files: dict
    fired: str = ""
    about: str = ""
    count: int = 0
    stacks: tuple = ()


def scenarios(program, clean):
    racy = f"{program} racy"
    events = {"events.txt": "events.txt"}
    hist = {"run.hist": "run.hist"}
    return [
        Scenario("run", f"run {racy}", 66, shows=(RACE, "1 certain race"), runs=True),
        Scenario("run-clean", f"run {program}", 0, shows=("no races or potential deadlocks found",), runs=True),
        Scenario("run-files", f"run --report=out.json --log-path=out.txt --keep-log=kept.log --suppressions=s.txt {racy}", 66,
                 {"s.txt": "s.txt"}, ("out.json", "out.txt", "kept.log"), (RACE,), runs=True),
        Scenario("run-sarif", f"run --options-file=options --report=out.sarif {racy}", 66, {"options": "options"},
                 ("out.sarif",), (RACE,), runs=True),
        Scenario("run-serial", f"run --serial {racy}", 66, shows=(RACE,), runs=True, steers=True),
        Scenario("report", "report --report=out.json run.log", 66, {"run.log": "run.log"}, ("out.json",), (RACE,)),
        Scenario("record", f"record -o out.hist {racy}", 0, writes=("out.hist",), runs=True, steers=True),
        Scenario("record-events", "record -o out.hist --from-events=events.txt", 0, events, ("out.hist",)),
        Scenario("history", "history run.hist", 0, hist),
        Scenario("history-dump", "history --dump run.hist", 0, hist),
        Scenario("history-validate", "history --validate run.hist", 0, hist),
        Scenario("analyze", "analyze --engine=dpst,fasttrack run.hist", 66, hist, shows=("RACE 1",)),
        Scenario("analyze-json", "analyze --json --engine=lockset events.txt", 0, events),
        Scenario("graph", "graph --dot run.hist", 0, hist, shows=("label=\"race 1",), names=True),
        Scenario("generate", "generate --model=threads --seed=3 -o out.hist", 0, writes=("out.hist",)),
        Scenario("generate-text", "generate --model=locks --seed=3", 0),
        Scenario("options", "options", 0),
        Scenario("help", "run --help", 0),
        Scenario("confirm", f"confirm --tries=5 --minimise=3 --refute-orders=5 --out=. --report=out.json {racy}", 66,
                 writes=("bug-1.schedule", "out.json"), shows=(RACE, "confirmed"), runs=True, steers=True, also=(4,)),
        Scenario("replay", f"replay bug.schedule {racy}", 66, {"bug.schedule": "bug.schedule"}, shows=(RACE,), runs=True,
                 steers=True),
        Scenario("prove", f"prove --jobs=1 --certificate=out.certificate --summary=out.json {program}", 0,
                 writes=("out.certificate", "out.json"), shows=("race-free",), runs=True, steers=True, also=(4,),
                 may=("program.schedule", "program.frontier")),
        Scenario("prove-race", f"prove --jobs=1 --schedule=out.schedule {racy}", 66, writes=("out.schedule",),
                 shows=(RACE,), runs=True, steers=True, also=(4,), may=("program.frontier",)),
        Scenario("prove-part", f"prove --jobs=1 --max-orders=1 --frontier=out.frontier {program}", 4,
                 writes=("out.frontier",), shows=("undecided",), runs=True, steers=True, may=("program.schedule",)),
        Scenario("prove-rest", f"prove --jobs=1 --resume --frontier=in.frontier --certificate=out.certificate {program}", 0,
                 {"in.frontier": "in.frontier"}, ("out.certificate",), ("race-free",), runs=True, steers=True, also=(4,), may=("program.schedule",)),
        Scenario("check-certificate", f"check-certificate in.certificate {program}", 0, {"in.certificate": "in.certificate"},
                 shows=("the certificate holds",), runs=True, steers=True),
        Scenario("wrapper", "c++ @arguments", 0, {"arguments": "arguments"}),
        Scenario("wrapper-link", "c++ main.cpp -o out", 0, {"main.cpp": "main.cpp"}, ("out",)),
    ]


class Bench:
    """Where scenarios are run."""

    LAYOUT = struct.Struct("=4Q")  # struct Shared of allocations.cpp
    MOST_STACKS = 1 << 16

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("HEDDLE_", "LD_PRELOAD", "OMP_"))}
        self.numbers = iter(range(1 << 60))

    def heddle(self, words, code=0):
        environment = dict(self.environment, TMPDIR=str(self.folder))
        done = subprocess.run([self.arguments.heddle, *words.split()], cwd=self.inputs, env=environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=HANG)
        if done.returncode != code:
            sys.exit(f"heddle {words}: exit code {done.returncode}, not {code}\n{done.stderr}")

    def prepare(self):
        """The program, and the files that verbs read."""
        (self.inputs / "program.cpp").write_text(PROGRAM)
        (self.inputs / "main.cpp").write_text("int main() {}\n")
        (self.inputs / "s.txt").write_text("race:nothing_of_this_name\n")
        (self.inputs / "options").write_text("predicted=1\n")
        (self.inputs / "arguments").write_text("--version\n")
        self.heddle("c++ -g1 -O1 program.cpp -o program")
        program = self.inputs / "program"
        self.heddle(f"run --keep-log=run.log {program} racy", 66)
        self.heddle(f"record -o run.hist {program} racy")
        self.heddle("generate --model=async --seed=1 -o events.hist")
        with open(self.inputs / "events.txt", "w") as out:
            subprocess.run([self.arguments.heddle, "history", "--dump", "events.hist"], cwd=self.inputs, stdout=out, check=True)
        self.heddle(f"prove --jobs=1 --schedule=bug.schedule {program} racy", 66)
        self.heddle(f"prove --jobs=1 --certificate=in.certificate {program}")
        self.heddle(f"prove --jobs=1 --max-orders=1 --frontier=in.frontier {program}", 4)
        # In place of a compiler: what it links is not looked at here.
        return program

    def run(self, scenario, kind=None, number=0):
        """`number` 0 with a class: its calls are counted."""
        place = self.folder / f"run-{next(self.numbers)}"
        work, temporary = place / "work", place / "tmp"
        work.mkdir(parents=True)
        temporary.mkdir()
        for name, source in scenario.needs.items():
            shutil.copyfile(self.inputs / source, work / name)
        for name in scenario.writes:
            (work / name).write_text("old\n")
        environment = dict(self.environment, TMPDIR=str(temporary))
        command = [self.arguments.heddle, *scenario.words.split()]
        shared, report = place / "shared", place / "report"
        if kind and kind.calls:
            command = [self.arguments.inject, str(report), kind.who, kind.calls, kind.fault, str(number), "env",
                       f"LD_PRELOAD={self.arguments.allocations}", *command]
        elif kind:
            with open(shared, "wb") as out:
                out.write(self.LAYOUT.pack(number, 0, 0, 0))
                out.truncate(self.LAYOUT.size + 16 * self.MOST_STACKS)
            environment["LD_PRELOAD"] = self.arguments.allocations
            environment["HEDDLE_FAULT_FILE"] = str(shared)
        output = place / "output"
        with open(output, "wb") as out:
            try:
                code = subprocess.run(command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                      timeout=HANG).returncode
            except subprocess.TimeoutExpired:
                code = -1000
        printed = output.read_text(errors="replace").replace(str(place), "PLACE")
        files = {str(path.relative_to(place)): path.read_bytes() for folder in (work, temporary)
                 for path in folder.rglob("*") if path.is_file()}
        outcome = Outcome(code, printed, files)
        if kind and kind.calls:
            told = json.loads(report.read_text()) if report.exists() else {"count": 0, "fired": "", "about": "", "signal": 0}
            outcome.count, outcome.fired = told["count"], told["fired"]
            outcome.about = told["about"].replace(str(place), "PLACE")
            if told["signal"]:
                outcome.code = -told["signal"]
        elif kind:
            data = shared.read_bytes()
            _, outcome.count, fired, stacks = self.LAYOUT.unpack_from(data)
            outcome.fired = "an allocation" if fired else ""
            outcome.stacks = struct.unpack_from(f"={stacks}Q", data, self.LAYOUT.size)
        outcome.place = place
        return outcome

    def forget(self, outcome):
        shutil.rmtree(outcome.place, ignore_errors=True)


def plain(text):
    """Without what may differ from run to run: numbers, addresses, how wide a column is."""
    return re.sub(r"\s+", " ", re.sub(r"0x[0-9a-f]+|\d+\.\d+(e[-+]\d+)?|[0-9a-f]{6,}|\d+(e[-+]\d+)?", "N", text)).strip()


class Judge:
    def __init__(self, bench, scenario, usual):
        self.bench = bench
        self.scenario = scenario
        self.usual = usual

    def is_whole(self, name, data, same):
        """All of a new file, as far as its kind shows it; `same`: it must say what it says without a fault."""
        expected = self.usual.files[name]
        if name.endswith((".json", ".sarif")):
            try:
                new, old = json.loads(data), json.loads(expected)
            except ValueError:
                return False
            count = lambda report: len(report.get("findings", report.get("runs", [{}])[0].get("results", [])))
            return new.keys() == old.keys() and (not same or count(new) == count(old))
        if name.endswith(".log"):
            return data.endswith(b'}\n') and all(json.loads(line) for line in data.splitlines()) and b'"type":"exit"' in data
        if name.endswith("/bug-1.schedule"):  # which one is found, and how far it is minimised, may differ
            return data.splitlines()[:1] == expected.splitlines()[:1]
        if name.endswith("/out"):
            return data.startswith(b"\x7fELF")  # the linker's own matter
        if name.endswith(".hist"):
            path = self.bench.folder / f"check-{next(self.bench.numbers)}"
            path.write_bytes(data)
            done = subprocess.run([self.bench.arguments.heddle, "history", path], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
            path.unlink()
            return done.returncode == 0
        if name.endswith(".txt"):
            text = data.decode(errors="replace")
            return all(each in text for each in self.scenario.shows) if same else "SUMMARY" in text.splitlines()[-1]
        return plain(data.decode(errors="replace")) == plain(expected.decode(errors="replace"))

    def problems(self, kind, outcome):
        scenario, usual = self.scenario, self.usual
        code, printed = outcome.code, outcome.printed
        if code == -1000:
            return ["it hangs"]
        if code < 0:
            return [f"ended by signal {-code}"]
        found = []
        for word in ("terminate called", "what():", "Aborted", "heddle: internal", "core dumped"):
            if word in printed:
                found.append(f"it says '{word}'")
        everything = printed + "".join(data.decode(errors="replace") for name, data in outcome.files.items()
                                       if name.endswith(".txt") and name.split("/", 1)[1] in scenario.writes)
        kept = [name for name in outcome.files if re.search(r"heddle-[\w-]+\.log$", name)]
        is_kept = any(pathlib.Path(name).name in printed and b'"type":"race"' in outcome.files[name] for name in kept)
        is_shown = all(text in everything for text in scenario.shows)

        # Exit code and what it stands for.
        if code == usual.code:
            if not is_shown:
                found.append(f"exit code {code}, but not all is shown: {scenario.shows}")
            lines = lambda text: len(text.splitlines())
            is_same = (plain(printed) == plain(usual.printed) or
                       scenario.names and not kind.harmless and lines(printed) == lines(usual.printed))
            if code == 0 and not scenario.steers and not is_same:
                found.append("exit code 0, but it prints something else")
            if kind.harmless and not scenario.steers and code != 0 and plain(printed) != plain(usual.printed):
                found.append("a harmless fault changes what is printed")
        elif kind.harmless:
            found.append(f"a harmless fault leads to exit code {code}")
        elif code not in FAILED + scenario.also + ((1,) if scenario.name.startswith("wrapper") else ()):
            found.append(f"exit code {code}")
        elif code in FAILED and kind.who == "tool":
            if "heddle: " not in printed:
                found.append("it fails without a word")
            elif kind.cause not in printed:
                found.append(f"the message does not say '{kind.cause}'")
            users = [name for name in {**scenario.needs, **dict.fromkeys(scenario.writes)}
                     if outcome.about.startswith(f"PLACE/work/{name}") or outcome.about == name]
            if users and users[0] not in printed:
                found.append(f"the message does not name '{users[0]}'")
        # Nothing found is lost.
        if usual.code == 66 and not scenario.name.startswith("prove") and scenario.runs and "done" in printed and RACE in usual.printed + "".join(scenario.shows):
            if kind.who == "tool" and RACE not in everything and not is_kept and not self.log_is_kept(outcome):
                found.append("the program has ended, but its race is neither shown nor in a raw log that is kept")
        # Files.
        for name, data in outcome.files.items():
            folder, rest = name.split("/", 1)
            if name in kept:
                if pathlib.Path(name).name not in printed:
                    found.append(f"{name} is kept, but not named")
            elif folder == "work" and rest in scenario.needs:
                if data != (self.bench.inputs / scenario.needs[rest]).read_bytes():
                    found.append(f"{name}, which was given, has changed")
            elif folder == "work" and rest in scenario.may and data:
                pass
            elif folder == "work" and rest in scenario.writes:
                if data == b"old\n":
                    # An exploration of which an execution failed may leave nothing to resume.
                    nothing_left = name.endswith(".frontier") and "at least 0 more remain" in printed
                    if code == usual.code and usual.files[name] != data and not nothing_left:
                        found.append(f"{name} is not written, but the exit code is {code}")
                elif not self.is_whole(name, data, code == usual.code) and not (
                        name.endswith((".hist", ".log", ".schedule", ".frontier")) and code != usual.code):
                    found.append(f"{name} is not whole")
            else:
                found.append(f"{name} is left behind")
        for name in usual.files:
            if name not in outcome.files:
                found.append(f"{name} is gone")
        return found

    def log_is_kept(self, outcome):
        return any(name.endswith("kept.log") and b'"type":"race"' in data for name, data in outcome.files.items())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--inject", required=True)
    parser.add_argument("--allocations", required=True)
    parser.add_argument("--every", type=int, default=1, help="only every Nth call")
    parser.add_argument("--most", type=int, default=20000,
                        help="where there are more allocations, only the first of each call stack fails")
    parser.add_argument("--only", default="", help="a regular expression for SCENARIO/CLASS")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--at", type=int, default=0, help="only this call")
    parser.add_argument("--keep", action="store_true", help="leave the folders of failed runs")
    arguments = parser.parse_args()
    for name in ("heddle", "inject", "allocations"):
        setattr(arguments, name, str(pathlib.Path(getattr(arguments, name)).resolve()))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
    bench = Bench(arguments, folder)
    program = bench.prepare()
    failures = collections.Counter()
    total = unreached = groups = 0
    shown = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for scenario in scenarios(program, program):
            kinds = [kind for kind in CLASSES if (kind.who == "tool" or scenario.runs)
                     and re.search(arguments.only, f"{scenario.name}/{kind.name}")]
            if not kinds:
                continue
            usual = bench.run(scenario)
            if usual.code != scenario.code or not all(text in usual.printed + str(usual.files) for text in scenario.shows):
                sys.exit(f"{scenario.name}: undisturbed, exit code {usual.code}\n{usual.printed}")
            judge = Judge(bench, scenario, usual)
            line = []
            for kind in kinds:
                counted = bench.run(scenario, kind)
                bench.forget(counted)
                if counted.code != scenario.code:
                    sys.exit(f"{scenario.name}/{kind.name}: counted, exit code {counted.code}\n{counted.printed}")
                numbers = list(range(1, counted.count + 1))
                if not kind.calls and counted.count > arguments.most:
                    numbers = sorted(counted.stacks)
                # Not always the first; but the last ones may not come again where their number is a matter of time.
                start = 0 if scenario.steers or kind.timed else (len(numbers) - 1) % arguments.every
                numbers = [arguments.at] if arguments.at else numbers[start::arguments.every]
                groups += bool(numbers)
                fired = 0
                # Where none of them came again, the first does.
                for numbers in (numbers, [1] if numbers and not arguments.at else numbers):
                    if fired:
                        break
                    for number, outcome in zip(numbers, pool.map(lambda number: bench.run(scenario, kind, number), numbers)):
                        total += 1
                        if not outcome.fired:
                            problems = []
                            unreached += 1
                            # A run may get by with fewer calls than the one that was counted: that is a matter of time.
                            if not scenario.steers and not kind.timed and outcome.count >= number:
                                problems = ["the call did not come: nothing was made to fail"]
                        else:
                            fired += 1
                            problems = judge.problems(kind, outcome)
                        if problems:
                            failures[f"{scenario.name}/{kind.name}"] += 1
                            key = (scenario.name, kind.name, tuple(problems))
                            shown[key] += 1
                            if shown[key] <= 2:
                                print(f"FAILED: {scenario.name}/{kind.name} at {number} ({outcome.fired} {outcome.about}), "
                                      f"exit code {outcome.code}: {'; '.join(problems)}")
                                print("    " + "\n    ".join(outcome.printed.splitlines()[-8:]), flush=True)
                        if not (problems and arguments.keep):
                            bench.forget(outcome)
                if numbers and not fired:
                    failures[f"{scenario.name}/{kind.name}"] += 1
                    print(f"FAILED: {scenario.name}/{kind.name}: nothing was made to fail")
                line.append(f"{kind.name} {fired}/{counted.count}")
            print(f"{scenario.name}: {', '.join(line)}", flush=True)
            bench.forget(usual)
    if not arguments.keep:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{total} faults in {groups} groups, {unreached} did not come, {sum(failures.values())} failures")
    return 1 if failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
