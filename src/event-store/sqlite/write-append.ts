import { type AppendResult, WrongExpectedRevision } from '../event-store.ts';
import type { AppendRequest } from './append-request.ts';
import type { WriterStatements } from './log-file.ts';

export type AppendOutcome = AppendResult | WrongExpectedRevision;

/**
 * Writes the append into the open transaction after `position`, unless it was written before or its expected revision is wrong.
 * Returns the outcome, to be reported after the commit, and the number of events written.
 */
export function writeAppend(
  statements: WriterStatements,
  request: AppendRequest,
  position: number,
): { readonly outcome: AppendOutcome; readonly written: number } {
  const expected = request.expected === 'no_stream' ? -1 : request.expected;
  const actual = Number(statements.lastRevision.get(request.stream)?.[0] ?? -1);
  if (actual === expected) return insert(statements, request, expected, position);
  const earlier = actual > expected ? findEarlierResult(statements, request, expected) : undefined;
  if (earlier !== undefined) return { outcome: earlier, written: 0 };
  const revision = actual === -1 ? undefined : actual;
  return { outcome: new WrongExpectedRevision(request.stream, request.expected, revision), written: 0 };
}

function insert(statements: WriterStatements, request: AppendRequest, expected: number, position: number) {
  let revision = expected;
  let last = position;
  for (const { id, type, data, metadata } of request.events) {
    revision += 1;
    last += 1;
    statements.insert.run(last, request.stream, revision, id, type, data, metadata);
  }
  return { outcome: { revision, position: BigInt(last) }, written: request.events.length };
}

/** Finds the result of the same append when the stream already holds its event ids at their revisions. The data is not compared. */
function findEarlierResult(statements: WriterStatements, request: AppendRequest, expected: number) {
  let revision = expected;
  let position = 0;
  for (const event of request.events) {
    revision += 1;
    const row = statements.idAndPosition.get(request.stream, revision);
    if (row?.[0] !== event.id) return undefined;
    position = Number(row[1]);
  }
  return { revision, position: BigInt(position) };
}
