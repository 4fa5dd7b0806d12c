export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
    [name: string]: Json;
}
/** The canonical text of a value; undefined for what has none. */
export declare function canonical(value: unknown, depth?: number): string | undefined;
/** Read a text that must be its own canonical form; `area` begins the code of a refusal. */
export declare function parse(text: string, area: string): Json;
/** An object with these members, none of them null, and no others. */
export declare function members(value: unknown, names: readonly string[], code: string): JsonObject;
export declare function isObject(value: unknown): value is JsonObject;
/** SHA-256 of a text, in hexadecimal digits. */
export declare function digestOf(text: string): string;
