import type { Settings } from '../config/config.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { initialValues } from '#processes/runtime/initial-checkpoints.ts';
import { publicEventsCheckpoint } from '#processes/relay/relay.ts';
import type { PublicTopicsOutcome, TopicLayout, Topics } from './kafka-topics.ts';
import { type Installation, readInstallation, updateInstallation } from '#stores/records/installation.ts';
import type { Records } from '#stores/records/records.ts';
import { ensureSecret, secretHash } from '../security/start-secrets.ts';
import { createsInstallation, requireSameSecret, type StartupOptions } from '../checks/installation-check.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { backOff, pauseUnlessAborted } from '#stores/shared/timing.ts';
import { processCheckpoints } from './process-runner.ts';

interface SetUpDependencies {
  readonly settings: Settings;
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAt'>;
  readonly startup: StartupOptions;
  readonly randomBytes: (bytes: number) => Uint8Array;
  readonly topics: Topics | undefined;
}

export interface SetUpOutcome extends PublicTopicsOutcome {
  /** Kafka did not answer a service that starts: its topics are neither created nor checked. */
  readonly kafkaFailure?: StoreUnavailable | undefined;
  /** Whether the installation document holds the hash of the secret; if not, the first service sets it. */
  readonly isSecretKnown: boolean;
}

/**
 * Checks the installation and, if this start may, creates its document, checkpoints and topics. Idempotent and safe
 * with concurrent processes.
 * @param layout of new topics
 * @throws {OperatorError}
 * @throws {TopicMismatch}
 */
export async function setUp(dependencies: SetUpDependencies, layout: Partial<TopicLayout> = {}): Promise<SetUpOutcome> {
  const { settings, records, eventStore, startup, topics } = dependencies;
  const creates = createsInstallation(startup, settings);
  // Reads from Kafka before the first write, so that a set-up with a wrong address changes nothing.
  const kafka = creates && topics !== undefined ? await findTopics(topics, startup) : {};
  const initial: Readonly<Record<string, string>> = creates
    ? await initialValues(processCheckpoints(records, settings), eventStore, startup.from)
    : {};
  const { name } = publicEventsCheckpoint(records);
  const relayStart = initial[name] === undefined ? {} : { [name]: initial[name] };
  const secret = ownSecretHash(dependencies);
  const before = await readInstallation(records);
  requireSameSecret(before, settings, startup);
  // Before the document is written, so that unsuitable topics leave it unchanged.
  const publicTopics = await createTopics(
    dependencies,
    layout,
    kafka.existing,
    { ...before.relayStart, ...relayStart }[name],
  );
  const installation = await updateInstallation(records, (current) => {
    requireSameSecret(current, settings, startup);
    return mergeInstallation(current, dependencies, { secret, relayStart });
  });
  for (const [checkpoint, value] of Object.entries(initial)) await records.replaceValue(checkpoint, undefined, value);
  return { ...publicTopics, kafkaFailure: kafka.failure, isSecretKnown: installation.secret !== undefined };
}

/** Repeats the set-up of a service that started without Kafka, until it finds its topics. @throws {TopicMismatch} */
export async function repeatSetUp(
  attempt: () => Promise<StoreUnavailable | undefined>,
  signal: AbortSignal,
): Promise<void> {
  const pauses = backOff();
  for (;;) {
    await pauseUnlessAborted(pauses.next(), signal);
    try {
      if (signal.aborted || (await attempt()) === undefined) return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }
}

interface FoundTopics {
  readonly existing?: ReadonlyMap<string, number>;
  readonly failure?: StoreUnavailable;
}

/**
 * Finds the topics. A service also starts without Kafka, because reads and commands do not need it.
 * @throws {StoreUnavailable}
 */
async function findTopics(topics: Topics, { purpose }: StartupOptions): Promise<FoundTopics> {
  try {
    return { existing: await topics.find() };
  } catch (error) {
    if (purpose !== 'serve' || !(error instanceof StoreUnavailable)) throw error;
    return { failure: error };
  }
}

async function createTopics(
  { records, topics }: SetUpDependencies,
  layout: Partial<TopicLayout>,
  existing: ReadonlyMap<string, number> | undefined,
  relayStart: string | undefined,
): Promise<PublicTopicsOutcome> {
  if (topics === undefined || existing === undefined) return { createdTopics: [], missingTopics: [] };
  const checkpoint = (await records.getValue(publicEventsCheckpoint(records).name)) ?? relayStart;
  const createsPublicTopics = relayStart !== undefined && checkpoint === relayStart;
  return await topics.setUp(layout, { existing, createsPublicTopics });
}

function ownSecretHash({
  settings: { secret, servers, dataFolder },
  startup,
  randomBytes,
}: SetUpDependencies): string | undefined {
  const isCreated = startup.purpose === 'serve' || servers === undefined;
  const own = secret ?? (isCreated ? ensureSecret(dataFolder, randomBytes).value : undefined);
  return own === undefined ? undefined : secretHash(own);
}

/** Keeps an existing secret, unless it is changed on purpose. The secret of a folder may always change. */
function mergeInstallation(
  current: Installation,
  { settings, startup }: Pick<SetUpDependencies, 'settings' | 'startup'>,
  { secret, relayStart }: Pick<Installation, 'secret' | 'relayStart'>,
): Installation {
  const replacesSecret = settings.servers === undefined || startup.changesSecret === true;
  return {
    ...current,
    secret: replacesSecret ? (secret ?? current.secret) : (current.secret ?? secret),
    relayStart: { ...current.relayStart, ...relayStart },
  };
}
