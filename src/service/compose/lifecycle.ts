/** Stops parts in the reverse of the order in which they were started. */
export class StopOrder {
  readonly #parts: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];

  /** Registers how a started part stops. Parts stop before those that were registered earlier. */
  onStop(name: string, stop: () => Promise<void> | void): void {
    this.#parts.push({ name, stop });
  }

  /** Stops all parts, also after a part has failed to stop. @throws {AggregateError} */
  async stop(): Promise<void> {
    const failures: Error[] = [];
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      try {
        await part.stop();
      } catch (error) {
        failures.push(new Error(`${part.name} did not stop cleanly`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
  }
}
