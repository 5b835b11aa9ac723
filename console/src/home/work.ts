import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Work } from '../../../clients/typescript/src/index.ts';
import { useRequest } from '../requests/use-request.ts';
import type { Session } from '../session.ts';

const POLL_MS = 60_000;

/** What waits for the person who is signed in; undefined until it is known. */
export const work = signal<Work | undefined>(undefined);

/** Asks what waits, when the page opens and once a minute while it is seen. */
export function useWork({ client }: Session): void {
  const { value, reload } = useRequest('work', async (options) => await client.work({}, options));
  useEffect(() => {
    work.value = value;
  }, [value]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Returns how many claims are open. */
export function openClaimsIn({ claims }: Work): number {
  return Object.values(claims).reduce((sum, count) => sum + count, 0);
}

/** Returns the id by which claims are assigned to the person, or to the key. */
export function assigneeOf({ me }: Session): string | undefined {
  return me.person?.person_id ?? me.key_id ?? undefined;
}

/** Whether the person handles claims: those of a merchant are assigned to others. */
export function isHandler({ me }: Session): boolean {
  return me.role !== 'merchant' && me.role !== 'auditor';
}
