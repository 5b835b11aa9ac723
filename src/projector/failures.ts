/** The read models reflect events that the log does not have: they were made from another log and must be deleted. */
export class ReadModelsAhead extends Error {
  override readonly name = 'ReadModelsAhead';
  constructor() {
    super('The read models were made from another log: delete them, they are then made again');
  }
}

/** The event store ended a subscription by itself. */
export class SubscriptionEnded extends Error {
  override readonly name = 'SubscriptionEnded';
}
