import { type AppendResult, WrongExpectedRevision } from '../event-log.ts';
import type { SerialisedAppend } from '../serialised-append.ts';
import type { WriterStatements } from './log-file.ts';
import { checksumOf, fromRow } from './stored-event.ts';

export type AppendOutcome = AppendResult | WrongExpectedRevision;

/**
 * Writes appends into the open transaction after `position` until one is refused. Returns their outcomes and the number
 * of events written.
 */
export function writeAppends(
  statements: WriterStatements,
  appends: readonly SerialisedAppend[],
  position: number,
): { readonly outcomes: readonly AppendOutcome[]; readonly written: number } {
  const outcomes: AppendOutcome[] = [];
  let written = 0;
  for (const append of appends) {
    const one = writeAppend(statements, append, position + written);
    outcomes.push(one.outcome);
    written += one.written;
    if (one.outcome instanceof WrongExpectedRevision) break;
  }
  return { outcomes, written };
}

/**
 * Writes the append into the open transaction after `position`, unless it was written before or its expected revision
 * is wrong. Returns the outcome, to be reported after the commit, and the number of events written.
 */
function writeAppend(
  statements: WriterStatements,
  request: SerialisedAppend,
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

function insert(statements: WriterStatements, request: SerialisedAppend, expected: number, position: number) {
  const events = request.events.map(({ id, type, data, metadata }, index) => {
    const rowWithoutChecksum = [
      position + 1 + index,
      request.stream,
      expected + 1 + index,
      id,
      type,
      data,
      metadata,
    ] as const;
    const row = [...rowWithoutChecksum, checksumOf(rowWithoutChecksum)];
    statements.insert.run(...row);
    return fromRow(row);
  });
  const written = events.length;
  return { outcome: { revision: expected + written, position: BigInt(position + written), events }, written };
}

/**
 * Finds the result of the same append when the stream already holds its event ids at their revisions. The data is not
 * compared.
 */
function findEarlierResult(statements: WriterStatements, request: SerialisedAppend, expected: number) {
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
