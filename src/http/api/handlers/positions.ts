import { Refusal } from '#domain/refusals.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';

const MAX_WAIT_MS = 2_000;

export async function waitForReadModels(
  position: bigint,
  { projector }: Pick<HttpDependencies, 'projector'>,
): Promise<boolean> {
  return await projector.waitFor(position, MAX_WAIT_MS);
}

/** Refuses to read from read models that lack documents. @throws {Refusal} `read_models_building` */
export function requireBuilt({ projector }: Pick<HttpDependencies, 'projector'>): void {
  const building = projector.initialBuildProgress();
  if (building === undefined) return;
  const [position, head] = [building.position, building.head].map((one) => one?.toString() ?? null);
  const progress = { position, head };
  throw new Refusal('read_models_building', 'The read models are being built from the log', { members: { progress } });
}

/** @throws {Refusal} `position_not_reached` */
export async function requirePosition(
  position: bigint,
  dependencies: Pick<HttpDependencies, 'projector' | 'commandPorts'>,
): Promise<void> {
  if (await waitForReadModels(position, dependencies)) return;
  const head = (await dependencies.commandPorts.eventStore.lastPosition())?.toString() ?? null;
  const detail = 'The read models have not reached Surety-Min-Position yet; ask again';
  throw new Refusal('position_not_reached', detail, { members: { head } });
}
