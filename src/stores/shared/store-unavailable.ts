import { SafeError } from './errors.ts';

/** Name of a store in errors and logs; `SQLite` means any embedded store. */
export type StoreName = 'EventStoreDB' | 'MongoDB' | 'SQLite';

/** The store is down, its disk is full, or the outcome of a write is unknown. */
export class StoreUnavailable extends SafeError {
  override readonly name: string = 'StoreUnavailable';
  /** Store that does not answer; undefined when the request failed for another reason. */
  readonly store: StoreName | undefined;
  constructor(message: string, { store, ...options }: ErrorOptions & { readonly store?: StoreName } = {}) {
    super(message, options);
    this.store = store;
  }
}

/** A file of an embedded store is damaged, or lacks events. A retry does not help. */
export class StoreDamaged extends StoreUnavailable {
  override readonly name = 'StoreDamaged';
  readonly file: string;
  constructor(file: string, what: string, options: ErrorOptions = {}) {
    super(`${file} is damaged: ${what}`, { ...options, store: 'SQLite' });
    this.file = file;
  }
}
