/** QR codes of short texts (ISO/IEC 18004): bytes, correction level M, versions 1 to 20. */

/** Dark modules are true; rows from the top. */
export type Modules = boolean[][];

// Of level M, for versions 1 to 20: codewords that correct a block, and blocks.
const CORRECTING = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The code of a text, with the mask of least penalty, or with the one that is named. */
export function qrCode(text: string, mask?: number): Modules {
  const bytes = new TextEncoder().encode(text);
  const version = CORRECTING.findIndex((_, i) => bytes.length + (i < 9 ? 2 : 3) <= dataLength(i + 1)) + 1;
  if (version === 0) throw new Error('too long for a QR code');
  const words = interleaved(dataWords(bytes, version), version);
  const candidates = mask === undefined ? MASKS.map((_, i) => i) : [mask];
  const drawn = candidates.map((one) => draw(words, version, one));
  const penalties = drawn.map(penaltyOf);
  return drawn[penalties.indexOf(Math.min(...penalties))]!;
}

// --- codewords ------------------------------------------------------------------------------------

const sideOf = (version: number): number => 4 * version + 17;

/** Codewords that fit around the patterns. */
function wordLength(version: number): number {
  const side = sideOf(version);
  const along = centresOf(version).length;
  const aligning = along ? 25 * (along ** 2 - 3) - 10 * (along - 2) : 0; // 5 modules each lie on a timing line
  const fixed = 3 * 64 + 2 * (side - 16) + aligning + 31 + (version >= 7 ? 36 : 0);
  return Math.floor((side ** 2 - fixed) / 8);
}

function dataLength(version: number): number {
  return wordLength(version) - CORRECTING[version - 1]! * BLOCKS[version - 1]!;
}

/** Mode, length and bytes, an end, and filling. */
function dataWords(bytes: Uint8Array, version: number): number[] {
  const length = bytes.length;
  const head = version < 10 ? [length] : [length >> 8, length & 255];
  const nibbles = [4, ...[...head, ...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const words: number[] = [];
  for (let i = 0; i < nibbles.length; i += 2) words.push((nibbles[i]! << 4) | (nibbles[i + 1] ?? 0));
  for (let i = 0; words.length < dataLength(version); i++) words.push(i % 2 ? 0x11 : 0xec);
  return words;
}

/** Blocks of data, the shorter ones first, each followed by what corrects it; read across. */
function interleaved(data: readonly number[], version: number): number[] {
  const blocks = BLOCKS[version - 1]!;
  const generator = generatorOf(CORRECTING[version - 1]!);
  const least = Math.floor(data.length / blocks);
  const shorter = blocks - (data.length % blocks);
  let end = 0;
  const parts = Array.from({ length: blocks }, (_, i) => data.slice(end, (end += least + (i < shorter ? 0 : 1))));
  const checks = parts.map((part) => remainder(part, generator));
  const across = (lists: number[][]): number[] =>
    Array.from({ length: Math.max(...lists.map((list) => list.length)) }).flatMap((_, i) =>
      lists.flatMap((list) => (i < list.length ? [list[i]!] : [])),
    );
  return [...across(parts), ...across(checks)];
}

/** In GF(2)[x]/(x^8 + x^4 + x^3 + x^2 + 1). */
function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ (product & 128 ? 0x11d : 0);
    if ((b >> i) & 1) product ^= a;
  }
  return product;
}

/** (z - 1)(z - x)(z - x^2) ... of this degree, without the leading 1. */
function generatorOf(degree: number): number[] {
  let product = [1];
  let root = 1;
  for (let i = 0; i < degree; i++) {
    const shifted = [...product, 0];
    product = shifted.map((one, j) => one ^ times(product[j - 1] ?? 0, root));
    root = times(root, 2);
  }
  return product.slice(1);
}

/** What corrects a block (Reed and Solomon 1960). */
export function remainder(data: readonly number[], generator: readonly number[]): number[] {
  let rest = generator.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest[0]!;
    rest = [...rest.slice(1), 0].map((one, i) => one ^ times(generator[i]!, factor));
  }
  return rest;
}

export const correcting = (data: readonly number[], length: number): number[] =>
  remainder(data, generatorOf(length));

// --- modules --------------------------------------------------------------------------------------

/** Where the centres of the alignment patterns lie, in both directions. */
function centresOf(version: number): number[] {
  if (version === 1) return [];
  const along = Math.floor(version / 7) + 2;
  const last = sideOf(version) - 7;
  const step = 2 * Math.ceil((last - 6) / (along - 1) / 2);
  return [6, ...Array.from({ length: along - 1 }, (_, i) => last - (along - 2 - i) * step)];
}

function draw(words: readonly number[], version: number, mask: number): Modules {
  const side = sideOf(version);
  const fixed = Array.from({ length: side }, () => Array<boolean | undefined>(side).fill(undefined));
  const put = (x: number, y: number, dark: boolean): void => {
    if (x >= 0 && y >= 0 && x < side && y < side) fixed[y]![x] = dark;
  };
  for (let i = 8; i < side - 8; i++) {
    put(6, i, i % 2 === 0);
    put(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [side - 4, 3], [3, side - 4]] as const) {
    rings(cx, cy, 4, (ring) => ring !== 2 && ring !== 4, put);
  }
  const centres = centresOf(version);
  for (const cy of centres) {
    for (const cx of centres) {
      const isFinder = (cx === 6 || cx === side - 7) && (cy === 6 || cy === side - 7) && cx + cy <= side - 1;
      if (!isFinder) rings(cx, cy, 2, (ring) => ring !== 1, put);
    }
  }
  putFormat(mask, side, put);
  if (version >= 7) putVersion(version, side, put);
  return filled(fixed, words, MASKS[mask]!);
}

type Put = (x: number, y: number, dark: boolean) => void;

/** Squares around a centre. */
function rings(cx: number, cy: number, size: number, isDark: (ring: number) => boolean, put: Put): void {
  for (let dy = -size; dy <= size; dy++) {
    for (let dx = -size; dx <= size; dx++) put(cx + dx, cy + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  }
}

/** Bits and what checks them: a code of Bose, Ray-Chaudhuri and Hocquenghem. */
function checked(bits: number, polynomial: number, length: number): number {
  let rest = bits;
  for (let i = 0; i < length; i++) rest = (rest << 1) ^ ((rest >> (length - 1)) & 1 ? polynomial : 0);
  return (bits << length) | rest;
}

/** Correction level and mask, twice. */
function putFormat(mask: number, side: number, put: Put): void {
  const bits = checked(mask, 0x537, 10) ^ 0x5412; // level M is 00
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1;
    const low = i < 6 ? i : i + 1;
    if (i < 8) put(8, low, dark);
    else put(i === 8 ? 7 : 14 - i, 8, dark);
    if (i < 8) put(side - 1 - i, 8, dark);
    else put(8, side - 15 + i, dark);
  }
  put(8, side - 8, true);
}

/** The version, twice. */
function putVersion(version: number, side: number, put: Put): void {
  const bits = checked(version, 0x1f25, 12);
  for (let i = 0; i < 18; i++) {
    const [a, b] = [side - 11 + (i % 3), Math.floor(i / 3)];
    put(a, b, ((bits >> i) & 1) === 1);
    put(b, a, ((bits >> i) & 1) === 1);
  }
}

/** Bits in columns of two, upwards and downwards in turn, from the right. */
function filled(
  fixed: readonly (boolean | undefined)[][],
  words: readonly number[],
  isMasked: (x: number, y: number) => boolean,
): Modules {
  const side = fixed.length;
  const found = fixed.map((row) => row.map((dark) => dark === true));
  let next = 0;
  let upwards = true;
  for (let right = side - 1; right > 0; right -= 2, upwards = !upwards) {
    if (right === 6) right = 5; // the timing line
    for (let i = 0; i < side; i++) {
      const y = upwards ? side - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (fixed[y]![x] !== undefined) continue;
        const bit = ((words[next >> 3] ?? 0) >> (7 - (next & 7))) & 1;
        found[y]![x] = (bit === 1) !== isMasked(x, y);
        next++;
      }
    }
  }
  return found;
}

/** How hard a code is to read: long runs, squares, what looks like a finder, and too dark or too light. */
function penaltyOf(modules: Modules): number {
  const side = modules.length;
  const lines = [...modules, ...modules.map((_, x) => modules.map((row) => row[x]!))]
    .map((line) => line.map((dark) => (dark ? '1' : '0')).join(''));
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    for (let i = 0; i + 11 <= side; i++) {
      const part = line.slice(i, i + 11);
      if (part === '10111010000' || part === '00001011101') penalty += 40;
    }
  }
  for (let y = 1; y < side; y++) {
    for (let x = 1; x < side; x++) {
      const dark = modules[y]![x];
      if (modules[y - 1]![x] === dark && modules[y]![x - 1] === dark && modules[y - 1]![x - 1] === dark) penalty += 3;
    }
  }
  const share = lines.slice(0, side).join('').replaceAll('0', '').length / side ** 2;
  return penalty + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
