const TIMEOUT_MS = 2_000;

/**
 * Returns what a store answers within 2 s; undefined when it fails or is late, so that the other metrics can be scraped during an
 * outage.
 */
export async function readForMetric<T>(answer: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), TIMEOUT_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
