/** Error whose message contains no data of customers, so it may be logged, stored and shown. */
export class SafeError extends Error {
  override readonly name: string = 'SafeError';
}
