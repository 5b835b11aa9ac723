import type { Settings } from '#service/config/config.ts';
import type { Application } from '#service/compose/application.ts';
import type { StartupOptions } from '#service/checks/installation-check.ts';
import type { SetUpOutcome } from '#service/compose/set-up.ts';
import { ROLES } from '#service/config/config.ts';
import type { StartPosition } from '#processes/runtime/checkpoint.ts';
import { missingTopicsSentence } from '#public-events/topics.ts';
import type { TopicLayout } from '#service/compose/kafka-topics.ts';
import type { Logger } from '#service/observability/logging.ts';
import { parseOptions } from './arguments.ts';
import { withApplication } from './with-application.ts';
import { OperatorError, EXIT, WrongUse } from './outcome.ts';
import { parseReplayStart, requireServers, replayMessage } from './replay.ts';
import { printAdminKey } from './announcement.ts';

const START_VALUES = 'start, end or a position of the log';
const COUNT = 'a whole number from 1 to 9999';

export const SETUP_OPTIONS = {
  from: {
    type: 'string',
    value: 'start|end|POSITION',
    expects: START_VALUES,
    help: 'which mails and public events are sent on a log that has events already: all, none, or those after the position',
  },
  partitions: {
    type: 'string',
    value: 'N',
    expects: COUNT,
    help: 'partitions of new topics. Default: those of the existing topics, else 6',
  },
  replication: {
    type: 'string',
    value: 'N',
    expects: COUNT,
    help: 'replicas of new topics. Default: one for each broker, at most 3',
  },
  'drop-old-versions': {
    type: 'boolean',
    default: false,
    help: 'deletes the read models of other versions of Surety; no process of those versions may run',
  },
  'change-secret': {
    type: 'boolean',
    default: false,
    help: 'accepts another SURETY_SECRET; links in mails that were sent stop working',
  },
  'create-topics': {
    type: 'boolean',
    default: false,
    help: 'needs --from: resets the relay, as surety replay does, and then creates public topics that are missing; no relay may run',
  },
} as const;

/**
 * `surety setup`: creates the data folder, or on servers the topics, the indexes and the first checkpoints of all
 * processes. Repeating it changes nothing. A public topic that the relay may have sent to is created only with
 * `--create-topics`.
 */
export async function runSetup(words: readonly string[], settings: Settings, log: Logger): Promise<number> {
  const values = parseOptions('surety setup', words, SETUP_OPTIONS);
  const layout = { ...numberOf(values, 'partitions'), ...numberOf(values, 'replication') };
  const from = fromOf(values.from);
  const createsFrom = values['create-topics']
    ? parseReplayStart(values.from, 'surety setup --create-topics')
    : undefined;
  if (createsFrom !== undefined) requireServers(settings, 'surety setup --create-topics');
  const changesSecret = values['change-secret'];
  if (changesSecret && (settings.secret === undefined || settings.servers === undefined))
    throw new OperatorError('--change-secret needs servers and the new secret in SURETY_SECRET.');
  const work = async (application: Application): Promise<number> => {
    const { createdTopics, isSecretKnown } = await setUpInstallation(application, layout, createsFrom);
    if (values['drop-old-versions']) await application.readModels.dropOtherVersions();
    // On servers, the first service creates the key.
    if (settings.adminKey === undefined && settings.servers === undefined) printAdminKey(application.adminKey);
    if (createsFrom !== undefined) process.stdout.write(`${createdMessage(createdTopics, createsFrom)}\n`);
    process.stdout.write(`${setUpMessage(settings)}\n${isSecretKnown ? '' : NO_SECRET_YET}`);
    return EXIT.done;
  };
  const startup: StartupOptions = { purpose: 'setup', from, changesSecret };
  // Sets up all roles, whatever SURETY_ROLES names.
  return await withApplication({ ...settings, roles: ROLES }, log, work, startup);
}

/**
 * Sets up what is missing. With `createsFrom` it sets the relay back to that position before missing public topics are
 * created.
 * @throws {OperatorError} when a public topic is still missing, or a relay runs
 */
export async function setUpInstallation(
  application: Pick<Application, 'setUp' | 'replay'>,
  layout: Partial<TopicLayout>,
  createsFrom: Exclude<StartPosition, 'end'> | undefined,
): Promise<SetUpOutcome> {
  const first = await application.setUp(layout);
  const lacking = [...first.createdTopics, ...first.missingTopics];
  let last = first;
  // Set back even if no topic existed: after a crash the relay may be at another position.
  if (createsFrom !== undefined && lacking.length > 0) {
    await application.replay(createsFrom, async () => {
      last = await application.setUp(layout);
    });
  }
  if (last.missingTopics.length > 0) throw new OperatorError(missingTopicsSentence(last.missingTopics));
  return { ...last, createdTopics: lacking };
}

const NO_SECRET_YET = 'SURETY_SECRET is not set, so the first service that starts creates the secret of all of them.\n';

function fromOf(text: string | undefined): StartPosition | undefined {
  if (text === undefined || text === 'start' || text === 'end') return text;
  if (!/^\d{1,19}$/.test(text)) throw new WrongUse(`--from must be ${START_VALUES}.`);
  return BigInt(text);
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

function createdMessage(created: readonly string[], from: Exclude<StartPosition, 'end'>): string {
  if (created.length === 0) return 'No public topic was missing, so the relay was not set back.';
  return `Created ${created.join(', ')}. ${replayMessage(from)}`;
}

function setUpMessage({ servers, dataFolder }: Settings): string {
  return servers === undefined ? `The data folder ${dataFolder} is set up.` : 'Surety is set up on its servers.';
}
