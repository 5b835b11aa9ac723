import type { ActingEnvironment } from '../command-handling/command.ts';
import type { Reader } from '../../queries/query.ts';
import type { Actor } from '../event-sourcing/event.ts';

/** Who sends a request, as both sides need it. Immutable: it follows from the key alone. */
export interface Caller {
  /** For queries. */
  readonly reader: Reader;
  /** For the metadata of events. */
  readonly actor: Actor;
  /** Where a merchant's key acts; undefined for platform keys. */
  readonly environment: ActingEnvironment | undefined;
}
