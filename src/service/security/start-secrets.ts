import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatKey, keyIdFrom, parseKey, SECRET_BYTES } from '#domain/api-key/key-format.ts';
import { OperatorError } from '#stores/shared/errors.ts';
import type { Settings } from '../config/config.ts';
import { writePrivateFile } from '../config/data-folder.ts';

const SECRET_FILE = 'secret';
const ADMIN_KEY_FILE = 'admin.key';
const NEW_SECRET_BYTES = 32;
const MIN_SECRET_LENGTH = 32;

/** Enough to distinguish secrets. */
const HASH_BYTES = 16;

export interface StoredSecret {
  readonly value: string;
  readonly created: boolean;
  readonly file: string;
}

/** Returns an HMAC of a constant under the secret, by which processes compare secrets without disclosing them. */
export function secretHash(secret: string): string {
  return createHmac('sha256', secret).update('surety secret mark').digest().subarray(0, HASH_BYTES).toString('hex');
}

/** Returns the secret that signs tokens, and creates it in the folder if it is missing. @throws {OperatorError} */
export function ensureSecret(folder: string, randomBytes: (bytes: number) => Uint8Array): StoredSecret {
  const create = (): string => Buffer.from(randomBytes(NEW_SECRET_BYTES)).toString('hex');
  return ensure(secretFile(folder), create, isSecret);
}

/**
 * Returns the secret that a service created in the folder, if there is one.
 * @throws {OperatorError} when it cannot be used
 */
export function findSecret(folder: string): string | undefined {
  return readValid(secretFile(folder), isSecret);
}

/** Returns the secret that a service created in the folder. @throws {OperatorError} when there is none */
export function requireSecret(folder: string): string {
  const secret = findSecret(folder);
  if (secret !== undefined) return secret;
  throw new OperatorError('SURETY_SECRET must be set to the secret with which the services sign the links in mails.');
}

/**
 * Returns the secret of the settings, else that of the folder. On servers all processes share one secret, which a tool
 * must not create.
 * @throws {OperatorError}
 */
export function secretOf({ secret, servers, dataFolder }: Pick<Settings, 'secret' | 'servers' | 'dataFolder'>): string {
  if (secret !== undefined) return secret;
  return servers === undefined ? ensureSecret(dataFolder, randomBytes).value : requireSecret(dataFolder);
}

/** Returns the administrator's key, and creates it in the folder if it is missing. @throws {OperatorError} */
export function ensureAdminKey(folder: string, randomBytes: (bytes: number) => Uint8Array): StoredSecret {
  const create = (): string => {
    const keyId = keyIdFrom(Buffer.from(randomBytes(SECRET_BYTES)).toString('hex'));
    return formatKey('platform', keyId, randomBytes(SECRET_BYTES));
  };
  return ensure(adminKeyFile(folder), create, (text) => parseKey(text)?.kind === 'platform');
}

export function secretFile(folder: string): string {
  return join(folder, SECRET_FILE);
}

export function adminKeyFile(folder: string): string {
  return join(folder, ADMIN_KEY_FILE);
}

function isSecret(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH;
}

function ensure(file: string, create: () => string, isValid: (text: string) => boolean): StoredSecret {
  const stored = readValid(file, isValid);
  if (stored !== undefined) return { value: stored, created: false, file };
  const value = create();
  writePrivateFile(file, value);
  return { value, created: true, file };
}

function readValid(file: string, isValid: (text: string) => boolean): string | undefined {
  const text = read(file);
  if (text === undefined || isValid(text)) return text;
  throw new OperatorError(`${file} does not hold what Surety wrote there; put it back or delete it.`);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
