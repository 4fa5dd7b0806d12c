// Says of each manifest that is given as one line of JSON why it is refused, with the built bundle.
import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { openPoll, Refusal } from '../../web/dist/hushvote.js';

function verdict(text) {
  try {
    openPoll(text, createHash('sha256').update(text, 'utf8').digest('hex'));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(verdict(JSON.parse(line).text))}\n`);
}
