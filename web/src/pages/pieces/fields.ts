/** Fields of forms: a label, the control, what it is for, and what is wrong with it. */
import { type Child, el, type Given, paragraph, set } from './dom.js';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface Field<T extends Control = Control> {
  readonly element: HTMLElement;
  readonly control: T;
  /** What it is for, where that changes. */
  readonly how: HTMLElement;
  /** Say what is wrong, or that nothing is. */
  judge(wrong: string | null): boolean;
}

/** A control with its label; `how` says what it is for. */
export function field<T extends Control>(control: T, label: string, how: Child = null): Field<T> {
  const id = control.id;
  const problem = el('p', { id: `${id}-problem`, class: 'bad problem', role: 'alert' });
  const about = el('p', { id: `${id}-how`, class: 'soft small' }, how);
  set(control, { 'aria-describedby': `${id}-how ${id}-problem` });
  const judge = (wrong: string | null): boolean => {
    problem.textContent = wrong;
    set(control, { 'aria-invalid': wrong !== null && 'true' });
    return wrong === null;
  };
  control.addEventListener('input', () => judge(null)); // it is being mended
  return {
    element: el('div', { class: 'field' }, el('label', { for: id }, label), control, about, problem),
    control,
    how: about,
    judge,
  };
}

export function input(id: string, given: Given = {}): HTMLInputElement {
  return el('input', { id, autocomplete: 'off', ...given });
}

export function area(id: string, rows: number, given: Given = {}): HTMLTextAreaElement {
  return el('textarea', { id, rows, autocomplete: 'off', ...given });
}

/** A box to tick, or one of several to choose, with what it means below. */
export function choice(control: HTMLInputElement, label: string, ...more: Child[]): HTMLElement {
  return el(
    'div',
    { class: 'choice' },
    el('label', {}, control, el('span', {}, label)),
    ...more.map((one) => (typeof one === 'string' ? paragraph(one, 'soft small') : one)),
  );
}

/** A whole number as somebody typed it; NaN for anything else. */
export function typedWhole(text: string): number {
  const plain = text.trim();
  if (!/^(?:[0-9]{1,9}|[0-9]{1,3}(?:[., \u00a0\u202f'][0-9]{3}){1,2})$/.test(plain)) return NaN;
  return Number(plain.replace(/[^0-9]/g, ''));
}

const MOST_AHEAD = 10 * 365 * 86_400; // seconds

/** Seconds of a time in the zone of this device; NaN if it is none to come, or too far ahead. */
export function typedTime(text: string): number {
  const seconds = Math.floor(new Date(text).getTime() / 1000);
  const now = Date.now() / 1000;
  return seconds > now && seconds < now + MOST_AHEAD ? seconds : NaN;
}

/** A time as a field of the zone of this device has it. */
export function timeField(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
