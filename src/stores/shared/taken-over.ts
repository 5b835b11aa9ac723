import { SafeError } from './errors.ts';

/**
 * A value was written by another process, or by a save of this one whose outcome was unknown: stop writing, and take
 * the value over again.
 */
export class TakenOver extends SafeError {
  override readonly name = 'TakenOver';
  constructor(what: string) {
    super(`${what} is now written by another process`);
  }
}
