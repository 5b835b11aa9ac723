import { SafeError } from '../safe-error.ts';

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
