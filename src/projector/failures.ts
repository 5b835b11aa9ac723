/** The read models reflect events that the log does not have: they were made from another log and must be deleted. */
export class ReadModelsAhead extends Error {
  override readonly name = 'ReadModelsAhead';
  constructor() {
    super('The read models were made from another log: delete them, they are then made again');
  }
}

/** Somebody deleted read models while they were in use. */
export class ReadModelsMissing extends Error {
  override readonly name = 'ReadModelsMissing';
  constructor(collections: readonly string[]) {
    super(`Somebody deleted read models, or how far they are (${collections.join(', ')}): all are made anew`);
  }
}

/** The event store ended a subscription by itself. */
export class SubscriptionEnded extends Error {
  override readonly name = 'SubscriptionEnded';
}
