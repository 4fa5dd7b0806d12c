/** Dragging a row by its handle, with a mouse, a pen or a finger. */

export interface Dropping {
  /** The rows that a dragged one can come between, from the top. */
  rows(): HTMLElement[];
  /** Below this height on the screen a row belongs nowhere. */
  end(): number;
  /** Show where it would go: a place between the rows, or null. */
  mark(place: number | null): void;
  drop(place: number | null): void;
}

const EDGE = 90; // pixels at the top and the bottom of the screen where the page begins to move
const FASTEST = 15; // pixels that the page moves at a time
const SLOP = 4; // pixels that a hand may shake

export function draggable(handle: HTMLElement, row: HTMLElement, dropping: Dropping): void {
  handle.addEventListener('pointerdown', (down) => {
    if (down.button !== 0 || !down.isPrimary) return;
    let y = down.clientY;
    let moved = false;
    let frame = 0;
    const from = down.clientY + window.scrollY;
    handle.setPointerCapture(down.pointerId);

    const placeAt = (): number | null => {
      if (y > dropping.end()) return null;
      return dropping.rows().filter((one) => one !== row && middle(one) < y).length;
    };
    const follow = (): void => {
      // The row stays in the list, or it would make the page longer, without an end.
      const room = (row.offsetParent as HTMLElement).clientHeight - row.offsetHeight;
      const way = Math.min(Math.max(y + window.scrollY - from, -row.offsetTop), room - row.offsetTop);
      row.style.transform = `translateY(${way}px)`;
      dropping.mark(placeAt());
    };
    const scroll = (): void => {
      const speed = y < EDGE ? y - EDGE : y > innerHeight - EDGE ? y - innerHeight + EDGE : 0;
      if (speed) {
        window.scrollBy({ top: Math.min(Math.max(speed / 6, -FASTEST), FASTEST), behavior: 'instant' });
        follow();
      }
      frame = requestAnimationFrame(scroll);
    };
    const move = (event: PointerEvent): void => {
      if (event.pointerId !== down.pointerId) return;
      y = event.clientY;
      if (!moved && Math.abs(y + window.scrollY - from) < SLOP) return;
      if (!moved) {
        moved = true;
        row.classList.add('dragged');
        frame = requestAnimationFrame(scroll);
      }
      follow();
    };
    const end = (event: PointerEvent | KeyboardEvent): void => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      listening.abort();
      cancelAnimationFrame(frame);
      const place = placeAt();
      row.classList.remove('dragged');
      row.style.transform = '';
      dropping.mark(null);
      if (moved && event.type === 'pointerup') dropping.drop(place);
    };
    const listening = new AbortController();
    const { signal } = listening;
    handle.addEventListener('pointermove', move, { signal });
    handle.addEventListener('pointerup', end, { signal });
    handle.addEventListener('pointercancel', end, { signal });
    window.addEventListener('keydown', end, { signal });
  });
}

function middle(element: HTMLElement): number {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}
