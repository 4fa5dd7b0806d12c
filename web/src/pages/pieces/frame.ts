/** What pages put around their content. */
import { type Child, el, paragraph, show, svg } from './dom.js';

/** Where the content of a page stands. */
export const page = (): HTMLElement => document.getElementById('page')!;

/** An address of this server, in the language that this page was asked for by its own. */
export function inLanguage(path: string): string {
  const asked = new URLSearchParams(location.search).get('lang');
  const url = new URL(path, location.origin);
  if (asked !== null) url.searchParams.set('lang', asked);
  return url.pathname + url.search + url.hash;
}

/** The head of a page, and what can be opened from it. */
export function head(...content: Child[]): HTMLElement {
  return el('header', { class: 'top screen' }, el('span', { class: 'mark-word' }, 'hushvote'), ...content);
}

/** The title of a step, which those who hear the page are led to. */
export const title = (text: string): HTMLElement => el('h2', { 'data-title': true }, text);

/** The bar at the bottom: what is said there, and what can be done. */
export function bar(...content: Child[]): HTMLElement {
  return el('div', { class: 'bar screen' }, ...content);
}

/** Nothing but a sentence, what it means, and one action. */
export function showSentence(what: string, text: string, ...actions: Child[]): void {
  show(
    page(),
    head(),
    el('section', { class: 'sentence' }, el('h1', {}, what), paragraph(text), el('div', { class: 'actions' }, ...actions)),
  );
}

/** A small picture beside words, never instead of them: lines in a square of 24. */
export function icon(path: string): SVGElement {
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': true }, svg('path', { d: path }));
}
