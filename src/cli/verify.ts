import { describeServers, type Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { storeLocations } from '../composition/store-locations.ts';
import { verifyStores } from '../composition/verify-documents.ts';
import { verifyEventLog } from '../composition/verify-event-log.ts';
import { ProgressBar } from '../import/progress.ts';
import { readPublishedPosition } from '../projector/published-position.ts';
import { countFindings, type VerificationReport } from '../projector/verification.ts';
import type { VerificationProgress } from '../projector/verify.ts';
import { findLostEnd, type LogVerification, withFault } from '../projector/verify-log.ts';
import { FILES, hasFile } from '../data-folder.ts';
import type { Logger } from '../observability/logging.ts';
import { parseWords } from './arguments.ts';
import { asTool, stallBefore, withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { JSON_OPTION, printJson } from './print-json.ts';
import { clientOf, SERVICE_OPTIONS, serviceOf } from './service.ts';
import { asJson, asText } from './verification-text.ts';
import { verifyOverHttp } from './verify-over-http.ts';

const RETRY_FOR_MS = 5_000;

export const VERIFY_OPTIONS = { json: JSON_OPTION, ...SERVICE_OPTIONS } as const;

/** `surety verify`: checks every event of the log, then compares the read models with a recomputation from it. */
export async function runVerify(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, VERIFY_OPTIONS);
  if (positionals.length > 0) throw new WrongUse(`surety verify takes no argument ${positionals.join(' ')}.`);
  const service = serviceOf(values);
  const report = await withProgressBar(async (onProgress) =>
    service === undefined
      ? await verifyLocally(settings, log, onProgress)
      : await verifyOverHttp(clientOf(service, settings, RETRY_FOR_MS), onProgress),
  );
  if (values.json) printJson(asJson(report));
  else process.stdout.write(`${asText(report)}\n`);
  return countFindings(report) === 0 ? EXIT.done : EXIT.failed;
}

async function verifyLocally(settings: Settings, log: Logger, onProgress: ShowProgress): Promise<VerificationReport> {
  // Do not create a data folder: an empty one would always pass.
  const databases = [FILES.eventLog, FILES.records, FILES.readModels];
  if (settings.eventStoreUrl === undefined && !databases.some((name) => hasFile(settings.dataFolder, name))) {
    const servers = describeServers(settings);
    const hint = servers === undefined ? '' : `: ${servers}`;
    throw new OperatorError(`There is no event log in the data folder ${settings.dataFolder}${hint}.`);
  }
  const work = async (application: Application): Promise<VerificationReport> => {
    // First, so that no document is folded from a damaged log.
    const verified = await verifyEventLog(storeLocations(settings), { onProgress });
    if (verified.faults > 0) return { log: verified, readModels: undefined };
    return await verifyReadModels(application, verified, onProgress);
  };
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
      bar.show({ file: step, rows: count, seconds, share, unit: step === 'compare' ? 'documents' : 'events' });
    });
  } finally {
    bar.clear();
  }
}

/** Waits until the read models have caught up with the log and compares them. @throws {OperatorError} when they are stalled */
async function verifyReadModels(
  application: Application,
  verified: LogVerification,
  onProgress: ShowProgress,
): Promise<VerificationReport> {
  const { eventStore, readModels, commandPorts } = application;
  const projector = await application.startProjector();
  const lostEnd = await findLostEnd(readModels, eventStore);
  if (lostEnd !== undefined) return { log: withFault(verified, lostEnd), readModels: undefined };
  const head = await eventStore.lastPosition();
  const failure = head === undefined ? undefined : await stallBefore(projector, head);
  // After the stop this process writes nothing more, and the positions of the collections are stored.
  await projector.stop();
  if (failure !== undefined) throw new OperatorError(`The read models are stalled: ${failure}.`);
  const compared = await verifyStores({
    eventStore,
    readModels,
    records: commandPorts.records,
    publishedPosition: await readPublishedPosition(readModels),
    onProgress,
  });
  return { log: verified, readModels: compared };
}
