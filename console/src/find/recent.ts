import { effect, signal } from '@preact/signals';
import type { ResponseBody } from '../../../clients/typescript/src/index.ts';
import { session } from '../session.ts';

export type SearchResult = ResponseBody<'/api/v1/find', 'post'>[number];
export type RecentFind = Pick<SearchResult, 'kind' | 'id' | 'title'>;

/** State of the last search. */
type Search =
  | { readonly kind: 'done'; readonly results: readonly SearchResult[]; readonly isIncomplete: boolean }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'refused-key' }
  | { readonly kind: 'loading' };

const MAX_RECENT = 10;

export const search = signal<Search | undefined>(undefined);
/** What this tab has found, never what was typed. */
export const recentFinds = signal<readonly RecentFind[]>([]);

export function rememberFind({ kind, id, title }: RecentFind): void {
  const others = recentFinds.value.filter((one) => one.kind !== kind || one.id !== id);
  recentFinds.value = [{ kind, id, title }, ...others].slice(0, MAX_RECENT);
}

const PATHS: { readonly [Kind in SearchResult['kind']]: string } = {
  policy: 'policies',
  claim: 'claims',
  customer: 'customers',
  merchant: 'merchants',
  insurer: 'insurers',
  product: 'products',
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns path and parameters of the page of a find.
 * @param text what was searched for: an id that is not that of the find is the id of one of its events
 */
export function addressOf({ kind, id }: RecentFind, text = id): [path: string[], query: Record<string, string>] {
  const event = text.toLowerCase();
  return [[PATHS[kind], id], UUID.test(text) && event !== id.toLowerCase() ? { event } : {}];
}

// What one key has found is forgotten before the next key.
effect(() => {
  if (session.value !== undefined) return;
  search.value = undefined;
  recentFinds.value = [];
});
