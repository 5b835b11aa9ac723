import type { Position, StoredEvent } from '../../event-store/event-store.ts';
import { type LogPoint, requireLogIdentity } from '../../event-store/log-identity.ts';
import { describeError } from '../../observability/describe-error.ts';
import type { Fence } from '../../records/records.ts';
import { StoreUnavailable } from '../../store-unavailable.ts';
import type { ProcessParts } from '../runtime/process.ts';
import { AlteredEvent } from '../subscription/altered-event.ts';
import { RESTORE_HINT } from '../subscription/checkpoint.ts';
import { CHECKPOINT_NAME, readCheckpoint, saveCheckpoint } from './checkpoint.ts';
import { OpenCommands } from './open-commands.ts';

/** Events per message of the subscription: few, so that requests are served in between. */
const PAGE = 500;
/** Events between two saved checkpoints: the most that a restart reads twice during the first scan of a long log. */
const SAVE_EVERY = 20_000;

export interface SubscriptionParts {
  readonly commandPorts: Pick<ProcessParts['commandPorts'], 'eventStore' | 'records'>;
  readonly log: Pick<ProcessParts['log'], 'error'>;
}

/** Follows the log from the checkpoint and holds the commands that are open. */
export class OpenCommandSubscription {
  readonly commands = new OpenCommands();
  readonly #parts: SubscriptionParts;
  readonly #fence: Fence | undefined;
  #last: LogPoint | undefined;
  #isInitialised = false;
  #saved: string | undefined;
  #unsaved = 0;
  #subscription: Promise<void> | undefined;
  /** The error that ended the subscription, until the next `catchUp` throws it. */
  #failure: { readonly error: unknown } | undefined;
  #hasCaughtUp = false;
  /** Resolves when the subscription has delivered a message or ended. */
  #progress = Promise.withResolvers<void>();

  constructor(parts: SubscriptionParts, fence: Fence | undefined) {
    this.#parts = parts;
    this.#fence = fence;
  }

  /** Position of the last event that was read. */
  get position(): Position | undefined {
    return this.#last?.position;
  }

  /**
   * Keeps a subscription open until the signal aborts, and waits until it has caught up with the log.
   * @throws {StoreUnavailable}
   * @throws {AlteredEvent}
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    if (!this.#isInitialised) await this.#initialise();
    this.#subscription ??= this.#subscribe(signal)
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#subscription = undefined;
        this.#hasCaughtUp = false;
        this.#progress.resolve();
      });
    while (this.#failure === undefined) {
      if (signal.aborted || this.#hasCaughtUp) return;
      await this.#progress.promise;
      if (this.#unsaved >= SAVE_EVERY) await this.save();
    }
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  /** Saves the event before the oldest open command, or the last one, as checkpoint. @throws {WriterFenced} */
  async save(): Promise<void> {
    const oldest = this.commands.oldest();
    const checkpoint = {
      after: oldest === undefined ? this.#last : oldest.before,
      abandoned: this.commands.abandonedPositions(),
    };
    this.#unsaved = 0;
    this.#saved = await saveCheckpoint(this.#parts.commandPorts.records, checkpoint, this.#saved, this.#fence);
  }

  /** Resolves once the subscription has ended; abort its signal first. */
  async unsubscribed(): Promise<void> {
    await this.#subscription;
  }

  /** Also loads the commands that were abandoned before a restart, because their cause may have been removed. */
  async #initialise(): Promise<void> {
    const { eventStore, records } = this.#parts.commandPorts;
    const { after, abandoned } = await readCheckpoint(records, this.#fence);
    for (const position of abandoned) {
      const reserved = await eventStore.readAt(position);
      if (reserved !== undefined) this.#apply(reserved, (event) => this.commands.restoreAbandoned(event));
    }
    this.#last = after;
    this.#isInitialised = true;
  }

  async #subscribe(signal: AbortSignal): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    this.#progress = Promise.withResolvers();
    await requireLogIdentity(CHECKPOINT_NAME, this.#last, eventStore, RESTORE_HINT);
    for await (const message of eventStore.subscribe({ after: this.position, batch: PAGE, signal })) {
      if (message.kind === 'events') {
        for (const event of message.events) this.#apply(event, (news) => this.commands.apply(news, this.#last));
        this.#unsaved += message.events.length;
      } else this.#hasCaughtUp = true;
      this.#progress.resolve();
      this.#progress = Promise.withResolvers();
    }
    if (!signal.aborted) throw new StoreUnavailable('The subscription to the event log has ended');
  }

  /** @throws {AlteredEvent} */
  #apply(event: StoredEvent, apply: (event: StoredEvent) => void): void {
    if (event.isAltered === true) throw new AlteredEvent(event);
    try {
      apply(event);
    } catch (error) {
      const { stream } = event;
      this.#parts.log.error({ stream, reason: describeError(error) }, 'Skipped a reservation that cannot be decoded');
    }
    this.#last = { position: event.position, id: event.id };
  }
}

/**
 * Reads the log from the checkpoint to its end and saves the checkpoint, so that the next start of the completion does not read what was
 * appended before. Finishes no command. Call it only where no other process of the installation runs.
 * @throws {StoreUnavailable}
 */
export async function advanceCheckpoint(parts: SubscriptionParts): Promise<void> {
  const ending = new AbortController();
  const subscription = new OpenCommandSubscription(parts, undefined);
  try {
    await subscription.catchUp(ending.signal);
    await subscription.save();
  } finally {
    ending.abort();
    await subscription.unsubscribed();
  }
}
