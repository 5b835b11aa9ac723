/** Reports a problem that the operator can solve. The message has one sentence per line, without a stack trace. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** Error whose message contains no data of customers, so it may be logged, stored and shown. */
export class SafeError extends Error {
  override readonly name: string = 'SafeError';
}
