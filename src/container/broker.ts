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
import type * as ServerStores from './server-stores.ts';

/** What is on a server is not as it must be. The message has a sentence for each thing. */
export class CannotSetUp extends Error {
  override readonly name = 'CannotSetUp';
}

/** What the operator says of topics. What is not said of their layout is as usual, and then those that are there may be otherwise. */
export interface BrokerSetUp extends Partial<TopicLayout> {
  /** Topics that were lost are made anew, and from here on what they held is sent again. Default: they are refused. */
  readonly sendAgain?: From | undefined;
}

export interface BrokerParts {
  readonly records: Records;
  readonly eventStore: Pick<EventStore, 'lastPosition' | 'readAll'>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The drivers of the servers take a while to load. */
  readonly onServers: () => Promise<
    Pick<typeof ServerStores, 'topicsAt' | 'setUpTopicsAt' | 'forgetGroupAt' | 'TopicsUnfit'>
  >;
}

const MAIL_TOPICS: readonly string[] = [MAIL_QUEUE, deadLettersOf(MAIL_QUEUE)];
/** The role that sends what topics hold. */
const SENDER = 'relay';
const OF_ALL = topicPlans({ partitions: 1, replication: 1 }).map(({ topic }) => topic);

/**
 * Makes the topics that are missing, where there is a broker. One that was there before has lost what it held, and whoever sent
 * that would not send it again: so it is made only when that is said, and with as many partitions as before.
 * @returns the topics that were lost and are made anew
 * @throws {CannotSetUp} and then a lost one is not made
 */
export async function setUpBroker(
  place: ServerStores.KafkaPlace,
  { sendAgain, ...layout }: BrokerSetUp,
  parts: BrokerParts,
): Promise<readonly string[]> {
  const { records, onServers } = parts;
  const { topicsAt, setUpTopicsAt, TopicsUnfit } = await onServers();
  const known = await readTopics(records);
  const there = await topicsAt(place, OF_ALL);
  const lost = OF_ALL.filter((topic) => known.has(topic) && !there.has(topic));
  if (lost.length > 0 && sendAgain === undefined) throw new CannotSetUp(ofLost(lost));
  if (lost.length > 0 && sendAgain !== undefined) await lookBack(place, lost, sendAgain, parts);
  try {
    const found = await setUpTopicsAt(place, layout, usualPartitions(known, there));
    await keepTopics(records, new Map(found.map(({ topic, partitions }) => [topic, partitions])));
    return lost;
  } catch (error) {
    throw error instanceof TopicsUnfit ? new CannotSetUp(error.message, { cause: error }) : error;
  }
}

/** Of a broker that the settings name. */
export function kafkaOf({ kafkaBrokers, kafkaSecurity }: Settings): ServerStores.KafkaPlace | undefined {
  return kafkaBrokers && { brokers: kafkaBrokers, security: kafkaSecurity };
}

/** As many as its siblings have; undefined when there is none. */
function usualPartitions(known: KnownTopics, there: KnownTopics): number | undefined {
  // Dead letters have a layout of their own.
  const siblings = OF_ALL.filter((topic) => topic !== deadLettersOf(MAIL_QUEUE));
  return siblings.map((topic) => there.get(topic) ?? known.get(topic)).find((count) => count !== undefined);
}

/**
 * Lets whoever sent to lost topics begin anew, before these are there again: in a new topic what is sent first stands first.
 * @throws {CannotSetUp} while somebody sends or consumes
 */
async function lookBack(
  place: ServerStores.KafkaPlace,
  lost: readonly string[],
  from: From,
  { records, eventStore, pause, onServers }: BrokerParts,
): Promise<void> {
  const leading = await whoLeads(records, [SENDER], { pause, atLeastMs: 0 });
  if (leading.length > 0) throw new CannotSetUp(stillRuns(SENDER));
  const mails = lost.some((topic) => MAIL_TOPICS.includes(topic));
  const { forgetGroupAt } = await onServers();
  if (mails && !(await forgetGroupAt(place, MAIL_QUEUE))) throw new CannotSetUp(stillRuns('mailer'));
  const events = lost.some((topic) => PUBLIC_TOPICS.includes(topic));
  const anew = [mails ? mailJobsCheckpoint(records) : [], events ? publicEventsCheckpoint(records) : []].flat();
  await beginAnew(anew, eventStore, from);
}

function ofLost(lost: readonly string[]): string {
  return (
    `Topics that were set up before are gone, with all they held: ${lost.join(', ')}. Stop every process and run ` +
    'surety setup --send-again, so that it is all sent again (docs/runbook.md, A topic was lost).'
  );
}

function stillRuns(role: string): string {
  return `A process of the role ${role} runs: stop every process before lost topics are made anew. One that was killed counts for some seconds more.`;
}
