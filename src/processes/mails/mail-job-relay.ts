import { SpanKind } from '@opentelemetry/api';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import { MailNotDue, requestMail } from '#commands/mail/mail-moves.ts';
import { typeOf, decode } from '#domain/events.ts';
import { idOf } from '#event-sourcing/aggregate.ts';
import { MailRequested, type MailJob } from '#domain/mail-job/mail-job.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { JobQueues } from '#stores/messaging/messaging.ts';
import { type Traced, withSpanOfBatch } from '#service/observability/traces.ts';
import { type BatchResult, runSubscription, type SubscriptionOptions } from '../runtime/subscription.ts';
import type { RunningProcess } from '../runtime/process.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import type { Records } from '#stores/records/records.ts';
import { Checkpoint } from '../runtime/checkpoint.ts';
import type { EventOf } from '#event-sourcing/event.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { MerchantVerificationRequested, MerchantVerified } from '#domain/merchant/merchant.ts';

export interface MailJobRelayParts
  extends Pick<SubscriptionOptions, 'eventStore' | 'checkpoint' | 'log' | 'pause' | 'stalls' | 'now'> {
  readonly commandPorts: CommandPorts;
  readonly queues: Pick<JobQueues, 'publish'>;
  /** Returns job ids to publish at the start, because an in-memory queue is empty after a restart. Default: none. */
  readonly findRequestedJobs?: () => Promise<readonly string[]>;
}

/**
 * Subscribes to the log, appends the first `MailRequested` of every mail that an event requires, and publishes the job
 * id of every mail request. After a kill it publishes some ids again and loses none.
 */
export function startMailJobRelay(parts: MailJobRelayParts): RunningProcess {
  const { checkpoint, commandPorts, queues, log } = parts;
  const { findRequestedJobs = async () => await Promise.resolve([]) } = parts;
  const jobOf = (event: StoredEvent): MailJob | undefined => {
    try {
      return mailJobRequestedBy(event);
    } catch {
      // It is of another version of Surety; the subscription stops at an event that was altered.
      log.error(
        { event_id: event.id, event_type: event.type },
        'Skipped an event that requires a mail: it cannot be decoded',
      );
      return undefined;
    }
  };
  const publish = async (requests: readonly StoredEvent[]): Promise<void> => {
    const options = { kind: SpanKind.PRODUCER, attributes: { 'messaging.batch.message_count': requests.length } };
    const metadata = requests.map((request) => request.metadata as Traced);
    const jobs = requests.map(({ stream }) => idOf(stream));
    await withSpanOfBatch('publish', metadata, options, async () => await queues.publish(MAIL_QUEUE, jobs));
  };
  const handle = async (events: readonly StoredEvent[]): Promise<BatchResult> => {
    for (const event of events) {
      const job = jobOf(event);
      if (job !== undefined) await requestMailOnce(job, commandPorts);
    }
    const requests = events.filter((event) => typeOf(event) === MailRequested.type);
    if (requests.length > 0) await publish(requests);
    return { last: events.at(-1), sent: requests.length };
  };
  return runSubscription({
    ...parts,
    name: 'mail_relay',
    checkpoint: {
      name: checkpoint.name,
      takeOver: async () => {
        await queues.publish(MAIL_QUEUE, await findRequestedJobs());
        return await checkpoint.takeOver();
      },
      save: async (position) => await checkpoint.save(position),
    },
    handle,
  });
}

async function requestMailOnce(job: MailJob, commandPorts: CommandPorts): Promise<void> {
  try {
    await runSystemCommand(requestMail, job, commandPorts, job.jobId);
  } catch (error) {
    if (!(error instanceof MailNotDue)) throw error;
  }
}

export function mailCheckpoint(records: Pick<Records, 'getValue' | 'getRevised' | 'replaceValue'>): Checkpoint {
  return new Checkpoint('mail-requests', records);
}

export const MAIL_QUEUE = 'surety.jobs.mail.v1';

const KINDS: Readonly<Partial<Record<string, MailJob['kind']>>> = {
  [MerchantVerificationRequested.type]: 'verification',
  [MerchantVerified.type]: 'onboarding',
};

/**
 * Returns the mail that an event requires; undefined when it requires none. The job id is derived from the event id, so
 * an event that is read twice gives the same job.
 * @throws {UnreadableEvent}
 */
export function mailJobRequestedBy(event: StoredEvent): MailJob | undefined {
  const kind = KINDS[typeOf(event) ?? ''];
  if (kind === undefined) return undefined;
  const { tenantId, serial } = (decode(event) as EventOf<typeof MerchantVerified>).data;
  return { jobId: derivedId('mail', event.id), kind, tenantId, serial };
}
