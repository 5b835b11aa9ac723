/**
 * Works on every item, on at most `most` at the same time, in their order. After a failure no further item is begun; those at
 * hand end first. @throws what the first of them threw
 */
export async function mapConcurrently<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
