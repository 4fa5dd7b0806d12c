"""The rankings that everything is measured on: uniform, the hardest case for merging ballots."""

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 14


def random_orders(n: int, d: int, seed: int = 20260101) -> NDArray[np.uint8]:
    """n uniform rankings of d candidates, made block by block to leave little memory behind."""
    rng = np.random.default_rng(seed)
    orders = np.empty((n, d), dtype=np.uint8)
    orders[:] = np.arange(d, dtype=np.uint8)
    for start in range(0, n, BLOCK):
        rng.permuted(orders[start : start + BLOCK], axis=1, out=orders[start : start + BLOCK])
    return orders
