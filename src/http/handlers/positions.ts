import { Refusal } from '../../domain/refusals.ts';
import type { HttpDependencies } from '../dependencies.ts';

/** How long an answer waits for the read models. */
const LONGEST_WAIT_MS = 2_000;

/** Waits for the read models, and returns whether they have passed the position in time. */
export async function waitForReadModels(
  position: bigint,
  { projector }: Pick<HttpDependencies, 'projector'>,
): Promise<boolean> {
  return await projector.waitFor(position, LONGEST_WAIT_MS);
}

/** @throws {Refusal} `position_not_reached` */
export async function requirePosition(
  position: bigint,
  dependencies: Pick<HttpDependencies, 'projector'>,
): Promise<void> {
  if (await waitForReadModels(position, dependencies)) return;
  throw new Refusal('position_not_reached', 'The read models have not reached Surety-Min-Position yet; ask again');
}
