import type { Tags } from '#domain/tags.ts';
import { visibilityScope } from '#domain/visibility.ts';
import { type ProviderState, caseFoldedName } from '#domain/provider/provider.ts';
import { refusalsOf } from '#domain/refusals.ts';
import { targetOf } from '#domain/reservations.ts';
import type { InputReservation, Reservation, ReservationOutcome, Writes } from '#event-sourcing/executor/command.ts';
import type { CommandContext } from '../command.ts';
import { line } from '../shared/fields.ts';

const refuse = refusalsOf('provider_already_registered');
export const providerNameErrors = refuse.codes;

export const providerName = line(80);

type NamedProvider = Pick<ProviderState, 'visibility' | 'merchantId' | 'imported'>;

/**
 * Returns the scopes in which the name of a provider must be free: that of the only merchant that sees it, then that of
 * its mode. A provider of the test mode may not have the name of a live one.
 */
export function nameScopes(provider: NamedProvider): readonly [string, ...string[]] {
  const ofMode = provider.visibility === 'test' ? (['test', 'live'] as const) : (['live'] as const);
  return provider.merchantId === null ? ofMode : [visibilityScope(provider), ...ofMode];
}

export function nameIn(scope: string, name: string): Reservation {
  return { kind: 'providerName', scope, value: caseFoldedName(name) };
}

/**
 * Returns the reservations of a name for the provider of this stream, in their order: that of its mode, and before it
 * that of the only merchant that sees it. An import reserves the latter alone. So no two that one merchant registered
 * or imported have the same name.
 */
export function nameReservations(
  name: string,
  provider: NamedProvider,
  target: string,
  tags: Tags,
): readonly [InputReservation, ...InputReservation[]] {
  const [first, ...others] = nameScopes(provider);
  const reserve = (scope: string): InputReservation => ({ ...nameIn(scope, name), target, tags });
  const reservesModeToo = provider.merchantId !== null && !provider.imported;
  return [reserve(first), ...others.slice(0, reservesModeToo ? 1 : 0).map((scope) => reserve(scope))];
}

/** Checks that no other provider has the name. @throws {Refusal} */
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

/** Reserves the name for ever. @throws {Refusal} when a concurrent command reserved it first */
export async function reserveName(
  writes: Writes,
  reservations: readonly InputReservation[],
  name: string,
): Promise<void> {
  for (const reservation of reservations) checkReservedBy(reservation.target, await writes.reserve(reservation), name);
}

function checkReservedBy(stream: string, outcome: ReservationOutcome, name: string): void {
  if (outcome.kind === 'ours' || targetOf(outcome.by) === stream) return;
  throw refuse('provider_already_registered', `A provider called ${name} is registered already`, {
    fields: [{ field: 'name', message: 'is taken' }],
  });
}
