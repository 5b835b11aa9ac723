import type { Settings } from '../config.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { initialValues } from '../processes/initial-checkpoints.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import type { TopicLayout } from '../processes/topics.ts';
import { type Installation, readInstallation, updateInstallation } from '../records/installation.ts';
import type { Records } from '../records/records.ts';
import { ensureSecret, secretHash } from '../security/start-secrets.ts';
import { createsInstallation, type StartupOptions, requireMatch, usedStores } from './installation-check.ts';
import type { PublicTopicsOutcome, Topics } from './kafka-topics.ts';
import { fromNeeded } from './startup-checks.ts';
import { processCheckpoints } from './process-runner.ts';

interface SetUpParts {
  readonly settings: Settings;
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>;
  readonly startup: StartupOptions;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Undefined without Kafka. */
  readonly topics: Topics | undefined;
}

/** What a set-up did about missing public topics, and what it left undecided. */
export interface SetUpOutcome extends PublicTopicsOutcome {
  /** Whether it is known which secret signs links in mails; if false, the first serving process sets it. */
  readonly isSecretKnown: boolean;
}

/**
 * Agrees with the other processes on the installation, creates its document, checkpoints and topics if this start is to, and
 * compares what is there. Repeating it changes nothing.
 * @param layout of topics that are created
 * @throws {CannotDo} @throws {TopicsUnfit}
 */
export async function setUp(parts: SetUpParts, layout: Partial<TopicLayout> = {}): Promise<SetUpOutcome> {
  const { settings, records, eventStore, startup, topics } = parts;
  const creates = createsInstallation(startup, settings);
  // Kafka answers before anything is written: a trial with a wrong address leaves nothing behind.
  const existing = creates ? await topics?.find() : undefined;
  const initial: Readonly<Record<string, string>> = creates
    ? await initialValues(processCheckpoints(records, settings), eventStore, startup.from, fromNeeded(settings))
    : {};
  const { name } = publicEventsCheckpoint(records);
  const relayStart = initial[name] === undefined ? {} : { [name]: initial[name] };
  const secret = secretOf(parts);
  const before = await readInstallation(records);
  requireMatch(before, settings, startup);
  // Before the document is written, so that topics which are refused leave it as it was.
  const publicTopics = await setUpTopics(parts, layout, existing, { ...before.relayStart, ...relayStart }[name]);
  const installation = await updateInstallation(records, (current) => {
    requireMatch(current, settings, startup);
    return mergeInstallation(current, parts, { secret, relayStart });
  });
  for (const [checkpoint, value] of Object.entries(initial)) await records.replaceValue(checkpoint, undefined, value);
  return { ...publicTopics, isSecretKnown: installation.secret !== undefined };
}

/** @param relayStart value of the checkpoint of public events at which the relay has sent nothing */
async function setUpTopics(
  { records, topics }: SetUpParts,
  layout: Partial<TopicLayout>,
  existing: ReadonlyMap<string, number> | undefined,
  relayStart: string | undefined,
): Promise<PublicTopicsOutcome> {
  if (topics === undefined || existing === undefined) return { createdTopics: [], missingTopics: [] };
  const checkpoint = (await records.getValue(publicEventsCheckpoint(records).name)) ?? relayStart;
  const createsPublicTopics = relayStart !== undefined && checkpoint === relayStart;
  return await topics.setUp(layout, { existing, createsPublicTopics });
}

/** Hash of the secret of this process; undefined for a set-up of servers that is not given one. */
function secretOf({
  settings: { secret, mongoUrl, dataFolder },
  startup,
  randomBytes,
}: SetUpParts): string | undefined {
  const isCreated = startup.purpose === 'serve' || mongoUrl === undefined;
  const own = secret ?? (isCreated ? ensureSecret(dataFolder, randomBytes).value : undefined);
  return own === undefined ? undefined : secretHash(own);
}

interface InitialValues {
  readonly secret: string | undefined;
  readonly relayStart: Installation['relayStart'];
}

/** The first value of a field wins, unless it is changed on purpose. In a folder the secret of its one process follows. */
function mergeInstallation(
  current: Installation,
  { settings, startup }: Pick<SetUpParts, 'settings' | 'startup'>,
  { secret, relayStart }: InitialValues,
): Installation {
  const { changes } = startup;
  const stores = usedStores(startup, settings);
  const known = changes?.includes('stores') === true ? undefined : current;
  const replacesSecret = settings.mongoUrl === undefined || changes?.includes('secret') === true;
  return {
    ...current,
    log: known?.log ?? stores.log,
    messaging: known?.messaging ?? stores.messaging,
    secret: replacesSecret ? (secret ?? current.secret) : (current.secret ?? secret),
    relayStart: { ...current.relayStart, ...relayStart },
  };
}
