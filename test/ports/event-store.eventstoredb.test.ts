import { describeEventStore } from './event-store.suite.ts';
import { openNamedEventStore, openStandInEventStore } from './support/eventstoredb.ts';

const url = process.env.EVENTSTORE_URL;

if (url === undefined || url === '') {
  describeEventStore('EventStoreDB, on a stand-in because EVENTSTORE_URL is not set', openStandInEventStore);
} else {
  describeEventStore('EventStoreDB, on the server at EVENTSTORE_URL', () => openNamedEventStore(url));
}
