/** Requests to the server that the page came from, and to no other. */

/** Why there is no good answer: the server's code, or that there was no answer. */
export class Trouble extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly told: Readonly<Record<string, unknown>> = {},
  ) {
    super(code);
    this.name = 'Trouble';
  }

  /** Whether the server may have taken the request all the same, or would take it later. */
  get unsure(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429;
  }

  get detail(): string {
    return typeof this.told.detail === 'string' ? this.told.detail : '';
  }
}

const PATIENCE = 30_000; // milliseconds
const ROOT = '/api/v1';

export interface Asked {
  readonly method?: string;
  readonly body?: string;
  /** A key or token, sent in a header and never in an address. */
  readonly bearer?: string;
  /** Stops the request once nobody wants its answer any more. */
  readonly stop?: AbortController;
}

/** The text of a good answer. */
export function ask(path: string, asked: Asked = {}): Promise<string> {
  return askPage(ROOT + path, asked);
}

/** The same from beside the API. */
export async function askPage(path: string, asked: Asked = {}): Promise<string> {
  const { method = 'GET', body, bearer, stop = new AbortController() } = asked;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (bearer !== undefined) headers.Authorization = `Bearer ${bearer}`;
  let status = 0;
  let text: string;
  const patience = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const answer = await fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body }),
      cache: 'no-store',
      credentials: 'omit',
      mode: 'same-origin',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal: stop.signal,
    });
    text = await answer.text();
    status = answer.status;
  } catch {
    throw new Trouble('unreached', 0);
  } finally {
    clearTimeout(patience);
  }
  if (status >= 200 && status < 300) return text;
  throw troubleOf(status, text);
}

/** A good answer as JSON. */
export async function askJson(path: string, asked: Asked = {}): Promise<unknown> {
  const text = await ask(path, asked);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Trouble('answer', 0);
  }
}

function troubleOf(status: number, text: string): Trouble {
  try {
    const told = JSON.parse(text) as Record<string, unknown>;
    if (typeof told.code === 'string') return new Trouble(told.code, status, told);
  } catch {
    // no problem as RFC 9457 has it: something between here and the server has answered
  }
  return new Trouble(`status.${status}`, status);
}
