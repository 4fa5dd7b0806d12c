// Randomise one vote, as a voter's own device does.
//
//     node examples/vote.mjs Chiara Ada Ben Eun-ji Dmitri
//     node examples/vote.mjs --poll manifest.json --digest 5b1c... Chiara Ada Ben Eun-ji Dmitri
//     node examples/vote.mjs --poll manifest.json --digest 5b1c... --code 0123456-789ABCD-EFGHJKJ Chiara Ada
//
// The candidates are named best first. Without --poll the example's own poll.json is used. The digest comes with
// the invitation, never from whoever hands out the manifest: it is what makes the two the same poll.
// The report goes to standard output as JSON; what it says, and what it keeps, to standard error.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openPoll, questionOf, Refusal } from '../web/dist/hushvote.js';
import { reason, say } from '../web/dist/en.js';

const EXAMPLE = new URL('poll.json', import.meta.url);
const DIGEST = 'b596a08793174802aa1d788d3d125ab257ea3b86367c1727e72222df0b1736cd';

function vote() {
  const { values, positionals } = parseArgs({
    options: {
      poll: { type: 'string' },
      digest: { type: 'string' },
      code: { type: 'string' }, // the invite code, in polls that ask every voter another question
    },
    allowPositionals: true,
  });
  if (values.poll !== undefined && values.digest === undefined) {
    throw new Error('give the digest from your invitation, too: --digest ...');
  }
  const bytes = readFileSync(values.poll ?? EXAMPLE);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const poll = openPoll(text.replace(/\n$/, ''), values.digest ?? DIGEST); // a line end that an editor added

  const ranking = positionals.map((name) => {
    const candidate = poll.candidates.indexOf(name);
    if (candidate < 0) {
      throw new Error(`there is no candidate ${JSON.stringify(name)}; there are ${poll.candidates.join(', ')}`);
    }
    return candidate;
  });
  const asks = poll.mechanism.needsQuestion && values.code !== undefined;
  const { report } = poll.draw(ranking, asks ? { question: questionOf(poll.digest, values.code) } : {});

  console.error(poll.question);
  console.error(`Your ranking stays here. What would be sent: ${poll.words(report, say)}`);
  const { factor, epsilon } = poll.check();
  console.error(`Whoever sees it can multiply their odds about your vote by ${factor} at most (epsilon ${epsilon}).`);
  console.log(JSON.stringify(report));
}

try {
  vote();
} catch (error) {
  console.error(error instanceof Refusal ? reason(error) : error.message);
  process.exitCode = 2;
}
