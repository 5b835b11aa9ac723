import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Api } from '#client/api.ts';
import { SuretyError } from '#client/errors.ts';
import { type Call, Http } from '#client/http.ts';
import { InvalidSettings, type Settings } from '#service/config/config.ts';
import { adminKeyFile } from '#service/security/start-secrets.ts';
import { findServiceOf } from '#service/compose/application.ts';
import { nodeFetch } from './node-fetch.ts';
import { OperatorError, WrongUse } from './outcome.ts';

export const SERVICE_OPTIONS = {
  url: {
    type: 'string',
    value: 'URL',
    expects: 'the URL of a running service',
    help: 'uses the running service at this URL. Default: SURETY_URL, else the service that holds the data folder',
  },
  'key-file': {
    type: 'string',
    value: 'FILE',
    expects: 'the path of a file with an API key',
    help: 'file with the API key for the service and nothing else. Default: SURETY_KEY, else SURETY_ADMIN_KEY, else admin.key in the data folder',
  },
} as const;

/** How long a command that sends few requests repeats one while the service is not available. */
export const REQUEST_RETRY_MS = 5_000;

interface ServiceOptions {
  readonly url?: string | undefined;
  readonly 'key-file'?: string | undefined;
}

export interface Service {
  readonly url: string;
  readonly keyFile: string | undefined;
}

/**
 * Returns the service of `--url`, else of `SURETY_URL`, else the one that holds the data folder; undefined when the
 * command works on the stores.
 * @throws {WrongUse}
 * @throws {InvalidSettings}
 */
export function serviceOf(options: ServiceOptions, settings: Settings): Service | undefined {
  const { url: option, 'key-file': keyFile } = options;
  const url = option ?? setVariable('SURETY_URL');
  if (url === undefined) {
    const found = settings.servers === undefined ? findServiceOf(settings.dataFolder) : undefined;
    if (found !== undefined) return { url: found, keyFile };
    if (keyFile !== undefined)
      throw new WrongUse('--key-file needs --url, SURETY_URL or a service in the data folder.');
    return undefined;
  }
  const problem = problemOfUrl(url);
  if (problem === undefined) return { url, keyFile };
  throw option === undefined ? new InvalidSettings([`SURETY_URL ${problem}`]) : new WrongUse(`--url ${problem}`);
}

function problemOfUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return `must be a URL that begins with http:// or https://; it is ${JSON.stringify(text)}.`;
  return url.href === url.origin + url.pathname ? undefined : 'must have no user, query and fragment.';
}

/** Returns the service of a command that has no other place to work on. @throws {WrongUse} @throws {InvalidSettings} */
export function requireService(command: string, options: ServiceOptions, settings: Settings): Service {
  const service = serviceOf(options, settings);
  if (service === undefined)
    throw new WrongUse(`${command} needs a running service: one in the data folder, or --url or SURETY_URL.`);
  return service;
}

/** Longer than any response of the service takes, without the wait for an event. */
const ATTEMPT_TIMEOUT_MS = 40_000;

/**
 * Runs the work with the API of the service, whose calls are retried for so long while the service is not available.
 * @throws {OperatorError} when there is no key, and when a call fails
 */
export async function withClient<T>(
  { url, keyFile }: Service,
  settings: Settings,
  retryForMs: number,
  work: (api: Api) => Promise<T>,
): Promise<T> {
  const key = keyOf(keyFile, settings);
  const limits = { attemptTimeoutMs: ATTEMPT_TIMEOUT_MS, callTimeoutMs: Infinity, retryForMs };
  try {
    return await work(new Api(new Http({ url, key, fetch: nodeFetch, ...limits })));
  } catch (error) {
    if (error instanceof SuretyError) throw new OperatorError(describeFailure(url, error), { cause: error });
    throw error;
  }
}

/** Returns the call that executes a command of the platform. */
export function commandCall(name: string, body: unknown): Call {
  return { method: 'POST', path: `/api/v1/admin/commands/${encodeURIComponent(name)}`, body: body as object };
}

/** Returns whether the service has refused the call, and would refuse it again. */
export function isRefusal({ status, problem }: SuretyError): boolean {
  return 'code' in problem && status !== undefined && status < 500 && status !== 408 && status !== 429;
}

/** Returns a sentence about a call to the service that failed. */
export function describeFailure(url: string, error: SuretyError): string {
  const failure = isRefusal(error) ? `refuses with ${error.status}` : 'is not available';
  return `The service at ${url} ${failure}: ${error.detail}.`;
}

/** Returns the problem with which the service has refused a call, as JSON. @throws the error when it is another one */
export function problemIn(error: unknown): string {
  if (error instanceof SuretyError && 'code' in error.problem) return JSON.stringify(error.problem);
  throw error;
}

/**
 * Returns the id of the job that a call has started, or of the one that runs already and for which the service refuses
 * it.
 */
export async function idOfJob(call: () => Promise<object>, member: string, runningCode: string): Promise<string> {
  const job = await call().catch((error: unknown) => {
    if (error instanceof SuretyError && error.code === runningCode) return error.problem;
    throw error;
  });
  return String((job as Readonly<Record<string, unknown>>)[member]);
}

function keyOf(keyFile: string | undefined, settings: Settings): string {
  if (keyFile !== undefined) return readKey(keyFile);
  const variable = setVariable('SURETY_KEY');
  if (variable !== undefined) return oneKey(variable, 'SURETY_KEY');
  if (settings.adminKey !== undefined) return settings.adminKey;
  const folderKey = adminKeyFile(settings.dataFolder);
  if (existsSync(folderKey)) return readKey(folderKey);
  throw new OperatorError(
    `An API key is needed. There is no ${folderKey}: set SURETY_DATA to the service's folder, or SURETY_KEY, or --key-file.`,
  );
}

/**
 * Returns a variable that belongs to the command line and not to the settings of the service. An empty one counts as
 * not set.
 */
function setVariable(name: 'SURETY_URL' | 'SURETY_KEY'): string | undefined {
  return process.env[name] === '' ? undefined : process.env[name];
}

function readKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`The key file ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  return oneKey(text, `The key file ${file}`);
}

function oneKey(text: string, source: string): string {
  const key = text.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) throw new OperatorError(`${source} must contain one key and nothing else.`);
  return key;
}

const POLL_MS = 200;

export async function waitForEnd<Job extends { readonly state: string; readonly reason: string | null }>(
  read: () => Promise<Job>,
  onProgress: (job: Job) => void,
): Promise<Job> {
  for (;;) {
    const job = await read();
    if (job.state !== 'running' || job.reason !== null) return job;
    onProgress(job);
    await pause(POLL_MS);
  }
}
