import type { Report } from './fields.js';
import type { Manifest } from './poll.js';
export interface Request {
    readonly poll: string;
    readonly receipt?: string;
    readonly reveals?: string;
    readonly question?: string;
    readonly report?: Report;
}
/** The body of a request: its JSON, and spaces up to the length that all requests to the poll have. */
export declare function bodyOf(poll: Manifest, request: Request): string;
/** Bytes of every request to a poll: the longest that its mechanism can need, rounded up. */
export declare function requestSize({ mechanism: { fields } }: Manifest): number;
