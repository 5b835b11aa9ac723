import { findCommand } from '#commands/registry.ts';
import { commandIdOf } from '#event-sourcing/executor/command.ts';
import { decode, typeOf } from '#domain/events.ts';
import { type Instant, instantAfter } from '#event-sourcing/time.ts';
import type { EventOf, RecordedEvent } from '#event-sourcing/event.ts';
import { ValueReserved } from '#domain/reservations.ts';
import type { Position, StoredEvent } from '#stores/event-log/event-log.ts';
import type { EventReference } from '#stores/event-log/log-identity.ts';

export type Reserved = RecordedEvent<EventOf<typeof ValueReserved>>;

/** A command that has reserved values and has not yet written all its events. */
export interface OpenCommand {
  readonly commandId: string;
  /** Its first reservation, which holds everything needed to finish the command. */
  readonly reserved: Reserved;
  readonly attempts: number;
  readonly notBefore: Instant;
  readonly abandoned: boolean;
}

interface Entry {
  open: OpenCommand;
  /** The event before its first reservation; undefined when that is the first event of the log. */
  readonly before: EventReference | undefined;
  /**
   * Abandoned now or before a restart: the checkpoint lists its reservation, so the log need not be read again from
   * there.
   */
  wasAbandoned: boolean;
  readonly targets: Set<string>;
}

/** How long the process that received the command has to finish it. */
export const GRACE_PERIOD_MS = 30_000;
/** The pause between attempts doubles; after the last attempt the command is abandoned. */
const MAX_ATTEMPTS = 6;

export class OpenCommands {
  readonly #entries = new Map<string, Entry>();

  /**
   * Applies the next event of the log.
   * @param before the event before it
   * @throws {UnreadableEvent} on a reservation that cannot be decoded
   */
  apply(event: StoredEvent, before: EventReference | undefined): void {
    if (typeOf(event) === ValueReserved.type) this.#addReservation(decode(event) as Reserved, before);
    else this.#removeTarget(event);
  }

  restoreAbandoned(event: StoredEvent): void {
    this.apply(event, undefined);
    const entry = this.#entries.get(commandIdOf(event) ?? '');
    if (entry !== undefined) entry.wasAbandoned = true;
  }

  due(now: Instant): readonly OpenCommand[] {
    return this.all().filter(({ abandoned, notBefore }) => !abandoned && notBefore <= now);
  }

  all(): readonly OpenCommand[] {
    return [...this.#entries.values()].map(({ open }) => open);
  }

  remove({ commandId }: OpenCommand): void {
    this.#entries.delete(commandId);
  }

  recordFailure({ commandId }: OpenCommand, now: Instant): OpenCommand | undefined {
    const entry = this.#entries.get(commandId);
    if (entry === undefined) return undefined;
    const attempts = entry.open.attempts + 1;
    const notBefore = instantAfter(now, GRACE_PERIOD_MS * 2 ** attempts);
    const abandoned = attempts >= MAX_ATTEMPTS;
    entry.open = { ...entry.open, attempts, notBefore, abandoned };
    entry.wasAbandoned ||= abandoned;
    return entry.open;
  }

  /** Returns the oldest command that was not abandoned: a restart must read the log after its `before`. */
  oldest(): Pick<Entry, 'before'> | undefined {
    return [...this.#entries.values()].find(({ wasAbandoned }) => !wasAbandoned);
  }

  abandonedPositions(): readonly Position[] {
    return [...this.#entries.values()]
      .filter(({ wasAbandoned }) => wasAbandoned)
      .map(({ open }) => open.reserved.position);
  }

  /** Ignores commands that change something existing: those lapse when they are interrupted. */
  #addReservation(reserved: Reserved, before: EventReference | undefined): void {
    const { command, recordedAt } = reserved.metadata;
    if (findCommand(command.name)?.creates !== true) return;
    const known = this.#entries.get(command.id);
    if (known !== undefined) {
      known.targets.add(reserved.data.target);
      return;
    }
    const notBefore = instantAfter(recordedAt, GRACE_PERIOD_MS);
    const open = { commandId: command.id, reserved, attempts: 0, notBefore, abandoned: false };
    this.#entries.set(command.id, { open, before, wasAbandoned: false, targets: new Set([reserved.data.target]) });
  }

  #removeTarget(event: StoredEvent): void {
    const commandId = commandIdOf(event);
    const entry = commandId === undefined ? undefined : this.#entries.get(commandId);
    if (commandId === undefined || entry?.targets.delete(event.stream) !== true) return;
    if (entry.targets.size === 0) this.#entries.delete(commandId);
  }
}
