import { SafeError } from '../safe-error.ts';

/** The read models reflect events that the log does not have, so they were built from another log and must be deleted. */
export class ReadModelsLogMismatch extends SafeError {
  override readonly name = 'ReadModelsLogMismatch';
  constructor() {
    super('The read models were built from another log: delete them, and the projector rebuilds them');
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
