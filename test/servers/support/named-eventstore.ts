/** The EventStoreDB that suites may use, but not stop; undefined: each starts a stand-in of its own. */
export const NAMED_EVENTSTORE: string | undefined = process.env['EVENTSTORE_URL'] || undefined;

/** What suites run on where either will do, for their names. */
export const EVENTSTORE_UNDER_TEST =
  NAMED_EVENTSTORE === undefined ? 'a stand-in for EventStoreDB' : 'the EventStoreDB that EVENTSTORE_URL names';
