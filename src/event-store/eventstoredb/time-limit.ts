/** A call did not end in time; whether it had an effect is unknown. */
export class TimeLimitReached extends Error {
  override readonly name = 'TimeLimitReached';
}

/** The outcome of `call`, unless it takes longer than `ms` milliseconds; what comes later is nobody's. @throws {TimeLimitReached} */
export async function within<T>(ms: number, call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitReached(`EventStoreDB did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([call, limit]);
  } finally {
    clearTimeout(timer);
  }
}
