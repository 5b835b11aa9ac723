import { existsSync, readFileSync } from 'node:fs';
import type { Settings } from '../config.ts';
import { adminKeyFile } from '../start-secrets.ts';
import { CannotDo, WrongUse } from './outcome.ts';
import { ServiceClient } from './service-client.ts';

/** Options of every command that can work through a running service. */
export const SERVICE_OPTIONS = { url: { type: 'string' }, 'key-file': { type: 'string' } } as const;

export interface ServiceOptions {
  readonly url?: string | undefined;
  readonly 'key-file'?: string | undefined;
}

/** How long a service that is being restarted is waited for. */
const PATIENCE_MS = 30_000;

/** A client of the service that `--url` names. @throws {WrongUse} @throws {CannotDo} */
export function clientOf(options: ServiceOptions & { readonly url: string }, settings: Settings): ServiceClient {
  const url = URL.parse(options.url);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(
      `--url must be a URL that begins with http:// or https://; it is ${JSON.stringify(options.url)}.`,
    );
  }
  const apiKey = keyOf(options, settings);
  return new ServiceClient({ url: options.url, apiKey, connections: 64, patienceMs: PATIENCE_MS });
}

/** `--key-file` means something only with `--url`. @throws {WrongUse} */
export function checkServiceOptions(options: ServiceOptions): void {
  if (options.url === undefined && options['key-file'] !== undefined) {
    throw new WrongUse('--key-file is the key for --url, which is not given.');
  }
}

function keyOf(options: ServiceOptions, settings: Settings): string {
  const named = options['key-file'];
  if (named !== undefined) return readKey(named);
  if (settings.adminKey !== undefined) return settings.adminKey;
  const own = adminKeyFile(settings.dataFolder);
  if (existsSync(own)) return readKey(own);
  throw new CannotDo('An administrator’s key is needed: name its file by --key-file, or set SURETY_ADMIN_KEY.');
}

function readKey(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CannotDo(`The key file ${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  if (!/^[\x21-\x7e]+$/.test(text)) throw new CannotDo(`The key file ${file} does not hold one key and nothing else.`);
  return text;
}
