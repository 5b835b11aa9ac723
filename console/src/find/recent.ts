import { signal } from '@preact/signals';
import type { ResponseBody } from '../../../clients/typescript/src/index.ts';

export type Found = ResponseBody<'/api/v1/find', 'post'>[number];
type Recent = Pick<Found, 'kind' | 'id'>;

/** What a search has found, or why it has not. */
export type Outcome =
  | { readonly kind: 'found'; readonly results: readonly Found[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'key' }
  | { readonly kind: 'loading' };

const MAX_RECENT = 10;

export const outcome = signal<Outcome | undefined>(undefined);
/** What this tab has found: kinds and ids. */
export const recentFinds = signal<readonly Recent[]>([]);

export function rememberFind({ kind, id }: Recent): void {
  const others = recentFinds.value.filter((one) => one.kind !== kind || one.id !== id);
  recentFinds.value = [{ kind, id }, ...others].slice(0, MAX_RECENT);
}

/** Forgets what one key has found, before the next key. */
export function forgetFinds(): void {
  outcome.value = undefined;
  recentFinds.value = [];
}
