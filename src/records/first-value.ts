import type { Records } from './records.ts';

/**
 * Keeps a named value that nobody has said yet; of several who say it at once one wins. Who replaces the value on purpose waits until
 * nobody says it for the first time.
 * @returns the value that holds from now on: one that stood there before, or that of the winner
 * @throws {StoreUnavailable}
 */
export async function keepFirst(
  records: Pick<Records, 'getValue' | 'setValue' | 'takeLease' | 'readLease'>,
  name: string,
  value: string,
): Promise<string> {
  const kept = await records.getValue(name);
  if (kept !== undefined) return kept;
  // Values are replaced whatever stands there, but a lease that nobody ever took is taken by one of several.
  const first = (await records.takeLease(name, value, undefined)) ?? (await records.readLease(name));
  if (first?.holder === undefined) throw new Error(`Nobody holds ${name}, and yet it cannot be taken`);
  if (first.holder !== value) return first.holder;
  await records.setValue(name, value);
  return value;
}
