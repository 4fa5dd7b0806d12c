/** What leaves the device: sets of candidates as rising lists, numbers as they are. */
export type Report = Record<string, number | number[]>;
export interface Field {
    readonly name: string;
    readonly kind: 'type' | 'set' | 'number';
    readonly low: number;
    readonly high: number;
    /** Of a set: how many candidates it has, for each type. */
    readonly sizes?: readonly number[];
    /** Of a set: the sets before it, if no candidate is in two of them. */
    readonly apart?: readonly string[];
}
export declare const typeField: (name: string, count: number) => Field;
export declare const setField: (name: string, d: number, sizes?: readonly number[], apart?: readonly string[]) => Field;
export declare const numberField: (name: string, low: number, high: number) => Field;
/** Read a report strictly: every field, nothing else, all in the domain. */
export declare function readReport(fields: readonly Field[], wire: unknown): Report;
/** A set of candidates as it stands on the wire. */
export declare function rising(candidates: readonly number[]): number[];
