/** All mechanisms that a poll may have. */
export declare const kinds: readonly [import("./mechanisms/mechanism.ts").Kind, import("./mechanisms/mechanism.ts").Kind, import("./mechanisms/mechanism.ts").Kind, import("./mechanisms/mechanism.ts").Kind, import("./mechanisms/mechanism.ts").Kind, import("./mechanisms/mechanism.ts").Kind];
/** Open a poll from the text of its manifest and the digest that stands in the link. */
export declare const openPoll: (text: string, digest: string) => import("./poll.js").Poll;
export * from './drawing.js';
export * from './voting.js';
