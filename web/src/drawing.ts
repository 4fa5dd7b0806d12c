/** What goes with an opened poll: where chance comes from, and how refusals are known. */
export { type Bits, fixedBits, secureBits } from './bits.js';
export type { Report } from './fields.js';
export type { Say } from './mechanisms/mechanism.js';
export type { Checked, Drawn, Manifest, Poll } from './poll.js';
export { isRefusal, Refusal } from './refusal.js';
