import { executeCommand } from '../../command-handling/execute-command.ts';
import type { CommandOutcome } from '../../command-handling/request.ts';
import { findCommand } from '../../../commands/registry.ts';
import { Refusal } from '../../domain/refusals.ts';
import type { Position, StoredEvent } from '../../event-store/event-store.ts';
import { StoreUnavailable } from '../../store-unavailable.ts';
import { describeError, firstFramesOf } from '../../observability/describe-error.ts';
import type { Fence } from '../../records/records.ts';
import { waitUntilCaughtUp } from '../subscription/caught-up.ts';
import type { ProcessParts, RunningProcess, StartProcess } from '../runtime/process.ts';
import { runPeriodically } from '../runtime/run-periodically.ts';
import { requireLogIdentity } from '../subscription/log-identity.ts';
import {
  CHECKPOINT_NAME,
  type CompletionCheckpoint,
  alignToEvent,
  readCheckpoint,
  saveCheckpoint,
} from './checkpoint.ts';
import { type CompletionMetrics, declareCompletionMetrics } from './metrics.ts';
import { type OpenCommand, OpenCommands, type Reserved } from './open-commands.ts';

/** Events per message of the subscription: few, so that requests are served in between. */
const PAGE = 500;
/** Events between two saved checkpoints: the most that a restart reads twice during the first scan of a long log. */
const SAVE_EVERY = 20_000;
const PAUSE_MS = 5_000;

/**
 * Finishes commands that were interrupted because their process died or a store was unavailable: those that create something, once
 * they are older than 30 s.
 */
export interface Completion {
  /** Reads the log to its end and finishes the commands that are due. @throws {StoreUnavailable} */
  readonly runOnce: (signal?: AbortSignal) => Promise<void>;
}

/** Creates a completion that runs only when it is called. Declares its metrics, so call it once per registry. */
export function createCompletion(parts: ProcessParts): Completion {
  const completer = new Completer(parts, declareCompletionMetrics(parts.metrics), undefined);
  const runOnce: Completion['runOnce'] = async (signal) => {
    const ending = new AbortController();
    try {
      await completer.run(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]));
    } finally {
      ending.abort();
      await completer.unsubscribed();
    }
  };
  return { runOnce };
}

/** Starts the completion without a fence. */
export function startCompletion(parts: ProcessParts): RunningProcess {
  return completionStarter(parts)(undefined);
}

/** Creates the function that starts the completion from its checkpoint. Declares its metrics, so call it once per registry. */
export function completionStarter(parts: ProcessParts): StartProcess {
  const { log, pause, stalls, commandPorts } = parts;
  const { now } = commandPorts;
  const metrics = declareCompletionMetrics(parts.metrics);
  return (fence) => {
    const completer = new Completer(parts, metrics, fence);
    const run = async (signal: AbortSignal): Promise<void> => await completer.run(signal);
    const nextDelayMs = (): number => PAUSE_MS;
    const running = runPeriodically({ name: 'completion', log, pause, stalls, now, run, nextDelayMs });
    const stop = async (): Promise<void> => {
      await running.stop();
      await completer.unsubscribed();
      metrics.setUnfinished(undefined);
    };
    return { ...running, stop };
  };
}

class Completer {
  readonly #parts: ProcessParts;
  readonly #metrics: CompletionMetrics;
  readonly #fence: Fence | undefined;
  readonly #commands = new OpenCommands();
  #position: Position | undefined;
  #isInitialised = false;
  #saved: string | undefined;
  #unsaved = 0;
  #subscription: Promise<void> | undefined;
  /** The error that ended the subscription, until the next run throws it. */
  #failure: { readonly error: unknown } | undefined;
  #hasCaughtUp = false;
  /** Resolves when the subscription has delivered a message or ended. */
  #progress = Promise.withResolvers<void>();

  constructor(parts: ProcessParts, metrics: CompletionMetrics, fence: Fence | undefined) {
    this.#parts = parts;
    this.#metrics = metrics;
    this.#fence = fence;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.#isInitialised) await this.#initialise();
    await this.#catchUp(signal);
    await waitUntilCaughtUp(this.#position, this.#parts, signal);
    if (signal.aborted) return;
    try {
      for (const open of this.#commands.due(this.#parts.commandPorts.now())) {
        if (!signal.aborted) await this.#complete(open);
      }
    } finally {
      this.#updateMetrics();
    }
    await this.#save();
  }

  /** Also loads the commands that were abandoned before a restart, because their cause may have been removed. */
  async #initialise(): Promise<void> {
    const { eventStore, records } = this.#parts.commandPorts;
    const { after, abandoned } = await alignToEvent(await readCheckpoint(records, this.#fence), eventStore);
    for (const position of abandoned) {
      const reserved = await eventStore.readAt(position);
      if (reserved !== undefined) this.#apply(reserved, (event) => this.#commands.restoreAbandoned(event));
    }
    this.#position = after;
    this.#isInitialised = true;
  }

  /** Resolves once the subscription has ended; abort its signal first. */
  async unsubscribed(): Promise<void> {
    await this.#subscription;
  }

  /** Keeps a subscription open until the signal aborts, and waits until it has caught up with the log. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    this.#subscription ??= this.#subscribe(signal)
      .catch((error: unknown) => {
        this.#failure = { error };
      })
      .finally(() => {
        this.#subscription = undefined;
        this.#hasCaughtUp = false;
        this.#progress.resolve();
      });
    while (this.#failure === undefined) {
      if (signal.aborted || this.#hasCaughtUp) return;
      await this.#progress.promise;
      if (this.#unsaved >= SAVE_EVERY) await this.#save();
    }
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  async #subscribe(signal: AbortSignal): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    this.#progress = Promise.withResolvers();
    await requireLogIdentity(CHECKPOINT_NAME, this.#position, eventStore);
    for await (const message of eventStore.subscribe({ after: this.#position, batch: PAGE, signal })) {
      if (message.kind === 'events') {
        for (const event of message.events) this.#apply(event, (news) => this.#commands.apply(news, this.#position));
        this.#unsaved += message.events.length;
      } else this.#hasCaughtUp = true;
      this.#progress.resolve();
      this.#progress = Promise.withResolvers();
    }
    if (!signal.aborted) throw new StoreUnavailable('The subscription to the event log has ended');
  }

  #apply(event: StoredEvent, apply: (event: StoredEvent) => void): void {
    try {
      apply(event);
    } catch (error) {
      const { stream } = event;
      this.#parts.log.error({ stream, reason: describeError(error) }, 'Skipped a reservation that cannot be decoded');
    }
    this.#position = event.position;
  }

  async #complete(open: OpenCommand): Promise<void> {
    const named = {
      command: open.reserved.metadata.command.name,
      commandId: open.commandId,
      stream: open.reserved.stream,
    };
    try {
      const { replayed } = await this.#execute(open.reserved);
      this.#commands.remove(open);
      if (replayed) return;
      this.#metrics.completed();
      this.#parts.log.info(named, 'Finished an interrupted command');
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#recordFailure(open, named, error);
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
    const failed = this.#commands.recordFailure(open, this.#parts.commandPorts.now());
    const reason = error instanceof Refusal ? error.code : describeError(error);
    const at = error instanceof Refusal ? undefined : firstFramesOf(error);
    const fields = {
      ...named,
      reason,
      at,
      attempts: failed?.attempts,
      nextAttempt: failed?.abandoned === true ? 'at the next start' : failed?.notBefore,
    };
    this.#parts.log.warn(fields, 'Could not finish an interrupted command');
  }

  #updateMetrics(): void {
    const all = this.#commands.all();
    const abandoned = all.filter((open) => open.abandoned).length;
    this.#metrics.setUnfinished({ open: all.length - abandoned, abandoned });
  }

  async #save(): Promise<void> {
    const { records } = this.#parts.commandPorts;
    this.#unsaved = 0;
    this.#saved = await saveCheckpoint(records, this.#checkpoint(), this.#saved, this.#fence);
  }

  #checkpoint(): CompletionCheckpoint {
    const oldest = this.#commands.oldest();
    return {
      after: oldest === undefined ? this.#position : oldest.before,
      abandoned: this.#commands.abandonedPositions(),
    };
  }
}
