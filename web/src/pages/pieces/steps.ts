/** The steps of something, as a line of words. */
import { el } from './dom.js';

export function steps(label: string, names: readonly string[], current: number): HTMLElement {
  return el(
    'nav',
    { class: 'steps', 'aria-label': label },
    el(
      'ol',
      {},
      ...names.map((name, i) =>
        el('li', { class: i < current ? 'done' : undefined, 'aria-current': i === current ? 'step' : undefined }, name),
      ),
    ),
  );
}
