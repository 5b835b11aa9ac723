import type { Settings } from '../config.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { deadLettersOf } from '../messaging/topic-plan.ts';
import { whoLeads } from '../migration/who-leads.ts';
import { beginAnew } from '../processes/beginnings.ts';
import type { From } from '../processes/checkpoint.ts';
import { MAIL_QUEUE } from '../processes/mail-jobs/mail-job-of.ts';
import { mailJobsCheckpoint } from '../processes/mail-jobs/mail-job-relay.ts';
import { publicEventsCheckpoint } from '../processes/public-events/relay.ts';
import { PUBLIC_TOPICS } from '../processes/public-events/topics.ts';
import { topicPlans, type TopicLayout } from '../processes/topics.ts';
import type { Records } from '../records/records.ts';
import { keepTopics, type KnownTopics, readTopics } from '../records/topics-mark.ts';
import { LEASE_TIMES } from '../processes/leadership.ts';
import type * as ServerStores from './server-stores.ts';

/** What is on a server is not as it must be. The message has a sentence for each thing. */
export class CannotSetUp extends Error {
  override readonly name = 'CannotSetUp';
}

/** What the operator says of topics. What is not said of their layout is as usual, and then those that are there may be otherwise. */
export interface BrokerSetUp extends Partial<TopicLayout> {
  /** Topics that were lost are made anew, and what lies behind this place is sent again. Default: they are refused. */
  readonly sendAgain?: Exclude<From, 'end'> | undefined;
}

export interface BrokerParts {
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAll'>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The drivers of the servers take a while to load. */
  readonly onServers: () => Promise<
    Pick<typeof ServerStores, 'partitionsOf' | 'setUpTopicsAt' | 'forgetGroup' | 'TopicsUnfit'>
  >;
}

/** Of the lease, while topics are made anew. */
const HOLDER = 'surety setup';
const DEAD_LETTERS = deadLettersOf(MAIL_QUEUE);
/** The role that sends what topics hold. */
const SENDER = 'relay';
const OF_ALL = topicPlans({ partitions: 1, replication: 1 }).map(({ topic }) => topic);
/** A broker that has just begun may not know all of its topics. */
const LOOK_AGAIN_MS = 3_000;

/**
 * Makes the topics that are missing, where there is a broker. One that was there before has lost what it held, and whoever sent
 * that would not send it again: so it is made only when that is said, and with as many partitions as before.
 * @returns the topics that were lost and are made anew
 * @throws {CannotSetUp} and then a lost one is not made, and nothing is sent again
 */
export async function setUpBroker(
  place: ServerStores.KafkaPlace,
  { sendAgain, ...layout }: BrokerSetUp,
  parts: BrokerParts,
): Promise<readonly string[]> {
  const { records, onServers } = parts;
  const { setUpTopicsAt, TopicsUnfit } = await onServers();
  const known = await readTopics(records);
  const { there, lost } = await lookFor(place, known, sendAgain !== undefined, parts);
  if (lost.length > 0 && sendAgain === undefined) throw new CannotSetUp(ofLost(lost));
  const before = new Map([...known, ...there]);
  try {
    const make = async (): Promise<void> => {
      const found = await setUpTopicsAt(place, layout, { before });
      await keepTopics(records, new Map(found.map(({ topic, partitions }) => [topic, partitions])));
    };
    if (lost.length === 0 || sendAgain === undefined) {
      await make();
      return [];
    }
    // Before anything is to be sent again: beside unfit ones the lost would not be made.
    await setUpTopicsAt(place, layout, { before, only: (topic) => there.has(topic) });
    await letSendersBeginAnew(place, { lost, from: sendAgain, make }, parts);
    return lost;
  } catch (error) {
    throw error instanceof TopicsUnfit ? new CannotSetUp(error.message, { cause: error }) : error;
  }
}

interface Look {
  /** Topic → partitions. */
  readonly there: KnownTopics;
  readonly lost: readonly string[];
}

/** What there is, and what is gone: also at a second look. */
async function lookFor(
  place: ServerStores.KafkaPlace,
  known: KnownTopics,
  isToBeSentAgain: boolean,
  { pause, onServers }: BrokerParts,
): Promise<Look> {
  const { partitionsOf } = await onServers();
  const look = async (): Promise<Look> => {
    const there = await partitionsOf(place, OF_ALL);
    // A version before this one kept no mark: then whoever wants it sent again knows.
    const wereThere = known.size > 0 || !isToBeSentAgain ? OF_ALL.filter((topic) => known.has(topic)) : OF_ALL;
    return { there, lost: wereThere.filter((topic) => !there.has(topic)) };
  };
  const first = await look();
  if (first.lost.length === 0) return first;
  await pause(LOOK_AGAIN_MS);
  return await look();
}

/** Of a broker that the settings name. */
export function kafkaOf({ kafkaBrokers, kafkaSecurity }: Settings): ServerStores.KafkaPlace | undefined {
  return kafkaBrokers && { brokers: kafkaBrokers, security: kafkaSecurity };
}

interface Anew {
  readonly lost: readonly string[];
  /** What lies behind it is sent again. */
  readonly from: From;
  /** Makes the topics. */
  readonly make: () => Promise<void>;
}

/**
 * Lets whoever sent to lost topics begin anew, and makes these after that: in a new topic what is sent first stands first. Whoever
 * led the sending before can save nothing any more.
 * @throws {CannotSetUp} while somebody sends or consumes
 */
async function letSendersBeginAnew(
  place: ServerStores.KafkaPlace,
  { lost, from, make }: Anew,
  { records, eventStore, pause, onServers }: BrokerParts,
): Promise<void> {
  const leading = await whoLeads(records, [SENDER], { pause, atLeastMs: LEASE_TIMES.timeToLive });
  const lease =
    leading.length > 0 ? undefined : await records.takeLease(SENDER, HOLDER, await records.readLease(SENDER));
  if (lease === undefined) throw new CannotSetUp(stillRuns(SENDER));
  try {
    const mails = lost.some((topic) => topic === MAIL_QUEUE || topic === DEAD_LETTERS);
    const { forgetGroup } = await onServers();
    if (mails && !(await forgetGroup(place, MAIL_QUEUE))) throw new CannotSetUp(stillRuns('mailer'));
    const events = lost.some((topic) => PUBLIC_TOPICS.includes(topic));
    const anew = [mails ? mailJobsCheckpoint(records) : [], events ? publicEventsCheckpoint(records) : []].flat();
    const fence = { token: lease.token };
    await beginAnew(
      anew.map((checkpoint) => checkpoint.under(fence)),
      eventStore,
      from,
    );
    await make();
  } finally {
    await records.releaseLease(SENDER, lease);
  }
}

function ofLost(lost: readonly string[]): string {
  return (
    `Topics that were set up before are gone, with all they held: ${lost.join(', ')}. Stop every process and run surety setup ` +
    '--send-again --from start, so that it is all sent again, or --from POSITION where mails and public events began at the first ' +
    'set-up (docs/runbook.md, A topic was lost).'
  );
}

function stillRuns(role: string): string {
  const killed = role === SENDER ? '' : ' One that was killed counts for some seconds more.';
  return `A process of the role ${role} runs: stop every process before lost topics are made anew.${killed}`;
}
