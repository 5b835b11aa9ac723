import type { Api } from '#client/api.ts';
import { Admin } from '#client/resources/admin.ts';
import type { Settings } from '#service/config/config.ts';
import { countFindings, type VerificationProgress, type VerificationReport } from '#queries/verifications.ts';
import type { Application } from '#service/compose/application.ts';
import { storeLocations } from '#service/config/store-locations.ts';
import { verify } from '#service/compose/verify.ts';
import { ProgressBar } from './import/progress.ts';
import { FILES, hasFile, readModelsIn } from '#service/config/data-folder.ts';
import type { Logger } from '#service/observability/logging.ts';
import { parseOptions } from './arguments.ts';
import { requireCaughtUp, withTool } from './with-application.ts';
import { escapeControls, EXIT, JSON_OPTION, OperatorError, printJson } from './outcome.ts';
import { idOfJob, REQUEST_RETRY_MS, SERVICE_OPTIONS, serviceOf, waitForEnd, withClient } from './service.ts';
import { describeReport } from './verification-text.ts';

export const VERIFY_OPTIONS = { json: JSON_OPTION, ...SERVICE_OPTIONS } as const;

/** `surety verify`: checks every event of the log, then compares the read models with a recomputation from it. */
export async function runVerify(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety verify', words, VERIFY_OPTIONS);
  const service = serviceOf(values, settings);
  const report = await withProgressBar(async (onProgress) =>
    service === undefined
      ? await verifyLocally(settings, log, onProgress)
      : await withClient(
          service,
          settings,
          REQUEST_RETRY_MS,
          async (api) => await verifyOverHttp(api, service.url, onProgress),
        ),
  );
  if (values.json) printJson(JSON.stringify(report));
  else process.stdout.write(`${escapeControls(describeReport(report))}\n`);
  return countFindings(report) === 0 ? EXIT.done : EXIT.failed;
}

type ShowProgress = (progress: Pick<VerificationProgress, 'count' | 'share'> & { readonly step: string }) => void;

/** Verifies the stores of the settings. @throws {OperatorError} without a log, and when the read models are stalled */
async function verifyLocally(settings: Settings, log: Logger, onProgress: ShowProgress): Promise<VerificationReport> {
  // Do not create a data folder: an empty one would always pass.
  const { dataFolder } = settings;
  const databases = [FILES.eventLog, FILES.records, ...readModelsIn(dataFolder).map(({ name }) => name)];
  if (settings.servers === undefined && !databases.some((name) => hasFile(dataFolder, name)))
    throw new OperatorError(`There is no event log in the data folder ${dataFolder}.`);
  const work = async (application: Application): Promise<VerificationReport> =>
    await verifyStores(application, settings, onProgress);
  return await withTool(settings, log, work, 'read');
}

/**
 * Verifies the stores of an application, after it has brought the read models up to date.
 * @throws {OperatorError} when they are stalled
 */
export async function verifyStores(
  application: Application,
  settings: Settings,
  onProgress: ShowProgress,
): Promise<VerificationReport> {
  const { eventStore, readModels, commandPorts } = application;
  const openStores = async () => {
    const projector = await application.startProjector();
    const catchUp = async () => {
      try {
        await requireCaughtUp(application, projector);
      } finally {
        // After the stop this process writes nothing more.
        await projector.stop();
      }
    };
    return { eventStore, readModels, records: commandPorts.records, catchUp };
  };
  return await verify(storeLocations(settings), openStores, { onProgress });
}

/** Lets a running service verify its stores. @throws {OperatorError} when it cannot complete the verification */
async function verifyOverHttp(api: Api, url: string, onProgress: ShowProgress): Promise<VerificationReport> {
  const admin = new Admin(api);
  const start = async () => await admin.startVerification();
  const id = await idOfJob(start, 'verification_id', 'verification_running');
  const { report, reason } = await waitForEnd(
    async () => await admin.verification(id),
    ({ progress }) => {
      if (progress !== null) onProgress(progress);
    },
  );
  if (report === null) throw new OperatorError(`The service at ${url} did not complete the verification: ${reason}.`);
  return report;
}

/** Runs the work and shows its progress on a terminal. */
export async function withProgressBar<T>(work: (onProgress: ShowProgress) => Promise<T>): Promise<T> {
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  try {
    return await work(({ step, count, share }) => {
      const seconds = (performance.now() - started) / 1_000;
      bar.show({
        file: escapeControls(step),
        rows: count,
        seconds,
        share,
        unit: step === 'compare' ? 'documents' : 'events',
      });
    });
  } finally {
    bar.clear();
  }
}
