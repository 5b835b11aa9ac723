import { DAMAGED_LOG_REMEDY } from '../data-folder.ts';
import type { ReadModelsVerification, VerificationReport } from '../projector/verification.ts';
import type { Difference } from '../projector/verify.ts';
import type { LogFault, LogVerification } from '../projector/verify-log.ts';

const REPAIR_HINT = 'To repair the read models, run surety rebuild.';
const UNKNOWN_TYPES_HINT =
  'The log has events of another version of Surety, or of another program, so nothing was compared with it. Verify with the version that wrote them.';

/** Returns a report as one line of JSON. Without the members of the read models where the log has a fault. */
export function asJson({ log, readModels }: VerificationReport): string {
  const { events, upTo, faults, named } = log;
  const verified = { log: { events, up_to: textOf(upTo), faults, first_faults: named.map(faultAsJson) } };
  return JSON.stringify({ ...verified, ...(readModels && readModelsAsJson(readModels)) });
}

function faultAsJson({ what, reason, position, event }: LogFault): object {
  const { id = null, stream = null, revision = null } = event ?? {};
  return { what, reason, position: textOf(position), event_id: id, stream, revision };
}

function readModelsAsJson({ documents, contents }: ReadModelsVerification): object {
  const { upTo, compared, advancedCount, differing, missing, surplus, differences, parked } = documents;
  const counts = { up_to: textOf(upTo), compared, moved_on: advancedCount };
  const parkedDocuments = documents.parkedDocuments.map(({ collection, key, parked: { reason, ...at } }) => {
    const event = { event_id: at.eventId, event_type: at.eventType, position: textOf(at.position) };
    return { collection, key, reason, ...event };
  });
  const documentsAsJson = { ...counts, differing, missing, surplus, differences, parked };
  return { ...documentsAsJson, parked_documents: parkedDocuments, contents };
}

function textOf(position: bigint | undefined): string | null {
  return position === undefined ? null : position.toString();
}

/** Returns a report as lines, with what to do. */
export function asText({ log, readModels }: VerificationReport): string {
  return [...linesOfLog(log), ...(readModels === undefined ? [] : linesOfReadModels(readModels))].join('\n');
}

function* linesOfLog({ events, upTo, faults, named }: LogVerification): Generator<string> {
  for (const fault of named) yield describeFault(fault);
  if (faults > named.length) yield `… and ${formatCount(faults - named.length, 'more fault')}.`;
  const result = faults === 0 ? 'no fault' : formatCount(faults, 'fault');
  yield `${formatCount(events, 'event')} of the log read up to position ${upTo ?? 0}: ${result}.`;
  if (faults === 0) return;
  const isOnlyUnknown = named.every(({ what }) => what === 'unknown_type');
  yield isOnlyUnknown
    ? UNKNOWN_TYPES_HINT
    : `The event log or the records are damaged, so nothing was compared. ${DAMAGED_LOG_REMEDY}`;
}

function describeFault({ reason, position, event }: LogFault): string {
  if (event === undefined) return reason;
  return `position ${position} (event ${event.id}, ${event.stream} revision ${event.revision}): ${reason}`;
}

function* linesOfReadModels({ documents, contents }: ReadModelsVerification): Generator<string> {
  const { upTo, compared, advancedCount, differing, missing, surplus, differences } = documents;
  const { parked, parkedDocuments } = documents;
  for (const difference of differences)
    yield `${difference.collection} ${difference.key}: ${describeDifference(difference)}`;
  const wrong = differing + missing + surplus;
  if (wrong > differences.length) yield `… and ${formatCount(wrong - differences.length, 'more document')}.`;
  for (const { collection, key, parked: at } of parkedDocuments)
    yield `${collection} ${key}: parked at position ${at.position}: ${at.reason}`;
  for (const { claim, sha256, what } of contents.differences) yield `content ${sha256} of claim ${claim}: ${what}`;
  const since =
    advancedCount === 0
      ? ''
      : ` (${formatCount(advancedCount, 'document')} changed meanwhile and compared up to their newest event)`;
  const parts = wrong === 0 ? '' : ` (${differing} differing, ${missing} missing, ${surplus} surplus)`;
  yield `${formatCount(compared, 'document')} compared with the log up to position ${upTo ?? 0}${since}: ${verdict(wrong)}${parts}.`;
  yield `${formatCount(contents.compared, 'content')} of claim documents compared with their SHA-256: ${verdict(contents.differences.length)}.`;
  if (parked > 0)
    yield `${formatCount(parked, 'document')} parked: shown in an old state until the cause is removed and RetryParked folds them again.`;
  if (wrong > 0) yield REPAIR_HINT;
}

function describeDifference({ what, pointers }: Difference): string {
  return what === 'differing' ? `differs at ${pointers.join(', ')}` : what;
}

function verdict(wrong: number): string {
  return wrong === 0 ? 'no difference' : formatCount(wrong, 'difference');
}

function formatCount(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
