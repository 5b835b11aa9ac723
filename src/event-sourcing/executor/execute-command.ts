import { type IdempotencyRecorded, idempotencyStream } from '../system-events.ts';
import type { EventOf, RecordedEvent } from '../event.ts';
import { derivedId } from '../identifiers.ts';
import { Refusal } from '../refusal.ts';
import { type StoredEvent, WrongExpectedRevision } from '#stores/event-log/event-log.ts';
import { withSpan } from '#service/observability/traces.ts';
import type { Services } from './application.ts';
import { type AnyCommand, commandIdOf, type Decision, type ExecutedCommand } from './command.ts';
import { AlreadyExecuted, Attempt } from './attempt.ts';
import { unreadStream } from './loaded-stream.ts';
import { fingerprintOf, type CommandOutcome, type CommandRequest, systemRequest } from './request.ts';
import type { ExecutionPorts } from './ports.ts';
import { KeyAlreadyRecorded, type Progress, readEvents, readExecuted } from './writes.ts';

/** Attempts on revision conflicts before a command is refused as `busy`. */
const MAX_ATTEMPTS = 20;
/** How long a command waits for a concurrent command with the same key, counted from the record of the key. */
const CONCURRENT_COMMAND_WAIT_MS = 2_000;
const POLL_INTERVAL_MS = 25;

type KeyRecord = RecordedEvent<EventOf<typeof IdempotencyRecorded>>;

/**
 * Executes a command exactly once per command id, even if processes die in between: loads, decides and appends, again
 * on a revision conflict. The record of an idempotency key is appended first; it is read only if it is there already,
 * or before a refusal.
 * @throws {Refusal} when the command is refused; an idempotency record or reservations may exist, but the decision was
 * not appended
 * @throws {StoreUnavailable} when the outcome is unknown; it is safe to send the command again with the same key
 */
export async function executeCommand(
  command: AnyCommand,
  request: CommandRequest,
  ports: ExecutionPorts,
): Promise<CommandOutcome> {
  return await withSpan(`command ${command.name}`, {}, async (span) => {
    const outcome = await execute(command, request, ports);
    const { commandId, stream, replayed } = outcome;
    span.setAttributes({ 'surety.command_id': commandId, 'surety.stream': stream, 'surety.replayed': replayed });
    return outcome;
  });
}

async function execute(command: AnyCommand, received: CommandRequest, ports: ExecutionPorts): Promise<CommandOutcome> {
  const parts = command.identity?.(received.input, received.environment);
  const knownId = received.identity?.commandId ?? (parts && derivedId('command', command.name, ...parts));
  // The target shows whether a command of a known id ran, so an idempotency key is ignored.
  const request = knownId === undefined ? received : { ...received, idempotency: undefined };
  const derived = knownId ?? keyedCommandId(request);
  const commandId = derived ?? ports.randomId();
  for (let isKeyUsed = false; ; isKeyUsed = true) {
    const record = isKeyUsed ? await readRecord(commandId, request, ports) : undefined;
    const target = record && (await waitForEvent(command, record, commandId, ports));
    if (target !== undefined) return await readOutcome(command, commandId, target, { request, ports });
    const progress: Progress = {
      commandId,
      mayBeRepeated: knownId !== undefined || record !== undefined,
      decidedAt: received.identity?.decidedAt ?? record?.data.decidedAt ?? ports.now(),
      numbers: new Map(),
      isKeyRecorded: record !== undefined,
      position: undefined,
    };
    try {
      return await executeWithRetries(command, request, ports, progress, derived !== undefined);
    } catch (error) {
      if (!(error instanceof KeyAlreadyRecorded)) throw error;
    }
  }
}

function keyedCommandId({ idempotency }: CommandRequest): string | undefined {
  return idempotency && derivedId('idempotency-key', ...idempotency.scope);
}

async function executeWithRetries(
  command: AnyCommand,
  request: CommandRequest,
  ports: ExecutionPorts,
  progress: Progress,
  derived: boolean,
): Promise<CommandOutcome> {
  const cache = command.changesOneStream === true ? ports.stateCache : undefined;
  // The record of a key is looked for where no append of it shows that the key is new.
  const requireNewKey = async (): Promise<void> => {
    if (!progress.isKeyRecorded && (await readRecord(progress.commandId, request, ports)) !== undefined)
      throw new KeyAlreadyRecorded();
  };
  for (let attempts = 1; ; attempts++) {
    const readable = attempts === 1 ? cache : undefined;
    const options = { command, request, ports, progress, cache: readable, assumesFree: attempts === 1 };
    const attempt = new Attempt({ ...options, executeOther: executeCommand });
    try {
      const decision = await command.handle(request.input, attempt);
      // Without an append, nothing detects that the cached state is stale.
      if (decision.events.length === 0 && attempt.mayBeStale) continue;
      if (decision.events.length === 0) await requireNewKey();
      const appended = await appendDecision(decision, attempt, !derived);
      const executed = await finished(command, appended, { request, ports });
      const outcome = replayedOutcomeOf(command, progress.commandId, executed, ports.services);
      const { position = outcome.position } = progress;
      return {
        ...outcome,
        position: position > outcome.position ? position : outcome.position,
        result: { ...outcome.result, ...decision.unstored?.(executed) },
        replayed: false,
      };
    } catch (error) {
      if (error instanceof AlreadyExecuted) {
        await requireNewKey();
        return await readOutcome(command, progress.commandId, error.stream, { request, ports });
      }
      // The cached state may be stale, so a refusal or an error is final only if the stream was read from the log.
      if (attempt.mayBeStale && (error instanceof Refusal || !attempt.hasCommitted)) continue;
      if (error instanceof Refusal) await requireNewKey();
      if (!(error instanceof WrongExpectedRevision)) throw error;
      ports.stateCache.delete(error.stream);
      if (attempts === MAX_ATTEMPTS)
        throw new Refusal('busy', 'Too many concurrent requests change the same resource; try again');
      await ports.pause(pauseAfter(attempts, progress.commandId));
    }
  }
}

async function appendDecision(decision: Decision, attempt: Attempt, isNewCommand: boolean): Promise<ExecutedCommand> {
  const { target, events, preceding } = decision;
  if (events.length === 0 && preceding !== undefined)
    throw new Error(`events of ${preceding.target.stream} precede none of the target`);
  if (events.length === 0 && typeof target !== 'string') {
    await attempt.flush();
    return { ...target, events: [] };
  }
  const writes = await attempt.append(decision);
  return await writes.executed(decision, isNewCommand);
}

/**
 * Returns the back-off in milliseconds, spread by the command id so that concurrent commands do not conflict again and
 * again.
 */
function pauseAfter(attempts: number, commandId: string): number {
  const random = Number.parseInt(derivedId(commandId, 'pause', String(attempts)).slice(0, 4), 16);
  return random % 2 ** Math.min(attempts - 1, 7);
}

/**
 * Reads the record of the key, if there is one.
 * @throws {Refusal} `idempotency_key_reused` when it is the record of another request
 */
async function readRecord(
  commandId: string,
  { idempotency }: CommandRequest,
  ports: ExecutionPorts,
): Promise<KeyRecord | undefined> {
  if (idempotency === undefined) return undefined;
  const [first] = await ports.eventStore.readStream(idempotencyStream(commandId), { limit: 1 });
  if (first === undefined) return undefined;
  const record = ports.codec.decode(first) as KeyRecord;
  if (record.data.fingerprint === fingerprintOf(idempotency.request)) return record;
  throw new Refusal('idempotency_key_reused', 'This idempotency key was used for another request; choose a new one');
}

async function waitForEvent(
  command: AnyCommand,
  record: KeyRecord,
  commandId: string,
  ports: ExecutionPorts,
): Promise<string | undefined> {
  const startedAt = Date.parse(ports.now());
  const age = Math.max(startedAt - Date.parse(record.metadata.recordedAt), 0);
  for (let paused = 0; ; paused += POLL_INTERVAL_MS) {
    const stream = await recordedTargetOf(command, record, commandId, ports);
    if (stream !== undefined && (await findOwn(stream, commandId, ports)) !== undefined) return stream;
    // The pauses bound the wait where the clock is set back.
    const waited = Math.max(paused, Date.parse(ports.now()) - startedAt);
    if (age + waited >= CONCURRENT_COMMAND_WAIT_MS) return undefined;
    await ports.pause(POLL_INTERVAL_MS);
  }
}

async function recordedTargetOf(
  command: AnyCommand,
  record: KeyRecord,
  commandId: string,
  { eventStore }: ExecutionPorts,
): Promise<string | undefined> {
  if (command.findTarget === undefined) return record.data.target;
  return await command.findTarget(commandId, async (stream, options) => await eventStore.readStream(stream, options));
}

async function findOwn(stream: string, commandId: string, ports: ExecutionPorts): Promise<StoredEvent | undefined> {
  return (await ports.eventStore.readStream(stream)).find((raw) => commandIdOf(raw) === commandId);
}

interface Running {
  readonly request: CommandRequest;
  readonly ports: ExecutionPorts;
}

async function readOutcome(
  command: AnyCommand,
  commandId: string,
  stream: string,
  running: Running,
): Promise<CommandOutcome> {
  const before = unreadStream(command.aggregate, stream);
  const executed = await finished(command, await readExecuted(before, commandId, running.ports), running);
  return replayedOutcomeOf(command, commandId, executed, running.ports.services);
}

async function finished(
  command: AnyCommand,
  executed: ExecutedCommand,
  { request, ports }: Running,
): Promise<ExecutedCommand> {
  if (command.finish === undefined) return executed;
  // What remains has the actor of the command.
  const execute = async (other: AnyCommand, input: object): Promise<void> =>
    void (await executeCommand(other, { ...systemRequest(other, input, request), actor: request.actor }, ports));
  return await command.finish(executed, {
    execute,
    read: async (stream) => await readEvents(stream, ports),
  });
}

/** Returns the outcome that the stored events of a command give, as a replay. */
function replayedOutcomeOf(
  command: AnyCommand,
  commandId: string,
  executed: ExecutedCommand,
  services: Services,
): CommandOutcome {
  const { stream, position, events } = executed;
  // The state may be a later one, after what `finish` has done.
  const revision = events.at(-1)?.revision ?? executed.revision;
  if (revision === undefined || position === undefined)
    throw new Error(`${command.name} was executed, but its target has no event`);
  const result = command.result?.(executed, services) ?? {};
  const created = command.creates === true;
  return { command: command.name, commandId, stream, revision, position, events, result, created, replayed: true };
}

/**
 * Runs a command on behalf of Surety itself, without an API key and outside any environment.
 * @param requestId stored in the metadata of the events; names what the command was run for
 * @throws {Refusal} @throws {StoreUnavailable}
 */
export async function runSystemCommand(
  command: AnyCommand,
  input: unknown,
  ports: ExecutionPorts,
  requestId?: string,
): Promise<CommandOutcome> {
  return await executeCommand(command, systemRequest(command, input, { requestId }), ports);
}
