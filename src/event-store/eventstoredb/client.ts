import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { Deadline } from './deadline.ts';

/**
 * Options of the connection string where it does not set them. `gossipTimeout`: seconds for the response of a cluster node, short enough
 * to ask the next node within the time limit of a call. `keepAliveTimeout`: milliseconds for the response to the ping that the client
 * sends every 10 s; then it opens another connection, in a cluster to the current leader.
 */
const defaults = { gossipTimeout: 1, keepAliveTimeout: 3_000 };

type Channel = ReturnType<EventStoreDBClient['getChannel']>;

const channels = new WeakMap<EventStoreDBClient, Channel>();

/**
 * Creates the client for `url`, which connects with the first call. Changes three private members of the client, whose version is
 * pinned (docs/decisions/0004).
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
  const client = EventStoreDBClient.connectionString(withDefaults(url));
  const getChannel = client['getChannel'];
  const handleError = client['handleError'];
  // Makes each append a call `Append` of its own.
  client['supports'] = () => Promise.resolve(false);
  client['getChannel'] = () => {
    const channel = getChannel();
    channels.set(client, channel);
    return channel;
  };
  client['handleError'] = async (...args) => {
    // An append that has the connection but has not sent anything would never end if the connection were closed now.
    await nextTurn();
    // No caller awaits this promise, which rejects when a connection that other calls have started fails.
    await handleError(...args).catch(() => {});
  };
  return client;
}

function withDefaults(url: string): string {
  const missing = Object.entries(defaults).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  return missing.reduce((all, [name, value]) => `${all}${all.includes('?') ? '&' : '?'}${name}=${value}`, url);
}

/** Closes the connection within `limitMs`; a pending one is closed once it is established. */
export async function disconnect(client: EventStoreDBClient, limitMs: number): Promise<void> {
  const closed = channels.get(client)?.then((channel) => channel.close());
  await new Deadline(limitMs).limit(Promise.resolve(closed)).catch(() => {});
}
