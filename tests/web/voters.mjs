// Many voters of one poll, each with the built bundle and over real HTTP. Reads one JSON object:
// {address, id, digest, voters: [{rankings, code, withdraws}]}; every voter casts the first ranking,
// changes to the others in turn and may withdraw. Writes one line for each: what stands, the whole
// ranking it was drawn for, and all acknowledgements.
import {
  acknowledged,
  begin,
  bodyOf,
  openPoll,
  questionOf,
  send,
  vote,
  withdraw,
} from '../../web/dist/hushvote.js';

const AT_ONCE = 32;
const TWICE = 16; // every so many voters send each request twice at the same time
const HEADERS = { 'content-type': 'application/json' };

let input = '';
for await (const chunk of process.stdin) input += chunk;
const { address, id, digest, voters } = JSON.parse(input);
const path = `${address}/api/v1/polls/${id}`;
const poll = openPoll(await (await fetch(`${path}/manifest`)).text(), digest);

/** What a device has after it saved its state and read it again. */
const saved = (state) => JSON.parse(JSON.stringify(state));

async function answerTo(kind, body) {
  const answer = await fetch(`${path}/${kind}`, { method: 'POST', headers: HEADERS, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${kind}: ${answer.status} ${text}`);
  return text;
}

/** Send what the state says; the state that has the acknowledgement. */
async function sent(state, kind, times) {
  const body = bodyOf(poll, state.request);
  const answers = await Promise.all(Array.from({ length: times }, () => answerTo(kind, body)));
  if (new Set(answers).size !== 1) throw new Error(`${kind}: equal requests, unlike answers`);
  return acknowledged(poll, saved(state), JSON.parse(answers[0]));
}

async function voted({ rankings, code, withdraws }, place) {
  const question = code ? questionOf(digest, code) : undefined;
  const asked = poll.mechanism.needsQuestion ? { question } : {};
  const times = place % TWICE ? 1 : 2;
  const acknowledgements = [];
  let state = begin(poll);
  for (const ranking of rankings) {
    const drawn = vote(poll, saved(state), ranking, asked);
    const kind = state.standing === 'nothing' ? 'reports' : 'changes';
    const hash = kind === 'reports' ? question : undefined;
    state = await sent(send(poll, saved(drawn.state), drawn.report, hash), kind, times);
    acknowledgements.push(state.acknowledgement);
  }
  if (withdraws) {
    state = await sent(withdraw(poll, saved(state)), 'withdrawals', times);
    acknowledgements.push(state.acknowledgement);
  }
  const { completed } = state.draws.findLast(({ ranking }) => `${ranking}` === `${rankings.at(-1)}`);
  return { standing: state.standing, ranking: completed, acknowledgements };
}

const told = [];
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < voters.length) {
      const place = next++;
      told[place] = await voted(voters[place], place);
    }
  }),
);
process.stdout.write(told.map((one) => `${JSON.stringify(one)}\n`).join(''));
