import { signal } from '@preact/signals';
import { hrefOf, route } from '../route.ts';

/** Counts the commands that this page has executed: every view reads again what it shows when it grows. */
export const changes = signal(0);

/** What the last command has done, until the page that shows it is left. */
export const lastDone = signal<
  { readonly command: string; readonly about: string | undefined; readonly view: string } | undefined
>(undefined);

/** Shows what a command has done, here with what it is about, or on the page that it opens; reads everything again. */
export function reportDone(command: string, about: string, page?: readonly string[]): void {
  lastDone.value = {
    command,
    about: page === undefined ? about : undefined,
    view: hrefOf(page ?? route.value.path),
  };
  changes.value += 1;
}
