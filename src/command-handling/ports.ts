import type { Moment } from '../event-sourcing/time.ts';
import type { World } from '../domain/values/world.ts';
import type { ProductState, ProductType } from '../domain/product/product.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Records } from '../records/records.ts';
import type { StreamCache } from './stream-cache.ts';

/** A product that is sold, with what a quote tells of its provider. */
export interface OfferedProduct {
  readonly product: ProductState;
  readonly provider: { readonly id: string; readonly name: string; readonly email: string | null };
}

/** What is sold. Read beside the log, so it may be a moment behind it. */
export interface Catalogue {
  /** Live products that are not withdrawn and that the world sees, oldest first. */
  liveProducts(type: ProductType, world: World): Promise<readonly OfferedProduct[]>;
}

/** What carrying out a command needs from outside; made in `src/composition/`. */
export interface CommandPorts {
  readonly eventStore: EventStore;
  readonly records: Records;
  /** Of this process alone, and of this log. */
  readonly memory: StreamCache;
  readonly catalogue: Catalogue;
  /** HMAC-SHA-256 under the service's secret of tenant id and serial number, at least 128 bits of it, as URL-safe text. */
  readonly verificationToken: (tenantId: string, serial: number) => string;
  /** The clock of the service: ISO date-time, UTC, milliseconds. */
  readonly now: () => Moment;
  readonly randomId: () => string;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Resolves after that many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
}
