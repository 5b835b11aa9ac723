import { version } from 'uuid';
import { commandIdOf } from '#event-sourcing/executor/command.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import type { MessageExample } from '#http/reference/asyncapi/examples.ts';
import { messageOf } from './translator.ts';

/** Returns the first public message of each type, in the order of the log. */
export function messageExamples(log: readonly StoredEvent[]): Record<string, MessageExample> {
  const examples: Record<string, MessageExample> = {};
  for (const event of log) {
    const message = messageOf(event);
    if (message === undefined) continue;
    const { value, headers, ...addressed } = message;
    examples[headers['ce_type'] ?? ''] ??= {
      ...addressed,
      headers: { ...headers, ce_id: stableId(event) },
      payload: JSON.parse(value),
    };
  }
  return examples;
}

/** Returns the id of an event. A command without a key has a random id, of which the ids of its events are made: these get another one. */
function stableId(event: StoredEvent): string {
  const commandId = commandIdOf(event);
  const isRandom = commandId === undefined || version(commandId) === 4;
  return isRandom ? derivedId('example', event.stream, String(event.revision)) : event.id;
}
