/** Files put into one, as they are: the ZIP format without compression (APPNOTE 6.3, sections 4.3 and 4.4).
 *
 * Every file bears the first day that the format knows, so the same files are the same archive.
 */

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20; // 2.0
const DAY = 0x21; // 1980-01-01
const MOST = 0xffff_ffff; // bytes, without the format's extension for more

/** A file that grows piece by piece; browsers keep its pieces outside of the page. */
export class Packed {
  readonly pieces: Blob[] = [];
  size = 0;
  private rest = -1;

  constructor(readonly name: string) {}

  static of(name: string, text: string): Packed {
    const made = new Packed(name);
    made.add(new TextEncoder().encode(text));
    return made;
  }

  add(piece: Uint8Array<ArrayBuffer>): void {
    this.pieces.push(new Blob([piece]));
    this.size += piece.length;
    for (const byte of piece) this.rest = TABLE[(this.rest ^ byte) & 255]! ^ (this.rest >>> 8);
  }

  /** The CRC-32 of all pieces. */
  get check(): number {
    return ~this.rest >>> 0;
  }
}

/** One file of all these, whose names are plain ASCII. */
export function zipped(files: readonly Packed[]): Blob {
  const parts: BlobPart[] = [];
  const listed: BlobPart[] = [];
  let at = 0;
  for (const file of files) {
    const name = new TextEncoder().encode(file.name);
    const about = fields([2, VERSION], [2, 0], [2, 0], [2, 0], [2, DAY], [4, file.check], [4, file.size], [4, file.size],
      [2, name.length], [2, 0]);
    parts.push(fields([4, LOCAL]), about, name, ...file.pieces);
    listed.push(fields([4, CENTRAL], [2, VERSION]), about, fields([2, 0], [2, 0], [2, 0], [4, 0], [4, at]), name);
    at += 30 + name.length + file.size;
  }
  const list = new Blob(listed);
  if (at + list.size > MOST) throw new RangeError('too large');
  const end = fields([4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, list.size], [4, at], [2, 0]);
  return new Blob([...parts, list, end], { type: 'application/zip' });
}

/** Whole numbers of so many bytes, the lowest first. */
function fields(...given: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const made = new DataView(new ArrayBuffer(given.reduce((sum, [bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [bytes, value] of given) {
    if (bytes === 2) made.setUint16(at, value, true);
    else made.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(made.buffer);
}

/** Remainders of all bytes by the polynomial 0xEDB88320. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});
