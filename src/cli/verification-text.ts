import type { LogFault, LogReport, VerificationReport } from '#queries/verifications.ts';
import { DAMAGED_LOG_REMEDY } from '#service/config/data-folder.ts';

type ReadModelsReport = NonNullable<VerificationReport['read_models']>;

const REPAIR_HINT = 'To repair the read models, run surety rebuild.';
const UNKNOWN_TYPES_HINT =
  'The log has events of another version of Surety, or of another program, so nothing was compared with it. Verify with the version that wrote them.';

export function describeReport({ log, read_models }: VerificationReport): string {
  return [...linesOfLog(log), ...(read_models === null ? [] : linesOfReadModels(read_models))].join('\n');
}

function* linesOfLog({ events, up_to, faults, first_faults }: LogReport): Generator<string> {
  for (const fault of first_faults) yield describeFault(fault);
  if (faults > first_faults.length) yield `… and ${formatCount(faults - first_faults.length, 'more fault')}.`;
  const result = faults === 0 ? 'no fault' : formatCount(faults, 'fault');
  yield `${formatCount(events, 'event')} of the log read up to position ${up_to ?? 0}: ${result}.`;
  if (faults === 0) return;
  const isOnlyUnknown = first_faults.every(({ what }) => what === 'unknown_type');
  yield isOnlyUnknown
    ? UNKNOWN_TYPES_HINT
    : `The event log or the records are damaged, so nothing was compared. ${DAMAGED_LOG_REMEDY}`;
}

function describeFault({ reason, position, event_id, stream, revision }: LogFault): string {
  return event_id === null
    ? reason
    : `position ${position} (event ${event_id}, ${stream} revision ${revision}): ${reason}`;
}

function* linesOfReadModels(report: ReadModelsReport): Generator<string> {
  const { up_to, compared, moved_on, differing, missing, surplus, differences, parked, contents } = report;
  for (const difference of differences)
    yield `${difference.collection} ${difference.key}: ${describeDifference(difference)}`;
  const wrong = differing + missing + surplus;
  if (wrong > differences.length) yield `… and ${formatCount(wrong - differences.length, 'more document')}.`;
  for (const { collection, key, position, reason } of report.parked_documents)
    yield `${collection} ${key}: parked at position ${position}: ${reason}`;
  for (const { claim, sha256, what } of contents.differences) yield `content ${sha256} of claim ${claim}: ${what}`;
  const since =
    moved_on === 0
      ? ''
      : ` (${formatCount(moved_on, 'document')} changed meanwhile and compared up to their newest event)`;
  const parts = wrong === 0 ? '' : ` (${differing} differing, ${missing} missing, ${surplus} surplus)`;
  yield `${formatCount(compared, 'document')} compared with the log up to position ${up_to ?? 0}${since}: ${verdict(wrong)}${parts}.`;
  yield `${formatCount(contents.compared, 'content')} of claim documents compared with their SHA-256: ${verdict(contents.differences.length)}.`;
  if (parked > 0)
    yield `${formatCount(parked, 'document')} parked: shown in an old state until the cause is removed and RetryParked folds them again.`;
  if (wrong > 0) yield REPAIR_HINT;
}

function describeDifference({ what, pointers }: ReadModelsReport['differences'][number]): string {
  return what === 'differing' ? `differs at ${pointers.join(', ')}` : what;
}

function verdict(wrong: number): string {
  return wrong === 0 ? 'no difference' : formatCount(wrong, 'difference');
}

function formatCount(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
