import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import { PROJECTIONS } from '#projections/registry.ts';
import { decode } from '#domain/events.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { type MailJobEvent, type MailJobState, mailJob } from '#domain/mail-job/mail-job.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { mailJobRequestedBy } from '#processes/mails/mail-job-relay.ts';
import { messageOf } from '../../support/translator.ts';
import { definitionsOf } from '#read-side/start-projector.ts';
import { verifyDocuments } from '#service/compose/verify.ts';
import { openMongoReadModels } from '#stores/read-models/mongodb/mongo-read-models.ts';
import { waitUntil, waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import type { Installation } from './installation.ts';
import type { Acknowledged } from './load.ts';
import { CachedLog } from './cached-log.ts';
import type { MailCatcher } from './mail-catcher.ts';
import { firstOccurrences, readTopic } from './topic.ts';

const TOPICS = ['surety.policies.v1', 'surety.claims.v1'];

/**
 * Waits until every process is ready and has caught up. Then checks that the log has every acknowledged write once,
 * that the read models equal a fresh fold, that the topics have all public events in order per key, and that every mail
 * was attempted and none was delivered twice. Call it after all writes have ended. Returns the log before the mails
 * that it waits for.
 */
export async function expectNothingLost(
  installation: Installation,
  acknowledged: Acknowledged,
): Promise<readonly StoredEvent[]> {
  await Promise.all([...installation.processes.keys()].map(async (name) => await installation.waitUntilReady(name)));
  const eventStore = installation.eventStore.openStore();
  const readModels = openMongoReadModels({
    url: installation.addresses().MONGODB_URL,
    definitions: definitionsOf(PROJECTIONS),
  });
  try {
    const logSoFar = new CachedLog(eventStore);
    const log = [...(await logSoFar.events())];
    expectOnce(log, acknowledged);
    const head = log.at(-1)?.position ?? 0n;
    let reached: bigint | undefined;
    await waitUntil(
      async () => {
        reached = (await readModels.checkpoint())?.position;
        return (reached ?? 0n) >= head;
      },
      () => `the read models have reached ${reached} of ${head}`,
    );
    const found = await verifyDocuments({
      // A fresh fold reads the whole log for each collection.
      eventStore: logSoFar.asEventStore(),
      readModels,
      projections: PROJECTIONS,
    });
    // Mail jobs still change meanwhile: each document is compared after its newest event.
    expect(found.differences).toEqual([]);
    expect(found.compared).toBeGreaterThanOrEqual(acknowledged.policies.length + acknowledged.claims.length);
    await expectPublished(installation, log);
    await expectMailed(logSoFar, installation.mail, () => true);
    return log;
  } finally {
    await readModels.close();
    await eventStore.close();
  }
}

/** Checks that the log has every acknowledged write once, and no other. Call it after all writes have ended. */
export function expectOnce(
  log: readonly Pick<StoredEvent, 'type' | 'stream'>[],
  { policies, claims, merchants }: Acknowledged,
): void {
  const streamsOf = (type: string): string[] => log.filter((event) => event.type === type).map(({ stream }) => stream);
  expect(streamsOf('PolicyImported.v1').toSorted()).toEqual(policies.map((id) => `policy-${id}`).toSorted());
  expect(streamsOf('ClaimSubmitted.v1').toSorted()).toEqual(claims.map((id) => `claim-${id}`).toSorted());
  expect(streamsOf('MerchantRegistered.v1').toSorted()).toEqual(merchants.map((id) => `merchant-${id}`).toSorted());
}

/** Waits until the relay has caught up and compares the topics with the log. */
async function expectPublished(installation: Installation, log: readonly StoredEvent[]): Promise<void> {
  let lag: number | undefined;
  await waitUntilIgnoringErrors(
    async () => {
      lag = await installation.metric(await installation.waitForLeader('relay'), 'surety_public_events_lag');
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

/** Returns whether a mail job may be in this state at the end. */
export type MailCondition = (state: MailJobState) => boolean;

/**
 * Waits until every requested mail was attempted and is in an allowed state. Checks that no mail was delivered twice
 * and each sent mail once.
 */
export async function expectMailed(
  log: CachedLog,
  mail: MailCatcher,
  isAllowed: MailCondition,
  timeoutMs?: number,
): Promise<readonly MailJobState[]> {
  let open: readonly unknown[] = [];
  const findSettled = async (): Promise<readonly MailJobState[] | undefined> => {
    const jobs = mailJobsOf(await log.events());
    const delivered = mail.counts();
    expect([...delivered].filter(([, times]) => times > 1)).toEqual([]);
    const sent = [...jobs.values()].filter((state) => state?.delivery.status === 'sent');
    expect(sent.filter((state) => delivered.get(state?.job.jobId ?? '') !== 1)).toEqual([]);
    const states = [...jobs.values()].filter((state) => state !== undefined);
    open = [...jobs].filter(([, state]) => state === undefined || isRequested(state) || !isAllowed(state));
    return open.length === 0 ? states : undefined;
  };
  return await waitUntil(
    findSettled,
    () => `${open.length} mails are not in an allowed state, the first are ${inspect(open.slice(0, 5), { depth: 5 })}`,
    timeoutMs,
  );
}

/** Returns whether no mailer has attempted the mail yet. */
function isRequested({ delivery }: MailJobState): boolean {
  return delivery.status === 'requested';
}

/** Returns the state of every mail that the log requests, by job id; undefined before its first event. */
function mailJobsOf(log: readonly StoredEvent[]): ReadonlyMap<string, MailJobState | undefined> {
  const jobs = new Map<string, MailJobState | undefined>();
  for (const event of log) {
    const requested = mailJobRequestedBy(event);
    if (requested !== undefined) jobs.set(requested.jobId, undefined);
    if (!event.stream.startsWith('mailJob-')) continue;
    const { jobId } = event.data as { readonly jobId: string };
    jobs.set(jobId, mailJob.evolve(jobs.get(jobId), decode(event) as RecordedEvent<MailJobEvent>));
  }
  return jobs;
}
