import { PROJECTIONS } from '#projections/registry.ts';
import type { Settings } from '../config/config.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';
import { PROJECTOR_ROLE, type SharedProjector, startSharedProjector } from '#processes/lease/shared-projector.ts';
import type { LeaseSettings } from '#processes/lease/leader-election.ts';
import { BEFORE_FIRST_EVENT, type Projector } from '#read-side/projector.ts';
import { startProjector } from '#read-side/start-projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { StopOrder } from './lifecycle.ts';
import type { Logger } from '../observability/logging.ts';
import { monotonic, pauseUnlessAborted } from '#stores/shared/timing.ts';
import type { StallCounters } from '#processes/runtime/process.ts';

interface ProjectorStarterDependencies {
  readonly roles: Settings['roles'];
  readonly now: () => Instant;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  /** Undefined on embedded stores, which no other process can write. */
  readonly lease: LeaseSettings | undefined;
  readonly stalls: StallCounters;
  readonly lifecycle: StopOrder;
  readonly log: Logger;
}

const CATCH_UP_TIMEOUT_MS = { service: 2_000, tool: 600_000 };

export class ProjectorStarter {
  readonly #dependencies: ProjectorStarterDependencies;
  #started: Promise<Projector | SharedProjector> | undefined;

  constructor(dependencies: ProjectorStarterDependencies) {
    this.#dependencies = dependencies;
  }

  /** Starts the projector, or returns the running one. @throws {StoreUnavailable} */
  async start(): Promise<Projector | SharedProjector> {
    return await (this.#started ??= this.#start());
  }

  /** Starts the projector if necessary, and waits until it has caught up. @throws {StoreUnavailable} */
  async requireCaughtUp(): Promise<void> {
    const timeoutMs = CATCH_UP_TIMEOUT_MS[this.#started === undefined ? 'tool' : 'service'];
    await requireCaughtUp(this.#dependencies.eventStore, await this.start(), timeoutMs);
  }

  async #start(): Promise<Projector | SharedProjector> {
    const { roles, now, eventStore, readModels, lease, stalls, lifecycle, log } = this.#dependencies;
    const mayLead = lease === undefined || roles.includes('projector');
    const options = {
      eventStore,
      readModels,
      projections: PROJECTIONS,
      log,
      now,
      pause: pauseUnlessAborted,
      onStall: mayLead ? stalls(PROJECTOR_ROLE) : undefined,
    };
    // A file that cannot be opened ends the start.
    if (lease === undefined) await readModels.inspect();
    const projector =
      lease === undefined
        ? startProjector(options)
        : startSharedProjector({ ...options, monotonic, lease: mayLead ? lease : undefined });
    lifecycle.onStop('projector', async () => await projector.stop());
    return projector;
  }
}

/**
 * Waits while the read models are being built, because a missing document would be a wrong result. After the first
 * catch-up they may be slightly behind the log.
 * @throws {StoreUnavailable} when they have not caught up in time
 */
export async function requireCaughtUp(
  eventStore: Pick<EventStore, 'lastPosition'>,
  projector: Pick<Projector, 'waitFor' | 'status'>,
  timeoutMs: number,
): Promise<void> {
  if (projector.status().caughtUp) return;
  const head = await eventStore.lastPosition();
  if (await projector.waitFor(head ?? BEFORE_FIRST_EVENT, timeoutMs)) return;
  throw new StoreUnavailable('The read models have not caught up with the log');
}
