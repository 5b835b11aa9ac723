import { withTimeout } from '../../timing.ts';

const TIMEOUT_MS = 2_000;

/**
 * Returns what a store answers within 2 s; undefined when it fails or is late, so that the other metrics can be scraped during an
 * outage.
 */
export async function readForMetric<T>(answer: Promise<T>): Promise<T | undefined> {
  return await withTimeout(answer, TIMEOUT_MS, () => undefined).catch(() => undefined);
}
