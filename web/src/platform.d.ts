// All that the sources take from their surroundings. Pages, Web Workers and Node have these alike.

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
