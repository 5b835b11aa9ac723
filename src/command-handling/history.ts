import type { RecordedEvent } from '../event-sourcing/event.ts';
import type { Position } from '../event-store/event-store.ts';
import type { ExecutedCommand } from './command.ts';
import type { CommandPorts } from './ports.ts';

type HistoryPorts = Pick<CommandPorts, 'eventStore' | 'codec'>;

/** Reads the events of a stream from its start; of a stream whose first events are known, only those that follow. */
export async function readHistory(
  stream: string,
  { eventStore, codec }: HistoryPorts,
  known: readonly RecordedEvent[] = [],
  until?: Position,
): Promise<readonly RecordedEvent[]> {
  const last = known.at(-1);
  const from = last === undefined ? undefined : last.revision + 1;
  const raw = await eventStore.readStream(stream, { from, until });
  return [...known, ...raw.map((event) => codec.decode(event))];
}

/**
 * Reads what a command has recorded in its target, and the events before. Later events of other commands are not part of it.
 * @param until position of the command's append, if known
 */
export async function readExecuted(
  stream: string,
  commandId: string,
  ports: HistoryPorts,
  known?: readonly RecordedEvent[],
  until?: Position,
): Promise<ExecutedCommand> {
  const events = await readHistory(stream, ports, known, until);
  const history = events.slice(0, events.findLastIndex((event) => event.metadata.command.id === commandId) + 1);
  return { history, events: history.filter((event) => event.metadata.command.id === commandId) };
}
