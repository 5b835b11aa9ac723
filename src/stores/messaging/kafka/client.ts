import { type KafkaConfig, type SASLOptions, Kafka, logLevel, type LogEntry, type RetryOptions } from 'kafkajs';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { tlsFailure } from '../../shared/tls-failure.ts';
import { withTimeout } from '../../shared/timing.ts';
import { FIRST_RESPONSE_TIMEOUT_MS, bootstrapBrokers } from './bootstrap-brokers.ts';

/** Receives the log lines of kafkajs as `debug`, because kafkajs also throws every error that matters. */
export interface KafkaLog {
  readonly debug: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
}

export interface KafkaOptions {
  /** `host:port` of the bootstrap brokers; an IPv6 address in brackets. */
  readonly brokers: readonly string[];
  readonly security?: BrokerSecurity | undefined;
  readonly log?: KafkaLog | undefined;
}

/** More than the timeout of `bootstrapBrokers`, so that the fallback to the next broker comes first. */
const CONNECT_TIMEOUT_MS = FIRST_RESPONSE_TIMEOUT_MS + 1_000;
const REQUEST_TIMEOUT_MS = 10_000;
const DISCONNECT_TIMEOUT_MS = 5_000;

/** Few, because the callers report the failure and retry by themselves. */
export const FEW_RETRIES: RetryOptions = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 2 };
export const NO_RETRIES: RetryOptions = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 0 };

export function kafkaClient({ brokers, security, log }: KafkaOptions): Kafka {
  return new Kafka({
    clientId: 'surety',
    ...bootstrapBrokers(brokers),
    ...securityFor(security),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    enforceRequestTimeout: true,
    retry: FEW_RETRIES,
    logLevel: log === undefined ? logLevel.NOTHING : logLevel.WARN,
    logCreator: () => (entry) => log?.debug({ kafka: entry.namespace }, textOf(entry)),
  });
}

/** Omits the stack and fields that may hold message contents. */
function textOf({ log }: LogEntry): string {
  const { message, error } = log as { readonly message: string; readonly error?: unknown };
  return typeof error === 'string' ? `${message}: ${error}` : message;
}

export function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`Kafka: ${reasonOf(error)}`, { cause: error });
}

const RIGHTS = 'docs/runbook.md, Users and TLS';

/** What the operator can do about an error type of the brokers. */
const HINTS: Readonly<Record<string, string>> = {
  UNKNOWN_TOPIC_OR_PARTITION: 'a topic is missing; run surety setup, which creates it or reports why it cannot',
  TOPIC_AUTHORIZATION_FAILED: `the user of KAFKA_USERNAME lacks a right on the topics surety.* (${RIGHTS})`,
  GROUP_AUTHORIZATION_FAILED: `the user of KAFKA_USERNAME lacks the right Read on the consumer group surety.jobs.mail.v1 (${RIGHTS})`,
};

export const NO_TOPIC_LISTED = `no public topic exists, or the user of KAFKA_USERNAME lacks the right Write on the topics surety.* (${RIGHTS})`;

/** Returns why kafkajs failed, without message contents. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const failure = tlsFailure(error);
  if (failure !== undefined) return failure;
  const { cause, type, errors } = error as Error & { readonly type?: string; readonly errors?: readonly unknown[] };
  const hint = type === undefined ? undefined : HINTS[type];
  if (hint !== undefined) return hint;
  // One error per topic; the first is enough.
  if (errors?.[0] !== undefined) return reasonOf(errors[0]);
  return cause instanceof Error ? reasonOf(cause) : error.message;
}

/**
 * Returns whether an error, or one of its causes, has one of these Kafka error types; kafkajs wraps the error of the
 * broker.
 */
export function hasErrorType(error: unknown, types: readonly string[]): boolean {
  if (!(error instanceof Error)) return false;
  const { type } = error as Error & { readonly type?: string };
  return (type !== undefined && types.includes(type)) || hasErrorType(error.cause, types);
}

/** Waits until a connection has ended, for up to 5 s; ignores errors. */
export async function untilDisconnected(disconnecting: Promise<unknown>): Promise<void> {
  await withTimeout(disconnecting, DISCONNECT_TIMEOUT_MS, () => undefined).catch(() => undefined);
}

interface BrokerSecurity {
  /** With TLS the broker needs a certificate for its name that Node trusts. */
  readonly tls: boolean;
  readonly login:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
        readonly username: string;
        readonly password: string;
      }
    | undefined;
}

export function securityFor(security: BrokerSecurity | undefined): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  const { tls = false, login } = security ?? {};
  const sasl = login && ({ ...login } satisfies SASLOptions as SASLOptions);
  return { ...(tls ? { ssl: true } : {}), ...(sasl === undefined ? {} : { sasl }) };
}
