/** What this device keeps between visits; where it may not, as long as the page is open. */

const memory = new Map<string, string>();
let durable: boolean | undefined;

/** Whether what is kept outlives this page. */
export function isDurable(): boolean {
  if (durable === undefined) {
    try {
      const name = 'hushvote.try';
      localStorage.setItem(name, name);
      durable = localStorage.getItem(name) === name;
      localStorage.removeItem(name);
    } catch {
      durable = false;
    }
  }
  return durable;
}

export function kept(name: string): unknown {
  const text = (isDurable() ? localStorage.getItem(name) : null) ?? memory.get(name);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  memory.set(name, text);
  if (!isDurable()) return;
  try {
    localStorage.setItem(name, text);
  } catch {
    durable = false; // full, or taken away meanwhile
  }
}

export function drop(name: string): void {
  memory.delete(name);
  if (isDurable()) localStorage.removeItem(name);
}
