/** Texts that leave the page for the voter's own use: as a file, or copied. */
import { announce, el } from './dom.js';
import { tell } from './words.js';

/** Save a text as a file. */
export function save(name: string, text: string, media = 'application/json'): void {
  saveBlob(name, new Blob([text], { type: media }));
}

/** Save what the server has sent as a file. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = el('a', { href: address, download: name, class: 'unseen' });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  announce(tell('saved', { name }));
}

/** Copy a text; says whether that was possible. Without a secure address browsers have the old way only. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = el('textarea', { readonly: true, class: 'unseen' });
    field.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    field.select();
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
}
