import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { unlessAborted } from '../../shared/timing.ts';
import { Deadline } from './deadline.ts';

/** Seconds for the response of a cluster node, short enough to ask the next node within the time limit of a call. */
const gossipTimeoutSeconds = 1;

/** Time without any answer, while calls wait for one, after which a call that times out drops the connection. */
const maxSilenceMs = 2_000;
/**
 * The same after several silent connections in a row: one that is dropped before it is established leaves its socket
 * open until the server answers or closes it.
 */
const longMaxSilenceMs = 30_000;
const silentInRow = 5;

type Channel = Awaited<ReturnType<EventStoreDBClient['getChannel']>>;
/** A channel as the calls on it see it. */
interface Link {
  readonly channel: Channel;
  /** When the first call started that was sent after the last answer. */
  unansweredSince: number | undefined;
  /** Aborts when the connection is dropped because it is silent. */
  readonly dropped: AbortController;
}

type CallClient = Parameters<EventStoreDBClient['handleError']>[0];

/**
 * The client and its connection, which is established with the first call. Changes three private members of the client,
 * whose version is pinned (docs/decisions/0004).
 */
export class Connection {
  readonly client: EventStoreDBClient;
  #channel: Promise<Channel> | undefined;
  /** The channel of the last call. */
  #link: Link | undefined;
  /** Number of connections dropped since the last response. */
  #droppedInRow = 0;

  /** @throws {TypeError} when the connection string is invalid, or has an option that the adapter does not support */
  constructor(url: string) {
    const client = EventStoreDBClient.connectionString(checkedAddress(url));
    const getChannel = client['getChannel'];
    const handleError = client['handleError'];
    // Makes each append a call `Append` of its own.
    client['supports'] = () => Promise.resolve(false);
    client['getChannel'] = () => (this.#channel = getChannel());
    client['handleError'] = async (...args) => {
      // An append that has the connection but has not sent anything would never end if the connection were closed now.
      await nextTurn();
      // No caller awaits this promise, which rejects when a connection that other calls have started fails.
      await handleError(...args).catch(() => {});
    };
    this.client = client;
  }

  /** Aborts when the connection of the last call is dropped because it is silent. */
  get dropped(): AbortSignal | undefined {
    return this.#link?.dropped.signal;
  }

  /**
   * Sends a request once there is a connection. If the call times out and the server has answered no call on that
   * connection for a while, drops the connection: all calls on it end, and the next call looks for the leader again.
   * @param send sends the request and fails with `StoreUnavailable` after the deadline only; calls `onData` for each
   * part of the response
   * @throws {UnavailableError} when the connection is dropped
   */
  async call<T extends object>(deadline: Deadline, send: (onData: () => void) => Promise<T>): Promise<T> {
    // A call that waits for a connection cannot be cancelled, and would be sent after its time limit.
    const link = this.#linkOf(await deadline.limit(this.client['getChannel']()));
    link.unansweredSince ??= performance.now();
    const onData = (): void => {
      link.unansweredSince = undefined;
      this.#droppedInRow = 0;
    };
    try {
      const response = await unlessAborted(send(onData), link.dropped.signal);
      if (response === undefined) throw new UnavailableError();
      onData();
      return response;
    } catch (error) {
      if (error instanceof StoreUnavailable) await this.#dropIfSilent(link);
      else link.unansweredSince = undefined;
      throw error;
    }
  }

  /** Closes the connection within `limitMs`; a pending one is closed once it is established. */
  async close(limitMs: number): Promise<void> {
    const closed = this.#channel?.then((channel) => channel.close());
    await new Deadline(limitMs).limit(Promise.resolve(closed)).catch(() => {});
  }

  #linkOf(channel: Channel): Link {
    if (this.#link?.channel !== channel)
      this.#link = { channel, unansweredSince: undefined, dropped: new AbortController() };
    return this.#link;
  }

  async #dropIfSilent(link: Link): Promise<void> {
    // Answers may have arrived while the event loop was busy.
    await nextTurn();
    const { channel, unansweredSince, dropped } = link;
    const limitMs = this.#droppedInRow < silentInRow ? maxSilenceMs : longMaxSilenceMs;
    if (unansweredSince === undefined || performance.now() - unansweredSince < limitMs) return;
    link.unansweredSince = undefined;
    this.#droppedInRow += 1;
    // `handleError` reads nothing else of the client of a call.
    const callClient: Pick<CallClient, 'getChannel'> = { getChannel: () => channel };
    void this.client['handleError'](callClient as CallClient, new UnavailableError());
    // It closes the channel in the next turn. While the client already looks for the leader, it waits for that and
    // closes nothing.
    await nextTurn();
    dropped.abort();
  }
}

function checkedAddress(url: string): string {
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
  return /[?&]gossipTimeout=/i.test(url)
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}gossipTimeout=${gossipTimeoutSeconds}`;
}
