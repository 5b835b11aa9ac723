import { Kafka, logLevel, type LogEntry, type RetryOptions } from 'kafkajs';
import { StoreUnavailable } from '../../event-store/event-store.ts';
import { type BrokerSecurity, securityFor } from './security.ts';
import { FIRST_WORD_WITHIN_MS, seedsOf } from './seeds.ts';

/** Where what kafkajs says of itself goes, as `debug`: what matters comes out of it as an error besides. */
export interface KafkaLog {
  readonly debug: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
}

/** Where the brokers are. */
export interface KafkaOptions {
  /** `host:port` of each broker that is asked first; an IPv6 address in brackets. */
  readonly brokers: readonly string[];
  /** Undefined: plainly, as nobody. */
  readonly security?: BrokerSecurity | undefined;
  readonly log?: KafkaLog | undefined;
}

/** A broker that cannot be reached is given up by then; before, so that another one is asked, by `seedsOf`. */
const CONNECT_WITHIN_MS = FIRST_WORD_WITHIN_MS + 1_000;
/** A broker that is frozen is given up after that long. */
const ANSWER_WITHIN_MS = 10_000;
const DISCONNECT_WITHIN_MS = 5_000;

/** kafkajs tries again soon and seldom: whoever uses it tells first that it fails, and tries again by itself. */
export const FEW_RETRIES: RetryOptions = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 2 };
export const NO_RETRIES: RetryOptions = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 0 };

/** A client; nothing is connected yet. */
export function kafkaClient({ brokers, security, log }: KafkaOptions): Kafka {
  return new Kafka({
    clientId: 'surety',
    ...seedsOf(brokers),
    ...securityFor(security),
    connectionTimeout: CONNECT_WITHIN_MS,
    requestTimeout: ANSWER_WITHIN_MS,
    enforceRequestTimeout: true,
    retry: FEW_RETRIES,
    logLevel: log === undefined ? logLevel.NOTHING : logLevel.WARN,
    logCreator: () => (entry) => log?.debug({ kafka: entry.namespace }, textOf(entry)),
  });
}

/** Without the stack, and without fields that may hold what was sent. */
function textOf({ log }: LogEntry): string {
  const { message, error } = log as { readonly message: string; readonly error?: unknown };
  return typeof error === 'string' ? `${message}: ${error}` : message;
}

/** An error of kafkajs as the ports name it. */
export function asUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  return new StoreUnavailable(`Kafka: ${reasonOf(error)}`, { cause: error });
}

/** Why kafkajs failed, in words that hold no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause, type, errors } = error as Error & { readonly type?: string; readonly errors?: readonly unknown[] };
  if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return 'a topic is missing; surety setup makes it, or says why not';
  // Of several topics each tells why; the first is reason enough.
  if (errors?.[0] !== undefined) return reasonOf(errors[0]);
  return cause instanceof Error ? reasonOf(cause) : error.message;
}

/** Waits for the end of a connection, which may hang: what it throws, and that it is late, is passed over. */
export async function untilDisconnected(disconnecting: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, DISCONNECT_WITHIN_MS);
  await Promise.race([disconnecting.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
