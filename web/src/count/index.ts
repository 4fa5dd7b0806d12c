// A placeholder until counting is here.

/** The sum of counts. */
export function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
