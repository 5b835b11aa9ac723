import { signal } from '@preact/signals';
import type { ResponseBody } from '../../../clients/typescript/src/index.ts';

export type Found = ResponseBody<'/api/v1/find', 'post'>[number];

type Recent = Pick<Found, 'kind' | 'id'>;

const MAX_RECENT = 10;

/** What this tab has found: kinds and ids. It is forgotten with the key. */
export const recentFinds = signal<readonly Recent[]>([]);

export function rememberFind({ kind, id }: Recent): void {
  const others = recentFinds.value.filter((one) => one.kind !== kind || one.id !== id);
  recentFinds.value = [{ kind, id }, ...others].slice(0, MAX_RECENT);
}
