import { describeServers, type Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { verifyStores } from '../composition/verify-documents.ts';
import { ProgressBar } from '../import/progress.ts';
import { readPublishedPosition } from '../projector/published-position.ts';
import { countDifferences, type VerificationReport } from '../projector/verification.ts';
import type { Difference, VerificationProgress } from '../projector/verify.ts';
import { FILES, hasFile } from '../data-folder.ts';
import type { Logger } from '../observability/logging.ts';
import { parseWords } from './arguments.ts';
import { asTool, stallBefore, withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { checkServiceOptions, clientOf, SERVICE_OPTIONS } from './service.ts';
import { verifyOverHttp } from './verify-over-http.ts';

const RETRY_FOR_MS = 5_000;
const REPAIR_HINT = 'To repair the read models, run surety rebuild.';

/** `surety verify`: compares the read models with a recomputation from the log. */
export async function runVerify(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, {
    json: { type: 'boolean', default: false },
    ...SERVICE_OPTIONS,
  });
  if (positionals.length > 0) throw new WrongUse(`surety verify takes no argument ${positionals.join(' ')}.`);
  checkServiceOptions(values);
  const { url } = values;
  const report = await withProgressBar(async (onProgress) =>
    url === undefined
      ? await verifyLocally(settings, log, onProgress)
      : await verifyOverHttp(clientOf({ ...values, url }, settings, RETRY_FOR_MS), url, onProgress),
  );
  process.stdout.write(`${values.json ? asJson(report) : asText(report)}\n`);
  return countDifferences(report) === 0 ? EXIT.done : EXIT.failed;
}

async function verifyLocally(settings: Settings, log: Logger, onProgress: ShowProgress): Promise<VerificationReport> {
  // Do not create a data folder: an empty one would always pass.
  const databases = [FILES.eventLog, FILES.records, FILES.readModels];
  if (settings.eventStoreUrl === undefined && !databases.some((name) => hasFile(settings.dataFolder, name))) {
    const servers = describeServers(settings);
    const hint = servers === undefined ? '' : `: ${servers}`;
    throw new OperatorError(`There is no event log in the data folder ${settings.dataFolder}${hint}.`);
  }
  const work = async (application: Application): Promise<VerificationReport> => await verify(application, onProgress);
  return await withApplication(asTool(settings), log, work, { purpose: 'read', knowsUrl: true });
}

type ShowProgress = (progress: Pick<VerificationProgress, 'step' | 'count' | 'share'>) => void;

/** Draws the steps of a verification on a terminal. */
async function withProgressBar<T>(work: (onProgress: ShowProgress) => Promise<T>): Promise<T> {
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  try {
    return await work(({ step, count, share }) => {
      const seconds = (performance.now() - started) / 1_000;
      bar.show({ file: step, rows: count, seconds, share, unit: step === 'fold' ? 'events' : 'documents' });
    });
  } finally {
    bar.clear();
  }
}

/** Waits until the read models have caught up with the log and compares them. @throws {OperatorError} when they are stalled */
async function verify(application: Application, onProgress: ShowProgress): Promise<VerificationReport> {
  const { eventStore, readModels, commandPorts } = application;
  const projector = await application.startProjector();
  const head = await eventStore.lastPosition();
  const failure = head === undefined ? undefined : await stallBefore(projector, head);
  // After the stop this process writes nothing more, and the positions of the collections are stored.
  await projector.stop();
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
  return await verifyStores({
    eventStore,
    readModels,
    records: commandPorts.records,
    publishedPosition: await readPublishedPosition(readModels),
    onProgress,
  });
}

function asJson({ documents, counts: wrongCounts, contents }: VerificationReport): string {
  const { upTo, compared, advancedCount, differing, missing, surplus, differences } = documents;
  const counts = { up_to: upTo === undefined ? null : upTo.toString(), compared, moved_on: advancedCount };
  return JSON.stringify({ ...counts, differing, missing, surplus, differences, counts: wrongCounts, contents });
}

function asText({ documents, counts, contents }: VerificationReport): string {
  const { upTo, compared, advancedCount, differing, missing, surplus, differences } = documents;
  const lines = differences.map(
    (difference) => `${difference.collection} ${difference.key}: ${describeDifference(difference)}`,
  );
  const [wrong, wrongContents] = [differing + missing + surplus, contents.differences.length];
  if (wrong > differences.length) lines.push(`… and ${formatCount(wrong - differences.length, 'more document')}.`);
  for (const { collection, index, value, stored, counted } of counts)
    lines.push(`count of ${collection} by ${index} ${value ?? '(all)'}: ${stored}, but there are ${counted}`);
  for (const { claim, sha256, what } of contents.differences)
    lines.push(`content ${sha256} of claim ${claim}: ${what}`);
  const since =
    advancedCount === 0
      ? ''
      : ` (${formatCount(advancedCount, 'document')} changed meanwhile and compared up to their newest event)`;
  const parts = wrong === 0 ? '' : ` (${differing} differing, ${missing} missing, ${surplus} surplus)`;
  lines.push(
    `${formatCount(compared, 'document')} compared with the log up to position ${upTo ?? 0}${since}: ${verdict(wrong)}${parts}.`,
    `${formatCount(contents.compared, 'content')} of claim documents compared with their SHA-256: ${verdict(wrongContents)}.`,
  );
  if (wrong + counts.length > 0) lines.push(REPAIR_HINT);
  return lines.join('\n');
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
