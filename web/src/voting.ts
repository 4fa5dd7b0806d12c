/** What a voter's page needs besides a poll. */
export { type Bits, fixedBits, secureBits } from './bits.js';
export type { Report } from './fields.js';
export type { Say } from './mechanisms/mechanism.js';
export type { Checked, Drawn, Manifest, Poll } from './poll.js';
export { Refusal } from './refusal.js';
export { bodyOf, type Request, requestSize } from './requests.js';
export { codeHash, questionOf, readCode, receiptOf, secretOf } from './secrets.js';
export * from './state.js';
