import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { AnyProjection } from '#projections/projection.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import type { EventStore, Position } from '#stores/event-log/event-log.ts';
import type { Projector, ProjectorLog } from '#read-side/projector.ts';
import type { ProjectorOptions } from '#read-side/projector.ts';
import { startProjector } from '#read-side/start-projector.ts';
import type { DocumentReader, ReadModels, StoredDocument } from '#stores/read-models/read-models.ts';
import { RECORDED_AT } from './sample-events.ts';

/** Longer than any test takes. */
export const LONG_MS = 30_000;

export interface LoggedLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: object;
  readonly message: string;
}

/** Returns a log that appends its lines to an array. */
export function recordLogInto(lines: LoggedLine[]): ProjectorLog {
  const logAt = (level: LoggedLine['level']) => (details: object, message: string) => {
    lines.push({ level, details, message });
  };
  return { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
}

export interface TestProjectorOptions
  extends Partial<Pick<ProjectorOptions, 'now' | 'pause' | 'onStall' | 'keepsOtherVersions'>> {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly projections?: readonly AnyProjection[];
  readonly batchSize?: number;
  readonly lines?: LoggedLine[];
}

/** Starts a projector that retries without a pause. */
export async function startTestProjector({ lines = [], projections = PROJECTIONS, ...options }: TestProjectorOptions) {
  return startProjector({
    projections,
    log: recordLogInto(lines),
    now: () => RECORDED_AT,
    pause: async (_milliseconds, signal) => await pause(0, undefined, { signal }),
    ...options,
  });
}

/** Runs a projector up to a position, by default the end of the log, and stops it. */
export async function runTestProjector(options: TestProjectorOptions, position?: Position): Promise<void> {
  const projector = await startTestProjector(options);
  await waitForPosition(projector, position ?? (await options.eventStore.lastPosition()) ?? 0n);
  await projector.stop();
}

/** Waits for a position. @throws {Error} when the projector does not reach it within `LONG_MS` */
export async function waitForPosition(projector: Projector, position: Position): Promise<void> {
  if (await projector.waitFor(position, LONG_MS)) return;
  throw new Error(`the projector did not reach ${position}: ${projector.status().failure ?? 'no failure'}`);
}

/** Waits until the projector reports that it has caught up. */
export async function waitUntilCaughtUp(projector: Projector): Promise<void> {
  while (!projector.status().caughtUp) await nextTurn();
}

/** Reads every document of every collection, by collection and key. */
export async function readAllDocuments(
  readModels: Pick<DocumentReader, 'scan'>,
  projections: readonly AnyProjection[] = PROJECTIONS,
): Promise<Map<string, StoredDocument>> {
  const documents = new Map<string, StoredDocument>();
  for (const { name } of projections) {
    for (const document of await readModels.scan(name, { after: undefined, limit: 1_000_000 })) {
      documents.set(`${name}/${document.key}`, document);
    }
  }
  return documents;
}
