import { type Absent, isIn, type PointInTime, type Recorded } from '../insurance-model/state.ts';

/** A customer or a merchant: how it was registered, and what was changed when. */
export class PartyModel<Details extends object> {
  readonly #registered: Recorded;
  readonly #details: Details;
  readonly #changes: { readonly recorded: Recorded; readonly changes: Partial<Details> }[] = [];

  constructor(registered: Recorded, details: Details) {
    this.#registered = registered;
    this.#details = details;
  }

  /** "What changes nothing records nothing." */
  change(recorded: Recorded, changes: Partial<Details>): void {
    const current = this.#after(this.#changes);
    const names = Object.keys(changes) as (keyof Details)[];
    if (names.some((name) => changes[name] !== current[name])) this.#changes.push({ recorded, changes });
  }

  /** Returns what was known of the party at an instant about a day. */
  at(point: PointInTime): Details | Absent {
    if (this.#registered.at > point.knownAt) return 'not_known_yet';
    const changes = this.#changes.filter(({ recorded }) => isIn(recorded, point));
    if (!isIn(this.#registered, point) && changes.length === 0) return 'not_in_force_yet';
    return this.#after(changes);
  }

  #after(changes: readonly { readonly changes: Partial<Details> }[]): Details {
    return changes.reduce((details, each) => ({ ...details, ...each.changes }), this.#details);
  }
}
