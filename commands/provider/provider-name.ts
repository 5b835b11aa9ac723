import type { Tags } from '../../src/domain/tags.ts';
import type { Visibility, World } from '../../src/domain/values/world.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { targetOf } from '../../src/domain/reservations.ts';
import type { CommandContext, Reservation, ReservationOutcome } from '../../src/command-handling/command.ts';

/** Returns the world in which the name of a provider is reserved. */
export function nameScope(visibility: Visibility): World {
  return visibility === 'test' ? 'test' : 'live';
}

function nameReservation(name: string, scope: World): Reservation {
  return { kind: 'providerName', scope, value: name };
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
    const by = await context.findReservation(nameReservation(name, scope));
    if (by !== undefined) checkReservedBy(stream, { kind: 'taken', by }, name);
  }
}

/**
 * Reserves the name for ever.
 * @throws {Refusal} `provider_already_registered` when a concurrent command reserved it first
 */
export async function reserveName(
  context: CommandContext,
  name: string,
  visibility: Visibility,
  target: { readonly stream: string; readonly tags: Tags },
): Promise<void> {
  const reservation = nameReservation(name, nameScope(visibility));
  const outcome = await context.reserve({ ...reservation, target: target.stream, tags: target.tags });
  checkReservedBy(target.stream, outcome, name);
}

function checkReservedBy(stream: string, outcome: ReservationOutcome, name: string): void {
  if (outcome.kind === 'ours' || targetOf(outcome.by) === stream) return;
  throw new Refusal('provider_already_registered', `A provider called ${name} is registered already`, {
    fields: [{ field: 'name', message: 'is taken' }],
  });
}
