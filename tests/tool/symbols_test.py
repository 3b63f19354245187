#!/usr/bin/env python3
"""Can anything that a program defines get in the way of the code that is linked into it?

The program may have a variable `stat` or a function `access` of its own: then that is what any code in the executable
gets that asks for the name. So what is linked into programs, or loaded beside them, refers to nothing but names that
the C and C++ standards reserve for the implementation, names of our own, and those of ALLOWED. What it defines under
other names is weak, so that the program's own wins, and is a function of a library that it stands for.

  symbols_test.py LIBRARY_FOLDER
"""
import pathlib
import re
import subprocess
import sys

THREADS = "prefix of POSIX threads: nobody has such a name by accident, and there is no other"
ALLOWED = {
    "dlsym": "all other functions of libraries are found by it",
    "dlvsym": "all other functions of libraries are found by it",
    "dl_iterate_phdr": "the loader's list of modules, which has no other name; nobody has this one by accident",
    "free": "operator delete gives back what the program's own malloc gave",
    "malloc": "operator new uses the program's own malloc, if it has one",
    "omp_get_thread_num": "GCC's plugin has the program's calls made by a hook; it may be a function of the program's own",
    "stdin": "a variable: the stream that getchar reads",
    "stdout": "a variable: the stream that printf writes",
    "pthread_attr_destroy": THREADS,
    "pthread_attr_getdetachstate": THREADS,
    "pthread_attr_init": THREADS,
    "pthread_attr_setdetachstate": THREADS,
    "pthread_attr_setstack": THREADS,
    "pthread_barrierattr_getpshared": THREADS,
    "pthread_create": THREADS,
    "pthread_self": THREADS,
    "pthread_testcancel": THREADS,
}
# Of the OpenMP runtime, which is a library of its own.
ALLOWED_OPENMP = ALLOWED | {
    "calloc": "omp_alloc gives the program its own memory",
    "free": "omp_alloc gives the program its own memory",
    "malloc": "omp_alloc gives the program its own memory",
    "pthread_attr_setsigmask_np": THREADS,
    "pthread_join": THREADS,
    "pthread_key_create": THREADS,
    "pthread_setspecific": THREADS,
}
# What libomp asks for or lacks: no library has it.
NOT_OF_A_LIBRARY = re.compile(r"ompt_start_tool|GOMP_\w+|omp_target_\w+|scalable_\w+")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_reserved(name):
    return re.match(r"(DW\.ref\.)?_[_A-Z]", name) or name.startswith("heddle_")


def references(archive):
    """Names that relocations of code and data ask for; those inside of an object too, as its weak names may be the
    program's in the end."""
    section, names = "", set()
    for line in output("readelf", "-rW", archive).splitlines():
        if match := re.match(r"Relocation section '\.rela(.*)' at", line):
            section = match[1]
        words = line.split()
        if len(words) >= 5 and words[2].startswith("R_X86_64") and not section.startswith((".debug", ".eh_frame")):
            names.add(words[4].split("@")[0])
    return names


def symbols(file, *options):
    """Pairs of kind and name."""
    found = re.findall(r"^(?:\S*:)?(?:[0-9a-f]+)? +(\w) (\S+)$", output("nm", *options, file), re.M)
    return {(kind, name.split("@")[0]) for kind, name in found}


def of_libraries():
    """What libraries export that a program may be linked with."""
    names = set()
    for library in ["libc.so.6", "libm.so.6", "libstdc++.so.6", "libtbb.so", "libtbbmalloc.so", "libomp.so.5", "libgomp.so.1"]:
        path = output("gcc", f"-print-file-name={library}").strip()
        if "/" in path:
            names |= {name for _, name in symbols(path, "-D", "--defined-only")}
    return names


def main():
    folder = pathlib.Path(sys.argv[1])
    archive = folder / "libheddle.a"
    problems = []

    def may_refer(where, names, allowed):
        for name in sorted(names):
            if not is_reserved(name) and name not in allowed:
                problems.append(f"{where} refers to {name}, which may be the program's: use src/base, HEDDLE_REAL or a reserved name")

    everything = symbols(archive)
    with_linkage = {name for kind, name in everything if kind.isupper() or kind in "wv"}
    asked = references(archive) & with_linkage
    may_refer("libheddle.a", asked, ALLOWED)
    for library, allowed in {"libheddle.so": ALLOWED, "libheddle_omp.so": ALLOWED_OPENMP}.items():
        undefined = {name for _, name in symbols(folder / library, "-D", "--undefined-only")}
        may_refer(library, references(folder / library) & undefined, allowed)
    may_refer("libtsan_preinit.o", {name for kind, name in symbols(folder / "gcc" / "libtsan_preinit.o") if kind == "U"}, {})
    for name in sorted(ALLOWED.keys() - asked):
        problems.append(f"{name} is allowed, but nothing refers to it")

    known = of_libraries()
    for kind, name in sorted(everything):
        if is_reserved(name) or not (kind.isupper() or kind in "wv") or kind in "Uw":
            continue
        if kind not in "WV":
            problems.append(f"libheddle.a defines {name} ({kind}), which a program may define, too: make it weak or static")
        elif name not in known and not NOT_OF_A_LIBRARY.fullmatch(name):
            problems.append(f"libheddle.a defines {name}, which is no function of a library: give it a name of our own")
    print("\n".join(problems) or f"ok: {len(asked)} names referred to, {len(with_linkage)} with linkage")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
