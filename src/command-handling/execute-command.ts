import { type IdempotencyRecorded, idempotencyStream } from '../event-sourcing/system-events.ts';
import { decode } from '../domain/events.ts';
import type { EventOf, Recorded } from '../event-sourcing/event.ts';
import { derivedId } from '../event-sourcing/identifiers.ts';
import { Refusal } from '../domain/refusals.ts';
import { type StoredEvent, WrongExpectedRevision } from '../event-store/event-store.ts';
import { withSpan } from '../observability/traces.ts';
import type { AnyCommand, ExecutedCommand } from './command.ts';
import { Attempt, commandIdOf } from './attempt.ts';
import { fingerprintOf, type SentRequest } from './fingerprint.ts';
import type { CommandPorts } from './ports.ts';
import type { CommandOutcome, CommandRequest } from './request.ts';
import { Progress } from './progress.ts';
import { AlreadyExecuted, KeyRecordedMeanwhile } from './signals.ts';

/** How often a command is tried when others change the same streams; then it is refused as `busy`. */
const MOST_ATTEMPTS = 20;
/** How long a command waits, counted from the record, for the one that recorded the same key to show its event. */
const WAIT_FOR_RIVAL_MS = 2_000;
const LOOK_AGAIN_MS = 25;

type KeyRecord = Recorded<EventOf<typeof IdempotencyRecorded>>;

/**
 * Carries out a command, exactly once per command id, whoever dies when (design, Writing): looks at the idempotency record,
 * then loads, decides and appends, again on a conflict.
 * @throws {Refusal} when the command is refused; nothing of it was written then, or what was written promises nothing
 * @throws {StoreUnavailable} when the outcome is unknown; the same command with the same key is safe
 */
export async function executeCommand(
  command: AnyCommand,
  received: CommandRequest,
  ports: CommandPorts,
): Promise<CommandOutcome> {
  return await withSpan(`command ${command.name}`, {}, async (span) => {
    const outcome = await execute(command, received, ports);
    const { commandId, stream, replayed } = outcome;
    span.setAttributes({ 'surety.command_id': commandId, 'surety.stream': stream, 'surety.replayed': replayed });
    return outcome;
  });
}

async function execute(command: AnyCommand, received: CommandRequest, ports: CommandPorts): Promise<CommandOutcome> {
  const identity = command.identity?.(received.input, received.environment);
  const ownId = received.given?.commandId ?? (identity && derivedId('command', command.name, ...identity));
  // Such a command is its own idempotency record: a key adds nothing, and must not stand in its way.
  const request = ownId === undefined ? received : { ...received, idempotency: undefined };
  const derived = ownId ?? keyedCommandId(request);
  const commandId = derived ?? ports.randomId();
  for (;;) {
    const record = request.idempotency && (await readRecord(commandId, request.idempotency.request, ports));
    const shown = record && (await waitForEvent(command, record, commandId, ports));
    if (shown !== undefined) return await answerFromStore(command, commandId, shown, ports);
    const progress = new Progress(
      commandId,
      ownId !== undefined || record !== undefined,
      received.given?.decidedAt ?? record?.data.decidedAt ?? ports.now(),
      record !== undefined,
    );
    try {
      return await executeWithRetries(command, request, ports, progress, derived !== undefined);
    } catch (error) {
      if (!(error instanceof KeyRecordedMeanwhile)) throw error;
    }
  }
}

function keyedCommandId({ idempotency }: CommandRequest): string | undefined {
  return idempotency && derivedId('idempotency-key', ...idempotency.scope);
}

async function executeWithRetries(
  command: AnyCommand,
  request: CommandRequest,
  ports: CommandPorts,
  progress: Progress,
  derived: boolean,
): Promise<CommandOutcome> {
  const memory = command.changesOneStream === true ? ports.memory : undefined;
  // A key is recorded before the append, which alone tells whether the memory holds; a refusal must leave nothing behind.
  const first = request.idempotency === undefined ? memory : undefined;
  for (let attempts = 1, recalls = first; ; attempts++, recalls = undefined) {
    const attempt = new Attempt(command.name, request, ports, progress, recalls);
    try {
      const handled = await command.handle(request.input, attempt);
      const once = handled.once ?? {};
      const executed = derived
        ? await readExecuted(handled.stream, progress.commandId, ports)
        : attempt.executed(handled.stream);
      memory?.remember(handled.stream, executed.history);
      return outcomeOf(command, progress.commandId, executed, { replayed: false, once, position: progress.position });
    } catch (error) {
      if (error instanceof AlreadyExecuted)
        return await answerFromStore(command, progress.commandId, error.stream, ports);
      // The log may allow what the events in memory do not, so only a decision on the log itself is final.
      if (attempt.hasRecalled && (error instanceof Refusal || !attempt.hasCommitted)) continue;
      if (!(error instanceof WrongExpectedRevision)) throw error;
      memory?.forget(error.stream);
      if (attempts === MOST_ATTEMPTS) throw new Refusal('busy', 'Others change the same thing all the time; try again');
      await ports.pause(pauseAfter(attempts, progress.commandId));
    }
  }
}

/** Milliseconds before the next attempt: spread by the command id, so that many rivals do not meet again and again. */
function pauseAfter(attempts: number, commandId: string): number {
  const drawn = Number.parseInt(derivedId(commandId, 'pause', String(attempts)).slice(0, 4), 16);
  return drawn % 2 ** Math.min(attempts - 1, 7);
}

/** The record of the key, if there is one. @throws {Refusal} `idempotency_key_reused` when it belongs to another request */
async function readRecord(commandId: string, sent: SentRequest, ports: CommandPorts): Promise<KeyRecord | undefined> {
  const [first] = await ports.eventStore.readStream(idempotencyStream(commandId), { limit: 1 });
  if (first === undefined) return undefined;
  const record = decode(first) as KeyRecord;
  if (record.data.fingerprint === fingerprintOf(sent, record.data.fingerprintVersion)) return record;
  throw new Refusal('idempotency_key_reused', 'This idempotency key was used for another request; choose a new one');
}

/** The stream in which the command's event stands, as soon as it does; undefined when it does not come in time. */
async function waitForEvent(
  command: AnyCommand,
  record: KeyRecord,
  commandId: string,
  ports: CommandPorts,
): Promise<string | undefined> {
  const age = Date.parse(ports.now()) - Date.parse(record.metadata.recordedAt);
  for (let left = WAIT_FOR_RIVAL_MS - Math.max(age, 0); ; left -= LOOK_AGAIN_MS) {
    const stream = await targetOf(command, record, commandId, ports);
    if (stream !== undefined && (await findOwn(stream, commandId, ports)) !== undefined) return stream;
    if (left <= 0) return undefined;
    await ports.pause(LOOK_AGAIN_MS);
  }
}

/**
 * The target that the record names; where a number names it, the one that the command's entry in the sequence leads to;
 * where it is one of a row, the one before the first that is free.
 */
async function targetOf(
  command: AnyCommand,
  record: KeyRecord,
  commandId: string,
  ports: CommandPorts,
): Promise<string | undefined> {
  if (command.targetInRow !== undefined) return await ownInRow(command.targetInRow, commandId, ports);
  if (command.numberedTarget === undefined) return record.data.target;
  const entry = await findOwn(record.data.target, commandId, ports);
  return entry && command.numberedTarget(entry.revision + 1);
}

async function ownInRow(
  targetInRow: NonNullable<AnyCommand['targetInRow']>,
  commandId: string,
  ports: CommandPorts,
): Promise<string | undefined> {
  for (let place = 0; ; place++) {
    const stream = targetInRow(commandId, place);
    const [first] = await ports.eventStore.readStream(stream, { limit: 1 });
    if (first === undefined) return undefined;
    if (commandIdOf(first) === commandId) return stream;
  }
}

async function findOwn(stream: string, commandId: string, ports: CommandPorts): Promise<StoredEvent | undefined> {
  return (await ports.eventStore.readStream(stream)).find((raw) => commandIdOf(raw) === commandId);
}

async function answerFromStore(
  command: AnyCommand,
  commandId: string,
  stream: string,
  ports: CommandPorts,
): Promise<CommandOutcome> {
  const executed = await readExecuted(stream, commandId, ports);
  return outcomeOf(command, commandId, executed, { replayed: true, once: {}, position: undefined });
}

async function readExecuted(stream: string, commandId: string, ports: CommandPorts): Promise<ExecutedCommand> {
  const events = (await ports.eventStore.readStream(stream)).map((raw) => decode(raw));
  return upToOwn(events, commandId);
}

/** Cuts a stream after the last event of the command. */
function upToOwn(events: readonly Recorded[], commandId: string): ExecutedCommand {
  const last = events.findLastIndex((event) => event.metadata.command.id === commandId);
  const history = events.slice(0, last + 1);
  return { history, own: history.filter((event) => event.metadata.command.id === commandId) };
}

function outcomeOf(
  command: AnyCommand,
  commandId: string,
  executed: ExecutedCommand,
  how: { replayed: boolean; once: Readonly<Record<string, unknown>>; position: bigint | undefined },
): CommandOutcome {
  const last = executed.own.at(-1);
  if (last === undefined) throw new Error(`${command.name} was carried out, but its event is not there`);
  return {
    command: command.name,
    commandId,
    stream: last.stream,
    revision: last.revision,
    position: how.position !== undefined && how.position > last.position ? how.position : last.position,
    events: executed.own,
    result: { ...command.result(executed as ExecutedCommand<never>), ...how.once },
    created: command.creates,
    replayed: how.replayed,
  };
}
