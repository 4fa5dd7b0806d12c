/** Work in short pieces: a worker of its own would need an address that trusted types refuse. */

const PIECE = 12; // milliseconds after which the page may do something else

/** A pause that is taken only where the last one is long ago. */
export function pauses(): () => Promise<boolean> {
  let until = performance.now() + PIECE;
  return async () => {
    if (performance.now() <= until) return false;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + PIECE;
    return true;
  };
}
