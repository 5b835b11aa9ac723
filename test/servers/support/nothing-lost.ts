import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import { PROJECTIONS } from '../../../projections/registry.ts';
import { decode } from '../../../src/domain/events.ts';
import type { Recorded } from '../../../src/event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob } from '../../../src/domain/mail-job/mail-job.ts';
import type { StoredEvent } from '../../../src/event-store/event-store.ts';
import { mailJobRequestedBy } from '../../../src/processes/mail-jobs/requested-mail.ts';
import { messageOf } from '../../../src/processes/public-events/translate.ts';
import { collectionsOf } from '../../../src/projector/start-projector.ts';
import { readPublishedPosition } from '../../../src/projector/published-position.ts';
import { verifyReadModels } from '../../../src/projector/verify.ts';
import { openMongoReadModels } from '../../../src/read-models/mongodb/mongo-read-models.ts';
import { until, untilDespiteErrors } from '../../support/until.ts';
import type { Installation } from './installation.ts';
import type { Acknowledged } from './load.ts';
import { LogSoFar } from './log-so-far.ts';
import type { MailCatcher } from './mail-catcher.ts';
import { firstOccurrences, readTopic } from './topic.ts';

const TOPICS = ['surety.policies.v1', 'surety.claims.v1'];

/**
 * Once nobody writes: waits until every process is ready again and has caught up, and checks that what was acknowledged is in
 * the log, once, that the read models are those of a fresh fold, that the topics tell all of it, in order per key, and that
 * every mail was worked on and none was taken twice.
 */
export async function expectNothingLost(installation: Installation, acknowledged: Acknowledged): Promise<void> {
  await Promise.all([...installation.processes.keys()].map(async (name) => await installation.untilReady(name)));
  const eventStore = installation.eventStore.openStore();
  const readModels = openMongoReadModels({ url: installation.addresses().MONGODB_URL });
  try {
    await readModels.open(collectionsOf(PROJECTIONS));
    const logSoFar = new LogSoFar(eventStore);
    const log = [...(await logSoFar.events())];
    expectOnce(log, acknowledged);
    const head = log.at(-1)?.position ?? 0n;
    let reached: bigint | undefined;
    await until(
      async () => {
        reached = await readPublishedPosition(readModels);
        return (reached ?? 0n) >= head;
      },
      () => `the read models have reached ${reached} of ${head}`,
    );
    const found = await verifyReadModels({
      // A fresh fold reads all of the log for each collection.
      eventStore: logSoFar.remembering(),
      readModels,
      projections: PROJECTIONS,
      publishedPosition: reached,
    });
    // Mails go on meanwhile: what they change is compared as it is after its own newest event.
    expect(found.differences).toEqual([]);
    expect(found.compared).toBeGreaterThanOrEqual(acknowledged.policies.length + acknowledged.claims.length);
    await expectTold(installation, log);
    await expectMailed(logSoFar, installation.mail, () => true);
  } finally {
    await readModels.close();
    await eventStore.close();
  }
}

function expectOnce(log: readonly StoredEvent[], { policies, claims, merchants }: Acknowledged): void {
  const streamsOf = (type: string): string[] => log.filter((event) => event.type === type).map(({ stream }) => stream);
  expect(streamsOf('PolicyImported.v1').toSorted()).toEqual(policies.map((id) => `policy-${id}`).toSorted());
  expect(streamsOf('ClaimSubmitted.v1').toSorted()).toEqual(claims.map((id) => `claim-${id}`).toSorted());
  expect(streamsOf('MerchantRegistered.v1').toSorted()).toEqual(merchants.map((id) => `merchant-${id}`).toSorted());
}

/** What is told later than its event is waited for. */
async function expectTold(installation: Installation, log: readonly StoredEvent[]): Promise<void> {
  let lag: number | undefined;
  await untilDespiteErrors(
    async () => {
      lag = await installation.metric(await installation.leaderOf('relay'), 'surety_public_events_lag');
      return lag === 0;
    },
    () => `the relay is ${lag} events behind`,
  );
  const messages = log.flatMap((event) => messageOf(event) ?? []);
  for (const topic of TOPICS) {
    const expected = firstOccurrences(messages.filter((message) => message.topic === topic));
    expect(expected.size).toBeGreaterThan(0);
    expect(firstOccurrences(await readTopic(installation.kafka.options, topic))).toEqual(expected);
  }
}

/** Where a mail may stand when nobody works on it: it was taken, waits, or nobody knows. */
export type MailStands = (state: MailJobState) => boolean;

/**
 * Waits until every mail that the log asks for was attempted and stands as it may, and checks that none was taken twice, and
 * each that was sent, once.
 */
export async function expectMailed(
  log: LogSoFar,
  mail: MailCatcher,
  mayStand: MailStands,
  withinMs?: number,
): Promise<readonly MailJobState[]> {
  let open: readonly unknown[] = [];
  const look = async (): Promise<readonly MailJobState[] | undefined> => {
    const jobs = mailJobsOf(await log.events());
    const taken = mail.counts();
    expect([...taken].filter(([, times]) => times > 1)).toEqual([]);
    const sent = [...jobs.values()].filter((state) => state?.situation.status === 'sent');
    expect(sent.filter((state) => taken.get(state?.job.jobId ?? '') !== 1)).toEqual([]);
    const states = [...jobs.values()].filter((state) => state !== undefined);
    open = [...jobs].filter(([, state]) => state === undefined || isRequested(state) || !mayStand(state));
    return open.length === 0 ? states : undefined;
  };
  return await until(
    look,
    () => `of ${open.length} mails that may not stay so the first are ${inspect(open.slice(0, 5), { depth: 5 })}`,
    withinMs,
  );
}

/** Whether no mailer has taken it up yet. */
function isRequested({ situation }: MailJobState): boolean {
  return situation.status === 'requested';
}

/** Every mail that the log asks for, by its id, with what became of it; undefined: nothing yet. */
function mailJobsOf(log: readonly StoredEvent[]): ReadonlyMap<string, MailJobState | undefined> {
  const jobs = new Map<string, MailJobState | undefined>();
  for (const event of log) {
    const asked = mailJobRequestedBy(event);
    if (asked !== undefined) jobs.set(asked.jobId, undefined);
    if (!event.stream.startsWith('mailJob-')) continue;
    const { jobId } = event.data as { readonly jobId: string };
    jobs.set(jobId, mailJob.evolve(jobs.get(jobId), decode(event) as Recorded<MailJobEvent>));
  }
  return jobs;
}
