import { setImmediate as nextTurn } from 'node:timers/promises';
import { executeCommand } from '../../../commands/execution/execute-command.ts';
import type { CommandOutcome } from '../../../commands/execution/request.ts';
import { findCommand } from '../../../commands/registry.ts';
import { Refusal } from '../../domain/refusals.ts';
import { type Position, type StoredEvent, StoreUnavailable } from '../../event-store/event-store.ts';
import { describeError, originOf } from '../../projector/describe-error.ts';
import type { Fence } from '../../records/records.ts';
import { levelWith } from '../level.ts';
import type { ProcessParts, RunningProcess, StartProcess } from '../process.ts';
import { startRounds } from '../rounds.ts';
import { demandThisLog } from '../this-log.ts';
import { CHECKPOINT_NAME, type CompletionCheckpoint, readCheckpoint, storeCheckpoint } from './checkpoint.ts';
import { type CompletionFigures, completionFigures } from './figures.ts';
import { type OpenCommand, OpenCommands, type Reserved } from './open-commands.ts';

/** Events read at once: small, so that requests get their turn in between. */
const PAGE = 500;
/** So many events are read at most twice when the first scan of a long log is broken off. */
const STORE_EVERY = 20_000;
const PAUSE_MS = 5_000;

/**
 * Finishes commands that were begun and not finished, because their process died or a store was away: those that make
 * something new, once they are older than 30 s (design, Writing).
 */
export interface Completion {
  /** Reads the log on to its end and finishes what is due. @throws {StoreUnavailable} when a store is away */
  readonly runOnce: (signal?: AbortSignal) => Promise<void>;
}

/** A completion that does nothing by itself. Declares its figures: once for a registry. */
export function createCompletion(parts: ProcessParts): Completion {
  const follower = new Follower(parts, completionFigures(parts.metrics), undefined);
  return { runOnce: async (signal = new AbortController().signal) => await follower.run(signal) };
}

/** The completion at work. */
export function startCompletion(parts: ProcessParts): RunningProcess {
  return completionStarter(parts)(undefined);
}

/** What starts the completion, each time from its checkpoint. Declares its figures: once for a registry. */
export function completionStarter(parts: ProcessParts): StartProcess {
  const { log, pause, standstills, commandPorts } = parts;
  const { now } = commandPorts;
  const figures = completionFigures(parts.metrics);
  return (fence) => {
    const follower = new Follower(parts, figures, fence);
    const round = async (signal: AbortSignal): Promise<void> => await follower.run(signal);
    const untilNext = (): number => PAUSE_MS;
    const running = startRounds({ name: 'completion', log, pause, standstills, now, round, untilNext });
    const stop = async (): Promise<void> => {
      await running.stop();
      figures.listed(undefined);
    };
    return { ...running, stop };
  };
}

class Follower {
  readonly #parts: ProcessParts;
  readonly #figures: CompletionFigures;
  readonly #fence: Fence | undefined;
  readonly #commands = new OpenCommands();
  /** Everything up to here was taken in. */
  #position: Position | undefined;
  #begun = false;
  #stored: string | undefined;

  constructor(parts: ProcessParts, figures: CompletionFigures, fence: Fence | undefined) {
    this.#parts = parts;
    this.#figures = figures;
    this.#fence = fence;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    if (!this.#begun) await this.#begin();
    await demandThisLog(CHECKPOINT_NAME, this.#position, eventStore);
    await levelWith(await eventStore.lastPosition(), this.#parts, signal);
    if (signal.aborted) return;
    await this.#follow(signal);
    try {
      for (const open of this.#commands.due(this.#parts.commandPorts.now())) {
        if (!signal.aborted) await this.#complete(open);
      }
    } finally {
      this.#tell();
    }
    await this.#store();
  }

  /** What was given up before is tried again: it may have been mended meanwhile. */
  async #begin(): Promise<void> {
    const { eventStore, records } = this.#parts.commandPorts;
    const { after, givenUp } = await readCheckpoint(records, this.#fence);
    await demandThisLog(CHECKPOINT_NAME, after, eventStore);
    for (const position of givenUp) {
      const [reserved] = await eventStore.readAll({ after: position - 1n, limit: 1 });
      if (reserved?.position === position) this.#take(reserved, (event) => this.#commands.takeAgain(event));
    }
    this.#position = after;
    this.#begun = true;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { eventStore } = this.#parts.commandPorts;
    for (let sinceStored = 0; !signal.aborted; ) {
      const events = await eventStore.readAll({ after: this.#position, limit: PAGE });
      for (const event of events) this.#take(event, (news) => this.#commands.take(news));
      if (events.length < PAGE) return;
      sinceStored += events.length;
      if (sinceStored >= STORE_EVERY) {
        await this.#store();
        sinceStored = 0;
      }
      await nextTurn();
    }
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
      const { replayed } = await this.#carryOut(open.reserved);
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
  async #carryOut({ data, metadata }: Reserved): Promise<CommandOutcome> {
    const command = findCommand(metadata.command.name);
    if (command === undefined) throw new Error('there is no such command any more');
    const request = {
      input: data.input,
      actor: data.actor,
      environment: data.environment ?? undefined,
      idempotency: undefined,
      given: {
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
    const told = {
      ...named,
      reason,
      at,
      tries: now?.tries,
      nextTry: now?.givenUp === true ? 'at the next start' : now?.notBefore,
    };
    this.#parts.log.warn(told, 'A command that was left unfinished could not be finished');
  }

  #tell(): void {
    const all = this.#commands.all();
    const givenUp = all.filter((open) => open.givenUp).length;
    this.#figures.listed({ open: all.length - givenUp, givenUp });
  }

  async #store(): Promise<void> {
    const { records } = this.#parts.commandPorts;
    this.#stored = await storeCheckpoint(records, this.#checkpoint(), this.#stored, this.#fence);
  }

  #checkpoint(): CompletionCheckpoint {
    const oldest = this.#commands.oldest();
    return { after: oldest === undefined ? this.#position : oldest - 1n, givenUp: this.#commands.setAside() };
  }
}
