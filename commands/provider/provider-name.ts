import type { Tags } from '../../src/domain/tags.ts';
import type { Visibility, World } from '../../src/domain/values/world.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type ReservationEvent, targetOf } from '../../src/domain/reservations.ts';
import type { InputReservation, Reservation, ReservationOutcome } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';

/** Returns the world in which the name of a provider is reserved. */
export function nameScope(visibility: Visibility): World {
  return visibility === 'test' ? 'test' : 'live';
}

function reservationIn(scope: World, name: string): Reservation {
  return { kind: 'providerName', scope, value: name };
}

/** Returns the reservation of a name for the provider of this stream. */
export function nameReservation(name: string, visibility: Visibility, target: string, tags: Tags): InputReservation {
  return { ...reservationIn(nameScope(visibility), name), target, tags };
}

/**
 * Checks that no other provider has the name. A provider of the test world may not have the name of a live one either.
 * @throws {Refusal} `provider_already_registered`
 */
export async function checkNameIsFree(
  context: CommandContext,
  name: string,
  visibility: Visibility,
  stream: string,
): Promise<void> {
  const scopes: readonly World[] = visibility === 'test' ? ['test', 'live'] : ['live'];
  for (const scope of scopes) {
    const by = await context.findReservation(reservationIn(scope, name));
    if (by !== undefined) checkReservedBy(stream, { kind: 'taken', by }, name);
  }
}

/**
 * Reserves the name for ever.
 * @throws {Refusal} `provider_already_registered` when a concurrent command reserved it first
 */
export async function reserveName(context: CommandContext, reservation: InputReservation): Promise<void> {
  checkReservedBy(reservation.target, await context.reserve(reservation), reservation.value);
}

function checkReservedBy(stream: string, outcome: ReservationOutcome<ReservationEvent>, name: string): void {
  if (outcome.kind === 'ours' || targetOf(outcome.by) === stream) return;
  throw new Refusal('provider_already_registered', `A provider called ${name} is registered already`, {
    fields: [{ field: 'name', message: 'is taken' }],
  });
}
