/** The sum of counts. */
export declare function total(counts: readonly number[]): number;
