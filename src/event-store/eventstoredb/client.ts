import { EventStoreDBClient } from '@eventstore/db-client';

import { withTimeout } from './time-limit.ts';

/**
 * Seconds after which a node of a cluster that does not answer is passed over, so that there is time left to ask the next one.
 * The intervals of keep-alive are the client's own: 10 s, and 10 s for the answer.
 */
const gossipTimeout = 1;

type Channel = Promise<{ close(): void }>;

/** The connections that were begun last. */
const channels = new WeakMap<EventStoreDBClient, Channel>();

/**
 * The client for `url`. Nothing is connected before the first call.
 * @throws {TypeError} when the connection string is of another kind, or asks for what the adapter cannot work with.
 */
export function connect(url: string): EventStoreDBClient {
  if (!/^esdb(\+discover)?:\/\//i.test(url)) {
    throw new TypeError('The address of EventStoreDB must begin with esdb:// or esdb+discover://');
  }
  if (/[?&]throwOnAppendFailure=false/i.test(url)) {
    throw new TypeError(
      'throwOnAppendFailure=false reports wrong revisions: leave it out of the address of EventStoreDB',
    );
  }
  if (/^[^?]*@/.test(url) && /[?&]tls=false/i.test(url)) {
    throw new TypeError('The credentials in the address of EventStoreDB would be ignored: they need TLS');
  }
  const client = EventStoreDBClient.connectionString(withGossipTimeout(url));
  const inner = client as unknown as Inner;
  const { createChannel, handleError } = inner;
  inner.createChannel = () => {
    const channel = createChannel();
    channels.set(client, channel);
    return channel;
  };
  // No caller awaits this promise. It waits for a connection that other calls asked for, which may never be established.
  inner.handleError = async (...args) => await handleError(...args).catch(() => {});
  return client;
}

/** What is changed in the client though it is not public; its version is pinned. */
interface Inner {
  /** In a cluster it asks the nodes who leads, for up to ten times. */
  createChannel: () => Channel;
  handleError: (...args: readonly unknown[]) => Promise<void>;
}

function withGossipTimeout(url: string): string {
  if (/[?&]gossipTimeout=/i.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}gossipTimeout=${gossipTimeout}`;
}

/** Ends every call and the connection, within twice `limitMs`. A connection that is still sought then ends when it is found. */
export async function disconnect(client: EventStoreDBClient, limitMs: number): Promise<void> {
  await withTimeout(limitMs, client.dispose()).catch(() => {});
  // `dispose` alone would leave it open.
  const closed = channels.get(client)?.then((channel) => channel.close());
  await withTimeout(limitMs, Promise.resolve(closed)).catch(() => {});
}
