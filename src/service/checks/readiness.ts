import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { ProcessRole, Settings } from '../config/config.ts';
import type { HealthCheck, CheckedPart } from '../observability/health-checks.ts';
import type { PublicEvents } from '#stores/messaging/messaging.ts';
import type { RunningProcess } from '#processes/runtime/process.ts';
import { missingTopicsSentence, PUBLIC_TOPICS } from '#public-events/topics.ts';
import { isShared, type SharedProjector } from '#processes/lease/shared-projector.ts';
import { type Projector, lagFailure } from '#read-side/projector.ts';
import type { MailJobDocument } from '#projections/mail-jobs/mail-jobs.ts';
import { tlsFailure } from '#stores/shared/tls-failure.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';

const NEEDED_BY: Readonly<Record<CheckedPart, readonly ProcessRole[]>> = {
  event_store: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
  records: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
  read_models: ['api', 'projector', 'scheduler'],
  // A role that subscribes to the log or sends mails does not need read models that are caught up.
  projector: ['api'],
};

/** Returns the parts that `/readyz` checks: those that the roles of the process need. */
export function checkedParts({ roles }: Pick<Settings, 'roles'>): readonly CheckedPart[] {
  const parts = Object.keys(NEEDED_BY) as CheckedPart[];
  return parts.filter((part) => NEEDED_BY[part].some((role) => roles.includes(role)));
}

/** Processes of the roles relay and mailer, which need Kafka or the mail server. */
const NOT_NEEDED_BY_API: readonly string[] = ['public_events', 'mail_relay', 'mailer'];

/** Returns the checks of the running processes. A warning makes the process not ready, unless it has the role `api`. */
export function processChecks(
  { roles }: Pick<Settings, 'roles'>,
  running: readonly RunningProcess[],
): readonly HealthCheck[] {
  const servesApi = roles.includes('api');
  return running.map(({ name, check, warning }) => ({
    name,
    check: () => check() ?? (servesApi ? undefined : warning?.()),
    warning,
    isOptional: servesApi && NOT_NEEDED_BY_API.includes(name),
  }));
}

/** Marks a check of Kafka or the mail server, without which the role `api` serves. */
export function optionalForApi({ roles }: Pick<Settings, 'roles'>, check: HealthCheck): HealthCheck {
  return { ...check, isOptional: roles.includes('api') };
}

/** Fails while the mail server does not answer, and names what is wrong with TLS. */
export function mailServerCheck(ping: () => Promise<void>): HealthCheck {
  const check = async (): Promise<string | undefined> => {
    try {
      await ping();
      return undefined;
    } catch (error) {
      return tlsFailure(error) ?? 'does not answer';
    }
  };
  return { name: 'smtp', check };
}

/** Warns of mails that wait for another attempt because the mail server is not reached, refuses or does not answer. */
export function waitingMailsCheck(readModels: Pick<ReadModels, 'find'>): HealthCheck {
  const warning = async (): Promise<string | undefined> => {
    const { documents } = await readModels.find('mail_jobs', { where: { status: 'waiting' }, limit: 100, offset: 0 });
    const reasons = documents.flatMap(({ body }) => {
      if (body === undefined) return [];
      const { last_error: error, smtp_code: code } = JSON.parse(body) as MailJobDocument;
      return error === null ? [] : [code === null ? error : `${error} ${code}`];
    });
    if (reasons.length === 0) return undefined;
    const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => `${reason}: ${length}`);
    return `mails wait for another attempt (${counts.join(', ')}): GET /api/v1/admin/mail-jobs?status=waiting lists them`;
  };
  return { name: 'waiting_mails', check: ready, warning };
}

export function startCheck(startup: { readonly isDone: boolean }): HealthCheck {
  return { name: 'start', check: () => (startup.isDone ? undefined : 'is under way') };
}

/**
 * Fails while the projector is not caught up. A projector that is not the leader is ready while it can read the lease.
 */
export function projectorCheck(projector: Projector | SharedProjector): HealthCheck {
  const check = (): string | undefined =>
    !isShared(projector) || projector.isLeading() ? lagFailure(projector.status()) : projector.checkLease();
  return { name: 'projector', check };
}

export function publicTopicsCheck(publicEvents: Pick<PublicEvents, 'findMissing'>): HealthCheck {
  const check = async (): Promise<string | undefined> => {
    const missing = await publicEvents.findMissing(PUBLIC_TOPICS);
    return missing.length === 0 ? undefined : missingTopicsSentence(missing);
  };
  return { name: 'public_topics', check };
}

/** Warns of parked documents, which an operator has to look at. */
export function parkedCheck(readModels: Pick<ReadModels, 'countParked'>, collections: readonly string[]): HealthCheck {
  const warning = async (): Promise<string | undefined> => {
    const counts = await Promise.all(
      collections.map(async (name) => [name, await readModels.countParked(name)] as const),
    );
    const parked = counts.filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`);
    return parked.length === 0 ? undefined : `${parked.join(', ')}: GET /api/v1/admin/parked lists them`;
  };
  return { name: 'parked_documents', check: ready, warning };
}

const MIB = 2 ** 20;
const GIB = 2 ** 30;
/** A disk with less than both is nearly full. */
const MIN_FREE = { bytes: GIB, share: 0.05 };

type ReadDisk = (path: string) => Promise<Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>>;

/** Returns the space of the disk of a folder, in bytes. */
export async function diskSpace(
  folder: string,
  readDisk: ReadDisk = statfs,
): Promise<{ readonly free: number; readonly total: number }> {
  const { bsize, blocks, bavail } = await readDisk(folder);
  return { free: bsize * bavail, total: bsize * blocks };
}

/** Warns when the disk of the data folder is nearly full: without space nothing can be recorded. */
export function diskCheck(dataFolder: string, readDisk?: ReadDisk): HealthCheck {
  const warning = async (): Promise<string | undefined> => {
    const { free, total } = await diskSpace(dataFolder, readDisk);
    if (free >= MIN_FREE.bytes || free >= MIN_FREE.share * total) return undefined;
    return `${Math.floor(free / MIB)} MiB of ${Math.round(total / GIB)} GiB are free`;
  };
  return { name: 'disk', check: ready, warning };
}

/** The part is ready; only its warning matters. */
function ready(): undefined {}
