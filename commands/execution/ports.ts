import type { Moment } from '../../src/domain/dates.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { Records } from '../../src/records/records.ts';

/** What carrying out a command needs from outside; made in `src/container.ts`. */
export interface CommandPorts {
  readonly eventStore: EventStore;
  readonly records: Records;
  /** The clock of the service: ISO date-time, UTC, milliseconds. */
  readonly now: () => Moment;
  readonly randomId: () => string;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}
