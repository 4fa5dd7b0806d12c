// Counts the reports of each poll that is given as one line of JSON, with the built bundles.
import { createInterface } from 'node:readline';
import { count } from '../../web/dist/count.js';
import { openPoll } from '../../web/dist/hushvote.js';

for await (const line of createInterface({ input: process.stdin })) {
  const { text, digest, reports } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(count(openPoll(text, digest), reports))}\n`);
}
