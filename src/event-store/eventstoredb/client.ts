import { EventStoreDBClient } from '@eventstore/db-client';

import { within } from './time-limit.ts';

/**
 * How soon a connection that died without a word is noticed, in milliseconds. The client's own 10 s and 10 s would leave a
 * subscription deaf for 20 s. `keepAliveInterval` and `keepAliveTimeout` in the connection string come first.
 */
const keepAlive = { keepAliveInterval: 2_000, keepAliveTimeout: 2_000 };

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
  const client = quietly(() => EventStoreDBClient.connectionString(withKeepAlive(url)));
  const handle = client['handleError'];
  // Nobody waits for it. It waits for the connection that others have asked for meanwhile, which may not come to be.
  client['handleError'] = async (...args) => await handle(...args).catch(() => {});
  return client;
}

function withKeepAlive(url: string): string {
  const missing = Object.entries(keepAlive).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
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

/** Ends every call and the connection, within `limitMs`. `dispose` alone would leave the connection open. */
export async function disconnect(client: EventStoreDBClient, limitMs: number): Promise<void> {
  await within(limitMs, client.dispose()).catch(() => {});
  // Not public, but the only way to the connection.
  const channel = await client['getChannel']();
  channel.close();
}
