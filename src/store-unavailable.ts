import { SafeError } from './safe-error.ts';

/** Name of a store in errors and logs; `SQLite` means any embedded store. */
export type StoreName = 'EventStoreDB' | 'MongoDB' | 'SQLite';

/** The store is down, its disk is full, or the outcome of a write is unknown. */
export class StoreUnavailable extends SafeError {
  override readonly name = 'StoreUnavailable';
  /** Store that does not answer; undefined when the request failed for another reason. */
  readonly store: StoreName | undefined;
  constructor(message: string, { store, ...options }: ErrorOptions & { readonly store?: StoreName } = {}) {
    super(message, options);
    this.store = store;
  }
}
