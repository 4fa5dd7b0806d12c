/** The archive of a closed poll as one file: what `hushvote poll archive` writes, made in this browser.
 *
 * The board is counted again while it comes in, and nothing is saved that does not hold. Intervals and the
 * page to read are the server's: `hushvote verify` computes the former from the board alone.
 */
import { digestOf } from '../../canonical.js';
import { ask, askPage, Trouble } from '../pieces/api.js';
import { inLanguage } from '../pieces/frame.js';
import { bytesOf, linesIn } from '../pieces/lines.js';
import { isSound, type Published, recount } from '../pieces/recount.js';
import { Packed, zipped } from '../pieces/zip.js';
import type { Desk } from './desk.js';

/** The file; refused as `archive.board` if the board does not hold. */
export async function archived(desk: Desk, progress: (done: number) => void): Promise<Blob> {
  const { id, poll } = desk;
  const hasResult = desk.told.standing >= poll.turnout;
  const file = (name: string): string => `hushvote-${id.slice(0, 8)}/${name}`;
  const manifest = await ask(`/polls/${id}/manifest`);
  if (digestOf(manifest) !== poll.digest) throw new Trouble('other.poll', 400);
  const files = [Packed.of(file('manifest.json'), manifest)];
  let digest = '';
  if (hasResult) {
    const result = await ask(`/polls/${id}/result`);
    const board = new Packed(file('board.jsonl'));
    const found = await recount(poll, linesIn(packing(id, board)), JSON.parse(result) as Published, progress);
    if (!isSound(found)) throw new Trouble('archive.board', 400);
    digest = found.digest;
    files.push(board, Packed.of(file('result.json'), result));
  }
  for (const name of ['index.html', 'README.txt']) {
    const text = await askPage(inLanguage(`/p/${id}/archive/${name}`));
    if (!text.includes(digest)) throw new Trouble('archive.changed', 409); // a report was erased meanwhile
    files.push(Packed.of(file(name), text));
  }
  return zipped(files);
}

/** The board's bytes, kept as they come. */
async function* packing(id: string, board: Packed): AsyncGenerator<Uint8Array> {
  for await (const piece of bytesOf(id)) {
    board.add(piece);
    yield piece;
  }
}
