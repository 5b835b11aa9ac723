import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '../config.ts';
import { adminKeyFile } from '../security/start-secrets.ts';
import { OperatorError, WrongUse } from './outcome.ts';
import { ServiceClient } from './service-client.ts';

/** Options of every command that can work through a running service. */
export const SERVICE_OPTIONS = {
  url: { type: 'string', takes: 'the URL of a service that runs' },
  'key-file': { type: 'string', takes: 'the name of a file with the key of an administrator' },
} as const;

export interface ServiceOptions {
  readonly url?: string | undefined;
  readonly 'key-file'?: string | undefined;
}

/**
 * A client of the service that `--url` names, which waits so long for a service that is away.
 * @throws {OperatorError} when there is no key for it
 */
export function clientOf(
  options: ServiceOptions & { readonly url: string },
  settings: Settings,
  patienceMs: number,
): ServiceClient {
  return new ServiceClient({ url: options.url, apiKey: keyOf(options, settings), connections: 64, patienceMs });
}

/** @throws {WrongUse} when the options cannot be meant so */
export function checkServiceOptions({ url, 'key-file': keyFile }: ServiceOptions): void {
  if (url === undefined) {
    if (keyFile !== undefined) throw new WrongUse('--key-file is the key for --url, which is not given.');
  } else if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new WrongUse(`--url must be a URL that begins with http:// or https://; it is ${JSON.stringify(url)}.`);
  }
}

function keyOf(options: ServiceOptions, settings: Settings): string {
  const named = options['key-file'];
  if (named !== undefined) return readKey(named);
  if (settings.adminKey !== undefined) return settings.adminKey;
  const own = adminKeyFile(settings.dataFolder);
  if (existsSync(own)) return readKey(own);
  throw new OperatorError('An administrator’s key is needed: name its file by --key-file, or set SURETY_ADMIN_KEY.');
}

function readKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(`The key file ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new OperatorError(`The key file ${file} does not hold one key and nothing else.`);
  return text;
}
