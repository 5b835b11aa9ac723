import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore, StoredEvent } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference, parseLogPoint } from '#stores/event-log/log-identity.ts';
import { CHECKPOINT_NAME, formatCheckpoint, parseCheckpoint } from '#processes/completion/open-command-reader.ts';
import { SCHEDULER_CLOCK } from '#processes/scheduler/clock.ts';
import { CHECKPOINT_PREFIX } from '#processes/runtime/checkpoint.ts';
import { readBlob, type RecordKind, type Records } from '#stores/records/records.ts';
import { INSTALLATION } from '#stores/records/installation.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import { isVerification } from '#queries/verifications.ts';
import { SAMPLE_STATE } from '../sample/ensure-sample.ts';

const PAGE = 500;

export interface Stores {
  readonly eventStore: Pick<EventStore, 'append' | 'readAll' | 'readStream' | 'readAt' | 'lastPosition'>;
  readonly records: Records;
}

/**
 * Copies revoked keys, contents and named values, once the target has all events. It is safe to repeat. Values that
 * describe the stores, and leases, are not copied.
 * @returns the number of each
 * @throws {OperatorError} for a damaged content, an unknown value, or a checkpoint of another log
 * @throws {StoreUnavailable}
 */
export async function copyRecords(source: Stores, target: Stores) {
  const copied = { revoked_keys: 0, contents: 0, values: 0 };
  for await (const keyId of namesOf(source.records, 'revoked_keys')) {
    await target.records.revokeKey(keyId);
    copied.revoked_keys += 1;
  }
  for await (const sha256 of namesOf(source.records, 'blobs')) {
    const rows = await Array.fromAsync(readBlob({ records: source.records, nextTurn }, sha256));
    // A damaged content would be stored under another hash and so be lost.
    if ((await target.records.putBlob(Buffer.concat(rows))) !== sha256)
      throw new OperatorError(`The content ${sha256} of the folder is damaged; surety verify names its claim.`);
    copied.contents += 1;
  }
  for await (const name of namesOf(source.records, 'values')) {
    const text = await source.records.getValue(name);
    if (text === undefined || name === INSTALLATION || isVerification(name)) continue;
    await target.records.setValue(name, await valueFor(name, text, source, target));
    copied.values += 1;
  }
  return copied;
}

/** Returns the value with positions of the log of the target. */
async function valueFor(name: string, text: string, source: Stores, target: Stores): Promise<string> {
  const copyOf = async ({
    position,
    id,
  }: Partial<EventReference> & Pick<EventReference, 'position'>): Promise<StoredEvent> => {
    const original = await source.eventStore.readAt(position);
    const at = { from: original?.revision, limit: 1 };
    const [copy] = original === undefined ? [] : await target.eventStore.readStream(original.stream, at);
    if (copy !== undefined && copy.id === (id ?? original?.id)) return copy;
    throw new OperatorError(`${name} in the records is ${position}, but the log of the folder has no such event.`);
  };
  if (name.startsWith(CHECKPOINT_PREFIX)) {
    const point = parseLogPoint(name, text);
    return formatLogPoint(point && (await copyOf(point)));
  }
  if (name === CHECKPOINT_NAME) {
    const { after, abandoned } = parseCheckpoint(text);
    const copies = await Promise.all(abandoned.map(async (position) => await copyOf({ position })));
    return formatCheckpoint({
      after: after && (await copyOf(after)),
      abandoned: copies.map(({ position }) => position),
    });
  }
  // Any other value may hold positions of the log in the folder.
  if (name === SAMPLE_STATE || name === SCHEDULER_CLOCK) return text;
  throw new OperatorError(`The records have a value ${JSON.stringify(name)} that this version cannot migrate.`);
}

async function* namesOf(records: Records, kind: RecordKind): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { after, limit: PAGE });
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1);
  }
}
