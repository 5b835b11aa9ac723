import { MailNotDue, reviewMail } from '#commands/mail/mail-moves.ts';
import type { StoredDocument, FindResult } from '#stores/read-models/read-models.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { type ProcessParts, type StartProcess, readForMetric } from '../runtime/process.ts';
import { runPeriodically, mapConcurrently } from '../runtime/run-periodically.ts';
import { Counter } from 'prom-client';
import { declareGauge } from '#service/observability/process-metrics.ts';
import type { MailJobDocument } from '#projections/mail-jobs/mail-jobs.ts';

/** Few documents, so that reading a page takes a few milliseconds. */
const PAGE = 100;
const CONCURRENCY = 8;
const POLL_INTERVAL_MS = 2_000;

/**
 * Creates the function that starts the mail scheduler. It requests mails again that were refused or that no mailer
 * took, and parks mails whose attempt has no result. `mail_jobs` lists the candidates; the command decides by the
 * stream, so a read model that is behind does no harm. Declares its metrics, so call it once per registry.
 */
export function mailSchedulerStarter(parts: ProcessParts, { pollIntervalMs = POLL_INTERVAL_MS } = {}): StartProcess {
  const { commandPorts, readModels, log } = parts;
  const { now } = commandPorts;
  const metrics = declareMailJobMetrics(parts);
  const failed = new Set<string>();

  const review = async (jobId: string): Promise<void> => {
    try {
      const { result } = await runSystemCommand(reviewMail, { jobId }, commandPorts, jobId);
      const { decision } = result as { readonly decision: string };
      metrics.reviewed(decision);
      if (decision === 'parked') log.warn({ job_id: jobId }, 'Parked a mail: the attempt has no result');
    } catch (error) {
      if (error instanceof MailNotDue) return;
      if (error instanceof StoreUnavailable) throw error;
      // The job stays due, so every run would log it.
      if (failed.has(jobId)) return;
      failed.add(jobId);
      log.error(
        { job_id: jobId, reason: describeError(error), at: firstFramesOf(error) },
        'Could not review a mail job',
      );
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    const due = { index: 'due', atMost: now(), limit: PAGE };
    for (let after: StoredDocument | undefined; !signal.aborted; ) {
      const page = await readModels.scanIndex('mail_jobs', { ...due, after });
      await mapConcurrently(page, CONCURRENCY, async ({ key }) => {
        if (!signal.aborted) await review(key);
      });
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  };
  return () => runPeriodically({ ...parts, name: 'mail_scheduler', now, run, nextDelayMs: () => pollIntervalMs });
}

const OPEN_STATUSES = ['requested', 'waiting', 'parked'];
const OLDEST_LIMIT = 500;

/**
 * Declares the metrics of mails; call it once per registry. A metric whose read model does not answer in time is
 * omitted.
 */
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
