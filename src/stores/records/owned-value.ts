import { TakenOver } from '../shared/taken-over.ts';
import type { Records } from './records.ts';

/**
 * A named value that one process at a time writes. From the moment when a process takes it over, every save of the
 * previous one fails, also a save that was sent before and arrives late.
 */
export class OwnedValue {
  readonly name: string;
  readonly #records: Pick<Records, 'getRevised' | 'replaceValue'>;
  #revision: number | undefined;

  constructor(name: string, records: Pick<Records, 'getRevised' | 'replaceValue'>) {
    this.name = name;
    this.#records = records;
  }

  /**
   * Writes again what is stored, or `initial` when nothing is, and returns it.
   * @throws {TakenOver} after a concurrent write
   */
  async takeOver(initial: string): Promise<string>;
  async takeOver(initial?: string): Promise<string | undefined>;
  async takeOver(initial?: string): Promise<string | undefined> {
    const stored = await this.#records.getRevised(this.name);
    this.#revision = stored?.revision;
    const value = stored?.value ?? initial;
    if (value !== undefined) await this.save(value);
    return value;
  }

  /** Saves the value after the last one that was taken over or saved; without one, creates it. @throws {TakenOver} */
  async save(value: string): Promise<void> {
    if (!(await this.#records.replaceValue(this.name, this.#revision, value))) throw new TakenOver(this.name);
    this.#revision = (this.#revision ?? 0) + 1;
  }
}
