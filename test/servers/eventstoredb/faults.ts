/** What may go wrong with an append. */
export type AppendFault =
  /** The connection is cut before anything is written. */
  | { readonly kind: 'cut_before' }
  /** The events are written, and the connection is cut instead of an answer. */
  | { readonly kind: 'cut_after' }
  /** The events are written at once, and answered after `ms`. */
  | { readonly kind: 'late'; readonly ms: number }
  /** The events are under way for `ms`: a retry is dropped without a word meanwhile. Other appends wait too. */
  | { readonly kind: 'under_way'; readonly ms: number }
  /** Nothing is written, and nothing answered but a timeout. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'not_ready' };

/** How the stand-in is to fail. */
export class Faults {
  readonly #appends: AppendFault[] = [];
  /** After how many milliseconds the real server gives up an append that it dropped. */
  commitTimeout = 2_000;
  /** Whether the answer to events that were known already tells their position. */
  knownTellsPosition = true;
  /** Whether a repeat is refused as a wrong revision, although all its events stand where they would. */
  refusesKnown = false;
  /** Every call is refused as by a server that has just been started. */
  notReady = false;

  /** How many events subscriptions were sent so far. */
  eventsSent = 0;

  /** The next appends fail so, one fault each. */
  push(...faults: readonly AppendFault[]): void {
    this.#appends.push(...faults);
  }

  /** How many have not been used yet. */
  get waiting(): number {
    return this.#appends.length;
  }

  next(): AppendFault | undefined {
    return this.#appends.shift();
  }
}
