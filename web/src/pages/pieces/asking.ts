/** Dialogs: something to read, or a question whose answer cannot be taken back. */
import { button, type Child, el, paragraph } from './dom.js';
import { tell } from './words.js';

let dialogs = 0;

/** Show something to read, until it is closed. */
export function open(title: string, ...content: Child[]): void {
  const box = dialog(title, ...content);
  const closing = button(tell('close'), () => box.close(), { class: 'closing' });
  box.prepend(closing);
  box.showModal();
  box.scrollTop = 0;
}

export interface Choice {
  readonly title: string;
  readonly texts: readonly string[];
  readonly yes: string;
  readonly no: string;
  readonly danger?: boolean;
}

/** Ask before something that cannot be undone; Escape means no, and so does Enter at once. */
export function ask({ title, texts, yes, no, danger }: Choice): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = false;
    const answered = (given: boolean) => () => {
      answer = given;
      box.close();
    };
    const decline = button(no, answered(false), { autofocus: true });
    const accept = button(yes, answered(true), { class: danger ? 'danger' : 'main' });
    const box = dialog(title, ...texts.map((text) => paragraph(text)), el('p', { class: 'actions' }, accept, decline));
    box.addEventListener('close', () => resolve(answer));
    box.showModal();
    decline.focus();
  });
}

function dialog(title: string, ...content: Child[]): HTMLDialogElement {
  const id = `dialog-${++dialogs}`;
  const box = el('dialog', { 'aria-labelledby': id }, el('h2', { id }, title), ...content);
  box.addEventListener('close', () => box.remove());
  document.body.append(box);
  return box;
}
