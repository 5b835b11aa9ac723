import { finishClaimPayment, pendingId } from '#commands/claim/finish-payment.ts';
import type { ClaimDocument } from '#projections/claims/claims.ts';
import { claimStream } from '#domain/claim/claim.ts';
import { executeCommand, runSystemCommand } from '#event-sourcing/executor/execute-command.ts';
import { instantAfter } from '#event-sourcing/time.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import { findCommand } from '#commands/registry.ts';
import { Refusal } from '#domain/refusals.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { describeError, firstFramesOf } from '#service/observability/describe-error.ts';
import { type ProcessParts, type StartProcess, waitUntilCaughtUp } from '../runtime/process.ts';
import { runPeriodically } from '../runtime/run-periodically.ts';
import { OpenCommandReader } from './open-command-reader.ts';
import { GRACE_PERIOD_MS, type OpenCommand, type Reserved } from './open-commands.ts';
import { Counter, Gauge, type Registry } from 'prom-client';

const PAUSE_MS = 5_000;
/** Payments that one run finishes; the rest follows with the next one. */
const MAX_PAYMENTS = 100;

/**
 * Creates the function that starts the completion from its checkpoint. Declares its metrics, so call it once per
 * registry.
 */
export function completionStarter(parts: ProcessParts): StartProcess {
  const { now } = parts.commandPorts;
  const metrics = declareCompletionMetrics(parts.metrics);
  return () => {
    const completion = new Completion(parts, metrics);
    const run = async (signal: AbortSignal): Promise<void> => await completion.run(signal);
    const running = runPeriodically({ ...parts, name: 'completion', now, run, nextDelayMs: () => PAUSE_MS });
    const stop = async (): Promise<void> => {
      await running.stop();
      metrics.setUnfinished();
    };
    return { ...running, stop };
  };
}

/**
 * Finishes commands that were interrupted because their process died or a store was unavailable: those that create
 * something, and payments of claims, once they are older than 30 s.
 */
export class Completion {
  readonly #parts: ProcessParts;
  readonly #metrics: CompletionMetrics;
  readonly #reader: OpenCommandReader;

  constructor(parts: ProcessParts, metrics = declareCompletionMetrics(parts.metrics)) {
    this.#parts = parts;
    this.#metrics = metrics;
    this.#reader = new OpenCommandReader(parts);
  }

  async run(signal = new AbortController().signal): Promise<void> {
    await this.#reader.catchUp(signal);
    await waitUntilCaughtUp(this.#reader.position, this.#parts, signal);
    if (signal.aborted) return;
    try {
      for (const open of this.#reader.commands.due(this.#parts.commandPorts.now())) {
        if (!signal.aborted) await this.#complete(open);
      }
      await this.#finishPayments(signal);
    } finally {
      this.#updateMetrics();
    }
    await this.#reader.save();
  }

  async #complete(open: OpenCommand): Promise<void> {
    const named = {
      command: open.reserved.metadata.command.name,
      commandId: open.commandId,
      stream: open.reserved.stream,
    };
    try {
      const { replayed } = await this.#execute(open.reserved);
      this.#reader.commands.remove(open);
      if (replayed) return;
      this.#metrics.completed();
      this.#parts.log.info(named, 'Finished an interrupted command');
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#recordFailure(open, named, error);
    }
  }

  /** Finishes payments of claims that started 30 s ago and have not ended. */
  async #finishPayments(signal: AbortSignal): Promise<void> {
    const { commandPorts, readModels } = this.#parts;
    const before = instantAfter(commandPorts.now(), -GRACE_PERIOD_MS);
    const query = { above: { pending_since: '' }, atMost: { pending_since: before }, skipCount: true };
    const { documents } = await readModels.find('claims', { ...query, limit: MAX_PAYMENTS, offset: 0 });
    for (const { key: claim_id, body } of documents) {
      if (signal.aborted || body === undefined) return;
      const payment_id = pendingId((JSON.parse(body) as ClaimDocument).claim);
      if (payment_id === undefined) continue;
      await this.#finishPayment(claim_id, payment_id);
    }
  }

  /** One payment that cannot be finished holds up no other. */
  async #finishPayment(claim_id: string, payment_id: string): Promise<void> {
    const named = { command: finishClaimPayment.name, stream: claimStream(claim_id) };
    const { commandPorts, log } = this.#parts;
    try {
      const { events } = await runSystemCommand(finishClaimPayment, { claim_id, payment_id }, commandPorts);
      if (events.length === 0) return;
      this.#metrics.completed();
      log.info(named, 'Finished an interrupted payment');
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#metrics.failed();
      log.warn({ ...named, ...reasonOf(error) }, 'Could not finish an interrupted payment');
    }
  }

  async #execute({ data, metadata }: Reserved): Promise<CommandOutcome> {
    const command = findCommand(metadata.command.name);
    if (command === undefined) throw new Error('this version has no such command');
    const request = {
      input: data.input,
      actor: data.actor,
      environment: data.environment ?? undefined,
      idempotency: undefined,
      identity: {
        commandId: metadata.command.id,
        decidedAt: data.decidedAt,
        correlationId: metadata.$correlationId,
        causationId: metadata.$causationId,
      },
      ifMatch: undefined,
      requestId: metadata.requestId,
      traceparent: metadata.traceparent,
    };
    return await executeCommand(command, request, this.#parts.commandPorts);
  }

  #recordFailure(open: OpenCommand, named: object, error: unknown): void {
    this.#metrics.failed();
    const failed = this.#reader.commands.recordFailure(open, this.#parts.commandPorts.now());
    const fields = {
      ...named,
      ...reasonOf(error),
      attempts: failed?.attempts,
      nextAttempt: failed?.abandoned === true ? 'at the next start' : failed?.notBefore,
    };
    this.#parts.log.warn(fields, 'Could not finish an interrupted command');
  }

  #updateMetrics(): void {
    const all = this.#reader.commands.all();
    const abandoned = all.filter((open) => open.abandoned).length;
    this.#metrics.setUnfinished({ open: all.length - abandoned, abandoned });
  }
}

function reasonOf(error: unknown) {
  return error instanceof Refusal ? { reason: error.code } : { reason: describeError(error), at: firstFramesOf(error) };
}

type CompletionMetrics = ReturnType<typeof declareCompletionMetrics>;

/** Declares the metrics of the completion; call it once per registry. */
function declareCompletionMetrics(metrics: Registry) {
  const registers = [metrics];
  const open = new Gauge({
    name: 'surety_unfinished_commands',
    help: 'Commands that have reserved a value and are not finished, including those in flight',
    registers,
  });
  const abandoned = new Gauge({
    name: 'surety_unfinished_commands_given_up',
    help: 'Unfinished commands that were abandoned after the last attempt; the log names them, and the next start retries them',
    registers,
  });
  const completed = new Counter({
    name: 'surety_completions_total',
    help: 'Interrupted commands that the scheduler finished',
    registers,
  });
  const failures = new Counter({
    name: 'surety_completion_failures_total',
    help: 'Attempts to finish an interrupted command that were refused or failed',
    registers,
  });
  const setUnfinished = (counts?: { readonly open: number; readonly abandoned: number }): void => {
    if (counts === undefined) {
      open.remove();
      abandoned.remove();
    } else {
      open.set(counts.open);
      abandoned.set(counts.abandoned);
    }
  };
  setUnfinished();
  return { setUnfinished, completed: () => completed.inc(), failed: () => failures.inc() };
}
