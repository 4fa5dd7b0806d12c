/** The SHA-256 of a text in hex. */
export declare function digestOf(text: string): string;
