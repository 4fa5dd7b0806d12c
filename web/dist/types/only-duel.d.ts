export declare const openPoll: (text: string, digest: string) => import("./poll.js").Poll;
export * from './drawing.js';
