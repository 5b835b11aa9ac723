import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { adminCommands } from '../admin/admin-commands.ts';
import type { Settings } from '../config.ts';
import type { Application } from '../composition/application.ts';
import { PRODUCT_TYPES } from '../domain/product/product.ts';
import type { Position } from '../event-store/event-store.ts';
import { type BookFileKind, CLAIMS, POLICIES } from '../import/book-file.ts';
import { FileStopped, type FileTally, importFile, readHeading } from '../import/import-file.ts';
import { ProgressBar } from '../import/progress.ts';
import { refusedFileOf } from '../import/refused-file.ts';
import { refusedRows, reportAsJson, reportAsTable } from '../import/report.ts';
import { importLocally } from '../import/import-locally.ts';
import { importOverHttp } from '../import/import-over-http.ts';
import type { ImportRow } from '../import/import-row.ts';
import { UnreadableFile } from '../import/read-rows.ts';
import type { Logger } from '../observability/logging.ts';
import type { Projector } from '../projector/projector.ts';
import { parseWords } from './arguments.ts';
import { asTool, failureToReach, withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { onStopSignal } from './stop-signals.ts';
import type { ServiceClient } from './service-client.ts';
import { checkServiceOptions, clientOf, SERVICE_OPTIONS } from './service.ts';

const OPTIONS = {
  environment: { type: 'string', takes: 'the number of an environment' },
  provider: { type: 'string', takes: 'the name of the insurer' },
  'product-type': { type: 'string', default: 'Auto', takes: 'the type of the products' },
  currency: { type: 'string', default: 'NGN', takes: 'three capital letters' },
  refused: { type: 'string', default: '.', takes: 'a folder for the rows that are refused' },
  json: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  ...SERVICE_OPTIONS,
} as const;

/** Long enough for a service, or a server, that is being started again. */
const PATIENCE_MS = 30_000;

interface Part {
  readonly file: string;
  readonly kind: BookFileKind;
  readonly common: Readonly<Record<string, unknown>>;
}

interface Wanted {
  readonly environmentId: number;
  readonly parts: readonly Part[];
  readonly refusedFolder: string;
  readonly json: boolean;
  readonly strict: boolean;
  readonly service: { readonly url?: string | undefined; readonly 'key-file'?: string | undefined };
}

/** `surety import`: imports a book from CSV files. */
export async function runImport(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const wanted = wantedOf(words);
  // Both files first: a mistake in the second one should not show after the first has been taken.
  for (const { file, kind } of wanted.parts) await readHeading(file, kind).catch(sentenceOf);
  const { url } = wanted.service;
  if (url === undefined) {
    const work = async (application: Application): Promise<number> => await importHere(wanted, application, settings);
    return await withApplication(asTool(settings), log, work, { knowsUrl: true });
  }
  const client = clientOf({ ...wanted.service, url }, settings, PATIENCE_MS);
  try {
    await checkService(client, wanted.environmentId);
    return await importBy(wanted, importOverHttp(client));
  } finally {
    client.close();
  }
}

/** Asks once what every row would be refused for. @throws {OperatorError} */
async function checkService(client: ServiceClient, environmentId: number): Promise<void> {
  const { status } = await client.get(`api/v1/environments/${environmentId}/`);
  if (status === 200) return;
  if (status === 401 || status === 403)
    throw new OperatorError('The service does not take this key as an administrator’s.');
  if (status === 404) throw new OperatorError(noEnvironment(environmentId));
  throw new OperatorError(`The service answers ${status} when it is asked for environment ${environmentId}.`);
}

/** In this process, whose projector brings the read models level before it ends. */
async function importHere(wanted: Wanted, application: Application, { eventStoreUrl }: Settings): Promise<number> {
  const office = adminCommands(application.commandPorts);
  if (!(await office.hasEnvironment(wanted.environmentId)))
    throw new OperatorError(noEnvironment(wanted.environmentId));
  const projector = await application.startProjector();
  // A disk does not come back by itself.
  const code = await importBy(wanted, importLocally(office, eventStoreUrl === undefined ? 0 : PATIENCE_MS));
  const last = await application.eventStore.lastPosition();
  if (last !== undefined) await waitUntilLevel(projector, last);
  return code;
}

/** @throws {OperatorError} when the read models stand still */
async function waitUntilLevel(projector: Projector, position: Position): Promise<void> {
  const failure = await failureToReach(projector, position);
  if (failure === undefined) return;
  throw new OperatorError(
    `Everything is in the log, but the read models stand still (${failure}); the next start goes on.`,
  );
}

async function importBy(wanted: Wanted, take: ImportRow): Promise<number> {
  const interruption = onInterrupt();
  const bar = new ProgressBar(process.stderr);
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1_000;
  const files: FileTally[] = [];
  let stopped: FileStopped | undefined;
  for (const { file, kind, common } of wanted.parts) {
    if (interruption.signal.aborted || stopped !== undefined) break;
    const size = statSync(file).size;
    const begun = performance.now();
    try {
      files.push(
        await importFile({
          file,
          kind,
          common: { environment_id: wanted.environmentId, ...common },
          refusedFile: refusedFileOf(file, wanted.refusedFolder),
          take,
          signal: interruption.signal,
          onProgress: ({ read }, bytes) => {
            bar.show({ file, rows: read, seconds: (performance.now() - begun) / 1_000, share: bytes / size });
          },
        }),
      );
    } catch (error) {
      if (!(error instanceof FileStopped)) return sentenceOf(error);
      stopped = error;
      files.push(error.tally);
    }
  }
  bar.clear();
  interruption.release();
  const report = { files, seconds: seconds() };
  process.stdout.write(`${wanted.json ? reportAsJson(report) : reportAsTable(report)}\n`);
  if (stopped !== undefined) throw new OperatorError(`${reasonOf(stopped)} ${WHAT_STAYS}`, { cause: stopped });
  if (interruption.signal.aborted) {
    process.stderr.write(`The import was interrupted. ${WHAT_STAYS}\n`);
    return EXIT.interrupted;
  }
  return wanted.strict && refusedRows(files) > 0 ? EXIT.failed : EXIT.done;
}

const WHAT_STAYS = 'What was taken stays; the same command goes on from there.';

function reasonOf({ cause }: FileStopped): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return /[.!]$/.test(message) ? message : `${message}.`;
}

/** The first Ctrl-C ends the import after the rows under way, a later second one at once. */
function onInterrupt(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = onStopSignal(() => controller.abort(), EXIT.interrupted);
  return { signal: controller.signal, release };
}

/** What the command line asks for. @throws {WrongUse} */
function wantedOf(words: readonly string[]): Wanted {
  const { values, positionals } = parseWords(words, OPTIONS);
  const [policies, claims, ...rest] = positionals;
  if (policies === undefined)
    throw new WrongUse('surety import needs a policies file, and may have a claims file after it.');
  if (rest.length > 0) throw new WrongUse(`surety import takes two files at most; ${rest.join(' ')} is too much.`);
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
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new WrongUse(`--currency must be three capital letters; it is ${JSON.stringify(currency)}.`);
  }
  checkServiceOptions(values);
  const common = { provider_name: provider, product_type: productType, currency };
  const parts: Part[] = [{ file: policies, kind: POLICIES, common }];
  if (claims !== undefined) parts.push({ file: claims, kind: CLAIMS, common: {} });
  checkRefusedFiles(parts, values.refused);
  const { json, strict, refused: refusedFolder } = values;
  return { environmentId: Number(environment), parts, refusedFolder, json, strict, service: values };
}

/** No file of refused rows may replace another one, or a file of the book. @throws {WrongUse} */
function checkRefusedFiles(parts: readonly Part[], folder: string): void {
  const written = parts.map(({ file }) => resolve(refusedFileOf(file, folder)));
  const read = parts.map(({ file }) => resolve(file));
  const twice = [...written, ...read].find((file, index, all) => all.indexOf(file) !== index);
  if (twice === undefined) return;
  throw new WrongUse(`${basename(twice)} would be written twice, or over a file of the book; name the files apart.`);
}

function sentenceOf(error: unknown): never {
  if (error instanceof UnreadableFile) throw new OperatorError(error.message, { cause: error });
  throw error;
}

/** The sentence for an environment that is not there. */
function noEnvironment(id: number): string {
  return `There is no environment ${id}; create it by the command CreateEnvironment.`;
}
