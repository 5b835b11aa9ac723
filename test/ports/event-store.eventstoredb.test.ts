import { describeEventStore } from './event-store.suite.ts';
import { openNamedEventStore, openStandInEventStore } from './support/eventstoredb.ts';

const url = process.env.EVENTSTORE_URL;

if (url === undefined || url === '') {
  describeEventStore('EventStoreDB, by a stand-in, since EVENTSTORE_URL names no server', openStandInEventStore);
} else {
  describeEventStore('EventStoreDB, by the server that EVENTSTORE_URL names', () => openNamedEventStore(url));
}
