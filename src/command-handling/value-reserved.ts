import type { Actor, NewEvent } from '../event-sourcing/event.ts';
import type { ValueReservedEvent } from '../event-sourcing/reservations.ts';
import type { Moment } from '../event-sourcing/time.ts';
import type { InputReservation } from './command.ts';

/** What a reservation stores of its command, so that the scheduler can complete it. */
interface ReservingCommand {
  readonly decidedAt: Moment;
  readonly actor: Actor;
  readonly environment: object | undefined;
  readonly input: unknown;
}

/** Returns a function that builds the event of a reservation, the same one again for the same reservation. */
export function valueReservedBuilder({ decidedAt, actor, environment, input: commandInput }: ReservingCommand) {
  const known = new Map<InputReservation, NewEvent<ValueReservedEvent>>();
  return (reservation: InputReservation): NewEvent<ValueReservedEvent> => {
    const { kind, scope, value, target, input = commandInput as Record<string, never> } = reservation;
    const data = { kind, scope, value, target, decidedAt, actor, environment: environment ?? null, input };
    const event: NewEvent<ValueReservedEvent> = known.get(reservation) ?? { type: 'ValueReserved', data };
    known.set(reservation, event);
    return event;
  };
}
