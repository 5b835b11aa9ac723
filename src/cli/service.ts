import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidSettings, type Settings } from '#service/config/config.ts';
import { adminKeyFile } from '#service/security/start-secrets.ts';
import { findServiceOf } from '#service/compose/application.ts';
import { OperatorError, WrongUse } from './outcome.ts';
import { ServiceClient, type ServiceResponse, ServiceUnreachable } from './service-client.ts';

export const SERVICE_OPTIONS = {
  url: {
    type: 'string',
    value: 'URL',
    expects: 'the URL of a running service',
    help: 'uses the running service at this URL. Default: SURETY_URL, else the service that holds the data folder, else the stores themselves',
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
 * Returns the service of `--url`, else of `SURETY_URL`, else the one that holds the data folder; undefined when the command works on the
 * stores.
 * @throws {WrongUse} @throws {InvalidSettings}
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
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return { url, keyFile };
  const problem = `must be a URL that begins with http:// or https://; it is ${JSON.stringify(url)}.`;
  throw option === undefined ? new InvalidSettings([`SURETY_URL ${problem}`]) : new WrongUse(`--url ${problem}`);
}

/** Returns the service of a command that has no other place to work on. @throws {WrongUse} @throws {InvalidSettings} */
export function requireService(command: string, options: ServiceOptions, settings: Settings): Service {
  const service = serviceOf(options, settings);
  if (service === undefined)
    throw new WrongUse(`${command} needs a running service: one in the data folder, or --url or SURETY_URL.`);
  return service;
}

/** Runs the work with a client of the service. @throws {OperatorError} when there is no key for it */
export async function withClient<T>(
  { url, keyFile }: Service,
  settings: Settings,
  retryForMs: number,
  work: (client: ServiceClient) => Promise<T>,
): Promise<T> {
  const client = new ServiceClient({ url, apiKey: keyOf(keyFile, settings), connections: 64, retryForMs });
  try {
    return await work(client);
  } finally {
    client.close();
  }
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

/** Returns a variable that belongs to the command line and not to the settings of the service. An empty one counts as not set. */
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

/** Gets a path; returns also the last response that the service is not available. @throws {ServiceUnreachable} without a response */
export async function getResponse(client: ServiceClient, path: string): Promise<ServiceResponse> {
  try {
    return await client.get(path);
  } catch (error) {
    if (error instanceof ServiceUnreachable && error.response !== undefined) return error.response;
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

const POLL_MS = 200;

export async function waitForEnd<Job extends { readonly state: string }>(
  read: () => Promise<Job>,
  onProgress: (job: Job) => void,
): Promise<Job> {
  for (;;) {
    const job = await read();
    if (job.state !== 'running') return job;
    onProgress(job);
    await pause(POLL_MS);
  }
}

/**
 * Returns the JSON of a response. A refusal because one runs already names that one.
 * @throws {OperatorError} when the service refuses for another reason
 */
export function parseResponse(url: string, { status, text }: ServiceResponse, runningCode?: string): Members {
  const body = parseJson(text) as Members | undefined;
  if (body === undefined) throw new OperatorError(`The service at ${url} responds with no JSON.`);
  if (status < 300 || (runningCode !== undefined && body['code'] === runningCode)) return body;
  throw new OperatorError(`The service at ${url} refuses with ${status}: ${String(body['error'])}.`);
}

/** Returns the value of a JSON text; undefined for another text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
