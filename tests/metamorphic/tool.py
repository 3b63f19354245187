"""Heddle, as a user calls it: builds a source, and runs one of its verbs on one of the programs in it."""

import json
import os
import pathlib
import re
import shlex
import subprocess
from dataclasses import dataclass, field

COMPILERS = {"gcc": "g++", "clang": "clang++-19"}
# Bounds of confirm: an undecided finding is no wrong verdict.
FEW = ["--tries=20", "--minimise=20", "--refute-orders=300", "--timeout=5"]
MODES = ["run", "serial", "prove", "confirm"]
# Of a certificate with more orders, so many are checked: all pairs of all orders would take minutes.
MOST_ORDERS_CHECKED = 300


@dataclass
class Verdict:
    """A verdict on a program."""

    findings: list = field(default_factory=list)  # (kind, evidence, lines of the two accesses, state)
    stalled: bool = False
    word: str = ""  # of prove
    classes: int = 0
    assumptions: list = field(default_factory=list)
    certificate_checked: bool = False
    problem: str = ""  # why there is no verdict
    output: str = ""
    command: str = ""

    def races(self, evidence=("certain", "predicted")):
        return [f for f in self.findings if f["kind"] == "data race" and f["evidence"] in evidence]

    def deadlocks(self):
        return [f for f in self.findings if f["kind"] == "deadlock"]


class Tool:
    def __init__(self, heddle, timeout, certificates=1):
        self.timeout = timeout  # seconds: a longer run counts as hung
        self.certificates = certificates  # check those of every Nth program
        self.heddle = str(pathlib.Path(heddle).resolve())

    def build(self, source, binary, compiler, level, flags=()):
        """The compiler's messages, if it fails."""
        environment = dict(os.environ, HEDDLE_CXX=COMPILERS[compiler])
        command = [self.heddle, "c++", "-std=c++20", "-g", level, *flags, str(source), "-o", str(binary)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", check=False)
        return done.stderr[-3000:] if done.returncode else None

    def call(self, arguments, folder, environment):
        full = dict(os.environ, **environment)
        full.pop("HEDDLE_OPTIONS", None)
        return subprocess.run([self.heddle, *arguments], cwd=folder, env=full, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=self.timeout, check=False)

    def ask(self, mode, binary, number, folder, deadlocks, environment=()):
        """The verdict of one mode; `deadlocks`: the program may deadlock by lock order. `folder` is for the files of
        this call only.
        """
        environment = dict(environment)
        program = [str(binary), str(number)]
        looking = ["--predicted", "--report=report.json"]
        options = {"run": ["run", *(["--halt-on-deadlock"] if deadlocks else []), *looking], "serial": ["run", "--serial", *looking],
                   "confirm": ["confirm", *FEW, *(["--serial"] if deadlocks else []), *looking],
                   "prove": ["prove", "--summary=summary.json", "--certificate=certificate"]}[mode]
        words = [*options, *program]
        verdict = Verdict(command=" ".join([*(f"{name}={value}" for name, value in environment.items()), "heddle", *map(shlex.quote, words)]))
        for name in ("report.json", "summary.json", "certificate"):
            (folder / name).unlink(missing_ok=True)
        try:
            done = self.call(words, folder, environment)
            verdict.output = done.stderr
            if mode == "prove":
                self.read_summary(verdict, folder, program, environment, number % self.certificates == 0)
            else:
                self.read_report(verdict, folder)
        except subprocess.TimeoutExpired as error:
            verdict.problem = f"{error.cmd[1]} does not end"
        except (OSError, ValueError, KeyError) as error:
            verdict.problem = f"no verdict ({error}); exit code {done.returncode}"
        return verdict

    @staticmethod
    def read_report(verdict, folder):
        report = json.loads((folder / "report.json").read_text())
        verdict.stalled = bool(report.get("stalls"))
        for finding in report["findings"]:
            places = [finding.get(which, {}) for which in ("first", "second")]
            verdict.findings.append({"kind": finding["kind"], "evidence": finding["evidence"], "lines": [place.get("line") for place in places],
                                     "state": finding.get("confirmation", {}).get("state"), "headline": finding["headline"]})

    def read_summary(self, verdict, folder, program, environment, check_certificate):
        summary = json.loads((folder / "summary.json").read_text())
        verdict.word, verdict.classes = summary["verdict"], summary["executions"]
        if verdict.word == "proved":
            verdict.assumptions = re.findall(r"^assume (.*)$", (folder / "certificate").read_text(), re.M)
            if not check_certificate:
                return
            some = [f"--sample={MOST_ORDERS_CHECKED}"] if verdict.classes > MOST_ORDERS_CHECKED else []
            verdict.certificate_checked = True
            checked = self.call(["check-certificate", *some, "certificate", *program], folder, environment)
            if checked.returncode:
                verdict.problem = "its certificate does not hold: " + checked.stderr.strip()[-300:]
        elif verdict.word == "race" and "could not be followed" in verdict.output:
            verdict.problem = "the schedule of its race cannot be followed"
        else:
            told = re.search(r"^heddle: to see it again: heddle (.*)$", verdict.output, re.M)
            alone = "it does nothing in parallel" in verdict.output  # so there is one schedule
            if verdict.word in ("race", "deadlock", "crash") and not told and not alone:
                verdict.problem = "a bug without a schedule"
