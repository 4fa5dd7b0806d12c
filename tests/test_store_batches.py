"""Random batches against a plain model: every outcome, and everything that is kept, agrees."""

import random

import pytest

from tests.keeping import (
    Model,
    a_poll,
    cast,
    check_same,
    codes_in,
    event,
    hashed,
    opened,
    random_write,
    receipt_of,
)

LINK, CODES = "11" * 16, "22" * 16
REFUSALS = {"closed", "receipt", "question", "code", "unknown", "spent", "changes"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_batches_do_what_the_model_does(store_url, seed):
    dice = random.Random(seed)
    models = {LINK: Model(), CODES: Model()}
    met = set()
    with opened(store_url) as store:
        for id in models:
            store.create(a_poll(id), event("created"))
        for turn in range(150):
            id = dice.choice(list(models))
            act(dice, store, id, models[id], last=turn > 130)
            writes = []
            for _ in range(dice.randrange(1, 40)):
                poll = dice.choice(list(models))
                writes.append(random_write(dice, poll, with_codes=poll == CODES))
            expected = [models[one.poll].write(one) for one in writes]
            assert list(store.commit(writes)) == expected
            met.update(codes_in(expected))
        for id, model in models.items():
            check_same(store, id, model)
    assert met == {f"vote.{name}" for name in REFUSALS} | {None}
    with opened(store_url) as store:
        for id, model in models.items():
            check_same(store, id, model)


def act(dice, store, id, model, last):
    """Something else that happens to a poll."""
    codes = [hashed(f"code {dice.randrange(40)}") for _ in range(3)]
    kind = dice.randrange(9)
    if kind < 2:
        assert store.issue(id, codes, event("issued")) is not model.closed
        if not model.closed:
            model.issued.update(codes)
    elif kind == 2:
        expected = [] if model.closed else model.revoke(codes)
        assert list(store.revoke(id, codes, event("revoked"))) == expected
    elif kind == 3:
        receipt = receipt_of(dice.randrange(60))
        done = model.erase(receipt, hashed("leaf"))
        assert store.erase(id, receipt, hashed("leaf"), event("erased")) is done
    elif kind == 4 and last:
        assert store.close(id, event("closed")) is not model.closed
        model.closed = True


def test_a_bad_row_fails_alone_wherever_it_stands(store_url):
    with opened(store_url) as store:
        store.create(a_poll(LINK), event("created"))
        store.commit([cast("taken", poll=LINK)])
        for place in range(0, 64, 7):
            writes = [cast(f"{place} {n}", poll=LINK) for n in range(64)]
            writes[place] = cast("taken", b"other", poll=LINK)
            outcomes = codes_in(store.commit(writes))
            assert outcomes == [None] * place + ["vote.receipt"] + [None] * (63 - place)
        assert store.numbers(LINK).casts == 1 + 63 * 10


def test_a_batch_may_be_of_any_size(store_url):
    with opened(store_url) as store:
        store.create(a_poll(LINK), event("created"))
        for size in (1, 15, 16, 17, 600, 1500):
            writes = [cast(f"{size} {n}", poll=LINK) for n in range(size)]
            assert codes_in(store.commit(writes)) == [None] * size
            assert codes_in(store.commit(writes)) == [None] * size
        assert store.numbers(LINK).casts == 1 + 15 + 16 + 17 + 600 + 1500
