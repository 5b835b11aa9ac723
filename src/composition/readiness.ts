import type { Role, Settings } from '../config.ts';
import type { HealthCheck, JudgedPart } from '../http/routes/dependencies.ts';
import { pingMailServer } from '../mail/mail-server.ts';
import type { JobQueues } from '../messaging/messaging.ts';
import type { PublicEvents } from '../messaging/public-events.ts';
import type { RunningProcess } from '../processes/process.ts';
import { missingTopicsSentence, PUBLIC_TOPICS } from '../processes/public-events/topics.ts';
import { isShared, type SharedProjector } from '../processes/shared-projector.ts';
import type { Projector } from '../projector/projector.ts';
import { whyNotLevel } from '../projector/level.ts';

/** Which roles cannot work without it. */
const NEEDED_BY: Readonly<Record<JudgedPart, readonly Role[]>> = {
  event_store: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
  records: ['api', 'projector', 'relay', 'mailer', 'scheduler'],
  read_models: ['api', 'projector', 'scheduler'],
  // Whoever follows the log or sends mails does not need the read models to be level.
  projector: ['api'],
};

/** Parts that `/readyz` reports: those that the roles of the process need. */
export function judgedParts({ roles }: Pick<Settings, 'roles'>): readonly JudgedPart[] {
  const parts = Object.keys(NEEDED_BY) as JudgedPart[];
  return parts.filter((part) => NEEDED_BY[part].some((role) => roles.includes(role)));
}

/** The checks of the running processes. Their warnings make a process not ready unless it has the role `api`. */
export function processChecks(
  { roles }: Pick<Settings, 'roles'>,
  running: readonly RunningProcess[],
): readonly HealthCheck[] {
  const servesApi = roles.includes('api');
  return running.map(({ name, check, warning }) => ({
    name,
    check: async () => await Promise.resolve(check() ?? (servesApi ? undefined : warning?.())),
    warning,
  }));
}

/** What is checked because of the roles of the process. */
export interface CheckedParts {
  readonly projector: Projector | SharedProjector;
  readonly jobQueues?: Pick<JobQueues, 'ping'> | undefined;
  /** Set when the process has the role relay. */
  readonly publicEvents?: Pick<PublicEvents, 'findMissing'> | undefined;
}

/** Returns what a process checks besides, because of its roles and where its stores are. */
export function furtherChecks(
  { roles, kafkaBrokers, smtpUrl }: Pick<Settings, 'roles' | 'kafkaBrokers' | 'smtpUrl'>,
  { projector, jobQueues, publicEvents }: CheckedParts,
): readonly HealthCheck[] {
  const checks: HealthCheck[] = [];
  if (roles.includes('projector') && !roles.includes('api')) {
    checks.push({ name: 'projector', check: async () => await Promise.resolve(whyNotProjecting(projector)) });
  }
  if (kafkaBrokers !== undefined && jobQueues !== undefined && (roles.includes('relay') || roles.includes('mailer'))) {
    const check = async (): Promise<undefined> => {
      await jobQueues.ping();
    };
    checks.push({ name: 'kafka', check });
  }
  if (publicEvents !== undefined) {
    const check = async (): Promise<string | undefined> => {
      const missing = await publicEvents.findMissing(PUBLIC_TOPICS);
      return missing.length === 0 ? undefined : missingTopicsSentence(missing);
    };
    checks.push({ name: 'public_topics', check });
  }
  // Who serves requests does so without a mail server: then `surety_mails_total` alone shows that mails wait.
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
