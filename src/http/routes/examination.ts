import { whyNotLevel } from '../../projector/level.ts';
import type { HealthCheck, HttpDependencies, JudgedPart } from './dependencies.ts';

/** How long a part may take to tell how it is. */
const PATIENCE_MS = 2_000;
/** A part that takes longer is told to be slow. */
const SLOW_MS = 250;

/** How a part of the process was found. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  /** Why it is not in order; of one that is, that it was slow to say so. */
  readonly reason?: string;
  /** How long it took to say so; no more than the patience of 2 s. */
  readonly seconds: number;
}

/** Asks every part of the process how it is. */
export class Examination {
  readonly #checks: readonly HealthCheck[];
  #underWay: Promise<readonly Finding[]> | undefined;

  constructor(dependencies: Examined) {
    this.#checks = [...ownChecks(dependencies), ...(dependencies.healthChecks ?? [])];
  }

  /** Whether the process says how a part of this name is. */
  examines(name: string): boolean {
    return this.#checks.some((check) => check.name === name);
  }

  /** Resolves within the patience. Who asks while others wait for the answer gets the same one. */
  async findings(): Promise<readonly Finding[]> {
    this.#underWay ??= Promise.all(this.#checks.map(examined)).finally(() => {
      this.#underWay = undefined;
    });
    return await this.#underWay;
  }
}

/** What is examined. */
export type Examined = Pick<HttpDependencies, 'commandPorts' | 'readModels' | 'projector' | 'judged' | 'healthChecks'>;

const ALL_PARTS: readonly JudgedPart[] = ['event_store', 'read_models', 'records', 'projector'];

function ownChecks({ commandPorts, readModels, projector, judged = ALL_PARTS }: Examined): readonly HealthCheck[] {
  const answers = (name: JudgedPart, store: { ping(): Promise<void> }) => ({
    name,
    check: async () => {
      await store.ping();
      return undefined;
    },
  });
  const checks = [
    answers('event_store', commandPorts.eventStore),
    answers('read_models', readModels),
    answers('records', commandPorts.records),
    { name: 'projector' as const, check: async () => await Promise.resolve(whyNotLevel(projector.status())) },
  ];
  return checks.filter(({ name }) => judged.includes(name));
}

async function examined({ name, check }: HealthCheck): Promise<Finding> {
  const began = performance.now();
  const why = await whyNot(check);
  const seconds = (performance.now() - began) / 1000;
  if (why !== undefined) return { name, ok: false, reason: why, seconds };
  if (seconds * 1000 < SLOW_MS) return { name, ok: true, seconds };
  return { name, ok: true, reason: `answers slowly: after ${seconds.toFixed(1)} s`, seconds };
}

async function whyNot(check: HealthCheck['check']): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`does not answer within ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    return 'does not answer';
  } finally {
    clearTimeout(timer);
  }
}
