"""What the measuring scripts share: one measured execution, means, columns of text, a description of the machine."""

import math
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
ROOT = SOURCES.parent


def note(message):
    print(message, file=sys.stderr, flush=True)


def tail(text, lines=6):
    return "\n".join(text.strip().splitlines()[-lines:])


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def pick(wanted, known, what):
    """The comma-separated names of an option, in the order of known; all of them when the option is not given."""
    names = wanted.split(",") if wanted else list(known)
    for name in names:
        if name not in known:
            sys.exit(f"{Path(sys.argv[0]).name}: no {what} named {name!r}; there are {', '.join(known)}")
    return [name for name in known if name in names]


def clean_environment(**extra):
    """The caller's environment without settings that would reach into OpenMP, ThreadSanitizer or Heddle."""
    foreign = ("OMP_", "KMP_", "GOMP_", "LIBOMP_", "TSAN_", "ARCHER_", "HEDDLE_OPTIONS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    return {**kept, **extra}


def build_measure(folder):
    """Builds measure.cpp, which stands between a script and what it runs. Another script may be running the one that
    lies there."""
    program = folder / "measure"
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        fresh = Path(scratch, "measure")
        subprocess.run(["g++", "-O2", "-static", str(SOURCES / "measure.cpp"), "-o", str(fresh)], check=True)
        fresh.replace(program)
    return program


@dataclass(frozen=True)
class Execution:
    """How a command ended, and its figures. When it took too long, there is no status."""

    seconds: float = 0
    peak_kib: int = 0
    status: int | None = None
    stdout: str = ""
    stderr: str = ""
    cpu_seconds: float = 0


def execute(measure, command, environment, timeout, scratch):
    """Runs a command through measure.cpp, in a folder and a process group of its own. What is left of it at the end
    is killed."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        result, stdout, stderr = (Path(folder, name) for name in ("result", "stdout", "stderr"))
        with open(stdout, "wb") as out, open(stderr, "wb") as err:
            process = subprocess.Popen(
                [str(measure), str(result), *map(str, command)],
                env=environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                return Execution(seconds=timeout)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        texts = stdout.read_text(errors="replace"), stderr.read_text(errors="replace")
        if process.returncode != 0:
            return Execution(0, 0, 127, *texts)
        seconds, peak_kib, status, cpu_seconds = result.read_text().split()
        return Execution(float(seconds), int(peak_kib), int(status), *texts, float(cpu_seconds))


def format_columns(groups, rows):
    """groups: [(title, [column, ...])]; the first column is left-aligned, the rest right-aligned."""
    names = [name for _, columns in groups for name in columns]
    widths = [max(map(len, column)) for column in zip(names, *rows)]
    slices, start = [], 0
    for title, columns in groups:
        span = slice(start, start + len(columns))
        slices.append(span)
        widths[start] += max(0, len(title) - len("  ".join("x" * width for width in widths[span])))
        start = span.stop

    def line(texts):
        padded = [texts[0].ljust(widths[0])] + [text.rjust(width) for text, width in zip(texts[1:], widths[1:])]
        return " | ".join("  ".join(padded[span]) for span in slices)

    rule = line(["-" * width for width in widths])
    titles = [title.center(len(part)) for (title, _), part in zip(groups, rule.split(" | "))]
    return "\n".join([" | ".join(titles).rstrip(), line(names), rule, *map(line, rows), ""])


def machine():
    cpu = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    version = lambda tool: subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    return {
        "cpu": cpu[0] if cpu else platform.machine(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "compilers": [version(tool) for tool in ("g++", "clang++-19") if shutil.which(tool)],
    }


def warn_if_busy():
    load = os.getloadavg()
    if load[0] > 0.3 * os.cpu_count():
        note(f"the machine is busy (load {load[0]:.1f} on {os.cpu_count()} cores): ratios are rough, times rougher")
    return load
