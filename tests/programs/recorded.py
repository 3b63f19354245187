"""The third way to run a program: record it, and check its history. A race must be found iff the program is wrong.

Everything that the running program's verdict depends on must be in the history: order, locks, new memory, memory that
belongs to threads. The histories must also be legal, ticket by ticket: see src/event/run_state.hpp.
"""

import os
import subprocess


def judge(program, said):
    """The first problem, or None; `said` is the output of tests/recorded/replay.cpp for a history."""
    if said.get("problem") != "none":
        return f"the history cannot be read: {said.get('problem')}"
    if said["legal"] != "yes":
        return f"not a legal history: event {said['legal']}"
    certain, predicted = map(int, said["races"].split())
    if program.expect == "clean" and certain:
        return f"{certain} racing pairs in a correct program"
    if program.expect == "race" and not certain:
        return "no race"
    if program.expect == "predicted" and not certain + predicted:
        return "no race, not even a predicted one"
    return None


def run_once(heddle, replay, program, command, environment, history, timeout):
    """The first problem of a recording of the command and its history, or None."""
    record = [heddle, "record", "-o", str(history), *command]
    try:
        done = subprocess.run(record, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=timeout)
        if done.returncode != 0:
            return f"heddle record exits with {done.returncode}: {done.stderr[-400:]}"
        judged = subprocess.run([replay, str(history)], capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return f"did not end within {timeout} s: {late.cmd}"
    if judged.returncode != 0:
        return f"replay exits with {judged.returncode}: {judged.stderr[-400:]}"
    if problem := judge(program, dict(line.split(" ", 1) for line in judged.stdout.splitlines() if " " in line)):
        return problem
    os.unlink(history)
    return None
