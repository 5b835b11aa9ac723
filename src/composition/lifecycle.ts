/** Stops parts in the reverse of the order in which they were started. */
export class Lifecycle {
  readonly #started: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];

  /** A part runs from now on and must be stopped before those that were started earlier. */
  started(name: string, stop: () => Promise<void> | void): void {
    this.#started.push({ name, stop });
  }

  /** Stops everything, also when a part fails in it. @throws {AggregateError} what failed */
  async stop(): Promise<void> {
    const failures: Error[] = [];
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      try {
        await part.stop();
      } catch (error) {
        failures.push(new Error(`${part.name} did not stop cleanly`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  }
}
