import { z } from 'zod';
import type { Position } from '../event-store/event-store.ts';
import { SCHEDULER_CLOCK } from '../processes/scheduler/clock.ts';
import type { RecordKind, Records } from '../records/records.ts';
import { INSTALLATION, REPLACED_VALUES } from '../records/installation.ts';
import { MIGRATION } from './mark.ts';

/** Values that hold positions of the log: how to find these in their text, and how to write it with others. */
interface Positioned {
  readonly positions: (text: string) => readonly Position[];
  readonly translated: (text: string, translate: Translate) => string;
}

/** Position of the old log → of the new one; undefined: before its first event. */
export type Translate = (position: Position) => Position | undefined;

const PAGE = 500;
const digits = z.string().regex(/^\d+$/);

/** As `processes/checkpoint.ts` writes it: digits, or nothing before the first event. */
const ofProcess: Positioned = {
  positions: (text) => (text === '' ? [] : [BigInt(digits.parse(text))]),
  translated: (text, translate) => (text === '' ? '' : String(translate(BigInt(digits.parse(text))) ?? '')),
};

/** As `processes/completion/checkpoint.ts` writes it. */
const completion = z.strictObject({ after: digits.nullable(), givenUp: z.array(digits) });
const ofCompletion: Positioned = {
  positions: (text) => {
    const { after, givenUp } = completion.parse(JSON.parse(text));
    return [...(after === null ? [] : [after]), ...givenUp].map(BigInt);
  },
  translated: (text, translate) => {
    const { after, givenUp } = completion.parse(JSON.parse(text));
    const of = (position: string): string | undefined => translate(BigInt(position))?.toString();
    const before = after === null ? undefined : of(after);
    return JSON.stringify({ after: before ?? null, givenUp: givenUp.flatMap((position) => of(position) ?? []) });
  },
};

const NO_POSITIONS: Positioned = { positions: () => [], translated: (text) => text };

/** Values that are not copied: they describe the installation itself. */
const OF_EACH_SIDE: readonly string[] = [MIGRATION, INSTALLATION, ...REPLACED_VALUES];

/** What each value may hold. A value that is not known here could hold positions that would mean something else. */
function kindOf(name: string): Positioned | undefined {
  if (name.startsWith('checkpoint ')) return ofProcess;
  if (name === 'completion-checkpoint') return ofCompletion;
  return name === 'sample' || name === SCHEDULER_CLOCK || OF_EACH_SIDE.includes(name) ? NO_POSITIONS : undefined;
}

/** The folder holds an unknown value: it may hold positions that would have to be translated. */
export class UnknownValue extends Error {
  override readonly name = 'UnknownValue';
  constructor(name: string) {
    super(`The records hold a value ${JSON.stringify(name)}, which this version does not know how to move`);
  }
}

/** Every position of the log that is kept in records. @throws {UnknownValue} */
export async function positionsIn(records: Records): Promise<readonly Position[]> {
  const positions: Position[] = [];
  for await (const name of namesOf(records, 'values')) {
    const kind = kindOf(name);
    if (kind === undefined) throw new UnknownValue(name);
    positions.push(...kind.positions((await records.getValue(name)) ?? ''));
  }
  return positions;
}

/** Copies contents and revoked keys; again it changes nothing. Resolves with how many there are of each. */
export async function copyKept(
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
    const bytes = await source.getBlob(sha256);
    // Contents that are not what their name says are told by `surety verify`; here they must not get lost under another name.
    if (bytes === undefined || (await target.putBlob(bytes)) !== sha256) throw new BrokenContent(sha256);
    onCopied(revokedKeys + ++blobs);
  }
  return { blobs, revokedKeys };
}

/** A content of the folder is not what its SHA-256 says. */
export class BrokenContent extends Error {
  override readonly name = 'BrokenContent';
  constructor(sha256: string) {
    super(`The content ${sha256} of the folder is broken; surety verify tells to which claim it belongs`);
  }
}

/** Copies the named values, with positions of the new log. Leases and fences are not copied: nobody leads on the target. */
export async function copyValues(source: Records, target: Records, translate: Translate): Promise<number> {
  let values = 0;
  for await (const name of namesOf(source, 'values')) {
    const text = await source.getValue(name);
    const kind = kindOf(name);
    if (kind === undefined) throw new UnknownValue(name);
    if (text === undefined || OF_EACH_SIDE.includes(name)) continue;
    await target.setValue(name, kind.translated(text, translate));
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
