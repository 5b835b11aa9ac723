import { setImmediate as nextTurn } from 'node:timers/promises';
import { Container } from 'inversify';
import type { z } from 'zod';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import { isVisibleToMerchant } from '#domain/visibility.ts';
import { executeCommand } from '#event-sourcing/executor/execute-command.ts';
import { previewCommand } from '#event-sourcing/executor/preview.ts';
import type { OfferedProduct } from '#commands/services.ts';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import type { CommandOutcome, CommandIdentity } from '#event-sourcing/executor/request.ts';
import { SequenceQueue } from '#event-sourcing/executor/sequence-queue.ts';
import type { StateCache } from '#event-sourcing/executor/state-cache.ts';
import { decode, encode } from '#domain/events.ts';
import type { Instant } from '#event-sourcing/time.ts';
import type { Actor, RecordedEvent } from '#event-sourcing/event.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { Refusal } from '#domain/refusals.ts';
import type { GivenEvent } from './given.ts';
import { MemoryEventStore } from './memory-event-store.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { commands } from '#service/modules/commands.ts';
import { readSettings } from '#service/config/config.ts';
import { TOKENS } from '#service/compose/tokens.ts';
import { appendTo } from '#stores/event-log/event-log.ts';

export const ADMIN: Actor = { role: 'admin', keyId: 'adminKey' };
export const MERCHANT: Actor = { role: 'merchant', keyId: 'merchantKey' };
export const LIVE: ActingEnvironment = {
  environmentId: 1,
  merchantId: derivedId('test', 'merchant'),
  testMode: false,
};
export const TEST: ActingEnvironment = { ...LIVE, environmentId: 2, testMode: true };

const SETTINGS = readSettings({ SURETY_SECRET: 'secret-of-the-command-harness-0123456789' });

/** How a command is sent. */
export interface CommandOptions {
  /** The cache of states of another process, which runs the command; default: the process of the harness. */
  readonly stateCache?: StateCache;
  readonly actor?: Actor;
  readonly environment?: ActingEnvironment | undefined;
  /** Idempotency key; the parsed input is the body for its fingerprint. */
  readonly key?: string;
  readonly ifMatch?: readonly number[];
  readonly requestId?: string;
  readonly identity?: CommandIdentity;
  /** Only previews the command. */
  readonly isPreview?: true;
}

/**
 * Runs commands on an event store in memory and records in a temporary file, composed as in the service, with a clock
 * that only the test moves, and ids that are the same in every run.
 */
export class CommandHarness {
  readonly eventStore = new MemoryEventStore();
  readonly records = openTemporaryRecords();
  /** The current time, set by the test. */
  now: Instant = '2026-03-01T10:00:00.000Z';
  /** Total time that commands have waited. */
  pausedMs = 0;

  /** Products of the catalogue. */
  readonly products: OfferedProduct[] = [];
  /** Documents that are parked: collection and key, with a space between them. */
  readonly parked = new Set<string>();
  #randomCount = 0;
  #givenCount = 0;

  readonly ports: CommandPorts;

  constructor() {
    const container = new Container({ defaultScope: 'Singleton' });
    container.load(commands(SETTINGS));
    container.bind(TOKENS.eventStore).toConstantValue(this.eventStore);
    container.bind(TOKENS.records).toConstantValue(this.records);
    container.bind(TOKENS.catalogue).toConstantValue({
      productsOnSale: async (type, environment) =>
        this.products.filter(
          ({ product }) => product.productType === type && isVisibleToMerchant(environment, product),
        ),
      productById: async (productId) => this.products.find(({ product }) => product.productId === productId)?.product,
      isParked: async (collection, key) => this.parked.has(`${collection} ${key}`),
    });
    container.rebind(TOKENS.system).toConstantValue({
      now: () => this.now,
      randomBytes: (bytes) => new Uint8Array(bytes).fill(++this.#randomCount),
      randomId: () => derivedId('test', 'random', String(++this.#randomCount)),
      pause: async (milliseconds) => {
        this.pausedMs += milliseconds;
        // One turn of the event loop counts as one millisecond.
        for (let turn = 0; turn <= milliseconds; turn++) await nextTurn();
      },
    });
    this.ports = container.get(TOKENS.commandPorts);
  }

  /** Appends events as if another command had written them. Their business day defaults to the day of the clock. */
  async given(stream: string, ...events: readonly GivenEvent[]): Promise<void> {
    for (const { type, data } of events) {
      const commandId = derivedId('test', 'given', String(++this.#givenCount));
      const stored = encode({ type, data: { effectiveAt: this.now.slice(0, 10), ...data } });
      const metadata = {
        recordedAt: this.now,
        $correlationId: commandId,
        $causationId: commandId,
        actor: ADMIN,
        command: { name: 'Given', id: commandId },
      };
      const last = await this.eventStore.readLast(stream);
      const event = { id: derivedId(commandId, 'event'), ...stored, metadata };
      await appendTo(this.eventStore, stream, last?.revision ?? 'no_stream', [event]);
    }
  }

  /** Parses the input like the HTTP layer does and executes the command. @throws {Refusal} */
  async run(command: AnyCommand, input: unknown, sent: CommandOptions = {}): Promise<CommandOutcome> {
    const environment = sent.environment ?? (command.inEnvironment ? LIVE : undefined);
    const parsed = parseOrRefuse(command.input, input);
    const scope = [environment?.merchantId ?? 'platform', String(environment?.environmentId), command.name];
    const execute = sent.isPreview === true ? previewCommand : executeCommand;
    return await execute(
      command,
      {
        input: parsed,
        actor: sent.actor ?? ADMIN,
        environment,
        idempotency:
          sent.key === undefined
            ? undefined
            : { scope: [...scope, sent.key], request: { path: {}, body: parsed, parameters: {} } },
        ifMatch: sent.ifMatch,
        requestId: sent.requestId,
        identity: sent.identity,
        traceparent: undefined,
      },
      sent.stateCache === undefined
        ? this.ports
        : { ...this.ports, stateCache: sent.stateCache, sequences: new SequenceQueue() },
    );
  }

  /** Runs a command and returns its refusal. @throws {Error} when the command succeeds or fails otherwise */
  async expectRefusal(command: AnyCommand, input: unknown, sent: CommandOptions = {}): Promise<Refusal> {
    try {
      await this.run(command, input, sent);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
    throw new Error(`${command.name} was not refused`);
  }

  /** Reads a stream, oldest event first. */
  async events(stream: string): Promise<RecordedEvent[]> {
    return (await this.eventStore.readStream(stream)).map((raw) => decode(raw));
  }

  /** Reads the data of one event. @throws {Error} when the stream has no such revision */
  async data(stream: string, revision: number): Promise<Readonly<Record<string, unknown>>> {
    const event = (await this.events(stream))[revision];
    if (event === undefined) throw new Error(`${stream} has no revision ${revision}`);
    return event.data as Readonly<Record<string, unknown>>;
  }

  /** Reads the whole log, oldest event first. */
  async log(): Promise<RecordedEvent[]> {
    const all = await this.eventStore.readAll({ after: undefined, limit: 100_000 });
    return all.map((raw) => decode(raw));
  }
}

/** Parses the input as the HTTP layer does. @throws {Refusal} `invalid_request` with every invalid field */
function parseOrRefuse(schema: z.ZodType, input: unknown): unknown {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.flatMap((issue) => {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const paths = names.length > 0 ? names.map((name) => [...issue.path, name]) : [issue.path];
    return paths.map((path) => ({ field: path.join('.'), message: issue.message }));
  });
  throw new Refusal('invalid_request', 'The request is not valid', { fields });
}

/** Returns the names of the invalid fields of a refusal. */
export function invalidFields(refusal: Refusal): string[] {
  return refusal.fields.map(({ field }) => field);
}
