/** For tests: manifests around given parameters. */
import { type JsonObject } from '../canonical.js';
export declare const ADDITIVE: JsonObject;
/** The text of a manifest and its digest. */
export declare function manifest(mechanism?: JsonObject, members?: JsonObject): [string, string];
