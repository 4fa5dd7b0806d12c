import { describe, expect, it } from 'vitest';
import { Packed, zipped } from './zip.js';

describe('files in one', () => {
  it('has the check of the standard', () => {
    expect(Packed.of('a', '123456789').check).toBe(0xcbf43926);
  });

  it('does not depend on the pieces that a file came in', () => {
    const text = new TextEncoder().encode('line one\nline two\n');
    const file = new Packed('a');
    for (const byte of text) file.add(Uint8Array.of(byte));
    expect([file.check, file.size]).toEqual([Packed.of('a', 'line one\nline two\n').check, text.length]);
  });

  it('is the same whenever it is made', async () => {
    const made = (): Promise<ArrayBuffer> => zipped([Packed.of('a.txt', 'a'), Packed.of('b.txt', '')]).arrayBuffer();
    expect(new Uint8Array(await made())).toEqual(new Uint8Array(await made()));
  });
});
