import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

import { excludeSystemEvents, START } from '@eventstore/db-client';
import type { AllStreamSubscription, EventStoreDBClient } from '@eventstore/db-client';

import type { Position, StoredEvent, SubscribeOptions, SubscriptionMessage } from '../event-store.ts';
import { isNoRecordThere, isTooSlow, unavailable } from './errors.ts';
import { Inbox } from './inbox.ts';
import type { Reader } from './reading.ts';
import { isOwn, toStored } from './stored-event.ts';

/** Before the first event of the log. */
const beginning: Position = 0n;
/** For how many turns of the event loop nothing must have come, before a batch goes out that is not full. */
const idleTurns = 3;
/** Instead of a turn, while there is known to be more: full batches are worth far more to the reader. */
const momentMs = 2;

/**
 * The log without the server's own events. A position is only ever that of an event that was given (or `after`): the
 * checkpoints of the server, which may name the place behind the last event it looked at, or none for a long time, are not used.
 * Ends when the signal aborts. One that the server ends because its reader is slow is taken up again at once, as long as it gives
 * anything in between. @throws {StoreUnavailable} when the server, or the way to it, is lost
 */
export async function* subscribe(
  client: EventStoreDBClient,
  reader: Reader,
  { after, batch, signal }: SubscribeOptions,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  if (signal.aborted) return;
  // What the log holds now must have been given before it can be said that the reader has caught up.
  const head = await headOf(reader, signal);
  if (head === undefined) return;
  const progress = { position: after ?? beginning, head, announced: undefined };
  let from = after === undefined || after <= beginning ? undefined : after;
  for (;;) {
    const before = progress.position;
    const lost = yield* follow(client, from, progress, { batch, signal });
    if (lost === undefined) return;
    const hasMoved = progress.position > before;
    // The server gives up who is slower than what is written, however much that may be; it is gone on from what was given.
    if (hasMoved && isTooSlow(lost.cause)) from = progress.position;
    // The position is none of this log: everything is gone through, and what lies behind the position is given.
    else if (!hasMoved && from !== undefined && isNoRecordThere(lost.cause)) from = undefined;
    else throw unavailable('The subscription to EventStoreDB has ended', lost.cause);
  }
}

/** Position of the newest event; undefined when the signal aborted meanwhile. */
async function headOf(reader: Reader, signal: AbortSignal): Promise<Position | undefined> {
  try {
    const head = (await reader.lastPosition()) ?? beginning;
    return signal.aborted ? undefined : head;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

interface Progress {
  /** Everything up to here was given. */
  position: Position;
  readonly head: Position;
  announced: Position | undefined;
}

/** Returns why the subscription ended; undefined when the signal aborted it. */
async function* follow(
  client: EventStoreDBClient,
  from: Position | undefined,
  progress: Progress,
  { batch, signal }: Pick<SubscribeOptions, 'batch' | 'signal'>,
): AsyncGenerator<SubscriptionMessage, { readonly cause: unknown } | undefined, undefined> {
  const inbox = new Inbox(2 * batch);
  const subscription = client.subscribeToAll(
    {
      fromPosition: from === undefined ? START : { commit: from, prepare: from },
      filter: excludeSystemEvents(),
      // A node that is behind would give nothing for as long as it is, and never say so.
      requiresLeader: true,
    },
    { highWaterMark: Math.min(batch, 512) },
  );
  // An error after the loop has ended would otherwise end the process.
  subscription.on('error', () => {});
  const filled = inbox.fill(beyond(subscription, progress.position));
  const stop = (): void => {
    inbox.close();
    subscription.destroy();
    subscription.unsubscribe().catch(() => {});
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      if (signal.aborted) return undefined;
      if (inbox.size > 0) {
        const events = await nextBatch(inbox, batch, progress.position < progress.head);
        progress.position = events.at(-1)?.position ?? progress.position;
        yield { kind: 'events', events };
      } else if (inbox.ended !== undefined) {
        return inbox.ended;
      } else if (progress.position >= progress.head && progress.announced !== progress.position) {
        progress.announced = progress.position;
        yield { kind: 'caught_up', position: progress.position };
      } else {
        await inbox.news(signal);
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
    await filled;
  }
}

/** Own events behind a position; undefined stands for one that is not given on. */
async function* beyond(
  subscription: AllStreamSubscription,
  position: Position,
): AsyncGenerator<StoredEvent | undefined, void, undefined> {
  let last = position;
  for await (const { event } of subscription) {
    const stored = event !== undefined && isOwn(event) ? toStored(event) : undefined;
    if (stored !== undefined && stored.position > last) {
      last = stored.position;
      yield stored;
    } else {
      yield undefined;
    }
  }
}

/** A batch goes out when it is full, or when nothing more has come for a moment. */
async function nextBatch(inbox: Inbox, batch: number, catchingUp: boolean): Promise<StoredEvent[]> {
  for (let idle = 0; idle < idleTurns && inbox.size < batch && inbox.ended === undefined; ) {
    const before = inbox.size;
    await (catchingUp ? pause(momentMs) : nextTurn());
    idle = inbox.size > before ? 0 : idle + 1;
  }
  return inbox.take(batch);
}
