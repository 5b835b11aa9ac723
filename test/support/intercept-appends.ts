import type { Append, AppendResult, EventStore } from '#stores/event-log/event-log.ts';

/**
 * Runs a function around each append of a store, also where several are given to it together.
 * @returns restores the store
 */
export function interceptAppends(
  store: Pick<EventStore, 'append'>,
  around: (append: () => Promise<AppendResult>, given: Append) => Promise<AppendResult>,
): () => void {
  const intact = store.append.bind(store);
  store.append = async (appends) => {
    const results: AppendResult[] = [];
    for (const given of appends) {
      const append = async (): Promise<AppendResult> => {
        const [result] = await intact([given]);
        if (result === undefined) throw new Error('an append has no result');
        return result;
      };
      results.push(await around(append, given));
    }
    return results;
  };
  return () => {
    store.append = intact;
  };
}
