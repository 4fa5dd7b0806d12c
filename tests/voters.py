"""People who vote with the links of a file: `python -m tests.voters codes.csv 60`.

The first so many rows vote, or all of them; of ten, seven rank the candidates in the manifest's
order, and three the other way round. With a ballot's link in place of a file, as many vote by it.
"""

import csv
import sys
from pathlib import Path

import httpx

import hushvote as hv
from hushvote.client.links import BallotLink, read_link
from tests.serving import Remote


def vote(links: list[BallotLink]) -> None:
    """Everybody casts, by real requests."""
    first = links[0]
    with httpx.Client(base_url=first.server, timeout=30, trust_env=False) as client:
        manifest = client.get(f"/api/v1/polls/{first.id}/manifest").text
        remote = Remote(client, hv.Poll.load(manifest, first.digest), b"")
        for number, link in enumerate(links):
            voter = remote.voter(link.code)
            voter.ranking = list(range(remote.poll.d))[:: 1 if number % 10 < 7 else -1]
            voter.cast()


def main(source: str, number: str | None = None) -> None:
    if "#" in source:
        texts = [source] * int(number or 1)
    else:
        with Path(source).open(encoding="utf-8-sig", newline="") as file:
            texts = [row["link"] for row in csv.DictReader(file)]
    links = [read_link(text) for text in texts[: None if number is None else int(number)]]
    vote([link for link in links if isinstance(link, BallotLink)])


if __name__ == "__main__":
    main(*sys.argv[1:])
