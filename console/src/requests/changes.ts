import { signal } from '@preact/signals';

/** Counts the commands that this page has executed: every view reads again what it shows when it grows. */
export const changes = signal(0);

/** What the last command has done, until another page is opened. */
export const lastDone = signal<string | undefined>(undefined);

/** Shows what a command has done, and reads everything again. */
export function reportDone(text: string): void {
  lastDone.value = text;
  changes.value += 1;
}
