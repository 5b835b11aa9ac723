/** The read models reflect positions that the log does not have: they were made from another log and must be deleted. */
export class ReadModelsAhead extends Error {
  override readonly name = 'ReadModelsAhead';
}

/** The event store ended a subscription by itself. */
export class SubscriptionEnded extends Error {
  override readonly name = 'SubscriptionEnded';
}
