import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Api } from '#client/api.ts';
import { SuretyError } from '#client/errors.ts';
import { platformCommands } from './platform-commands.ts';
import type { Settings } from '#service/config/config.ts';
import type { Application } from '#service/compose/application.ts';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import { hasTwoDecimals } from '#domain/values/money.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import { type BookFileKind, CLAIMS, POLICIES } from './import/book-file.ts';
import { withCachedReferences } from './import/cached-references.ts';
import { type FileImport, FileStopped, type FileTally, importFile, readHeading } from './import/import-file.ts';
import { ProgressBar } from './import/progress.ts';
import { refusedFileOf } from './import/refused-file.ts';
import { refusedRows, reportAsJson, reportAsTable } from './import/report.ts';
import { importLocally, importOverHttp } from './import/import-row.ts';
import { UnreadableFile } from './import/read-rows.ts';
import type { Logger } from '#service/observability/logging.ts';
import { advanceCheckpoint } from '#processes/completion/open-command-reader.ts';
import type { Projector } from '#read-side/projector.ts';
import { parseWords } from './arguments.ts';
import { stallBefore, withTool } from './with-application.ts';
import { EXIT, JSON_OPTION, OperatorError, printJson, WrongUse } from './outcome.ts';
import { onStopSignal } from './stop-signals.ts';
import { describeFailure, SERVICE_OPTIONS, type Service, serviceOf, withClient } from './service.ts';

export const IMPORT_OPTIONS = {
  environment: {
    type: 'string',
    value: 'ID',
    expects: 'the number of an environment',
    help: 'required: number of the environment that gets the book',
  },
  provider: {
    type: 'string',
    value: 'NAME',
    expects: 'the name of the insurer',
    help: 'required: name of the insurer',
  },
  'product-type': {
    type: 'string',
    value: 'TYPE',
    default: 'Auto',
    expects: 'the type of the products',
    help: `one of ${PRODUCT_TYPES.join(', ')}. Default: Auto`,
  },
  currency: {
    type: 'string',
    value: 'CODE',
    default: 'NGN',
    expects: 'a code of ISO 4217 with two decimals',
    help: 'currency of the book. Default: NGN',
  },
  refused: {
    type: 'string',
    value: 'DIR',
    default: '.',
    expects: 'a folder for refused rows',
    help: 'folder for <file name>.refused.csv. Default: the working folder',
  },
  json: { ...JSON_OPTION, help: 'prints one JSON object instead of a table' },
  strict: { type: 'boolean', default: false, help: 'exits with 1 if a row is refused' },
  ...SERVICE_OPTIONS,
} as const;

/** Long enough for the restart of a service or a server. */
const RETRY_FOR_MS = 30_000;

interface BookFile {
  readonly file: string;
  readonly kind: BookFileKind;
  readonly common: Readonly<Record<string, unknown>>;
}

interface ImportOptions {
  readonly environmentId: number;
  readonly files: readonly BookFile[];
  readonly refusedFolder: string;
  readonly json: boolean;
  readonly strict: boolean;
  readonly service: Service | undefined;
}

/** `surety import`: imports a book from CSV files. */
export async function runImport(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const options = parseOptions(words, settings);
  // Check both files first, so that an error in the second one shows before the first is imported.
  for (const { file, kind } of options.files) await readHeading(file, kind).catch(rethrowUnreadable);
  const { service } = options;
  if (service === undefined) {
    const work = async (application: Application): Promise<number> =>
      await importIntoStores(options, application, settings, log);
    return await withTool(settings, log, work);
  }
  return await withClient(service, settings, RETRY_FOR_MS, async (api) => {
    await checkService(api, service.url, options.environmentId);
    return await importFiles(options, { importRow: importOverHttp(api.http) });
  });
}

/** Checks key and environment before the first row. @throws {OperatorError} */
async function checkService(api: Api, url: string, id: number): Promise<void> {
  await api.get('/api/v1/environments/{id}/', { id }).catch((error: unknown) => {
    const status = error instanceof SuretyError ? error.status : undefined;
    if (status === 401 || status === 403)
      throw new OperatorError(`The service at ${url} does not accept this key as the key of an administrator.`);
    if (status === 404) throw new OperatorError(noEnvironment(id));
    throw error;
  });
}

async function importIntoStores(
  options: ImportOptions,
  application: Application,
  settings: Settings,
  log: Logger,
): Promise<number> {
  const commands = platformCommands(withCachedReferences(application.commandPorts), 'import');
  if (!(await commands.hasEnvironment(options.environmentId)))
    throw new OperatorError(noEnvironment(options.environmentId));
  // The projector starts afterwards, because catching up writes a document once that live projection would write
  // several times.
  const { eventStore } = application;
  const code =
    eventStore.inBatches === undefined
      ? await importFiles(options, { importRow: importLocally(commands, RETRY_FOR_MS) })
      : // Retries do not help against errors of the local disk.
        await eventStore.inBatches(
          async (commit) => await importFiles(options, { importRow: importLocally(commands, 0), commit }),
        );
  // On servers a running scheduler follows the log, and the checkpoint is its own.
  if (settings.servers === undefined) await advanceCheckpoint({ commandPorts: application.commandPorts, log });
  const last = await eventStore.lastPosition();
  if (last !== undefined) await waitUntilCaughtUp(await application.startProjector(), last);
  return code;
}

async function waitUntilCaughtUp(projector: Projector, position: Position): Promise<void> {
  const bar = new ProgressBar(process.stderr);
  const startedAt = performance.now();
  const failure = await stallBefore(projector, position, undefined, (reached) => {
    const seconds = (performance.now() - startedAt) / 1_000;
    const percent = Number((reached * 100n) / position);
    bar.show({ file: 'read models', rows: percent, unit: '%', seconds, share: percent / 100 });
  });
  bar.clear();
  if (failure === undefined) return;
  throw new OperatorError(
    `The event log has all rows, but the read models are stalled (${failure}). They catch up at the next start.`,
  );
}

async function importFiles(options: ImportOptions, rows: Pick<FileImport, 'importRow' | 'commit'>): Promise<number> {
  const interruption = onInterrupt();
  const bar = new ProgressBar(process.stderr);
  const startedAt = performance.now();
  const tallies: FileTally[] = [];
  let stopped: FileStopped | undefined;
  for (const { file, kind, common } of options.files) {
    if (interruption.signal.aborted || stopped !== undefined) break;
    const size = statSync(file).size;
    const fileStartedAt = performance.now();
    try {
      tallies.push(
        await importFile({
          file,
          kind,
          common: { environment_id: options.environmentId, ...common },
          refusedFile: refusedFileOf(file, options.refusedFolder),
          ...rows,
          signal: interruption.signal,
          onProgress: ({ read }, bytes) => {
            bar.show({ file, rows: read, seconds: (performance.now() - fileStartedAt) / 1_000, share: bytes / size });
          },
        }),
      );
    } catch (error) {
      if (!(error instanceof FileStopped)) return rethrowUnreadable(error);
      stopped = error;
      tallies.push(error.tally);
    }
  }
  bar.clear();
  interruption.release();
  const report = { files: tallies, seconds: (performance.now() - startedAt) / 1_000 };
  if (options.json) printJson(reportAsJson(report));
  else process.stdout.write(`${reportAsTable(report)}\n`);
  if (stopped !== undefined)
    throw new OperatorError(`${reasonOf(stopped, options)} ${HOW_TO_CONTINUE}`, { cause: stopped });
  if (interruption.signal.aborted) {
    process.stderr.write(`The import was interrupted. ${HOW_TO_CONTINUE}\n`);
    return EXIT.interrupted;
  }
  return options.strict && refusedRows(tallies) > 0 ? EXIT.failed : EXIT.done;
}

const HOW_TO_CONTINUE = 'Imported rows stay imported; run the same command again to continue.';

function reasonOf({ cause }: FileStopped, { service }: ImportOptions): string {
  if (service !== undefined && cause instanceof SuretyError) return describeFailure(service.url, cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return /[.!]$/.test(message) ? message : `${message}.`;
}

/** The first Ctrl-C stops the import after the pending rows, a second one exits at once. */
function onInterrupt(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = onStopSignal(() => controller.abort(), EXIT.interrupted);
  return { signal: controller.signal, release };
}

function parseOptions(words: readonly string[], settings: Settings): ImportOptions {
  const { values, positionals } = parseWords(words, IMPORT_OPTIONS);
  const [policies, claims, ...rest] = positionals;
  if (policies === undefined) throw new WrongUse('surety import needs a policies file; a claims file may follow.');
  if (rest.length > 0) throw new WrongUse(`surety import takes at most two files; ${rest.join(' ')} is not expected.`);
  const { environment, provider, currency, 'product-type': productType } = values;
  if (environment === undefined || !/^[1-9]\d{0,9}$/.test(environment)) {
    throw new WrongUse('surety import needs --environment with the number of an environment.');
  }
  if (provider === undefined || provider.trim() === '') {
    throw new WrongUse('surety import needs --provider with the name of the insurer.');
  }
  if (provider.trim().length > 80) throw new WrongUse('--provider must have at most 80 characters.');
  if (!(PRODUCT_TYPES as readonly string[]).includes(productType)) {
    throw new WrongUse(
      `--product-type must be one of ${PRODUCT_TYPES.join(', ')}; it is ${JSON.stringify(productType)}.`,
    );
  }
  if (!hasTwoDecimals(currency)) {
    throw new WrongUse(
      `--currency must be a code of ISO 4217 of a currency with two decimals; it is ${JSON.stringify(currency)}.`,
    );
  }
  const common = { provider_name: provider, product_type: productType, currency };
  const files: BookFile[] = [{ file: policies, kind: POLICIES, common }];
  if (claims !== undefined) files.push({ file: claims, kind: CLAIMS, common: {} });
  checkRefusedFiles(files, values.refused);
  const { json, strict, refused: refusedFolder } = values;
  return {
    environmentId: Number(environment),
    files,
    refusedFolder,
    json,
    strict,
    service: serviceOf(values, settings),
  };
}

/** Checks that no file of refused rows would overwrite another one or an imported file. @throws {WrongUse} */
function checkRefusedFiles(files: readonly BookFile[], folder: string): void {
  const written = files.map(({ file }) => resolve(refusedFileOf(file, folder)));
  const read = files.map(({ file }) => resolve(file));
  const duplicate = [...written, ...read].find((file, index, all) => all.indexOf(file) !== index);
  if (duplicate === undefined) return;
  throw new WrongUse(`${basename(duplicate)} would be overwritten; give the files different names.`);
}

function rethrowUnreadable(error: unknown): never {
  if (error instanceof UnreadableFile) throw new OperatorError(error.message, { cause: error });
  throw error;
}

function noEnvironment(id: number): string {
  return `There is no environment ${id}; create it with the command CreateEnvironment.`;
}
