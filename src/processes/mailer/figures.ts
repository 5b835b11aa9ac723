import { Gauge } from 'prom-client';
import type { ProcessParts } from '../process.ts';

/** What the mailer tells of itself in `/metrics`. Declared once for a registry; read when somebody asks. */
export function declareMailFigures({ metrics, readModels }: Pick<ProcessParts, 'metrics' | 'readModels'>): void {
  metrics.registerMetric(
    new Gauge({
      name: 'surety_mail_jobs_parked',
      help: 'Mails that are not sent unless somebody says so: GET /api/v1/admin/mail-jobs?status=parked lists them',
      registers: [],
      async collect() {
        const parked = { where: { status: 'parked' }, limit: 1, offset: 0 };
        // Not known while the read models are away: the other figures are wanted then more than ever.
        const count = await readModels.find('mail_jobs', parked).then(
          (found) => found.count,
          () => Number.NaN,
        );
        this.set(count);
      },
    }),
  );
}
