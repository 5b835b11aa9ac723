import { Refusal } from '../../domain/refusals.ts';
import type { HttpDependencies } from '../dependencies.ts';

/** Longest wait of an answer for the read models. */
const MAX_WAIT_MS = 2_000;

/** Waits for the read models, and returns whether they have reached the position in time. */
export async function waitForReadModels(
  position: bigint,
  { projector }: Pick<HttpDependencies, 'projector'>,
): Promise<boolean> {
  return await projector.waitFor(position, MAX_WAIT_MS);
}

/** @throws {Refusal} `position_not_reached` */
export async function requirePosition(
  position: bigint,
  dependencies: Pick<HttpDependencies, 'projector'>,
): Promise<void> {
  if (await waitForReadModels(position, dependencies)) return;
  throw new Refusal('position_not_reached', 'The read models have not reached Surety-Min-Position yet; ask again');
}
