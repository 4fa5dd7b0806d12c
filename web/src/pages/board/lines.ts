/** The board as it comes from the server: line by line, since it may be long. */
import { Trouble } from '../pieces/api.js';

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
  const query = prefix ? `?prefix=${prefix}` : '';
  let answer: Response;
  try {
    answer = await fetch(`/api/v1/polls/${id}/board${query}`, {
      cache: 'no-store',
      credentials: 'omit',
      mode: 'same-origin',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
  } catch {
    throw new Trouble('unreached', 0);
  }
  if (!answer.ok || !answer.body) throw new Trouble(`status.${answer.status}`, answer.status);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await read(reader);
      if (done) break;
      const parts = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = parts.pop()!;
      yield* parts;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  rest += decoder.decode();
  if (rest) yield rest; // a line without its end, which is damaged
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch {
    throw new Trouble('unreached', 0);
  }
}
