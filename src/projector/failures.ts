import { SafeError } from '../safe-error.ts';

/** The read models reflect events that the log does not have: it is another one, an older one, or has lost its end. */
export class ReadModelsLogMismatch extends SafeError {
  override readonly name = 'ReadModelsLogMismatch';
  constructor() {
    super(
      'The read models were built from another log: if the log was restored from a backup, delete them, and the projector rebuilds them; else it has lost its end: keep them (docs/runbook.md, A damaged log)',
    );
  }
}

/** Read models or their checkpoints were deleted while they were in use. */
export class ReadModelsMissing extends SafeError {
  override readonly name = 'ReadModelsMissing';
  constructor(collections: readonly string[]) {
    super(`Read models or their checkpoints were deleted (${collections.join(', ')}): all read models are rebuilt`);
  }
}

export class SubscriptionEnded extends SafeError {
  override readonly name = 'SubscriptionEnded';
}
