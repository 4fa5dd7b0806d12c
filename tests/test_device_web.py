"""The devices in Python and TypeScript keep and send the same, step by step, for the same bytes."""

import json
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from conformance.streams import Dice, stream

import hushvote as hv
from hushvote.client.device import Device
from hushvote.lottery import FixedBits
from hushvote.messages.phrases import odds
from tests.polls import poll_with
from tests.test_device import answer_to

ROOT = Path(__file__).parents[1]
NODE = Path(sysconfig.get_path("scripts")) / "node"
DRIVER = """
import { readFileSync } from 'node:fs';
import * as hushvote from '%s/web/dist/hushvote.js';
const { text, digest, steps } = JSON.parse(readFileSync(0, 'utf8'));
const poll = hushvote.openPoll(text, digest);
const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
let state;
const told = [];
for (const { kind, ranking, question, bits, answer, asks } of steps) {
  const hash = question ? bytes(question) : undefined;
  try {
    if (kind === 'begin') state = hushvote.begin(poll, hushvote.fixedBits(bytes(bits)));
    if (kind === 'vote')
      ({ state } = hushvote.vote(poll, state, ranking, {
        ...(asks && { question: hash }), bits: hushvote.fixedBits(bytes(bits)) }));
    if (kind === 'send') state = hushvote.send(poll, state, state.draws.at(-1).report, hash);
    if (kind === 'withdraw') state = hushvote.withdraw(poll, state);
    if (kind === 'answer') state = hushvote.acknowledged(poll, state, JSON.parse(answer));
    if (kind === 'refused') state = hushvote.refused(state);
    if (kind === 'elsewhere') state = hushvote.resume(poll, hushvote.credentialOf(state));
    told.push({ state, body: state.request ? hushvote.bodyOf(poll, state.request) : null });
  } catch (error) {
    told.push({ code: error.code ?? String(error) });
  }
}
const { factor, factorOfAll } = poll.check();
console.log(JSON.stringify({ told, factor, factorOfAll }));
"""
KINDS = ("vote", "send", "answer", "refused", "withdraw", "elsewhere")
LENGTH = 4096  # bytes that a draw may take

needs_node = pytest.mark.skipif(not NODE.exists(), reason="`make .venv/.dev` installs Node")


def polls() -> list[hv.Poll]:
    """Of every mechanism, with and without codes and partial rankings."""
    found = []
    for number, name in enumerate(hv.mechanism_names()):
        made = hv.mechanism(name, hv.borda(4), ("1", "1/2", "2")[number % 3])
        codes = made.parameters().get("key") is not None or number % 2 == 0
        access = "codes" if codes else "link"
        for partial in (False, True):
            found.append(poll_with(made, access=access, partial=partial, changes=1 + number % 3))
    return found


def moved(device: Device | None, poll: hv.Poll, step: dict[str, Any]) -> Device:
    """One step in Python."""
    kind, question = step["kind"], step.get("question")
    hashed = None if question is None else bytes.fromhex(question)
    if device is None:
        return Device.begin(poll, FixedBits(bytes.fromhex(step["bits"])))
    if kind == "vote":
        asked = hashed if poll.mechanism.needs_question else None
        bits = FixedBits(bytes.fromhex(step["bits"]))
        return device.vote(poll, step["ranking"], asked, bits)[0]
    if kind == "send":
        return device.send(poll, device.draws[-1].report, hashed)
    if kind == "answer":
        return device.acknowledged(poll, step["answer"])
    if kind == "elsewhere":
        return Device.resume(poll, device.credential())
    return device.withdraw(poll) if kind == "withdraw" else device.refused()


def in_python(poll: hv.Poll, dice: Dice, seed: str) -> tuple[list[dict[str, Any]], list[Any]]:
    """Steps in an order that is as good as random, and what they came to."""
    question = stream(f"{seed}/question", 32).hex() if poll.access == "codes" else None
    device = None
    steps, told = [], []
    for number in range(30):
        kind = "begin" if device is None else KINDS[dice.below(len(KINDS))]
        if device is not None and kind == "send" and not device.draws:
            kind = "vote"
        step: dict[str, Any] = {"kind": kind, "asks": poll.mechanism.needs_question}
        step["bits"] = stream(f"{seed}/{number}", LENGTH).hex()
        if kind == "vote":
            ranking = dice.shuffled(range(poll.d))
            step["ranking"] = ranking[: 1 + dice.below(poll.d)] if poll.partial else ranking
        if kind in ("vote", "send") and question is not None:
            step["question"] = question
        if kind == "answer" and device is not None:
            step["answer"] = "{}" if device.request is None else answer_to(device, poll)
        steps.append(step)
        try:
            device = moved(device, poll, step)
            body = None if device.request is None else device.request.body(poll).decode()
            ledger = device.ledger(poll).to_json()
            told.append({"state": {**device.document(), "ledger": ledger}, "body": body})
        except hv.HushvoteError as error:
            told.append({"code": error.code})
    return steps, told


@needs_node
@pytest.mark.parametrize("poll", polls(), ids=lambda poll: f"{poll.mechanism.name}-{poll.partial}")
def test_both_devices_keep_and_send_the_same(poll):
    codes = set()
    for number in range(6):
        seed = f"device/{poll.mechanism.name}/{poll.partial}/{number}"
        steps, told = in_python(poll, Dice(seed), seed)
        done = subprocess.run(
            [NODE, "--input-type=module", "--eval", DRIVER % ROOT],
            input=json.dumps({"text": poll.text, "digest": poll.digest, "steps": steps}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        theirs = json.loads(done.stdout)
        for step, mine, other in zip(steps, told, theirs["told"], strict=True):
            if "state" in mine:
                assert mine["state"].pop("erases") is False
            assert mine == other, step["kind"]
            codes.add(mine.get("code"))
        for name, times in (("factor", 1), ("factorOfAll", 1 + poll.changes)):
            assert theirs[name] == odds(poll.mechanism.epsilon, times).replace(",", "")
    assert {None, "state.unasked", "state.unanswered"} <= codes
