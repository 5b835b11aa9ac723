import type { Settings } from '../config.ts';
import type { OpenStores } from '../container.ts';
import { hasEmbeddedStore, hasNoServer } from '../config.ts';
import type { From } from '../processes/checkpoint.ts';
import type { Logger } from '../runtime/logging.ts';
import { keepAdminKey } from '../security/start-secrets.ts';
import { demandSameSecret, sayWhichSecret } from './agree-on-secret.ts';
import { parseWords } from './arguments.ts';
import { withStores, setUpBroker } from './with-stores.ts';
import { CannotDo, EXIT, WrongUse } from './outcome.ts';
import { tellAdminKey } from './announcement.ts';

/** What is said where a value is missing, and where it is wrong. */
const PLACES = 'start, end or a position of the log';
const COUNT = 'a whole number from 1 to 9999';

const OPTIONS = {
  from: { type: 'string', takes: PLACES },
  partitions: { type: 'string', takes: COUNT },
  replication: { type: 'string', takes: COUNT },
  'drop-old-versions': { type: 'boolean', default: false },
  'change-secret': { type: 'boolean', default: false },
  'change-stores': { type: 'boolean', default: false },
  'send-again': { type: 'boolean', default: false },
} as const;

/**
 * `surety setup`: makes the data folder, or on servers the topics, the indexes and the first checkpoints of all processes. Again it
 * changes nothing, unless topics were lost and it is told to send again what they held.
 */
export async function runSetup(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const { values, positionals } = parseWords(words, OPTIONS);
  if (positionals.length > 0) throw new WrongUse(`surety setup takes no ${positionals.join(' ')}.`);
  const layout = { ...numberOf(values, 'partitions'), ...numberOf(values, 'replication') };
  const { 'change-secret': isNewSecret, 'change-stores': areNewStores } = values;
  if (isNewSecret && (settings.secret === undefined || settings.mongoUrl === undefined))
    throw new CannotDo('--change-secret is for servers, and needs the new secret in SURETY_SECRET.');
  const from = fromOf(values.from);
  const sendAgain = values['send-again'] ? againFrom(from) : undefined;
  const work = async (stores: OpenStores): Promise<number> => {
    const isSecretKnown = await sayWhichSecret(stores, settings, isNewSecret);
    const madeAnew = await setUpBroker(stores, { ...layout, sendAgain });
    await stores.sayWhichStores(areNewStores);
    await stores.openReadModels();
    if (values['drop-old-versions']) await stores.readModels.dropOtherVersions();
    if (hasKeyOfItsOwn(settings)) tellAdminKey(keepAdminKey(settings.dataFolder, stores.commandPorts.randomBytes));
    for (const topic of madeAnew) process.stdout.write(`The topic ${topic} is made anew, ${SENT_AGAIN}.\n`);
    if (sendAgain !== undefined && madeAnew.length === 0) process.stdout.write(`${NONE_LOST}\n`);
    process.stdout.write(`${whatIsSetUp(settings)}\n${isSecretKnown ? '' : SECRET_LEFT_OPEN}`);
    return EXIT.done;
  };
  return await withStores(settings, log, work, {
    beginning: { kind: 'make', from },
    // It makes the topics whatever roles the environment names.
    sameStores: areNewStores ? [] : ['log', 'jobs'],
    examine: async (records) => await demandSameSecret(records, settings, isNewSecret),
  });
}

const SENT_AGAIN = 'and what it is to hold is sent again once a relay runs';
const NONE_LOST = 'No topic was lost, so nothing is sent again.';
const SECRET_LEFT_OPEN =
  'SURETY_SECRET is not set, so the first process that serves says with which secret all of them sign.\n';

/** Whether the key is one of the folder. Where no store lies in it, none is made before somebody serves. */
function hasKeyOfItsOwn({ adminKey, secret, mongoUrl, ...settings }: Settings): boolean {
  if (adminKey !== undefined || !hasEmbeddedStore({ ...settings, mongoUrl })) return false;
  // With a secret in common a service does not start without a key in common.
  return mongoUrl === undefined || secret === undefined;
}

function fromOf(text: string | undefined): From | undefined {
  if (text === undefined || text === 'start' || text === 'end') return text;
  if (!/^\d{1,19}$/.test(text)) throw new WrongUse(`--from must be ${PLACES}.`);
  return BigInt(text);
}

/** Mails and public events that began behind the start would all be sent, so nobody guesses. @throws {WrongUse} */
function againFrom(from: From | undefined): Exclude<From, 'end'> {
  if (from !== undefined && from !== 'end') return from;
  throw new WrongUse('--send-again needs --from start, or --from POSITION where mails and public events began.');
}

function numberOf(
  values: Readonly<Record<string, string | boolean | undefined>>,
  name: 'partitions' | 'replication',
): Readonly<Record<string, number>> {
  const text = values[name];
  if (text === undefined) return {};
  if (typeof text !== 'string' || !/^[1-9]\d{0,3}$/.test(text)) throw new WrongUse(`--${name} must be ${COUNT}.`);
  return { [name]: Number(text) };
}

function whatIsSetUp(settings: Settings): string {
  if (!hasEmbeddedStore(settings)) return 'Surety is set up on its servers.';
  return `The data folder ${settings.dataFolder} is set up${hasNoServer(settings) ? '' : ', and so are the servers'}.`;
}
