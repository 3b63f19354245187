"""Builds several programs as one: most of a build's time goes into headers and into the link, which then happen once.

Each program becomes a namespace, its own file included in it, so that lines stay the same. Its headers come before,
and are empty when the program includes them again. The environment variable PROGRAM selects the one that runs.
"""

import re

LIMIT = 16  # programs in one: with more, the last compilers of a run work alone
# The slowest builds first: started last, they would run alone at the end.
MODELS = ["tbb", "async", "threads", "openmp"]


def groups(programs):
    """The programs that may be built as one, in lists: those of a model in C++ by their flags; C has no namespaces."""
    together, alone = {}, []
    for program in programs:
        if program.path.suffix == ".cpp":
            together.setdefault((MODELS.index(program.model), *program.flags), []).append(program)
        else:
            alone.append([program])
    for _, members in sorted(together.items()):
        count = -(-len(members) // LIMIT)
        for shift in range(count):
            yield members[shift::count]
    yield from alone


def source(members, shared=()):
    """The text of one program that contains all of them. The headers `shared` are theirs, beside those of the
    system."""
    texts = [program.path.read_text() for program in members]
    lines = [line for text in texts for line in text.splitlines()]
    defines = sorted({line for line in lines if re.match(r"#define TBB_", line)})
    includes = sorted({line for line in lines if re.match(r"#include <", line)})
    parts = [*defines, *includes, "#include <cstdlib>", "#include <cstring>", *(f'#include "{header}"' for header in shared)]
    for number, program in enumerate(members):
        parts += [f"namespace program_{number} {{", f'#include "{program.path}"', "}"]
    parts += ["int main() {", '  const char* wanted = std::getenv("PROGRAM");']
    for number, program in enumerate(members):
        parts += [f'  if (std::strcmp(wanted, "{program.name}") == 0) return program_{number}::main();']
    return "\n".join([*parts, "  return 127;", "}", ""])
