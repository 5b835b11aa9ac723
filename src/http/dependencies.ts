import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { CommandPorts } from '../command-handling/ports.ts';
import type { Projector } from '../projector/projector.ts';
import type { ReadModels } from '../read-models/read-models.ts';
import type { KeyRing } from '../security/key-ring.ts';
import type { RateLimiter } from './middleware/rate-limit.ts';
import type { ResponseLimits } from './middleware/response-limits.ts';

/** A part of the process that can fail. */
export interface HealthCheck {
  readonly name: string;
  /** Returns why the part is not ready; undefined when it is. A part whose check throws is not ready. */
  readonly check: () => Promise<string | undefined>;
  /** Returns what the operator has to look at, although the part is ready. */
  readonly warning?: (() => string | undefined) | undefined;
}

/** A part that every process can check by itself. */
export type CheckedPart = 'event_store' | 'read_models' | 'records' | 'projector';

/** In milliseconds, as Node's HTTP server takes them. */
export interface HttpTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

/** Everything the HTTP interface needs; made in `src/composition/`. */
export interface HttpDependencies {
  /** Event store, records and clock are those of the commands. */
  readonly commandPorts: CommandPorts;
  readonly readModels: ReadModels;
  /** Every collection of the read models with the version of its projection. */
  readonly collections: ReadonlyMap<string, number>;
  readonly projector: Pick<Projector, 'waitFor' | 'status'>;
  readonly keyRing: Pick<KeyRing, 'authenticate'>;
  /** Undefined: the keys of merchants are not limited. */
  readonly rateLimiter?: Pick<RateLimiter, 'take'> | undefined;
  /** Other times than those of the service. */
  readonly timeouts?: Partial<HttpTimeouts> | undefined;
  /** Other limits of responses than those of the service. */
  readonly responseLimits?: Partial<ResponseLimits> | undefined;
  /** The most connections at a time; further ones are refused. Default: no limit. */
  readonly maxConnections?: number | undefined;
  readonly log: Logger;
  /** Address of Surety for its clients, without a slash at its end; undefined: the origin of each request. */
  readonly publicUrl: string | undefined;
  /** Value of Express's setting `trust proxy`. Default: no proxy is trusted. */
  readonly trustProxy?: boolean | number | string | undefined;
  readonly metrics: Registry;
  /** Of the program. */
  readonly version: string;
  /** Whether the process has the role `api`; else it serves health and metrics only. Default: true. */
  readonly servesApi?: boolean;
  /** The parts that `/readyz` checks, by the roles of the process. Default: all. */
  readonly checkedParts?: readonly CheckedPart[];
  /** Further checks of `/readyz`. */
  readonly healthChecks?: readonly HealthCheck[];
}
