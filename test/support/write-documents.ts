import type {
  DocumentToWrite,
  Generation,
  ReadModels,
  ReplacedState,
  StoredDocument,
} from '#stores/read-models/read-models.ts';
import type { Position } from '#stores/event-log/event-log.ts';

/** A document to write; without `replaces` it replaces the stored state. */
export type TestDocument = StoredDocument & Partial<Pick<DocumentToWrite, 'replaces'>>;

/** Writes documents of one collection in one step, with a checkpoint if there is a position. */
export async function writeDocuments(
  generation: Pick<Generation, 'write' | 'getMany'>,
  collection: string,
  documents: readonly TestDocument[],
  position?: Position,
): Promise<void> {
  const keys = documents.flatMap(({ key, replaces }) => (replaces === undefined ? [key] : []));
  const stored = new Map<string, ReplacedState>();
  for (const { key, position: at, parked } of keys.length === 0 ? [] : await generation.getMany(collection, keys))
    stored.set(key, { position: at, isParked: parked !== undefined });
  const replacing = documents.map((document) => ({ replaces: stored.get(document.key) ?? null, ...document }));
  const checkpoint = position === undefined ? undefined : checkpointAt(position);
  await generation.write([[{ collection, documents: replacing }]], checkpoint);
}

export function checkpointAt(position: Position) {
  return { position, eventId: `event ${position}`, latestRecordedAt: '2026-11-01T00:00:00.000Z' };
}

/** Takes over the generation that is served, or serves a new one. */
export async function takeOverServed(
  readModels: Pick<ReadModels, 'state' | 'takeOver' | 'serve'>,
): Promise<Generation> {
  const { served } = await readModels.state();
  const generation = await readModels.takeOver(served ?? 0);
  if (served === undefined) await readModels.serve(0, async () => true);
  return generation;
}
