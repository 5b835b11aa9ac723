import { PROJECTIONS } from '../../projections/registry.ts';
import type { Settings } from '../config.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { PROJECTOR_ROLE, type SharedProjector, startSharedProjector } from '../processes/shared-projector.ts';
import type { Stalls } from '../processes/stalls.ts';
import type { LeaseParts } from '../processes/leader-election.ts';
import type { Projector } from '../projector/projector.ts';
import { startProjector } from '../projector/start-projector.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from '../observability/logging.ts';
import { requireCaughtUp } from './caught-up.ts';
import { monotonic, now, pauseUnlessAborted } from './clocks.ts';

export interface ProjectorParts {
  readonly roles: Settings['roles'];
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  /** Undefined where no other process can write the read models. */
  readonly lease: LeaseParts | undefined;
  readonly stalls: Stalls;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
}

/** How long a command waits, in milliseconds, for read models that are being built: in a service, and in a tool. */
const CAUGHT_UP_WITHIN_MS = { service: 2_000, tool: 600_000 };

/** Starts the projector once, when a service starts or when a command needs the read models. */
export class ProjectorStarter {
  readonly #parts: ProjectorParts;
  #started: Promise<Projector | SharedProjector> | undefined;

  constructor(parts: ProjectorParts) {
    this.#parts = parts;
  }

  /** Starts the projector, or returns the one that is started. @throws {StoreUnavailable} */
  async start(): Promise<Projector | SharedProjector> {
    return await (this.#started ??= this.#start());
  }

  /** Waits until the read models have caught up with the log, and starts the projector if it is not. @throws {StoreUnavailable} */
  async requireCaughtUp(): Promise<void> {
    const withinMs = CAUGHT_UP_WITHIN_MS[this.#started === undefined ? 'tool' : 'service'];
    await requireCaughtUp(this.#parts.eventStore, await this.start(), withinMs);
  }

  async #start(): Promise<Projector | SharedProjector> {
    const { roles, eventStore, readModels, lease, stalls, lifecycle, log } = this.#parts;
    const leads = lease === undefined || roles.includes('projector');
    const options = {
      eventStore,
      readModels,
      projections: PROJECTIONS,
      log,
      now,
      pause: pauseUnlessAborted,
      onStall: leads ? stalls(PROJECTOR_ROLE) : undefined,
    };
    const projector =
      lease === undefined
        ? await startProjector(options)
        : await startSharedProjector({ ...options, monotonic, lease: leads ? lease : undefined });
    lifecycle.started('projector', async () => await projector.stop());
    return projector;
  }
}
