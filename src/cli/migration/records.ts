import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position } from '#stores/event-log/event-log.ts';
import { formatLogPoint, type EventReference, parseLogPoint } from '#stores/event-log/log-identity.ts';
import { CHECKPOINT_NAME, formatCheckpoint, parseCheckpoint } from '#processes/completion/checkpoint.ts';
import { SCHEDULER_CLOCK } from '#processes/scheduler/clock.ts';
import { CHECKPOINT_PREFIX } from '#processes/runtime/checkpoint.ts';
import { readBlob } from '#stores/records/blobs.ts';
import type { RecordKind, Records } from '#stores/records/records.ts';
import { INSTALLATION } from '#stores/records/installation.ts';
import { isVerification } from '#queries/verifications.ts';
import { SAMPLE_STATE } from '../sample/ensure-sample.ts';
import { MIGRATION } from './migration-state.ts';

/** Converts a position of the old log to one of the new log; undefined: before its first event. */
type Translate = (position: Position) => Position | undefined;

/** Replaces the positions in the text of a value. */
type Format = (text: string, translate: Translate) => string;

const PAGE = 500;

const ofProcess: Format = (text, translate) =>
  formatLogPoint(translated(parseLogPoint('The checkpoint', text), translate));

/** The event has the same id in the new log. */
function translated(point: EventReference | undefined, translate: Translate): EventReference | undefined {
  const position = point && translate(point.position);
  return point === undefined || position === undefined ? undefined : { ...point, position };
}

const ofCompletion: Format = (text, translate) => {
  const { after, abandoned } = parseCheckpoint(text);
  const newAbandoned = abandoned.flatMap((position) => translate(position) ?? []);
  return formatCheckpoint({ after: translated(after, translate), abandoned: newAbandoned });
};

/** Returns whether a value describes the installation or its stores, so that it is not copied. */
function describesStores(name: string): boolean {
  return name === MIGRATION || name === INSTALLATION || isVerification(name);
}

/** @throws {UnknownValue} for a value that may hold positions of the old log */
function formatOf(name: string): Format {
  if (name.startsWith(CHECKPOINT_PREFIX)) return ofProcess;
  if (name === CHECKPOINT_NAME) return ofCompletion;
  if (name === SAMPLE_STATE || name === SCHEDULER_CLOCK || describesStores(name)) return (text) => text;
  throw new UnknownValue(name);
}

/** The records of the folder have an unknown value, which may hold positions that would have to be translated. */
export class UnknownValue extends Error {
  override readonly name = 'UnknownValue';
  constructor(name: string) {
    super(`The records have a value ${JSON.stringify(name)} that this version cannot migrate`);
  }
}

export async function positionsIn(records: Records): Promise<readonly Position[]> {
  const positions: Position[] = [];
  for await (const name of namesOf(records, 'values')) {
    formatOf(name)((await records.getValue(name)) ?? '', (position) => {
      positions.push(position);
      return position;
    });
  }
  return positions;
}

/** Copies blobs and revoked keys and returns the number of each. It is safe to repeat. @throws {BrokenContent} */
export async function copyBlobsAndRevokedKeys(
  source: Records,
  target: Records,
  onCopied: (count: number) => void,
): Promise<{ readonly blobs: number; readonly revokedKeys: number }> {
  let [blobs, revokedKeys] = [0, 0];
  for await (const keyId of namesOf(source, 'revoked_keys')) {
    await target.revokeKey(keyId);
    onCopied(++revokedKeys);
  }
  for await (const sha256 of namesOf(source, 'blobs')) {
    const rows = await Array.fromAsync(readBlob({ records: source, nextTurn }, sha256));
    // A damaged blob would be stored under another hash and so be lost.
    if ((await target.putBlob(Buffer.concat(rows))) !== sha256) throw new BrokenContent(sha256);
    onCopied(revokedKeys + ++blobs);
  }
  return { blobs, revokedKeys };
}

export class BrokenContent extends Error {
  override readonly name = 'BrokenContent';
  constructor(sha256: string) {
    super(`The content ${sha256} of the folder is damaged; surety verify reports the claim that it belongs to`);
  }
}

/** Copies the named values with positions of the new log. Leases and fences are not copied, because no process leads on the target. */
export async function copyValues(source: Records, target: Records, translate: Translate): Promise<number> {
  let values = 0;
  for await (const name of namesOf(source, 'values')) {
    const text = await source.getValue(name);
    const format = formatOf(name);
    if (text === undefined || describesStores(name)) continue;
    await target.setValue(name, format(text, translate));
    values += 1;
  }
  return values;
}

async function* namesOf(records: Records, kind: RecordKind): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { after, limit: PAGE });
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1);
  }
}
