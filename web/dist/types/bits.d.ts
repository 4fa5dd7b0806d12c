export interface Bits {
    /** The next so many bytes. */
    bytes(length: number): Uint8Array;
}
/** Fresh bytes of the device's secure generator. The copy of those that were used is erased. */
export declare function secureBits(): Bits;
/** A given stream, for conformance vectors. */
export declare function fixedBits(stream: Uint8Array): Bits & {
    readonly used: number;
};
/** HMAC-SHA-256 as a stream: block i over the message and i as four bytes (README, "challenge"). */
export declare function keyedBits(key: Uint8Array, message: Uint8Array): Bits;
