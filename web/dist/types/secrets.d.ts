/** SHA-256 of a tag, a zero byte, and fields of fixed length. */
export declare function hashed(tag: string, ...fields: Uint8Array[]): Uint8Array;
/** What a change or a withdrawal reveals after so many changes. */
export declare function secretOf(seed: string, position: number): string;
/** Under which a report is kept until its secret is revealed. */
export declare function receiptOf(secret: string): string;
/** The leaf of an entry in the tree of the board: its line without salt, behind a zero byte and the
 * salt.
 */
export declare function leafOf(salt: string, line: string): string;
/** What the device sends instead of a code, and what a challenge asks by. */
export declare function questionOf(digest: string, code: string): Uint8Array;
/** What the server was given of a code. */
export declare function codeHash(question: Uint8Array): string;
export declare const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The 21 characters of a code as somebody typed it. The values of its characters are coefficients,
 * in GF(2)[x]/(x^5 + x^2 + 1), of a polynomial that is 0 at x: every wrong character shows.
 */
export declare function readCode(text: string): string;
