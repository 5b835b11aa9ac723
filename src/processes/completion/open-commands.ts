import { findCommand } from '../../../commands/registry.ts';
import { commandIdOf } from '../../command-handling/batch.ts';
import { decode, typeOf } from '../../domain/events.ts';
import type { Moment } from '../../event-sourcing/time.ts';
import type { EventOf, Recorded } from '../../event-sourcing/event.ts';
import { ValueReserved } from '../../domain/reservations.ts';
import type { Position, StoredEvent } from '../../event-store/event-store.ts';

export type Reserved = Recorded<EventOf<typeof ValueReserved>>;

/** A command that has reserved values and whose events do not all stand in their targets yet. */
export interface OpenCommand {
  readonly commandId: string;
  /** Its first reservation: it carries all that is needed to finish the command. */
  readonly reserved: Reserved;
  /** How often it was tried to be finished, in vain. */
  readonly tries: number;
  /** When it may be finished by somebody else, or tried again. */
  readonly notBefore: Moment;
  readonly givenUp: boolean;
}

interface Entry {
  open: OpenCommand;
  /** Position of the event before its first reservation; undefined: that is the first event of the log. */
  readonly before: Position | undefined;
  /** It was given up, now or before a restart: the log need not be read again for its sake. */
  setAside: boolean;
  /** Streams in which the command's own event is still missing. */
  readonly targets: Set<string>;
}

/** How long a command is left to whoever runs it. */
const LEFT_ALONE_MS = 30_000;
/** Then it is tried so often, each time after a pause twice as long; after the last one it is given up. */
const MOST_TRIES = 6;

function after(moment: Moment, milliseconds: number): Moment {
  return new Date(Date.parse(moment) + milliseconds).toISOString();
}

/** The commands that make something new and are not finished, folded from the log. */
export class OpenCommands {
  readonly #entries = new Map<string, Entry>();

  /**
   * Takes in the next event of the log.
   * @param before position of the event before it
   * @throws {UnreadableEvent} on a reservation that cannot be read
   */
  take(event: StoredEvent, before: Position | undefined): void {
    if (typeOf(event) === ValueReserved.type) this.#reserved(decode(event) as Reserved, before);
    else this.#written(event);
  }

  /** Takes in the reservation of a command that was given up before a restart: it may have been mended meanwhile. */
  takeAgain(event: StoredEvent): void {
    this.take(event, undefined);
    const entry = this.#entries.get(commandIdOf(event) ?? '');
    if (entry !== undefined) entry.setAside = true;
  }

  /** What may be tried now, oldest first. */
  due(now: Moment): readonly OpenCommand[] {
    return this.all().filter(({ givenUp, notBefore }) => !givenUp && notBefore <= now);
  }

  /** In the order in which they began. */
  all(): readonly OpenCommand[] {
    return [...this.#entries.values()].map(({ open }) => open);
  }

  finished({ commandId }: OpenCommand): void {
    this.#entries.delete(commandId);
  }

  /** Counts a try that was in vain; returns what is known of the command now. */
  failed({ commandId }: OpenCommand, now: Moment): OpenCommand | undefined {
    const entry = this.#entries.get(commandId);
    if (entry === undefined) return undefined;
    const tries = entry.open.tries + 1;
    const notBefore = after(now, LEFT_ALONE_MS * 2 ** tries);
    const givenUp = tries >= MOST_TRIES;
    entry.open = { ...entry.open, tries, notBefore, givenUp };
    entry.setAside ||= givenUp;
    return entry.open;
  }

  /** The oldest command for whose sake the log must be read again after a restart, from the event behind `before`. */
  oldest(): Pick<Entry, 'before'> | undefined {
    return [...this.#entries.values()].find(({ setAside }) => !setAside);
  }

  /** Positions of the reservations of all that was given up. */
  setAside(): readonly Position[] {
    return [...this.#entries.values()].filter(({ setAside }) => setAside).map(({ open }) => open.reserved.position);
  }

  /** An unfinished change of an existing thing lapses, so only commands that make something new are kept. */
  #reserved(reserved: Reserved, before: Position | undefined): void {
    const { command, recordedAt } = reserved.metadata;
    if (findCommand(command.name)?.creates !== true) return;
    const known = this.#entries.get(command.id);
    if (known !== undefined) {
      known.targets.add(reserved.data.target);
      return;
    }
    const notBefore = after(recordedAt, LEFT_ALONE_MS);
    const open = { commandId: command.id, reserved, tries: 0, notBefore, givenUp: false };
    this.#entries.set(command.id, { open, before, setAside: false, targets: new Set([reserved.data.target]) });
  }

  #written(event: StoredEvent): void {
    const commandId = commandIdOf(event);
    const entry = commandId === undefined ? undefined : this.#entries.get(commandId);
    if (commandId === undefined || entry?.targets.delete(event.stream) !== true) return;
    if (entry.targets.size === 0) this.#entries.delete(commandId);
  }
}
