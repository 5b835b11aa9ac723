/** Address of an EventStoreDB that suites may use but not stop; undefined: each suite starts a stand-in. */
export const NAMED_EVENTSTORE: string | undefined = process.env['EVENTSTORE_URL'] || undefined;

/** Name of the server under test, for titles of suites that run on either. */
export const EVENTSTORE_UNDER_TEST =
  NAMED_EVENTSTORE === undefined ? 'a stand-in for EventStoreDB' : 'the EventStoreDB at EVENTSTORE_URL';
