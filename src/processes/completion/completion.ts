import { executeCommand } from '../../command-handling/execute-command.ts';
import type { CommandOutcome } from '../../command-handling/request.ts';
import { findCommand } from '../../../commands/registry.ts';
import { Refusal } from '../../domain/refusals.ts';
import { type Position, type StoredEvent, StoreUnavailable } from '../../event-store/event-store.ts';
import { describeError, originOf } from '../../projector/describe-error.ts';
import type { Fence } from '../../records/records.ts';
import { waitUntilCaughtUp } from '../caught-up.ts';
import type { ProcessParts, RunningProcess, StartProcess } from '../process.ts';
import { runPeriodically } from '../run-periodically.ts';
import { requireLogIdentity } from '../log-identity.ts';
import { CHECKPOINT_NAME, type CompletionCheckpoint, onEvents, readCheckpoint, storeCheckpoint } from './checkpoint.ts';
import { type CompletionMetrics, completionMetrics } from './metrics.ts';
import { type OpenCommand, OpenCommands, type Reserved } from './open-commands.ts';

/** Events in one message of the subscription: few, so that requests get their turn in between. */
const PAGE = 500;
/** So many events are read at most twice when the first scan of a long log is broken off. */
const STORE_EVERY = 20_000;
const PAUSE_MS = 5_000;

/**
 * Finishes commands that were begun and not finished, because their process died or a store was away: those that make
 * something new, once they are older than 30 s.
 */
export interface Completion {
  /** Follows the log to its end and finishes what is due. @throws {StoreUnavailable} when a store is away */
  readonly runOnce: (signal?: AbortSignal) => Promise<void>;
}

/** Creates a completion that runs only when it is called. Declares its metrics: once for a registry. */
export function createCompletion(parts: ProcessParts): Completion {
  const follower = new Follower(parts, completionMetrics(parts.metrics), undefined);
  const runOnce: Completion['runOnce'] = async (signal) => {
    const ending = new AbortController();
    try {
      await follower.run(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]));
    } finally {
      ending.abort();
      await follower.ended();
    }
  };
  return { runOnce };
}

/** The completion at work. */
export function startCompletion(parts: ProcessParts): RunningProcess {
  return completionStarter(parts)(undefined);
}

/** What starts the completion, each time from its checkpoint. Declares its figures: once for a registry. */
export function completionStarter(parts: ProcessParts): StartProcess {
  const { log, pause, stalls, commandPorts } = parts;
  const { now } = commandPorts;
  const figures = completionMetrics(parts.metrics);
  return (fence) => {
    const follower = new Follower(parts, figures, fence);
    const round = async (signal: AbortSignal): Promise<void> => await follower.run(signal);
    const untilNext = (): number => PAUSE_MS;
    const running = runPeriodically({ name: 'completion', log, pause, stalls, now, round, untilNext });
    const stop = async (): Promise<void> => {
      await running.stop();
      await follower.ended();
      figures.listed(undefined);
    };
    return { ...running, stop };
  };
}

class Follower {
  readonly #parts: ProcessParts;
  readonly #figures: CompletionMetrics;
  readonly #fence: Fence | undefined;
  readonly #commands = new OpenCommands();
  /** Everything up to here was taken in. */
  #position: Position | undefined;
  #begun = false;
  #stored: string | undefined;
  /** Events that were taken in since the checkpoint was saved. */
  #unsaved = 0;
  /** The subscription to the log, while it lasts. */
  #subscription: Promise<void> | undefined;
  /** Why it ended, until the next round reports it. */
  #failure: { readonly error: unknown } | undefined;
  #hasCaughtUp = false;
  /** Resolves when the subscription has delivered a message, or ended. */
  #progress = Promise.withResolvers<void>();

  constructor(parts: ProcessParts, figures: CompletionMetrics, fence: Fence | undefined) {
    this.#parts = parts;
    this.#figures = figures;
    this.#fence = fence;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.#begun) await this.#begin();
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
    await this.#store();
  }

  /** What was given up before is tried again: it may have been mended meanwhile. */
  async #begin(): Promise<void> {
    const { eventStore, records } = this.#parts.commandPorts;
    const { after, givenUp } = await onEvents(await readCheckpoint(records, this.#fence), eventStore);
    for (const position of givenUp) {
      const reserved = await eventStore.readAt(position);
      if (reserved !== undefined) this.#take(reserved, (event) => this.#commands.takeAgain(event));
    }
    this.#position = after;
    this.#begun = true;
  }

  /** Resolves once the subscription to the log has ended; its signal must have been aborted. */
  async ended(): Promise<void> {
    await this.#subscription;
  }

  /** Keeps a subscription open until the signal aborts, and waits until it has caught up with the log. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    this.#subscription ??= this.#follow(signal)
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
      if (this.#unsaved >= STORE_EVERY) await this.#store();
    }
    const { error } = this.#failure;
    this.#failure = undefined;
    throw error;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    this.#progress = Promise.withResolvers();
    await requireLogIdentity(CHECKPOINT_NAME, this.#position, eventStore);
    for await (const message of eventStore.subscribe({ after: this.#position, batch: PAGE, signal })) {
      if (message.kind === 'events') {
        for (const event of message.events) this.#take(event, (news) => this.#commands.take(news, this.#position));
        this.#unsaved += message.events.length;
      } else this.#hasCaughtUp = true;
      this.#progress.resolve();
      this.#progress = Promise.withResolvers();
    }
    if (!signal.aborted) throw new StoreUnavailable('The subscription to the event log has ended');
  }

  #take(event: StoredEvent, take: (event: StoredEvent) => void): void {
    try {
      take(event);
    } catch (error) {
      const { stream } = event;
      this.#parts.log.error(
        { stream, reason: describeError(error) },
        'A reservation cannot be read and is passed over',
      );
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
      this.#commands.finished(open);
      if (replayed) return;
      this.#figures.completed();
      this.#parts.log.info(named, 'A command that was left unfinished was finished');
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.#failed(open, named, error);
    }
  }

  /** Runs the command again as it came, under its own id and judged at its own time. */
  async #execute({ data, metadata }: Reserved): Promise<CommandOutcome> {
    const command = findCommand(metadata.command.name);
    if (command === undefined) throw new Error('there is no such command any more');
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

  #failed(open: OpenCommand, named: object, error: unknown): void {
    this.#figures.failed();
    const now = this.#commands.failed(open, this.#parts.commandPorts.now());
    const reason = error instanceof Refusal ? error.code : describeError(error);
    const at = error instanceof Refusal ? undefined : originOf(error);
    const fields = {
      ...named,
      reason,
      at,
      tries: now?.tries,
      nextTry: now?.givenUp === true ? 'at the next start' : now?.notBefore,
    };
    this.#parts.log.warn(fields, 'A command that was left unfinished could not be finished');
  }

  #updateMetrics(): void {
    const all = this.#commands.all();
    const givenUp = all.filter((open) => open.givenUp).length;
    this.#figures.listed({ open: all.length - givenUp, givenUp });
  }

  async #store(): Promise<void> {
    const { records } = this.#parts.commandPorts;
    this.#unsaved = 0;
    this.#stored = await storeCheckpoint(records, this.#checkpoint(), this.#stored, this.#fence);
  }

  #checkpoint(): CompletionCheckpoint {
    const oldest = this.#commands.oldest();
    return { after: oldest === undefined ? this.#position : oldest.before, givenUp: this.#commands.setAside() };
  }
}
