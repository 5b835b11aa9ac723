import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { RenderCertificate } from '#queries/certificate/certificate.ts';
import type { RunPortfolio } from '#queries/portfolio/portfolio.ts';
import type { Verification } from '#queries/verifications.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Position } from '#stores/event-log/event-log.ts';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import type { CheckedPart, HealthCheck } from '#service/observability/health-checks.ts';
import type { Projector } from '#read-side/projector.ts';
import type { ReadModels } from '#stores/read-models/read-models.ts';
import type { Translator } from '#public-events/translate.ts';
import type { KeyRing } from '#service/security/key-ring.ts';
import type { OpenIdConnect } from '#service/security/openid-connect.ts';
import type { Sessions } from '#service/security/sessions.ts';
import type { RateLimiter } from '../api/middleware/rate-limit.ts';
import type { BodyMemoryLimits } from '../api/bodies/body-memory.ts';

/**
 * Options of Node's HTTP server, and the time after which a response is cut whose client reads nothing, in
 * milliseconds.
 */
export interface HttpTimeouts {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly stalledResponseTimeout: number;
}

/** The leader of a role; null where none is known. */
export interface RoleStatus {
  readonly name: string;
  readonly leader: string | null;
  readonly since: Instant | null;
}

/**
 * What the status of the installation shows besides the checks and the read models.
 * @throws {StoreUnavailable} each of its functions
 */
export interface StatusSources {
  readonly readRoles: () => Promise<readonly RoleStatus[]>;
  /** Returns up to where the relay has sent public events; undefined in an installation that sends none. */
  readonly readRelay: () => Promise<{ readonly position: Position; readonly lagSeconds: number } | undefined>;
  /** Returns the space in bytes of the disk to which this process writes; undefined when it writes to none. */
  readonly readDisk: () => Promise<{ readonly free: number; readonly total: number } | undefined>;
}

export interface HttpDependencies {
  readonly commandPorts: CommandPorts;
  readonly readModels: ReadModels;
  readonly collections: ReadonlyMap<string, number>;
  readonly projector: Pick<Projector, 'waitFor' | 'status' | 'initialBuildProgress'>;
  readonly runPortfolio: RunPortfolio;
  readonly renderCertificate: RenderCertificate;
  /** @throws {Refusal} `verification_running` @throws {StoreUnavailable} */
  readonly startVerification: () => Promise<Verification>;
  readonly status: StatusSources;
  readonly translator: Translator;
  readonly keyRing: Pick<KeyRing, 'authenticate'>;
  readonly sessions: Pick<
    Sessions,
    'open' | 'redeem' | 'openForPerson' | 'hold' | 'heldIn' | 'authenticate' | 'nameSuffix'
  >;
  /** Undefined: persons sign in with keys and tickets alone. */
  readonly openIdConnect?: Pick<OpenIdConnect, 'begin' | 'finish'> | undefined;
  readonly supportEmail?: string | undefined;
  readonly rateLimiter?: Pick<RateLimiter, 'take'> | undefined;
  readonly timeouts?: Partial<HttpTimeouts> | undefined;
  readonly bodyMemoryLimits?: Partial<BodyMemoryLimits> | undefined;
  /** Maximum number of open connections; a further one replaces another. Default: no limit. */
  readonly maxConnections?: number | undefined;
  readonly log: Logger;
  /** Address of Surety for its clients, without a trailing slash; undefined: the origin of each request. */
  readonly publicUrl: string | undefined;
  /** Value of Express's setting `trust proxy`. Default: no proxy is trusted. */
  readonly trustProxy?: boolean | number | string | undefined;
  /** Folder of the built console; undefined: there is none. */
  readonly consoleFolder?: string | undefined;
  readonly metrics: Registry;
  readonly version: string;
  /** Whether the process has the role `api`; else it serves health and metrics only. Default: true. */
  readonly servesApi?: boolean;
  readonly checkedParts?: readonly CheckedPart[];
  readonly healthChecks?: readonly HealthCheck[];
}
