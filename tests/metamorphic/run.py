#!/usr/bin/env python3
"""Compares Heddle's verdicts on random C++ programs, in variants, with all of their interleavings.

The model (model.py) enumerates all interleavings of the abstract program. A disagreement is shrunk (shrink.py) and
printed as source, with the model's result.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import time

import batch
import shrink
from tool import COMPILERS, MODES, Tool

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = ["-O0", "-O1", "-O2", "-O3"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="example: run.py --heddle build/ci/bin/heddle --hours 2 --modes prove")
    parser.add_argument("--heddle", required=True, help="the tool")
    parser.add_argument("--programs", type=int, default=400, help="how many, in each flavour's share; each in --variants variants (default: 400)")
    parser.add_argument("--variants", type=int, default=5, help="of each program (5)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same programs (1)")
    parser.add_argument("--hours", type=float, default=0, help="go on with further seeds for so long")
    parser.add_argument("--modes", nargs="+", default=MODES, choices=MODES)
    parser.add_argument("--every", nargs="+", default=[], metavar="MODE=N", help="ask a mode of every Nth program in a variant only")
    parser.add_argument("--certificates", type=int, default=1, metavar="N", help="check the certificates of every Nth program only (1)")
    parser.add_argument("--flavours", nargs="+", default=["threads", "openmp"], choices=["threads", "openmp"])
    parser.add_argument("--tastes", nargs="+", help="only programs of these tastes (generate.py)")
    parser.add_argument("--idling", type=int, default=25, help="sleep and yield in so many of a hundred programs (25)")
    parser.add_argument("--compilers", nargs="+", default=list(COMPILERS), choices=list(COMPILERS))
    parser.add_argument("--levels", nargs="+", default=LEVELS, help="write --levels=-O2")
    parser.add_argument("--batch", type=int, default=50, help="programs in one source (50)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() + 1, help="batches at once; one more than processors, as programs also wait")
    parser.add_argument("--timeout", type=int, default=900, help="seconds after which a run counts as hung (900)")
    parser.add_argument("--shrink", type=int, default=3, help="shrink at most so many disagreements (3)")
    parser.add_argument("--keep", metavar="DIR", type=pathlib.Path, help="keep sources and binaries of batches with disagreements here")
    arguments = parser.parse_args()
    every = {mode: int(count) for mode, count in (word.split("=") for word in arguments.every)}
    tool, end = Tool(arguments.heddle, arguments.timeout, arguments.certificates), time.monotonic() + 3600 * arguments.hours
    total, wrong = collections.Counter(), []
    seed = arguments.seed
    with tempfile.TemporaryDirectory(prefix="heddle-metamorphic-") as scratch, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        scratch = pathlib.Path(scratch)
        while True:
            batches = batch.make(arguments, seed)
            pending = [pool.submit(batch.check, tool, one, arguments.modes, every, scratch, arguments.keep) for one in batches]
            for future in concurrent.futures.as_completed(pending):
                counts, found = future.result()
                total.update(counts)
                wrong += found
                for one in found:
                    print(f"FAIL {one}", flush=True)
            seed += 1
            if time.monotonic() >= end:
                break
        for one in shrink.different(wrong)[: arguments.shrink]:
            print(shrink.smallest(tool, one, scratch), flush=True)
    print(", ".join(f"{total[name]} {name}" for name in ["programs in variants", *MODES, "certificates"] if total[name]))
    print(f"{sum(total[mode] for mode in MODES) - len(wrong)} verdicts agree with the model, {len(wrong)} do not")
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
