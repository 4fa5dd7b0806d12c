/** What stands behind the # of a ballot's link: the poll's digest, and perhaps a code. */
import { drop, keep, kept } from '../pieces/keeping.js';

export interface Link {
  readonly id: string;
  /** What the poll must hash to; without it nothing can be cast. */
  readonly digest: string | null;
  readonly code: string | null;
}

const nameOf = (id: string): string => `hushvote.link.${id}`;

/** Take the link out of the address and the history at once; on a later visit, what was kept of it. */
export function takeLink(): Link {
  const { pathname, search, hash } = location;
  if (hash) history.replaceState(null, '', pathname + search);
  const id = pathname.split('/')[2] ?? '';
  const [digest = '', code = null] = decoded(hash.slice(1)).split(/\.(.*)/s);
  const before = kept(nameOf(id)) as Partial<Link> | undefined;
  if (/^[0-9a-f]{64}$/.test(digest)) {
    // The same poll without its code, as somebody may have passed it on, does not lose the code.
    const known = before?.digest === digest ? (before.code ?? null) : null;
    return { id, digest, code: code ?? known };
  }
  if (!hash && typeof before?.digest === 'string') return { id, digest: before.digest, code: before.code ?? null };
  return { id, digest: null, code: null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Keep a link, so that the page can be loaded again. */
export function keepLink({ id, digest, code }: Link): void {
  keep(nameOf(id), { digest, code });
}

export function dropLink(id: string): void {
  drop(nameOf(id));
}
