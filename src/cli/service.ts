import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '../config.ts';
import { adminKeyFile } from '../security/start-secrets.ts';
import { OperatorError, WrongUse } from './outcome.ts';
import { ServiceClient } from './service-client.ts';

/** Options of commands that can use a running service. */
export const SERVICE_OPTIONS = {
  url: { type: 'string', expects: 'the URL of a running service' },
  'key-file': { type: 'string', expects: 'the path of a file with the key of an administrator' },
} as const;

export interface ServiceOptions {
  readonly url?: string | undefined;
  readonly 'key-file'?: string | undefined;
}

/** Returns a client of the service at `--url`. @throws {OperatorError} when there is no key for it */
export function clientOf(
  options: ServiceOptions & { readonly url: string },
  settings: Settings,
  retryForMs: number,
): ServiceClient {
  return new ServiceClient({ url: options.url, apiKey: keyOf(options, settings), connections: 64, retryForMs });
}

export function checkServiceOptions({ url, 'key-file': keyFile }: ServiceOptions): void {
  if (url === undefined) {
    if (keyFile !== undefined) throw new WrongUse('--key-file needs --url.');
  } else if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new WrongUse(`--url must be a URL that begins with http:// or https://; it is ${JSON.stringify(url)}.`);
  }
}

function keyOf(options: ServiceOptions, settings: Settings): string {
  const keyFile = options['key-file'];
  if (keyFile !== undefined) return readKey(keyFile);
  if (settings.adminKey !== undefined) return settings.adminKey;
  const folderKey = adminKeyFile(settings.dataFolder);
  if (existsSync(folderKey)) return readKey(folderKey);
  throw new OperatorError(
    'The key of an administrator is needed: give its file with --key-file, or set SURETY_ADMIN_KEY.',
  );
}

function readKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(`The key file ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new OperatorError(`The key file ${file} must contain one key and nothing else.`);
  return text;
}
