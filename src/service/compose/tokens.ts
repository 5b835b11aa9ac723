import type { Registry } from 'prom-client';
import type { ResolvedValueInjectOptions, ServiceIdentifier } from 'inversify';
import type { Catalogue } from '#commands/services.ts';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import type { HealthCheck } from '../observability/health-checks.ts';
import type { HttpDependencies, StatusSources } from '#http/server/dependencies.ts';
import type { HttpServer } from '#http/server/server.ts';
import type { JobQueues, PublicEvents } from '#stores/messaging/messaging.ts';
import type { TopicSetUp } from '#processes/relay/relay.ts';
import type { ProcessParts, RunningProcess, StallCounters } from '#processes/runtime/process.ts';
import type { SharedProjector } from '#processes/lease/shared-projector.ts';
import type { LeadingSince, LeaseSettings } from '#processes/lease/leader-election.ts';
import type { Projector } from '#read-side/projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Records } from '#stores/records/records.ts';
import type { StopOrder } from './lifecycle.ts';
import type { CheckpointThread } from '../threads/checkpoint-thread.ts';
import type { Translator } from '#public-events/translate.ts';
import type { CertificateThread } from '../threads/certificate-thread.ts';
import type { PortfolioThread } from '../threads/portfolio-thread.ts';
import type { Verifications } from '../threads/verifications.ts';
import type { Logger } from '../observability/logging.ts';
import type { KeyRing } from '../security/key-ring.ts';
import type { Sessions } from '../security/sessions.ts';
import type { StoredSecret } from '../security/start-secrets.ts';
import type { FolderLock } from '#stores/sqlite/folder-lock.ts';
import type { Topics } from './kafka-topics.ts';
import type { ProcessDefinition } from './process-runner.ts';
import type { ProjectorStarter } from './projector-starter.ts';

/** Clock, random values and pauses, which the tests replace. */
interface System {
  readonly now: () => Instant;
  readonly randomId: () => string;
  readonly randomBytes: (bytes: number) => Uint8Array;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export const TOKENS = {
  log: token<Logger>('log'),
  system: token<System>('system'),
  folderLock: token<FolderLock>('folder lock'),
  eventStore: token<EventStore>('event store'),
  readModels: token<ReadModels>('read models'),
  records: token<Records>('records'),
  /** Undefined without embedded stores. */
  checkpointThread: token<CheckpointThread | undefined>('checkpoint thread'),
  jobQueues: token<JobQueues>('job queues'),
  topics: token<Topics | undefined>('topics'),
  topicSetUp: token<TopicSetUp>('topic set-up'),
  publicEvents: token<PublicEvents>('public events'),
  /** Undefined on embedded stores, which only this process writes. */
  lease: token<LeaseSettings | undefined>('lease'),
  translator: token<Translator>('translator'),
  /** URL of the service; resolved when it listens. */
  origin: token<PromiseWithResolvers<string>>('origin'),
  processParts: token<ProcessParts>('process parts'),
  process: token<ProcessDefinition>('process'),
  /** Filled when the processes start: since when this process leads each role. */
  ledRoles: token<Map<string, LeadingSince>>('led roles'),
  runningProcesses: token<readonly RunningProcess[]>('running processes'),
  catalogue: token<Catalogue>('catalogue'),
  commandPorts: token<CommandPorts>('command ports'),
  projectorStarter: token<ProjectorStarter>('projector starter'),
  /** Shared when there is a lease. Resolving it starts the projector. */
  projector: token<Projector | SharedProjector>('projector'),
  portfolioThread: token<PortfolioThread>('portfolio thread'),
  certificateThread: token<CertificateThread>('certificate thread'),
  verifications: token<Verifications>('verifications'),
  lifecycle: token<StopOrder>('lifecycle'),
  metrics: token<Registry>('metrics'),
  stalls: token<StallCounters>('stalls'),
  /** Resolving it creates the key if neither the settings nor the folder have one. */
  adminKey: token<StoredSecret>('admin key'),
  startup: token<{ isDone: boolean }>('startup'),
  healthChecks: token<readonly HealthCheck[]>('health checks'),
  keyRing: token<KeyRing>('key ring'),
  sessions: token<Sessions>('sessions'),
  status: token<StatusSources>('status'),
  httpDependencies: token<HttpDependencies>('HTTP dependencies'),
  httpServer: token<HttpServer>('http server'),
};

export function allOf<T>(serviceIdentifier: ServiceIdentifier<T>): ResolvedValueInjectOptions<T[]> {
  return { serviceIdentifier, isMultiple: true };
}

function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol(name);
}
