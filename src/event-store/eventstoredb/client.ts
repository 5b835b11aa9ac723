import { EventStoreDBClient } from '@eventstore/db-client';

import { within } from './time-limit.ts';

/**
 * What the connection string does not say. A connection that died without a word is noticed in 4 s: the client's own 10 s and
 * 10 s would leave a subscription deaf for 20 s. A node of a cluster that says nothing is passed over after a second, so that there is
 * time yet to ask the next one.
 */
const usual = { keepAliveInterval: 2_000, keepAliveTimeout: 2_000, gossipTimeout: 1 };

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
  const client = quietly(() => EventStoreDBClient.connectionString(withUsual(url)));
  const inner = client as unknown as Inner;
  const { createChannel, handleError } = inner;
  inner.createChannel = () => {
    const channel = createChannel();
    channels.set(client, channel);
    return channel;
  };
  // Nobody waits for it. It waits for the connection that others have asked for meanwhile, which may not come to be.
  inner.handleError = async (...args) => await handleError(...args).catch(() => {});
  return client;
}

/** What is changed in the client though it is not public; its version is pinned. */
interface Inner {
  /** In a cluster it asks the nodes who leads, for up to ten times. */
  createChannel: () => Channel;
  handleError: (...args: readonly unknown[]) => Promise<void>;
}

function withUsual(url: string): string {
  const missing = Object.entries(usual).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  return missing.reduce((longer, [name, value]) => `${longer}${longer.includes('?') ? '&' : '?'}${name}=${value}`, url);
}

/** The client's constructor writes a warning to the terminal about every interval below 10 s; this one is meant. */
function quietly<T>(make: () => T): T {
  const terminal = globalThis.console;
  const { warn } = terminal as { readonly warn: (this: void) => void };
  terminal.warn = () => {};
  try {
    return make();
  } finally {
    terminal.warn = warn;
  }
}

/** Ends every call and the connection, within twice `limitMs`. A connection that is still sought then ends when it is found. */
export async function disconnect(client: EventStoreDBClient, limitMs: number): Promise<void> {
  await within(limitMs, client.dispose()).catch(() => {});
  // `dispose` alone would leave it open.
  const closed = channels.get(client)?.then((channel) => channel.close());
  await within(limitMs, Promise.resolve(closed)).catch(() => {});
}
