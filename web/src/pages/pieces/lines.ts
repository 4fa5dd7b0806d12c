/** The board as it comes from the server: line by line, since it may be long. */
import { Trouble } from './api.js';

/** Receipts that share every prefix which is sent, on average (docs/wire). */
const CROWD = 32;

/** Digits of a receipt that may be sent on a board of n reports: none, where the whole is fetched. */
export function digitsOf(n: number): number {
  let digits = 0;
  while (CROWD * 16 ** (digits + 1) <= n) digits++;
  return digits;
}

/** The lines of a board, or of the receipts that begin so. */
export async function* linesOf(id: string, prefix = ''): AsyncGenerator<string> {
  for await (const lines of linesIn(bytesOf(id, prefix))) yield* lines;
}

/** A board as it comes, piece by piece. */
export async function* bytesOf(id: string, prefix = ''): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const query = prefix ? `?prefix=${prefix}` : '';
  const given = { cache: 'no-store', credentials: 'omit', mode: 'same-origin', redirect: 'error' } as const;
  const answer = await reached(
    fetch(`/api/v1/polls/${id}/board${query}`, { ...given, referrerPolicy: 'no-referrer' }),
  );
  if (!answer.ok || !answer.body) throw new Trouble(`status.${answer.status}`, answer.status);
  const reader = answer.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reached(reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** The lines in these pieces, as many at a time as are there. The first line names all codes and may be
 * as long as all others together, so its pieces are put together once.
 */
export async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let begun: string[] = [];
  for await (const piece of pieces) {
    const parts = decoder.decode(piece, { stream: true }).split('\n');
    const last = parts.pop()!;
    if (parts.length > 0) {
      parts[0] = begun.join('') + parts[0]!;
      begun = [];
      yield parts;
    }
    begun.push(last);
  }
  const rest = begun.join('') + decoder.decode();
  if (rest) yield [rest]; // a line without its end, which is damaged
}

async function reached<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch {
    throw new Trouble('unreached', 0);
  }
}
