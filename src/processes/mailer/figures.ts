import { Counter, Gauge } from 'prom-client';
import type { Handover } from '../../mail/mail.ts';
import type { JobConsumer } from '../../messaging/messaging.ts';
import type { ProcessParts } from '../process.ts';
import { soon } from '../soon.ts';

/** What the mailer tells of itself in `/metrics`. */
export interface MailFigures {
  readonly handedOver: (outcome: Handover['is']) => void;
  /** A job went to the dead letters. */
  readonly died: () => void;
  /** From now on the jobs of this consumer are told of. */
  readonly follow: (consumer: Followed) => void;
}

type Followed = Pick<JobConsumer, 'open' | 'overdueMs'>;

const OUTCOMES: readonly Handover['is'][] = ['sent', 'refused', 'unknown'];

/** Declares the figures: once for a registry. */
export function declareMailFigures({ metrics, readModels }: Pick<ProcessParts, 'metrics' | 'readModels'>): MailFigures {
  const handovers = new Counter({
    name: 'surety_mails_total',
    help: 'Mails that this process handed over, by how that ended; refused: the mail server was not reached, or said no',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  for (const outcome of OUTCOMES) handovers.inc({ outcome }, 0);
  metrics.registerMetric(
    new Gauge({
      name: 'surety_mail_jobs_parked',
      help: 'Mails that are not sent unless somebody says so: GET /api/v1/admin/mail-jobs?status=parked lists them',
      registers: [],
      async collect() {
        const parked = { where: { status: 'parked' }, limit: 1, offset: 0 };
        const found = await soon(readModels.find('mail_jobs', parked));
        setOrRemove(this, found?.count);
      },
    }),
  );
  const dead = new Counter({
    name: 'surety_mail_jobs_dead_total',
    help: 'Jobs of the queue of mails that this process put among the dead letters',
    registers: [metrics],
  });
  let followed: Followed | undefined;
  metrics.registerMetric(
    new Gauge({
      name: 'surety_mail_jobs_open',
      help: 'Jobs of the queue of mails that are due, or wait to be tried again; of each process its share of the queue',
      registers: [],
      collect() {
        setOrRemove(this, followed?.open());
      },
    }),
  );
  metrics.registerMetric(
    new Gauge({
      name: 'surety_mail_jobs_overdue_seconds',
      help: 'How long the mail has been due that this process hands over next; 0: none is due that is not at hand',
      registers: [],
      collect() {
        const overdueMs = followed?.overdueMs();
        setOrRemove(this, overdueMs === undefined ? undefined : overdueMs / 1000);
      },
    }),
  );
  return {
    handedOver: (outcome) => handovers.inc({ outcome }),
    died: () => dead.inc(),
    follow: (consumer) => {
      followed = consumer;
    },
  };
}

/** A figure that nobody knows is not told: sums and alerts of whoever watches leave it out, and do not break on it. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}
