import { WrongExpectedRevision } from '../event-store.ts';
import type { AppendResult } from '../event-store.ts';
import type { AppendRequest } from './append-request.ts';
import type { WriterStatements } from './log-file.ts';

/** What becomes of an append, to be told once the commit is through. */
export type Outcome = AppendResult | WrongExpectedRevision;

/**
 * Writes the append into the open transaction after `position`, or finds that it was written before, or refuses it.
 * Earlier appends of the same transaction count. Returns the outcome and how many events were written.
 */
export function judge(
  statements: WriterStatements,
  request: AppendRequest,
  position: number,
): { readonly outcome: Outcome; readonly written: number } {
  const expected = request.expected === 'no_stream' ? -1 : request.expected;
  const actual = Number(statements.tip.get(request.stream)?.[0] ?? -1);
  if (actual === expected) return insert(statements, request, expected, position);
  const repeated = actual > expected ? findRepeated(statements, request, expected) : undefined;
  if (repeated !== undefined) return { outcome: repeated, written: 0 };
  const found = actual === -1 ? undefined : actual;
  return { outcome: new WrongExpectedRevision(request.stream, request.expected, found), written: 0 };
}

function insert(statements: WriterStatements, request: AppendRequest, expected: number, position: number) {
  let revision = expected;
  let place = position;
  for (const { id, type, data, metadata } of request.events) {
    revision += 1;
    place += 1;
    statements.insert.run(place, request.stream, revision, id, type, data, metadata);
  }
  return { outcome: { revision, position: BigInt(place) }, written: request.events.length };
}

/** Judged by place alone: every id handed in must be what stands at its revision; the data is not compared. */
function findRepeated(statements: WriterStatements, request: AppendRequest, expected: number) {
  let revision = expected;
  let place = 0;
  for (const event of request.events) {
    revision += 1;
    const row = statements.placed.get(request.stream, revision);
    if (row?.[0] !== event.id) return undefined;
    place = Number(row[1]);
  }
  return { revision, position: BigInt(place) };
}
