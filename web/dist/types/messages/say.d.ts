/** Messages with named values in them, written as in the Python catalogue that they come from. */
import type { Say } from '../mechanisms/mechanism.js';
import type { Refusal } from '../refusal.js';
export type Messages = Readonly<Record<string, string>>;
/** Says messages of one language, with its sign before decimals. */
export declare function speaker(messages: Messages, decimal?: string): Say;
/** Why something was refused, in a sentence for the voter: that of its code, or of its kind. */
export declare function explainer(refusals: Messages): (refusal: Pick<Refusal, 'code'>) => string;
