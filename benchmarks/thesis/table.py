"""Reads table.txt: which programs there are, what is expected of them, and what the thesis measured."""

import pathlib
from dataclasses import dataclass

FOLDER = pathlib.Path(__file__).resolve().parent


@dataclass(frozen=True)
class Row:
    name: str
    verdict: str  # race or clean
    size: int
    full: int
    thesis_ms: dict  # by the names of the engines here

    @property
    def source(self):
        return FOLDER / f"{self.name}.cpp"


def read(path=FOLDER / "table.txt"):
    """The rows in the order of the file; raises ValueError with the number of a line that is none."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        try:
            name, verdict, size, full, *times = line.split()
            fasttrack, graph, zipper = map(int, times)
            if verdict not in ("race", "clean"):
                raise ValueError(f"verdict {verdict!r}")
            rows.append(Row(name, verdict, int(size), int(full), {"fasttrack": fasttrack, "cg": graph, "zipper": zipper}))
        except ValueError as problem:
            raise ValueError(f"{path}:{number}: not a row of the table ({problem})") from None
    return rows
