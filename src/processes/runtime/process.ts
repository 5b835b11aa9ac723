import { type Registry, Counter } from 'prom-client';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import type { Logger } from '#service/observability/logging.ts';
import type { Projector } from '#read-side/projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import { withTimeout } from '#stores/shared/timing.ts';

/** A running part of the service that reacts to events or to time. */
export interface RunningProcess {
  /** The name in `/readyz`. */
  readonly name: string;
  /** Returns why the process is not working; undefined while it works. It recovers automatically. */
  readonly check: () => string | undefined;
  /** Returns what the operator must decide before the process continues; undefined when nothing is pending. */
  readonly warning?: (() => string | undefined) | undefined;
  /** Stops after the step in progress. Unfinished work is resumed at the next start. */
  readonly stop: () => Promise<void>;
  /**
   * Resolves when a write was rejected because another process has taken the records over; the process has then
   * stopped.
   */
  readonly takenOver?: Promise<undefined> | undefined;
}

/** Starts a process; may be called again after it was stopped. */
export type StartProcess = () => RunningProcess;

export interface ProcessParts {
  /** Also the event store, records, clock and id generator of the processes. */
  readonly commandPorts: CommandPorts;
  readonly readModels: ReadModels;
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly log: Logger;
  readonly metrics: Registry;
  /** Undefined: stalls are not counted. */
  readonly stalls?: StallCounters | undefined;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** A process could not be started. The message names the process and the reason, for the operator. */
export class ProcessNotStarted extends Error {
  override readonly name = 'ProcessNotStarted';
  constructor(name: string, cause: unknown) {
    super(`The process ${name} cannot start: ${cause instanceof Error ? cause.message : 'for an unknown reason'}`, {
      cause,
    });
  }
}

const POLL_MS = 500;
/** A projector that is stopping answers without waiting; the pause prevents a busy loop. */
const PAUSE_MS = 50;

/**
 * Waits until the read models reflect the position or the signal aborts; has no time limit, because the projector's own
 * health check reports a stall.
 */
export async function waitUntilCaughtUp(
  position: Position | undefined,
  { projector, pause }: Pick<ProcessParts, 'projector' | 'pause'>,
  signal: AbortSignal,
): Promise<void> {
  if (position === undefined) return;
  while (!signal.aborted && !(await projector.waitFor(position, POLL_MS))) await pause(PAUSE_MS, signal);
}

export type StallCounters = (process: string) => () => void;

/**
 * Declares the stall metric; call it once per registry. It also counts stalls that start and end between two scrapes.
 */
export function declareStallMetric(metrics: Registry): StallCounters {
  const stalls = new Counter({
    name: 'surety_stalls_total',
    help: 'Stalls: how often a process failed, most often because a store was unavailable, and retried after a pause',
    labelNames: ['process'],
    registers: [metrics],
  });
  return (process) => {
    stalls.inc({ process }, 0);
    return () => stalls.inc({ process });
  };
}

const TIMEOUT_MS = 2_000;

/**
 * Returns what a store answers within 2 s; undefined when it fails or is late, so that the other metrics can be scraped
 * during an outage.
 */
export async function readForMetric<T>(reading: Promise<T>): Promise<T | undefined> {
  return await withTimeout(reading, TIMEOUT_MS, () => undefined).catch(() => undefined);
}
