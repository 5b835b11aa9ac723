import type { Settings } from '../config.ts';
import type { OpenStores } from '../container.ts';
import { changeSecret, keepToSecret, OtherSecret, refuseOtherSecret, SECRET_MARK } from '../security/secret-mark.ts';
import { findSecret, keepSecret } from '../security/start-secrets.ts';
import type { Records } from '../records/records.ts';
import { CannotDo } from './outcome.ts';

/**
 * Before anything is made: on servers a start that could not sign as the others do leaves neither a secret nor a store behind.
 * @throws {CannotDo}
 */
export async function demandSecretInForce(
  records: Records,
  { secret, adminKey, mongoUrl, dataFolder }: Settings,
): Promise<void> {
  if (mongoUrl === undefined) return;
  if (secret !== undefined && adminKey === undefined) throw new CannotDo(NO_KEY_IN_COMMON);
  await orSentence(refuseOtherSecret(records, secret ?? findSecret(dataFolder)));
}

/**
 * Before a process serves: on servers, where others may serve as well, it must sign with the secret that all have; in a folder
 * it serves alone, and what it signs with is written down for a migration.
 * @throws {CannotDo}
 */
export async function agreeOnSecret({ commandPorts }: OpenStores, settings: Settings): Promise<void> {
  const { records, randomBytes } = commandPorts;
  // Whoever serves makes one where none is told; the others then take it.
  const secret = settings.secret ?? keepSecret(settings.dataFolder, randomBytes).value;
  if (settings.mongoUrl === undefined) await changeSecret(records, secret);
  else await orSentence(keepToSecret(records, secret));
}

/** Before a set-up makes anything. @throws {CannotDo} */
export async function demandSameSecret(
  records: Records,
  { secret, mongoUrl }: Settings,
  isNew: boolean,
): Promise<void> {
  if (mongoUrl !== undefined && secret !== undefined && !isNew) await orSentence(refuseOtherSecret(records, secret));
}

/**
 * At the set-up. On servers a secret that is told is the one that processes are held to; where it is not, and never was, the
 * first that serves says it. A folder gets one.
 * @returns whether it is known now
 * @throws {CannotDo}
 */
export async function sayWhichSecret(
  { commandPorts: { records, randomBytes } }: OpenStores,
  { secret, mongoUrl, dataFolder }: Settings,
  isNew: boolean,
): Promise<boolean> {
  if (mongoUrl === undefined) {
    if (secret === undefined) keepSecret(dataFolder, randomBytes);
    return true;
  }
  if (secret === undefined) return (await records.getValue(SECRET_MARK)) !== undefined;
  await (isNew ? changeSecret(records, secret) : orSentence(keepToSecret(records, secret)));
  return true;
}

async function orSentence(agreeing: Promise<void>): Promise<void> {
  try {
    await agreeing;
  } catch (error) {
    if (error instanceof OtherSecret) throw new CannotDo(`${error.message}: ${WHAT_TO_DO}`, { cause: error });
    throw error;
  }
}

const WHAT_TO_DO =
  'set SURETY_SECRET to that one, in every process (after surety migrate it is the text in the file secret of the folder); ' +
  'or end those links on purpose, by surety setup --change-secret with the new one in SURETY_SECRET.';

const NO_KEY_IN_COMMON =
  'SURETY_ADMIN_KEY must be set where SURETY_SECRET is: on servers several processes may serve, and each would make a key of its own.';
