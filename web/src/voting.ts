/** What a voter's device keeps and sends. */
export { isRefusal, Refusal } from './refusal.js';
export { bodyOf, type Request, requestSize } from './requests.js';
export { codeHash, leafOf, questionOf, readCode, receiptOf, secretOf } from './secrets.js';
export * from './state.js';
