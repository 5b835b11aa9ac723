import { signal } from '@preact/signals';
import { hrefOf, route } from '../route.ts';

/** Counts the commands that this page has executed: every view reads again what it shows when it grows. */
export const changes = signal(0);

/** What the last command has done, until the page that shows it is left. */
export const lastDone = signal<{ readonly command: string; readonly about: string; readonly view: string } | undefined>(
  undefined,
);

/** Shows on a page, by default this one, what a command has done, and reads everything again. */
export function reportDone(command: string, about: string, page = route.value.path): void {
  lastDone.value = { command, about, view: hrefOf(page) };
  changes.value += 1;
}
