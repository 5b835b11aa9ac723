import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position, StoredEvent } from '#stores/event-log/event-log.ts';
import {
  type EventReference,
  requireLogIdentity,
  formatLogPoint,
  parseLogPoint,
} from '#stores/event-log/log-identity.ts';
import { describeError } from '#service/observability/describe-error.ts';
import { OwnedValue } from '#stores/records/owned-value.ts';
import type { ProcessParts } from '../runtime/process.ts';
import { AlteredEvent, RESTORE_HINT } from '../runtime/checkpoint.ts';
import { OpenCommands } from './open-commands.ts';
import { z } from 'zod';

/** Few, so that requests are served in between. */
const PAGE = 500;
/** Events between two saved checkpoints: the most that a restart reads twice during the first scan of a long log. */
const SAVE_EVERY = 20_000;

interface ReaderParts {
  readonly commandPorts: Pick<ProcessParts['commandPorts'], 'eventStore' | 'records'>;
  readonly log: Pick<ProcessParts['log'], 'error'>;
}

export class OpenCommandReader {
  readonly commands = new OpenCommands();
  readonly #parts: ReaderParts;
  readonly #checkpoint: OwnedValue;
  #last: EventReference | undefined;
  #isInitialised = false;
  #saved: string | undefined;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#checkpoint = new OwnedValue(CHECKPOINT_NAME, parts.commandPorts.records);
  }

  get position(): Position | undefined {
    return this.#last?.position;
  }

  /** Reads the log to its end, unless the signal aborts. @throws {StoreUnavailable} @throws {AlteredEvent} */
  async catchUp(signal?: AbortSignal): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    if (!this.#isInitialised) await this.#initialise();
    await requireLogIdentity(CHECKPOINT_NAME, this.#last, eventStore, RESTORE_HINT);
    for (let unsaved = 0; ; await nextTurn()) {
      if (signal?.aborted === true) return;
      const events = await eventStore.readAll({ after: this.position, limit: PAGE });
      if (events.length === 0) return;
      for (const event of events) this.#apply(event, (news) => this.commands.apply(news, this.#last));
      unsaved += events.length;
      if (unsaved < SAVE_EVERY) continue;
      await this.save();
      unsaved = 0;
    }
  }

  /** Saves the event before the oldest open command, or the last one, as checkpoint. @throws {TakenOver} */
  async save(): Promise<void> {
    const oldest = this.commands.oldest();
    const text = formatCheckpoint({
      after: oldest === undefined ? this.#last : oldest.before,
      abandoned: this.commands.abandonedPositions(),
    });
    if (text !== this.#saved) await this.#checkpoint.save(text);
    this.#saved = text;
  }

  /** Also loads the commands that were abandoned before a restart, because their cause may have been removed. */
  async #initialise(): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    const { after, abandoned } = parseCheckpoint(await this.#checkpoint.takeOver(INITIAL_CHECKPOINT));
    for (const position of abandoned) {
      const reserved = await eventStore.readAt(position);
      if (reserved !== undefined) this.#apply(reserved, (event) => this.commands.restoreAbandoned(event));
    }
    this.#last = after;
    this.#isInitialised = true;
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
 * Reads the log from the checkpoint to its end and saves the checkpoint, so that the next start of the completion does
 * not read what was appended before. Finishes no command. Call it only where no other process of the installation runs.
 * @throws {StoreUnavailable}
 */
export async function advanceCheckpoint(parts: ReaderParts): Promise<void> {
  const reader = new OpenCommandReader(parts);
  await reader.catchUp();
  await reader.save();
}

export const CHECKPOINT_NAME = 'completion-checkpoint';

const position = z.string().regex(/^\d+$/);
/** Stored as text, so its members keep their names. */
const stored = z.strictObject({ after: z.string(), givenUp: z.array(position) });

interface CompletionCheckpoint {
  /** No command up to this event is open, except those in `abandoned`. Undefined before the first event. */
  readonly after: EventReference | undefined;
  /** Positions of the reservations before `after` whose commands were abandoned. */
  readonly abandoned: readonly Position[];
}

/** The start of the log. */
const INITIAL_CHECKPOINT = formatCheckpoint({ after: undefined, abandoned: [] });

/** @throws {Error} when the text is not a checkpoint */
export function parseCheckpoint(text: string): CompletionCheckpoint {
  const { after, givenUp } = stored.parse(JSON.parse(text));
  return { after: parseLogPoint(CHECKPOINT_NAME, after), abandoned: givenUp.map(BigInt) };
}

export function formatCheckpoint({ after, abandoned }: CompletionCheckpoint): string {
  return JSON.stringify({ after: formatLogPoint(after), givenUp: abandoned.map(String) });
}
