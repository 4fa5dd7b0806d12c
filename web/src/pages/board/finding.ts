/** Looking for one receipt on the board, without telling the server which. */
import { isObject, type JsonObject } from '../../canonical.js';
import { digitsOf, linesOf } from '../pieces/lines.js';

export type Found =
  | { readonly kind: 'stands'; readonly line: string; readonly report: unknown }
  | { readonly kind: 'spent'; readonly next: string | null }
  | { readonly kind: 'missing'; readonly erased: number };

/** Find a receipt on a board of n reports, by as few digits of it as hide it among others. */
export async function find(id: string, receipt: string, n: number): Promise<Found> {
  const prefix = receipt.slice(0, digitsOf(n));
  let erased = 0;
  let found: Found | undefined;
  let isHead = true;
  for await (const line of linesOf(id, prefix)) {
    const entry = JSON.parse(line) as unknown;
    if (!isObject(entry)) continue;
    if (isHead) found = spentIn(entry, receipt);
    else if (entry.receipt === receipt) found = { kind: 'stands', line, report: entry.report };
    else if ('leaf' in entry) erased++;
    isHead = false; // all lines are read: to stop at one would show which it was
  }
  return found ?? { kind: 'missing', erased };
}

/** Whether a header names a receipt as spent; what comes with a prefix has no list of those. */
function spentIn(header: JsonObject, receipt: string): Found | undefined {
  const spent = Array.isArray(header.spent) ? header.spent : [];
  const one = spent.find((entry) => isObject(entry) && entry.receipt === receipt);
  if (!isObject(one)) return undefined;
  return { kind: 'spent', next: typeof one.next === 'string' ? one.next : null };
}
