import type { Container } from 'inversify';
import { PROJECTIONS } from '../../projections/registry.ts';
import type { Role, Settings } from '../config.ts';
import type { Checkpoint } from '../processes/checkpoint.ts';
import { completionStarter } from '../processes/completion/completion.ts';
import { MailCheckpoint } from '../processes/mail-jobs/checkpoint.ts';
import { startMailJobRelay } from '../processes/mail-jobs/mail-job-relay.ts';
import { mailSchedulerStarter } from '../processes/mail-jobs/mail-scheduler.ts';
import { startMailerOf } from '../processes/mailer/mailer-of-settings.ts';
import { ProcessNotStarted, type ProcessParts, type RunningProcess, type StartProcess } from '../processes/process.ts';
import { publicEventFigures } from '../processes/public-events/figures.ts';
import { publicEventsCheckpoint, startPublicEventRelay } from '../processes/public-events/relay.ts';
import { schedulerStarter } from '../processes/scheduler/scheduler.ts';
import { isShared, PROJECTOR_ROLE, projectorLease } from '../processes/shared-projector.ts';
import { declareLeadingFigure, type NamedStart, takingTurns } from '../processes/taking-turns.ts';
import type { Records } from '../records/records.ts';
import type { Lifecycle } from '../runtime/lifecycle.ts';
import { now, pauseUnlessAborted } from './clocks.ts';
import { TOKENS } from './tokens.ts';

/** A process, and the role that runs it. */
interface PreparedProcess {
  readonly name: string;
  readonly role: Role;
  /** What starts it, each time anew. Called once. */
  readonly prepare: (parts: ProcessParts, container: Container) => StartProcess | Promise<StartProcess>;
}

/** Every process there is, in the order in which they start; they stop in the reverse one. */
const PROCESSES: readonly PreparedProcess[] = [
  { name: 'completion', role: 'scheduler', prepare: completionStarter },
  { name: 'scheduler', role: 'scheduler', prepare: schedulerStarter },
  { name: 'mail_scheduler', role: 'scheduler', prepare: (parts) => mailSchedulerStarter(parts) },
  { name: 'mailer', role: 'mailer', prepare: prepareMailer },
  { name: 'relay', role: 'relay', prepare: prepareMailJobRelay },
];

/** Only where there is a broker to carry public events. */
const PUBLIC_EVENT_RELAY: PreparedProcess = { name: 'public_events', role: 'relay', prepare: preparePublicEventRelay };

/** Roles of which one process at a time does the work, where several may run. */
const TAKING_TURNS: readonly Role[] = ['relay', 'scheduler'];

/** Mails that are published again at a restart; the scheduler requests further ones. */
const LOST_AT_RESTART = 1_000;

/** The lease of every role that has one. */
export const LEASED_ROLES: readonly string[] = [projectorLease(PROJECTIONS), ...TAKING_TURNS];

/** The checkpoints of all processes that follow the log. */
export function processCheckpoints(
  records: Records,
  { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>,
): readonly Checkpoint[] {
  return [new MailCheckpoint(records), ...(kafkaBrokers === undefined ? [] : [publicEventsCheckpoint(records)])];
}

async function prepareMailJobRelay(parts: ProcessParts, container: Container): Promise<StartProcess> {
  const { eventStore, records } = parts.commandPorts;
  const queues = await container.getAsync(TOKENS.jobQueues);
  const checkpoint = new MailCheckpoint(records);
  const settings = container.get(TOKENS.settings);
  const findRequestedJobs = async (): Promise<readonly string[]> => {
    if (settings.kafkaBrokers !== undefined) return [];
    const requested = { where: { status: 'requested' }, limit: LOST_AT_RESTART, offset: 0 };
    return (await parts.readModels.find('mail_jobs', requested)).documents.map(({ key }) => key);
  };
  const earlierJobs = await container.getAsync(TOKENS.earlierJobs);
  const options = { ...parts, eventStore, queues, earlierJobs, findRequestedJobs, now };
  return (fence) => startMailJobRelay({ ...options, checkpoint: checkpoint.under(fence) });
}

async function preparePublicEventRelay(parts: ProcessParts, container: Container): Promise<StartProcess> {
  const { eventStore, records } = parts.commandPorts;
  const publicEvents = await container.getAsync(TOKENS.publicEvents);
  const figures = publicEventFigures(parts.metrics, eventStore);
  const checkpoint = publicEventsCheckpoint(records);
  return (fence) =>
    startPublicEventRelay({ ...parts, eventStore, checkpoint: checkpoint.under(fence), publicEvents, figures, now });
}

async function prepareMailer(parts: ProcessParts, container: Container): Promise<StartProcess> {
  const queues = await container.getAsync(TOKENS.jobQueues);
  const origin = container.get(TOKENS.origin).promise;
  return () => startMailerOf(container.get(TOKENS.settings), parts, { queues, origin });
}

/** Starts the processes of the settings' roles; those that take turns begin when it is theirs. @throws {ProcessNotStarted} */
export async function startProcesses(container: Container, lifecycle: Lifecycle): Promise<readonly RunningProcess[]> {
  const parts: ProcessParts = {
    commandPorts: await container.getAsync(TOKENS.commandPorts),
    readModels: await container.getAsync(TOKENS.readModels),
    projector: await container.getAsync(TOKENS.projector),
    log: container.get(TOKENS.log),
    metrics: container.get(TOKENS.metrics),
    standstills: await container.getAsync(TOKENS.standstills),
    pause: pauseUnlessAborted,
  };
  const { roles, kafkaBrokers } = container.get(TOKENS.settings);
  const known = kafkaBrokers === undefined ? PROCESSES : [...PROCESSES, PUBLIC_EVENT_RELAY];
  const lease = await container.getAsync(TOKENS.lease);
  const leading = new Map<string, () => boolean>();
  const projector = await container.getAsync(TOKENS.projector);
  if (isShared(projector) && roles.includes('projector')) leading.set(PROJECTOR_ROLE, projector.isLeading);

  const running: RunningProcess[] = [];
  const keep = (started: RunningProcess): void => {
    running.push(started);
    lifecycle.started(started.name, async () => await started.stop());
  };
  for (const role of new Set(known.map((process) => process.role)).intersection(new Set(roles))) {
    const starts: NamedStart[] = [];
    for (const { name, prepare } of known.filter((process) => process.role === role))
      starts.push({ name, start: await orNotStarted(name, async () => await prepare(parts, container)) });
    if (lease !== undefined && TAKING_TURNS.includes(role)) {
      const turns = takingTurns(role, starts, lease);
      leading.set(role, turns.isLeading);
      turns.processes.forEach(keep);
    } else {
      for (const { name, start } of starts)
        keep(await orNotStarted(name, async () => await Promise.resolve(start(undefined))));
    }
  }
  if (leading.size > 0) declareLeadingFigure(parts.metrics, leading);
  return running;
}

async function orNotStarted<T>(name: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw new ProcessNotStarted(name, error);
  }
}
