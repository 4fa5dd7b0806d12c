import type { Manifest } from '../poll.js';
import type { Counted } from './counter.js';
export { isRefusal, Refusal } from '../refusal.js';
export type { Counted };
export interface Count {
    readonly n: number;
    /** The integers of a tally, by name. */
    readonly counts: Readonly<Record<string, Counted>>;
    /** The estimated mean score of every candidate; none where there are no reports. */
    readonly scores: readonly number[];
}
/** The reports on a board: its lines but for the header and the leaves of erased entries. */
export declare function reportsOf(lines: Iterable<string>): Generator;
/** Count the reports of a poll; one that is none is refused, with its number from 0 on. */
export declare function count({ mechanism }: Pick<Manifest, 'mechanism'>, reports: Iterable<unknown>): Count;
