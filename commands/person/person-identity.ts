import { type PersonState, person } from '#domain/person/person.ts';
import { targetOf } from '#domain/reservations.ts';
import { sha256 } from '#event-sourcing/identifiers.ts';
import type { Reservation } from '#event-sourcing/executor/command.ts';
import type { LoadedStream } from '#event-sourcing/executor/loaded-stream.ts';
import type { CommandContext } from '../command.ts';

interface Holder {
  /** Of the person who has the value; undefined where it is free. */
  readonly holder: LoadedStream<PersonState> | undefined;
  /** That of the holder, or the free one. */
  readonly reservation: Reservation;
}

/** Finds the person with an e-mail address who was not removed. Only ASCII letters are compared without case. */
export async function findByEmail(context: CommandContext, email: string): Promise<Holder> {
  const compared = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return await findHolder(context, 'personEmail', compared, () => true);
}

/**
 * Finds the person who has a value, among numbered reservations: those of persons who were removed, or have it no
 * longer, are passed over. The hash stands in place of the value, which is personal.
 */
async function findHolder(
  context: CommandContext,
  kind: string,
  value: string,
  has: (state: PersonState) => boolean,
): Promise<Holder> {
  for (let number = 0; ; number++) {
    const reservation = { kind, scope: 'platform', value: `${number} ${sha256(value)}` };
    const reserved = await context.findReservation(reservation);
    if (reserved === undefined) return { holder: undefined, reservation };
    const holder = await context.load(person, targetOf(reserved));
    // One that does not exist yet is being added.
    if (holder.state === undefined || (!holder.state.isRemoved && has(holder.state))) return { holder, reservation };
  }
}
