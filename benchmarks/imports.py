"""What it costs to begin: CPU time and memory of an import, beside those of `import numpy`.

Each row is the least of several fresh processes, with what an empty Python costs taken off.
"""

import json
import subprocess
import sys

REPEATS = 7
MEASURE = """
import json, resource, sys
{code}
used = resource.getrusage(resource.RUSAGE_SELF)
sys.stderr.write(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""
VERSION = """
import runpy
sys.argv = ["hushvote", "--version"]
runpy.run_module("hushvote", run_name="__main__")
"""
FIRST_USE = "import hushvote as hv; hv.mechanism('additive', hv.borda(4), 1).draw([0, 1, 2, 3])"
ROWS = {  # what, how, and how many times the cost of NumPy it may have
    "import numpy": ("import numpy", None),
    "import hushvote": ("import hushvote", 3),
    "hushvote --version": (VERSION, 2),
    "import hushvote, and a first draw": (FIRST_USE, 3),
}


def cost(code: str) -> tuple[float, float]:
    """Seconds of CPU time and megabytes at most, in a fresh process."""
    command = [sys.executable, "-c", MEASURE.format(code=code)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stderr)
        for _ in range(REPEATS)
    ]
    return min(seconds for seconds, _ in runs), min(megabytes for _, megabytes in runs)


def main() -> None:
    """Print a table, and end with 1 if something costs more than it may."""
    empty = cost("")
    found = {what: cost(code) for what, (code, _) in ROWS.items()}
    of_numpy = [a - b for a, b in zip(found["import numpy"], empty, strict=True)]
    missed = False
    print("| what | CPU | memory | times NumPy's CPU | memory | at most |")
    print("| --- | --: | --: | --: | --: | --: |")
    for what, (_, most) in ROWS.items():
        extra = [a - b for a, b in zip(found[what], empty, strict=True)]
        ratios = [a / b for a, b in zip(extra, of_numpy, strict=True)]
        missed |= most is not None and max(ratios) > most
        print(
            f"| {what} | {1000 * extra[0]:.0f} ms | {extra[1]:.0f} MB | {ratios[0]:.2f}x "
            f"| {ratios[1]:.2f}x | {'-' if most is None else f'{most}x'} |"
        )
    sys.exit(missed)


if __name__ == "__main__":
    main()
