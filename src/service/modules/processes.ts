import { ContainerModule } from 'inversify';
import { schemaOrigin, sendsPublicEvents, type Settings } from '../config/config.ts';
import type { JobQueues, PublicEvents } from '#stores/messaging/messaging.ts';
import { completionStarter } from '#processes/completion/completion.ts';
import { startMailJobRelay, mailCheckpoint } from '#processes/mails/mail-job-relay.ts';
import { mailSchedulerStarter } from '#processes/mails/mail-scheduler.ts';
import { startConfiguredMailer } from '#processes/mails/configured-mailer.ts';
import type { ProcessParts, StartProcess } from '#processes/runtime/process.ts';
import { declarePublicEventMetrics } from '#processes/relay/metrics.ts';
import { publicEventsCheckpoint, startPublicEventRelay, type TopicSetUp } from '#processes/relay/relay.ts';
import { createTranslator, type Translator } from '#public-events/translate.ts';
import { schedulerStarter } from '#processes/scheduler/scheduler.ts';
import { startProcesses } from '../compose/process-runner.ts';
import { allOf, TOKENS } from '../compose/tokens.ts';
import { pauseUnlessAborted } from '#stores/shared/timing.ts';

const SCHEDULER_PROCESSES = [
  { name: 'completion', prepare: completionStarter },
  { name: 'scheduler', prepare: schedulerStarter },
  { name: 'mail_scheduler', prepare: mailSchedulerStarter },
];

/** Maximum number of jobs that are published again after a restart; the scheduler requests more. */
const REPUBLISHED_JOBS = 1_000;

export function processes(settings: Settings): ContainerModule {
  const { roles, servers } = settings;
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.translator).toResolvedValue(() => createTranslator(schemaOrigin(settings)));
    bind(TOKENS.topicSetUp).toConstantValue({ failure: undefined });
    bind(TOKENS.ledRoles).toConstantValue(new Map());
    bind(TOKENS.origin).toResolvedValue(() => Promise.withResolvers());
    bind(TOKENS.processParts).toResolvedValue(
      (commandPorts, readModels, projector, log, metrics, stalls) => ({
        commandPorts,
        readModels,
        projector,
        log,
        metrics,
        stalls,
        pause: pauseUnlessAborted,
      }),
      [TOKENS.commandPorts, TOKENS.readModels, TOKENS.projector, TOKENS.log, TOKENS.metrics, TOKENS.stalls],
    );
    bind(TOKENS.runningProcesses).toResolvedValue(
      async (definitions, projector, lease, ledRoles, metrics, lifecycle) =>
        await startProcesses({ roles, definitions, projector, lease, ledRoles, metrics, lifecycle }),
      [allOf(TOKENS.process), TOKENS.projector, TOKENS.lease, TOKENS.ledRoles, TOKENS.metrics, TOKENS.lifecycle],
    );
    if (roles.includes('scheduler')) {
      for (const { name, prepare } of SCHEDULER_PROCESSES) {
        bind(TOKENS.process).toResolvedValue(
          (parts) => ({ name, role: 'scheduler', prepare: () => prepare(parts) }),
          [TOKENS.processParts],
        );
      }
    }
    if (roles.includes('mailer')) {
      bind(TOKENS.process).toResolvedValue(
        (parts, queues, { promise: origin }) => ({
          name: 'mailer',
          role: 'mailer',
          prepare: () => () => startConfiguredMailer(settings, parts, { queues, origin }),
        }),
        [TOKENS.processParts, TOKENS.jobQueues, TOKENS.origin],
      );
    }
    if (roles.includes('relay')) {
      bind(TOKENS.process).toResolvedValue(
        (parts, queues) => ({
          name: 'mail_relay',
          role: 'relay',
          prepare: () => prepareMailJobRelay(parts, queues, servers === undefined),
        }),
        [TOKENS.processParts, TOKENS.jobQueues],
      );
    }
    if (sendsPublicEvents(settings)) {
      bind(TOKENS.process).toResolvedValue(
        (parts, publicEvents, translator, topicSetUp) => ({
          name: 'public_events',
          role: 'relay',
          prepare: () => preparePublicEventRelay({ ...parts, topicSetUp }, publicEvents, translator),
        }),
        [TOKENS.processParts, TOKENS.publicEvents, TOKENS.translator, TOKENS.topicSetUp],
      );
    }
  });
}

function prepareMailJobRelay(parts: ProcessParts, queues: JobQueues, losesJobs: boolean): StartProcess {
  const { eventStore, records, now } = parts.commandPorts;
  const findRequestedJobs = async (): Promise<readonly string[]> => {
    const requested = { where: { status: 'requested' }, limit: REPUBLISHED_JOBS, offset: 0 };
    return (await parts.readModels.find('mail_jobs', requested)).documents.map(({ key }) => key);
  };
  const options = { ...parts, eventStore, queues, now, ...(losesJobs ? { findRequestedJobs } : {}) };
  return () => startMailJobRelay({ ...options, checkpoint: mailCheckpoint(records) });
}

function preparePublicEventRelay(
  parts: ProcessParts & { readonly topicSetUp: TopicSetUp },
  publicEvents: PublicEvents,
  translator: Translator,
): StartProcess {
  const { eventStore, records, now } = parts.commandPorts;
  const relayMetrics = declarePublicEventMetrics(parts.metrics, eventStore);
  const options = { ...parts, eventStore, publicEvents, relayMetrics, translator, now };
  return () => startPublicEventRelay({ ...options, checkpoint: publicEventsCheckpoint(records) });
}
