/** Nodes without markup: every text becomes a text node, so nothing in a poll can become a script, and
 * the pages work under trusted types.
 */

export type Child = Node | string | null | undefined | false;

type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Given {
  /** Attributes; false and undefined leave one out, true writes it empty, or as ARIA wants it. */
  readonly [attribute: string]: Value | Handlers;
  readonly on?: Handlers;
}

type Value = string | number | boolean | undefined;

const REFUSED = /^(?:on|style$|srcdoc$)/;

/** An element: `el('p', { class: 'soft' }, 'text')`. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given: Given = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, handler] of Object.entries(given.on ?? {})) {
    made.addEventListener(name, handler as EventListener);
  }
  set(made, given);
  made.append(...present(children));
  return made;
}

/** The same for a picture. */
export function svg(tag: string, given: Given = {}, ...children: Child[]): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  set(made, given);
  made.append(...present(children));
  return made;
}

/** Put attributes on an element, or take them off. */
export function set(element: Element, given: Given): void {
  for (const [name, value] of Object.entries(given)) {
    if (name === 'on') continue;
    if (REFUSED.test(name)) throw new Error(`${name} is no attribute of these pages`);
    if (value === false || value === undefined) element.removeAttribute(name);
    else if (value === true) element.setAttribute(name, name.startsWith('aria-') ? 'true' : '');
    else element.setAttribute(name, `${value as string | number}`);
  }
}

/** Children that are there. */
export function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false);
}

export function button(text: string, act: () => void, given: Given = {}): HTMLButtonElement {
  return el('button', { type: 'button', ...given, on: { click: act } }, text);
}

export const paragraph = (text: string, kind = ''): HTMLParagraphElement =>
  el('p', kind ? { class: kind } : {}, text);

/** A sentence, what it means, and what one can do about it. */
export function notice(kind: 'good' | 'warn' | 'bad' | '', what: string, ...more: Child[]): HTMLElement {
  const lines = more.map((one) => (typeof one === 'string' ? paragraph(one) : one));
  return el('div', { class: `notice ${kind}`.trim() }, paragraph(what, 'what'), ...lines);
}

let speaking: HTMLElement | undefined;

/** Say something to those who hear the page; the same twice is said twice. */
export function announce(text: string): void {
  if (!speaking?.isConnected) {
    speaking = el('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
    document.body.append(speaking);
  }
  speaking.textContent = speaking.textContent === text ? `${text}\u00a0` : text;
}

let isFirst = true;

/** Show this in the place of what was there, begin at its top, and lead those who hear it there. */
export function show(place: HTMLElement, ...children: Child[]): void {
  place.replaceChildren(...present(children));
  if (isFirst) {
    isFirst = false; // a page that was just loaded is read from its beginning
    return;
  }
  window.scrollTo({ top: 0, behavior: 'instant' });
  const title = place.querySelector<HTMLElement>('[data-title]') ?? place.querySelector<HTMLElement>('h1');
  title?.setAttribute('tabindex', '-1');
  title?.focus({ preventScroll: true });
}
