import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { AnyProjection } from '../../projections/projection.ts';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { EventStore, Position } from '../../src/event-store/event-store.ts';
import type { ProjectorLog } from '../../src/projector/log.ts';
import type { Projector } from '../../src/projector/projector.ts';
import { startProjector } from '../../src/projector/start-projector.ts';
import type { Fence } from '../../src/records/records.ts';
import type { ReadModels, StoredDocument } from '../../src/read-models/read-models.ts';
import { RECORDED_AT } from './happenings.ts';

/** Longer than any test lasts: whoever waits so long waits in vain. */
export const LONG_MS = 30_000;

export interface Logged {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: object;
  readonly message: string;
}

/** A log that can be read again. */
export function loggedInto(lines: Logged[]): ProjectorLog {
  const at = (level: Logged['level']) => (details: object, message: string) => {
    lines.push({ level, details, message });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

export interface ProjectorWorld {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly projections?: readonly AnyProjection[];
  readonly batchSize?: number;
  readonly lines?: Logged[];
  readonly fence?: Fence;
}

/** A projector that tries again at once. */
export async function projecting({ lines = [], projections = PROJECTIONS, ...world }: ProjectorWorld) {
  return await startProjector({
    ...world,
    projections,
    log: loggedInto(lines),
    now: () => RECORDED_AT,
    pause: async (_milliseconds, signal) => await pause(0, undefined, { signal }),
  });
}

/** Runs a projector until it has passed the position, and ends it. */
export async function projected(world: ProjectorWorld, position?: Position): Promise<void> {
  const projector = await projecting(world);
  await waitForPosition(projector, position ?? (await world.eventStore.lastPosition()) ?? 0n);
  await projector.stop();
}

/** @throws {Error} when the position is not reached */
export async function waitForPosition(projector: Projector, position: Position): Promise<void> {
  if (await projector.waitFor(position, LONG_MS)) return;
  throw new Error(`the projector did not reach ${position}: ${projector.status().failure ?? 'no failure'}`);
}

/** Resolves when it says so. */
export async function caughtUp(projector: Projector): Promise<void> {
  while (!projector.status().caughtUp) await nextTurn();
}

/** Every document of every collection, by collection and key. */
export async function allDocuments(
  readModels: ReadModels,
  projections: readonly AnyProjection[] = PROJECTIONS,
): Promise<Map<string, StoredDocument>> {
  const all = new Map<string, StoredDocument>();
  for (const { name } of projections) {
    for (const document of await readModels.scan(name, { after: undefined, limit: 1_000_000 })) {
      all.set(`${name}/${document.key}`, document);
    }
  }
  return all;
}
