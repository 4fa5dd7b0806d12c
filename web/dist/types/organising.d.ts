/** A fresh key, in hexadecimal digits. */
export declare function newKey(): string;
/** What a server is given of the organiser's key. */
export declare function organiserHash(key: string): string;
/** A fresh code of 21 characters; the values may be given, 20 of them below 32. */
export declare function newCode(values?: Uint8Array): string;
/** A code in groups, for people. */
export declare function writtenCode(code: string): string;
/** What a server is given of a code. */
export declare function issuedHash(digest: string, code: string): string;
