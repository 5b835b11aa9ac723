import { MailNotDue, reviewMail } from '../../../commands/mail/mail-moves.ts';
import type { StoredDocument } from '../../read-models/read-models.ts';
import { StoreUnavailable } from '../../store-unavailable.ts';
import { describeError, firstFramesOf } from '../../observability/describe-error.ts';
import { runSystemCommand } from '../../command-handling/execute-command.ts';
import type { ProcessParts, StartProcess } from '../runtime/process.ts';
import { runPeriodically, mapConcurrently } from '../runtime/run-periodically.ts';
import { declareMailJobMetrics } from './metrics.ts';

/** Few documents, so that reading a page takes a few milliseconds. */
const PAGE = 100;
const CONCURRENCY = 8;
const POLL_INTERVAL_MS = 2_000;

interface MailSchedulerOptions {
  readonly pollIntervalMs?: number;
}

/**
 * Creates the function that starts the mail scheduler. It requests mails again that were refused or that no mailer took, and parks
 * mails whose attempt has no result. `mail_jobs` lists the candidates; the command decides by the stream, so a read model that is
 * behind does no harm. Declares its metrics, so call it once per registry.
 */
export function mailSchedulerStarter(parts: ProcessParts, options: MailSchedulerOptions = {}): StartProcess {
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
  const nextDelayMs = (): number => options.pollIntervalMs ?? POLL_INTERVAL_MS;
  return () => runPeriodically({ ...parts, name: 'mail_scheduler', now, run, nextDelayMs });
}
