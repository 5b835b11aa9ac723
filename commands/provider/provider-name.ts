import type { Tags } from '../../src/domain/tags.ts';
import { audienceOf } from '../../src/domain/audience.ts';
import type { ProviderState } from '../../src/domain/provider/provider.ts';
import { comparedName } from '../../src/domain/provider/provider-name.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type ReservationEvent, targetOf } from '../../src/domain/reservations.ts';
import type { InputReservation, Reservation, ReservationOutcome, Writes } from '../../src/command-handling/command.ts';
import type { CommandContext } from '../command.ts';
import { line } from '../shared/fields.ts';

/** The name of a provider: one line with something to see. */
export const providerName = line(80).refine((name) => comparedName(name) !== '', 'must not be blank');

type NamedProvider = Pick<ProviderState, 'visibility' | 'merchantId' | 'imported'>;

/**
 * Returns the scopes in which the name of a provider must be free; it is reserved in the first. That is the scope of its world also
 * while only one merchant sees the provider, but of an import the scope of its merchant. A provider of the test world may not have the
 * name of a live one, and no two that one merchant registered or imported have the same.
 */
export function nameScopes(provider: NamedProvider): readonly [string, ...string[]] {
  const ofWorld = provider.visibility === 'test' ? (['test', 'live'] as const) : (['live'] as const);
  if (provider.merchantId === null) return ofWorld;
  const ofMerchant = audienceOf(provider);
  return provider.imported ? [ofMerchant, ...ofWorld] : [...ofWorld, ofMerchant];
}

/** Returns the reservation of a name in a scope. */
export function nameIn(scope: string, name: string): Reservation {
  return { kind: 'providerName', scope, value: comparedName(name) };
}

/** Returns the reservation of a name for the provider of this stream. */
export function nameReservation(name: string, provider: NamedProvider, target: string, tags: Tags): InputReservation {
  return { ...nameIn(nameScopes(provider)[0], name), target, tags };
}

/** Checks that no other provider has the name. @throws {Refusal} `provider_already_registered` */
export async function checkNameIsFree(
  context: CommandContext,
  name: string,
  provider: NamedProvider,
  stream: string,
): Promise<void> {
  for (const scope of nameScopes(provider)) {
    const by = await context.findReservation(nameIn(scope, name));
    if (by !== undefined) checkReservedBy(stream, { kind: 'taken', by }, name);
  }
}

/**
 * Reserves the name for ever.
 * @throws {Refusal} `provider_already_registered` when a concurrent command reserved it first
 */
export async function reserveName(
  writes: Writes<ReservationEvent>,
  reservation: InputReservation,
  name: string,
): Promise<void> {
  checkReservedBy(reservation.target, await writes.reserve(reservation), name);
}

function checkReservedBy(stream: string, outcome: ReservationOutcome<ReservationEvent>, name: string): void {
  if (outcome.kind === 'ours' || targetOf(outcome.by) === stream) return;
  throw new Refusal('provider_already_registered', `A provider called ${name} is registered already`, {
    fields: [{ field: 'name', message: 'is taken' }],
  });
}
