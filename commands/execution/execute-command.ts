import { type IdempotencyRecorded, idempotencyStream } from '../../src/domain/bookkeeping.ts';
import { decode } from '../../src/domain/codec.ts';
import type { EventOf, Recorded } from '../../src/domain/event.ts';
import { derivedId } from '../../src/domain/identifiers.ts';
import { Refusal } from '../../src/domain/refusals.ts';
import { type StoredEvent, WrongExpectedRevision } from '../../src/event-store/event-store.ts';
import type { AnyCommand, CarriedOut } from '../command.ts';
import { Attempt, Progress } from './context.ts';
import type { CommandPorts } from './ports.ts';
import type { CommandOutcome, CommandRequest } from './request.ts';
import { AlreadyCarriedOut, KeyRecordedMeanwhile } from './signals.ts';

/** How often a command is tried when others change the same streams; then it is refused as `busy`. */
const MOST_ATTEMPTS = 20;
/** How long a command waits for the one that recorded the same key to show its event. */
const WAIT_FOR_RIVAL_MS = 2_000;
const LOOK_AGAIN_MS = 25;

type KeyRecord = EventOf<typeof IdempotencyRecorded>['data'];

/**
 * Carries out a command, exactly once per command id, whoever dies when (design, Writing): looks at the idempotency record,
 * then loads, decides and appends, again on a conflict.
 * @throws {Refusal} when the command is refused; nothing of it was written then, or what was written promises nothing
 * @throws {StoreUnavailable} when the outcome is unknown; the same command with the same key is safe
 */
export async function executeCommand(
  command: AnyCommand,
  request: CommandRequest,
  ports: CommandPorts,
): Promise<CommandOutcome> {
  const derived = derivedCommandId(command, request);
  const commandId = derived ?? ports.randomId();
  for (;;) {
    const record = request.idempotency && (await readRecord(commandId, request.idempotency.fingerprint, ports));
    if (record !== undefined && (await showsUp(record.target, commandId, ports))) {
      return await answerFromStore(command, commandId, record.target, ports);
    }
    const progress = new Progress(
      commandId,
      derived !== undefined && (record !== undefined || request.idempotency === undefined),
      record?.decidedAt ?? ports.now(),
      record !== undefined,
    );
    try {
      return await carryOut(command, request, ports, progress, derived !== undefined);
    } catch (error) {
      if (!(error instanceof KeyRecordedMeanwhile)) throw error;
    }
  }
}

function derivedCommandId(command: AnyCommand, request: CommandRequest): string | undefined {
  if (command.identity !== undefined && request.environment !== undefined) {
    return derivedId('command', command.name, ...command.identity(request.input, request.environment));
  }
  return request.idempotency && derivedId('idempotency-key', ...request.idempotency.scope);
}

async function carryOut(
  command: AnyCommand,
  request: CommandRequest,
  ports: CommandPorts,
  progress: Progress,
  derived: boolean,
): Promise<CommandOutcome> {
  for (let attempts = 1; ; attempts++) {
    const attempt = new Attempt(command.name, request, ports, progress);
    try {
      const handled = await command.handle(request.input, attempt);
      const once = handled.once ?? {};
      const carriedOut = derived
        ? await readCarriedOut(handled.stream, progress.commandId, ports)
        : attempt.carriedOut(handled.stream);
      return outcomeOf(command, progress.commandId, carriedOut, { replayed: false, once, position: progress.position });
    } catch (error) {
      if (error instanceof AlreadyCarriedOut)
        return await answerFromStore(command, progress.commandId, error.stream, ports);
      if (!(error instanceof WrongExpectedRevision)) throw error;
      if (attempts === MOST_ATTEMPTS) throw new Refusal('busy', 'Others change the same thing all the time; try again');
    }
  }
}

/** The record of the key, if there is one. @throws {Refusal} `idempotency_key_reused` when it belongs to another request */
async function readRecord(commandId: string, fingerprint: string, ports: CommandPorts): Promise<KeyRecord | undefined> {
  const [first] = await ports.eventStore.readStream(idempotencyStream(commandId), { limit: 1 });
  if (first === undefined) return undefined;
  const record = decode(first).data as KeyRecord;
  if (record.fingerprint === fingerprint) return record;
  throw new Refusal('idempotency_key_reused', 'This idempotency key was used for another request; choose a new one');
}

/** Whether the command's event stands in its target, or comes to stand there within 2 s. */
async function showsUp(target: string, commandId: string, ports: CommandPorts): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const events = await ports.eventStore.readStream(target);
    if (events.some((raw) => commandIdOf(raw) === commandId)) return true;
    if (waited >= WAIT_FOR_RIVAL_MS) return false;
    await ports.pause(LOOK_AGAIN_MS);
  }
}

function commandIdOf(raw: StoredEvent): string | undefined {
  return (raw.metadata as { command?: { id?: string } } | null)?.command?.id;
}

async function answerFromStore(
  command: AnyCommand,
  commandId: string,
  stream: string,
  ports: CommandPorts,
): Promise<CommandOutcome> {
  const carriedOut = await readCarriedOut(stream, commandId, ports);
  return outcomeOf(command, commandId, carriedOut, { replayed: true, once: {}, position: undefined });
}

async function readCarriedOut(stream: string, commandId: string, ports: CommandPorts): Promise<CarriedOut> {
  const events = (await ports.eventStore.readStream(stream)).map((raw) => decode(raw));
  return upToOwn(events, commandId);
}

/** Cuts a stream after the last event of the command. */
function upToOwn(events: readonly Recorded[], commandId: string): CarriedOut {
  const last = events.findLastIndex((event) => event.metadata.command.id === commandId);
  const history = events.slice(0, last + 1);
  return { history, own: history.filter((event) => event.metadata.command.id === commandId) };
}

function outcomeOf(
  command: AnyCommand,
  commandId: string,
  carriedOut: CarriedOut,
  how: { replayed: boolean; once: Readonly<Record<string, unknown>>; position: bigint | undefined },
): CommandOutcome {
  const last = carriedOut.own.at(-1);
  if (last === undefined) throw new Error(`${command.name} was carried out, but its event is not there`);
  return {
    command: command.name,
    commandId,
    stream: last.stream,
    revision: last.revision,
    position: how.position !== undefined && how.position > last.position ? how.position : last.position,
    events: carriedOut.own,
    result: { ...command.result(carriedOut as CarriedOut<never>), ...how.once },
    created: command.creates,
    replayed: how.replayed,
  };
}
