"""Best times of two rivals, taken in turns."""

import gc
import time
from collections.abc import Callable

Task = Callable[[], object]


def best_times(
    *tasks: Task, repeats: int, clock: Callable[[], float] = time.process_time
) -> list[float]:
    """The least seconds of each task, after one run that is not counted: of the processor, which
    other programs' work does not change, or by another clock where several cores are at work.

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
                start = clock()
                task()
                best[i] = min(best[i], clock() - start)
    finally:
        gc.enable()
    return best
