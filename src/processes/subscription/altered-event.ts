import type { StoredEvent } from '../../event-store/event-store.ts';
import { SafeError } from '../../safe-error.ts';

/** A process reached an event of which the store has found that it was altered. It does not know what the event required. */
export class AlteredEvent extends SafeError {
  override readonly name = 'AlteredEvent';
  constructor({ position }: Pick<StoredEvent, 'position'>) {
    super(`The event at position ${position} was altered in the store; the runbook has a section "A damaged log"`);
  }
}
