/** Count reports again, as anyone may do with a poll's board: integers and mean scores, no errors. */
import { readReport } from '../fields.js';
import type { Mechanism } from '../mechanisms/mechanism.js';
import type { Manifest } from '../poll.js';
import { Refusal } from '../refusal.js';
import type { Counted, Counter } from './counter.js';
import { countGroups } from './groups.js';
import { countLaplace } from './noise.js';
import { countAdditive, countSampling } from './sets.js';

export { isRefusal, Refusal } from '../refusal.js';
export type { Counted };

export interface Count {
  readonly n: number;
  /** The integers of a tally, by name. */
  readonly counts: Readonly<Record<string, Counted>>;
  /** The estimated mean score of every candidate; none where there are no reports. */
  readonly scores: readonly number[];
}

const COUNTERS: Record<string, (mechanism: Mechanism) => Counter> = {
  laplace: countLaplace,
  'naive-sampling': countSampling,
  'weighted-sampling': countSampling,
  additive: countAdditive,
  duel: countGroups,
  challenge: countGroups,
};

/** The reports on a board: its lines but for the header and the leaves of erased entries. */
export function* reportsOf(lines: Iterable<string>): Generator {
  let first = true;
  for (const line of lines) {
    const entry = first || line === '' ? {} : (JSON.parse(line) as { report?: unknown });
    if ('report' in entry) yield entry.report;
    first = false;
  }
}

/** A count that goes on report by report, for whoever has to show progress. */
export interface Counting {
  /** Count one more; one that is no report is refused, with its number from 0 on. */
  add(wire: unknown): void;
  done(): Count;
}

/** Begin to count the reports of a poll. */
export function counting({ mechanism }: Pick<Manifest, 'mechanism'>): Counting {
  const counter = COUNTERS[mechanism.name]!(mechanism);
  let n = 0;
  return {
    add(wire) {
      try {
        counter.add(readReport(mechanism.fields, wire));
      } catch (error) {
        if (error instanceof Refusal) throw new Refusal(error.code, `report ${n}`);
        throw error;
      }
      n++;
    },
    done: () => ({ n, counts: counter.counts(), scores: n ? counter.scores(n) : [] }),
  };
}

/** Count the reports of a poll. */
export function count(poll: Pick<Manifest, 'mechanism'>, reports: Iterable<unknown>): Count {
  const begun = counting(poll);
  for (const wire of reports) begun.add(wire);
  return begun.done();
}
