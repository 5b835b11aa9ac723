import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatKey, keyIdFrom, parseKey, SECRET_BYTES } from '../domain/key-format.ts';
import { writePrivately } from '../runtime/private-file.ts';

const SECRET_FILE = 'secret';
const ADMIN_KEY_FILE = 'admin.key';
const MADE_SECRET_BYTES = 32;
const SHORTEST_SECRET = 32;

/** A secret of the data folder, and whether it was made just now. */
export interface Kept {
  readonly value: string;
  readonly made: boolean;
  readonly file: string;
}

/** A file of the data folder does not hold what it should, or a secret is needed that nobody told. The message is a sentence. */
export class NoUsableSecret extends Error {
  override readonly name = 'NoUsableSecret';
}

/** The secret that signs tokens: of the folder, or made now (`decisions`: Running). @throws {NoUsableSecret} */
export function keepSecret(folder: string, randomBytes: (bytes: number) => Uint8Array): Kept {
  const file = secretFile(folder);
  const made = (): string => Buffer.from(randomBytes(MADE_SECRET_BYTES)).toString('hex');
  return keep(file, made, (text) => text.length >= SHORTEST_SECRET);
}

/** The secret that a service made in the folder, if there is one: nothing is made. @throws {NoUsableSecret} */
export function findSecret(folder: string): string | undefined {
  return readGood(secretFile(folder), (text) => text.length >= SHORTEST_SECRET);
}

/** The secret that a service made in the folder: without one nothing is made. @throws {NoUsableSecret} */
export function demandSecret(folder: string): string {
  const kept = findSecret(folder);
  if (kept !== undefined) return kept;
  throw new NoUsableSecret(
    'SURETY_SECRET must be set to the secret that the services sign with: the links in mails are made by it.',
  );
}

/** The administrator's key: of the folder, or made now (`decisions`: Keys, roles, tenancy). @throws {NoUsableSecret} */
export function keepAdminKey(folder: string, randomBytes: (bytes: number) => Uint8Array): Kept {
  const made = (): string => {
    const keyId = keyIdFrom(Buffer.from(randomBytes(SECRET_BYTES)).toString('hex'));
    return formatKey('platform', keyId, randomBytes(SECRET_BYTES));
  };
  return keep(adminKeyFile(folder), made, (text) => parseKey(text)?.kind === 'platform');
}

/** Where the secret lies that the first start made. */
export function secretFile(folder: string): string {
  return join(folder, SECRET_FILE);
}

/** Where the key of the first start lies. */
export function adminKeyFile(folder: string): string {
  return join(folder, ADMIN_KEY_FILE);
}

function keep(file: string, make: () => string, isGood: (text: string) => boolean): Kept {
  const there = readGood(file, isGood);
  if (there !== undefined) return { value: there, made: false, file };
  const value = make();
  writePrivately(file, value);
  return { value, made: true, file };
}

function readGood(file: string, isGood: (text: string) => boolean): string | undefined {
  const there = read(file);
  if (there === undefined || isGood(there)) return there;
  throw new NoUsableSecret(`${file} does not hold what Surety wrote there; put it back or delete it.`);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
