"""Finished parts on disk, so that an interrupted reproduction goes on where it stopped.

A part is the metrics of a few runs of one experiment. Its name is a hash of everything that
decides its numbers: the settings, the parameters of every mechanism, and the version of this
room. A part that is damaged is simulated anew.
"""

import hashlib
from pathlib import Path

import numpy as np

from hushvote.canonical import canonical
from hushvote.errors import FileError
from hushvote.files import writing
from hushvote.mechanisms.contract import Floats
from hushvote.simulation.running import Plan

VERSION = 2  # of what a run draws, and in which order


class Store:
    """The parts below one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "parts"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            said = (error.strerror or str(error)).lower()
            raise FileError(
                f"cannot write to {folder}: {said}; choose another --out",
                code="file.unwritable",
                path=folder,
                reason=said,
            ) from None

    def path(self, plan: Plan, runs: range) -> Path:
        """The file of some runs of a plan."""
        return self.folder / f"{_key(plan)}-{runs.start}-{runs.stop}.npy"

    def read(self, plan: Plan, runs: range) -> Floats | None:
        """The metrics of these runs, or None where they are not there, or damaged."""
        try:
            found = np.load(self.path(plan, runs), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        sound = found.dtype == np.float64 and found.shape == (len(runs), *plan.shape)
        return found if sound and np.isfinite(found).all() else None

    def write(self, plan: Plan, runs: range, values: Floats) -> None:
        """Keep the metrics of these runs."""
        with writing(self.path(plan, runs)) as part, part.open("wb") as file:
            np.save(file, values, allow_pickle=False)


def _key(plan: Plan) -> str:
    digests = [[mechanism.digest for mechanism in row] for row in plan.mechanisms]
    document = {"version": VERSION, "digests": digests, **plan.experiment.settings()}
    return hashlib.sha256(canonical(document)).hexdigest()[:24]
