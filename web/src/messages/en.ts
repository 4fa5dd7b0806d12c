// Written by web/catalogue.py from the catalogue of the Python package.
import { explainer, speaker } from './say.js';

export const language = 'en';

/** Says what a report means. */
export const say = speaker({
  "list.comma": ", ",
  "list.and": "{most} and {last}",
  "group": "{{{members}}}",
  "group.before": "{better} before {worse}",
  "report.over": "{above} over {below}",
  "report.yes": "Do I put {above} over {below}? I say yes.",
  "report.no": "Do I put {above} over {below}? I say no.",
  "report.named": "I name {names}.",
  "report.marks.for": "I mark {names}; marks count for a candidate.",
  "report.marks.against": "I mark {names}; marks count against a candidate.",
  "report.nobody.for": "I mark nobody; marks count for a candidate.",
  "report.nobody.against": "I mark nobody; marks count against a candidate.",
  "report.scores": "My scores, blurred: {scores}.",
  "report.score": "{name} {score:.2f}",
}, ".");

/** Says why something was refused. */
export const reason = explainer({
  "": "Something is wrong here, and nothing was sent ({code}).",
  "poll": "This poll's description is damaged or forged, so nothing was sent ({code}).",
  "poll.digest": "This is not the poll that your link names, so nothing was sent.",
  "poll.version": "This poll needs another version of hushvote.",
  "name": "A name in this poll cannot be shown as it should be ({code}).",
  "rule": "The voting rule of this poll is damaged or forged ({code}).",
  "parameters": "The numbers that this poll draws with are damaged or forged ({code}).",
  "parameters.epsilon": "This poll states an epsilon that is no protection, or none at all.",
  "parameters.odds": "This poll would give away more about your vote than it says.",
  "parameters.cost": "This poll asks for more work than a device should do.",
  "parameters.mechanism": "This poll draws in a way that this device does not know.",
  "question": "The questions of this poll are damaged or forged ({code}).",
  "question.hash": "Your invite code gives no question; take it as it was sent to you.",
  "question.missing": "This poll needs your invite code.",
  "question.needless": "This poll asks no question of your own.",
  "ranking": "This is no ranking of the candidates ({code}).",
  "ranking.length": "Not all candidates are ranked that must be.",
  "report": "This is no report of this poll ({code}).",
  "credential": "This is no credential, or a damaged one: take the file as it was saved.",
  "ack": "The answer is no acknowledgement of what was sent ({code}): keep it, and ask why.",
  "code.form": "A code has 21 digits and letters; some are missing, or too many.",
  "code.check": "This code has a wrong character, or two that are swapped.",
  "state.poll": "What is kept here belongs to another poll.",
  "state.spent": "You have seen as many reports as this poll allows; choose one of them.",
  "state.changes": "You have changed your vote as often as this poll allows.",
  "state.unanswered": "What was sent last is not acknowledged yet: send it again first.",
  "state.unasked": "Nothing was sent that could be acknowledged.",
  "state.uncast": "There is no vote to withdraw yet.",
  "state.withdrawn": "Your vote is withdrawn, and that is final.",
});
