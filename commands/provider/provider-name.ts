import { comparedName } from '../../src/domain/provider/provider-name.ts';
import type { Tags } from '../../src/domain/tags.ts';
import { type Audience, audienceOf } from '../../src/domain/audience.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type ReservationEvent, targetOf } from '../../src/domain/reservations.ts';
import type { InputReservation, Reservation, ReservationOutcome } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';
import { line } from '../shared/fields.ts';

/** The name of a provider: one line with something to see. */
export const providerName = line(80).refine((name) => comparedName(name) !== '', 'must not be blank');

/**
 * Returns the scopes in which the name of a provider must be free; it is reserved in the first. A provider of the test world may not
 * have the name of a live one, and one that only one merchant sees not that of one that every merchant sees.
 */
export function nameScopes(audience: Audience): readonly [string, ...string[]] {
  const ofWorld = audience.visibility === 'test' ? (['test', 'live'] as const) : (['live'] as const);
  return audience.merchantId === null ? ofWorld : [audienceOf(audience), ...ofWorld];
}

/** Returns the reservation of a name in a scope. */
export function nameIn(scope: string, name: string): Reservation {
  return { kind: 'providerName', scope, value: comparedName(name) };
}

/** Returns the reservation of a name for the provider of this stream. */
export function nameReservation(name: string, audience: Audience, target: string, tags: Tags): InputReservation {
  return { ...nameIn(nameScopes(audience)[0], name), target, tags };
}

/** Checks that no other provider has the name in these scopes. @throws {Refusal} `provider_already_registered` */
export async function checkNameIsFree(
  context: CommandContext,
  name: string,
  scopes: readonly string[],
  stream: string,
): Promise<void> {
  for (const scope of scopes) {
    const by = await context.findReservation(nameIn(scope, name));
    if (by !== undefined) checkReservedBy(stream, { kind: 'taken', by }, name);
  }
}

/**
 * Reserves the name for ever.
 * @throws {Refusal} `provider_already_registered` when a concurrent command reserved it first
 */
export async function reserveName(context: CommandContext, reservation: InputReservation, name: string): Promise<void> {
  checkReservedBy(reservation.target, await context.reserve(reservation), name);
}

function checkReservedBy(stream: string, outcome: ReservationOutcome<ReservationEvent>, name: string): void {
  if (outcome.kind === 'ours' || targetOf(outcome.by) === stream) return;
  throw new Refusal('provider_already_registered', `A provider called ${name} is registered already`, {
    fields: [{ field: 'name', message: 'is taken' }],
  });
}
