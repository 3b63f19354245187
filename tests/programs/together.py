"""Builds several programs as one: most of the time of a program on oneTBB goes into its headers, which are then read once.

Each program becomes a namespace, its own file included in it, so that lines are what they were. Its headers come before, and are
empty when the program includes them again. The environment variable PROGRAM says which one runs.
"""

import re

LIMIT = 16  # programs in one: with more, the last compilers of a run work alone


def groups(programs):
    """The programs that may be built as one, in lists: those of tbb/ by their flags, all others alone."""
    together = {}
    for program in programs:
        if program.model == "tbb":
            together.setdefault(tuple(program.flags), []).append(program)
        else:
            yield [program]
    for members in together.values():
        count = -(-len(members) // LIMIT)
        for shift in range(count):
            yield members[shift::count]


def source(members):
    """The text of one program that is all of them."""
    texts = [program.path.read_text() for program in members]
    lines = [line for text in texts for line in text.splitlines()]
    defines = sorted({line for line in lines if re.match(r"#define TBB_", line)})
    includes = sorted({line for line in lines if re.match(r"#include <", line)})
    shared = members[0].path.parent.parent.parent / "workers.hpp"
    parts = [*defines, *includes, "#include <cstdlib>", "#include <string>", f'#include "{shared}"']
    for number, program in enumerate(members):
        parts += [f"namespace program_{number} {{", f'#include "{program.path}"', "}"]
    parts += ["int main() {", '  const std::string wanted = std::getenv("PROGRAM");']
    for number, program in enumerate(members):
        parts += [f'  if (wanted == "{program.name}") return program_{number}::main();']
    return "\n".join([*parts, "  return 127;", "}", ""])
