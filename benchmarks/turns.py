"""Best times of two rivals, taken in turns."""

import gc
import time
from collections.abc import Callable

Task = Callable[[], object]


def best_times(*tasks: Task, repeats: int) -> list[float]:
    """The least seconds of each task, after one run that is not counted.

    The first run compiles, imports and fills tables. The tasks then take turns, so that a busy
    moment of the machine falls on all of them; the collector of garbage rests meanwhile, as in
    `timeit`, which is to the advantage of peers that make one object a voter.
    """
    for task in tasks:
        task()
    best = [float("inf")] * len(tasks)
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeats):
            for i, task in enumerate(tasks):
                start = time.perf_counter()
                task()
                best[i] = min(best[i], time.perf_counter() - start)
    finally:
        gc.enable()
    return best
