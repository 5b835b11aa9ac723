import { EventStoreDBClient } from '@eventstore/db-client';

import { withTimeout } from './timeouts.ts';

/**
 * Seconds for the answer of a cluster node, short enough to ask the next node within the time limit of a call.
 * Keep-alive uses the defaults of the client: every 10 s, with 10 s for the answer.
 */
const gossipTimeoutSeconds = 1;

type Channel = Promise<{ close(): void }>;

const channels = new WeakMap<EventStoreDBClient, Channel>();

/**
 * Creates the client for `url`, which connects with the first call.
 * @throws {TypeError} when the connection string is invalid, or has an option that the adapter does not support
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
  // No caller awaits this promise, which rejects when a connection that other calls started fails.
  inner.handleError = async (...args) => await handleError(...args).catch(() => {});
  return client;
}

/** Private members of the client that this adapter replaces; the version of the client is pinned. */
interface Inner {
  /** In a cluster it asks the nodes for the leader, up to ten times. */
  createChannel: () => Channel;
  handleError: (...args: readonly unknown[]) => Promise<void>;
}

function withGossipTimeout(url: string): string {
  if (/[?&]gossipTimeout=/i.test(url)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}gossipTimeout=${gossipTimeoutSeconds}`;
}

/** Ends all calls and closes the connection, within twice `limitMs`. A pending connection is closed once it is established. */
export async function disconnect(client: EventStoreDBClient, limitMs: number): Promise<void> {
  await withTimeout(limitMs, client.dispose()).catch(() => {});
  // `dispose` leaves the channel open.
  const closed = channels.get(client)?.then((channel) => channel.close());
  await withTimeout(limitMs, Promise.resolve(closed)).catch(() => {});
}
