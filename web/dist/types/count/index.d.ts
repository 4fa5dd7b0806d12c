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
/** A count that goes on report by report, for whoever has to show progress. */
export interface Counting {
    /** Count one more; one that is no report is refused, with its number from 0 on. */
    add(wire: unknown): void;
    done(): Count;
}
/** Begin to count the reports of a poll. */
export declare function counting({ mechanism }: Pick<Manifest, 'mechanism'>): Counting;
/** Count the reports of a poll. */
export declare function count(poll: Pick<Manifest, 'mechanism'>, reports: Iterable<unknown>): Count;
