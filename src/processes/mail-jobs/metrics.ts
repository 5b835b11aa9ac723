import { Counter } from 'prom-client';
import { declareGauge } from '../../observability/process-metrics.ts';
import type { MailJobDocument } from '../../../projections/mail-jobs/mail-jobs.ts';
import type { FindResult } from '../../read-models/read-models.ts';
import type { ProcessParts } from '../runtime/process.ts';
import { readForMetric } from '../runtime/metrics.ts';

const OPEN_STATUSES = ['requested', 'waiting', 'parked'];
const OLDEST_LIMIT = 500;

/** Declares the metrics of mails; call it once per registry. A metric whose read model does not answer in time is omitted. */
export function declareMailJobMetrics({ metrics, readModels, commandPorts: { now } }: ProcessParts) {
  const find = async (status: string, limit: number): Promise<FindResult | undefined> =>
    await readForMetric(readModels.find('mail_jobs', { where: { status }, limit, offset: 0 }));
  const jobs = {
    name: 'surety_mail_jobs',
    help: 'Mails that are neither sent nor dropped, by status as in GET /api/v1/admin/mail-jobs',
    labelNames: ['status'],
  };
  declareGauge(metrics, jobs, async (gauge) => {
    const counts = OPEN_STATUSES.map(async (status) => ({ status, found: await find(status, 1) }));
    for (const { status, found } of await Promise.all(counts)) {
      if (found === undefined) gauge.remove({ status });
      else gauge.set({ status }, found.count);
    }
  });
  const oldest = {
    name: 'surety_mail_jobs_oldest_requested_seconds',
    help: 'How long the oldest requested mail has waited for a mailer; 0 when no mail waits',
  };
  declareGauge(metrics, oldest, async (gauge) => {
    const found = await find('requested', OLDEST_LIMIT);
    if (found === undefined) gauge.remove();
    else gauge.set(Math.max(0, ...found.documents.map(({ body }) => waitedSeconds(body, now()))));
  });
  const reviews = new Counter({
    name: 'surety_mail_reviews_total',
    help: 'Mails that the scheduler requested again (retry, not_taken_up) or parked because their outcome is unknown',
    labelNames: ['decision'],
    registers: [metrics],
  });
  for (const decision of ['retry', 'not_taken_up', 'parked']) reviews.inc({ decision }, 0);
  return { reviewed: (decision: string) => reviews.inc({ decision }) };
}

function waitedSeconds(body: string | undefined, now: string): number {
  if (body === undefined) return 0;
  const { requested_at: since } = JSON.parse(body) as MailJobDocument;
  return since === null ? 0 : (Date.parse(now) - Date.parse(since)) / 1_000;
}
