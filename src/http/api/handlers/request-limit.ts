import { Refusal } from '#domain/refusals.ts';

export interface RequestLimitOptions {
  /** What the requests ask for, in the plural, for the refusal. */
  readonly subject: string;
  readonly perCaller: number;
  /** Of all callers together. Default: no limit. */
  readonly total?: number;
  /** Requests of a caller that may wait besides. Default: none. */
  readonly waiting?: number;
}

interface Waiting {
  readonly caller: string;
  readonly begin: () => void;
}

/**
 * Limits the requests of one kind that are under way, so that one caller cannot take the time and memory of the others.
 * Those that wait begin in their order, but for those of a caller at its own limit.
 */
export class RequestLimit {
  readonly #options: RequestLimitOptions;
  readonly #underWay = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #total = 0;

  constructor(options: RequestLimitOptions) {
    this.#options = options;
  }

  /**
   * Counts a request until the returned function is called, which the caller must do.
   * @param maxWaiting requests of the caller that may wait; default: that of the options
   * @throws {Refusal} `busy` above it
   */
  async begin(caller: string, maxWaiting = this.#options.waiting ?? 0): Promise<() => void> {
    if (this.#hasCapacity(caller)) this.#add(1, caller);
    else {
      if (this.#waiting.filter((one) => one.caller === caller).length >= maxWaiting)
        throw new Refusal('busy', `Too many ${this.#options.subject} are under way; send the same request again`);
      const turn = Promise.withResolvers<void>();
      this.#waiting.push({ caller, begin: turn.resolve });
      await turn.promise;
    }
    return () => this.#end(caller);
  }

  /** Runs the work of a request within the limit. @throws {Refusal} as `begin` */
  async run<T>(caller: string, work: () => Promise<T>, maxWaiting?: number): Promise<T> {
    const end = await this.begin(caller, maxWaiting);
    return await work().finally(end);
  }

  #hasCapacity(caller: string): boolean {
    const { perCaller, total = Number.POSITIVE_INFINITY } = this.#options;
    return this.#total < total && (this.#underWay.get(caller) ?? 0) < perCaller;
  }

  #end(caller: string): void {
    this.#add(-1, caller);
    const index = this.#waiting.findIndex((one) => this.#hasCapacity(one.caller));
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1);
    if (next === undefined) return;
    this.#add(1, next.caller);
    next.begin();
  }

  #add(requests: 1 | -1, caller: string): void {
    this.#total += requests;
    const ofCaller = (this.#underWay.get(caller) ?? 0) + requests;
    if (ofCaller === 0) this.#underWay.delete(caller);
    else this.#underWay.set(caller, ofCaller);
  }
}
