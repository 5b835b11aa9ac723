import type { Role, Settings } from '../config.ts';
import type { HealthCheck, JudgedPart } from '../http/routes/dependencies.ts';
import { pingMailServer } from '../mail/mail-server.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import type { SharedProjector } from '../processes/shared-projector.ts';
import type { Projector } from '../projector/projector.ts';
import { whyNotLevel } from '../projector/level.ts';
import { isShared } from './processes.ts';

/** Which roles cannot work without it. */
const NEEDED_BY: Readonly<Record<JudgedPart, readonly Role[]>> = {
  event_store: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
  records: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
  read_models: ['api', 'projector', 'scheduler'],
  // Whoever follows the log or sends mails does not need the read models to be level.
  projector: ['api'],
};

/** Of which parts the process tells in `/readyz`: those that its roles need (`decisions`: Running, Health). */
export function judgedParts({ roles }: Pick<Settings, 'roles'>): readonly JudgedPart[] {
  const parts = Object.keys(NEEDED_BY) as JudgedPart[];
  return parts.filter((part) => NEEDED_BY[part].some((role) => roles.includes(role)));
}

/** What a process tells besides, because of its roles and where its stores are. */
export function furtherChecks(
  { roles, kafkaBrokers, smtpUrl }: Pick<Settings, 'roles' | 'kafkaBrokers' | 'smtpUrl'>,
  projector: Projector | SharedProjector,
  jobQueues: Pick<JobQueues, 'ping'> | undefined,
): readonly HealthCheck[] {
  const checks: HealthCheck[] = [];
  if (roles.includes('projector') && !roles.includes('api')) {
    checks.push({ name: 'projector', check: async () => await Promise.resolve(whyNotProjecting(projector)) });
  }
  if (jobQueues !== undefined && (roles.includes('relay') || roles.includes('mailer'))) {
    const check = async (): Promise<undefined> => {
      await jobQueues.ping();
    };
    checks.push(kafkaBrokers === undefined ? { name: 'job_queues', check } : { name: 'kafka', check });
  }
  // Who serves requests does so without a mail server: then `surety_mails_total` alone tells that mails wait.
  if (smtpUrl !== undefined && roles.includes('mailer') && !roles.includes('api')) {
    const check = async (): Promise<undefined> => {
      await pingMailServer(smtpUrl);
    };
    checks.push({ name: 'smtp', check });
  }
  return checks;
}

/** One that stands by is ready as long as it can see when its turn comes. */
function whyNotProjecting(projector: Projector | SharedProjector): string | undefined {
  if (!isShared(projector) || projector.isLeading()) return whyNotLevel(projector.status());
  return projector.checkLease();
}
