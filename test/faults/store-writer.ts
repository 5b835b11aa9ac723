/**
 * A process that appends until it is killed or has made the given number of appends, and prints attempts and
 * acknowledgements. Run by `node test/faults/store-writer.ts`.
 */
import { randomUUID } from 'node:crypto';

import { StoreUnavailable, WrongExpectedRevision } from '../../src/event-store/event-store.ts';
import type { ExpectedRevision } from '../../src/event-store/event-store.ts';
import { openSqliteEventStore } from '../../src/event-store/sqlite/sqlite-event-store.ts';

/** A line of output; an acknowledged append has a position. */
export interface Line {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly ids: readonly string[];
  readonly revision?: number;
  readonly position?: string;
}

const [file = '', writersText = '8', limitText = 'Infinity'] = process.argv.slice(2);
const contended = 'product-contended';
const store = openSqliteEventStore({ file });

await Promise.all(Array.from({ length: Number(writersText) }, (_, number) => write(number)));
await store.close();

/** Every fourth writer uses a shared stream; the others have separate streams. */
async function write(number: number): Promise<void> {
  const stream = number % 4 === 0 ? contended : `policy-${randomUUID()}`;
  for (let written = 0; written < Number(limitText); written += 1) {
    const tip = await persist(() => store.readLast(stream));
    const ids = Array.from({ length: 1 + (written % 3) }, () => randomUUID());
    await append(stream, tip?.revision ?? 'no_stream', ids);
  }
}

async function append(stream: string, expected: ExpectedRevision, ids: readonly string[]): Promise<void> {
  const events = ids.map((id) => ({ id, type: 'Written.v1', data: { of: 'x'.repeat(300) }, metadata: {} }));
  print({ stream, expected, ids });
  try {
    const { revision, position } = await persist(() => store.append(stream, expected, events));
    print({ stream, expected, ids, revision, position: position.toString() });
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision && stream === contended)) throw error;
  }
}

/** Repeats an append while its outcome is unknown. */
async function persist<T>(action: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || failures > 1_000) throw error;
      process.stdout.write('unavailable\n');
    }
  }
}

function print(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
