"""Files that are named by addresses, such as s3a://bucket/reports: the Java of Spark lists them and
reads their footers, and what these say is read as that of any file.
"""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from hushvote.batch.inputs import Input, refuse_twice, said_by_folders
from hushvote.errors import FileError
from hushvote.files import AnyPath
from hushvote.formats.reports import ReportFile, described, telling_damage
from hushvote.mechanisms import Mechanism

TAIL = 1 << 16  # bytes in which a footer mostly stands
AT_ONCE = 8  # files that are asked at a time, since stores take their time to answer
HIDDEN = (".", "_")


class Remote:
    """The files at some addresses, each as if it lay here."""

    def __init__(self, session: Any, given: Sequence[Input]) -> None:
        self._path = session.sparkContext._jvm.org.apache.hadoop.fs.Path
        self._settings = session.sparkContext._jsc.hadoopConfiguration()
        self.inputs = self._inputs([str(one.path) for one in given])
        names = [str(one.path) for one in self.inputs]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            self._footers = dict(zip(names, pool.map(self._footer, names), strict=True))

    def reports_in(self, path: AnyPath, given: Mechanism | None, poll: str | None) -> ReportFile:
        """A file of reports, opened."""
        with telling_damage(path), pq.ParquetFile(pa.BufferReader(self._footers[str(path)])) as one:
            rows = one.metadata.num_rows
            file = described(path, one, None if given is None else given.parameters(), poll)
        file.check_number(rows)
        return file

    def _inputs(self, given: Sequence[str]) -> list[Input]:
        """Every file that is meant, none of them twice."""
        seen: dict[str, str] = {}
        for address, path in ((one, path) for one in given for path in self._meant(one)):
            if path in seen:
                refuse_twice(path, seen[path])
            seen[path] = address
        return [Input(path, said_by_folders(path)) for path in seen]

    def _meant(self, address: str) -> list[str]:
        place = self._path(address)
        store = place.getFileSystem(self._settings)
        if store.exists(place):
            found = [store.getFileStatus(place)]
        else:
            found = list(store.globStatus(place) or [])
        paths = sorted(path for one in found for path in self._within(store, one))
        if not paths:
            what = "there are no .parquet files in it" if found else "no file has such a name"
            raise FileError(
                f"cannot read {address}: {what}; check the name", code="file.missing", path=address
            )
        return paths

    def _within(self, store: Any, found: Any) -> Iterator[str]:
        """A file itself, or the reports in a folder and its folders."""
        folder = _address(found)
        if not found.isDirectory():
            yield folder
            return
        each = store.listFiles(found.getPath(), True)
        while each.hasNext():
            path = _address(each.next())
            parts = path.removeprefix(folder).split("/")
            if path.endswith(".parquet") and not any(part.startswith(HIDDEN) for part in parts):
                yield path

    def _footer(self, address: str) -> bytes:
        """The end of a file, which says where everything stands."""
        place = self._path(address)
        store = place.getFileSystem(self._settings)
        size = store.getFileStatus(place).getLen()
        end = self._last(store, place, size, TAIL)
        length = int.from_bytes(end[-8:-4], "little") + 8
        if length > len(end) and end.endswith(b"PAR1"):
            end = self._last(store, place, size, length)
        return end[-length:] if length < len(end) else end

    @staticmethod
    def _last(store: Any, place: Any, size: int, length: int) -> bytes:
        stream = store.open(place)
        try:
            stream.seek(max(0, size - length))
            return bytes(stream.readNBytes(min(size, length)))
        finally:
            stream.close()


def _address(found: Any) -> str:
    """The whole address; Java leaves slashes out where no host stands between them."""
    return re.sub(r"^([^:/]+):/(?!/)", r"\1:///", str(found.getPath().toString()))
