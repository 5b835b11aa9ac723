/**
 * A process that appends until it is killed or has executed the given number of appends, and prints attempts and
 * acknowledgements. Run by `node test/faults/store-writer.ts`.
 */
import { randomUUID } from 'node:crypto';

import { appendTo, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import type { ExpectedRevision } from '#stores/event-log/event-log.ts';
import { openSqliteEventStore } from '#stores/event-log/sqlite/sqlite-event-store.ts';

/** A line of output; an acknowledged append has a position. */
export interface Line {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly ids: readonly string[];
  readonly revision?: number;
  readonly position?: string;
}

const [file = '', writersText = '8', limitText = 'Infinity'] = process.argv.slice(2);
const SHARED_STREAM = 'product-shared';
const store = openSqliteEventStore({ file });

await Promise.all(Array.from({ length: Number(writersText) }, (_, number) => runWriter(number)));
await store.close();

/** Every fourth writer uses a shared stream; the others have separate streams. */
async function runWriter(number: number): Promise<void> {
  const stream = number % 4 === 0 ? SHARED_STREAM : `policy-${randomUUID()}`;
  for (let appends = 0; appends < Number(limitText); appends += 1) {
    const last = await retryWhileUnavailable(() => store.readLast(stream));
    const ids = Array.from({ length: 1 + (appends % 3) }, () => randomUUID());
    await append(stream, last?.revision ?? 'no_stream', ids);
  }
}

async function append(stream: string, expected: ExpectedRevision, ids: readonly string[]): Promise<void> {
  const events = ids.map((id) => ({ id, type: 'Written.v1', data: { of: 'x'.repeat(300) }, metadata: {} }));
  print({ stream, expected, ids });
  try {
    const { revision, position } = await retryWhileUnavailable(() => appendTo(store, stream, expected, events));
    print({ stream, expected, ids, revision, position: position.toString() });
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision && stream === SHARED_STREAM)) throw error;
  }
}

/** Repeats an append while its outcome is unknown. */
async function retryWhileUnavailable<T>(action: () => Promise<T>): Promise<T> {
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
