/** How long whoever asks for figures waits for a store. */
const PATIENCE_MS = 2_000;

/** What a store answers, if it does within 2 s; undefined when it fails or is late. Figures are wanted most when a store is away. */
export async function readForMetric<T>(asked: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), PATIENCE_MS);
  try {
    return await Promise.race([asked, late.promise]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
