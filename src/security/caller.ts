import type { ActingEnvironment } from '../domain/environment/acting-environment.ts';
import type { Reader } from '../../queries/query.ts';
import type { Actor } from '../event-sourcing/event.ts';

/** Who sent a request, as its API key says: the reader for queries, the actor for the metadata of events. */
export interface Caller {
  readonly reader: Reader;
  readonly actor: Actor & { readonly keyId: string };
  /** Who or what uses the key. */
  readonly label: string;
  /** Environment of a merchant's key; undefined for platform keys. */
  readonly environment: ActingEnvironment | undefined;
}
