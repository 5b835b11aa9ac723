import type { Tags } from '../domain/tags.ts';
import type { DomainEvent, NewEvent } from '../event-sourcing/event.ts';
import type { CommandContext, Handled, Loaded } from './command.ts';

/** The end of a command that changes one stream and nothing else: the decision is "yes", and its events stand in it. */
export async function recordDecision<E extends DomainEvent>(
  context: CommandContext,
  target: Loaded<unknown, E>,
  events: readonly NewEvent<E>[],
  tags: Tags,
): Promise<Handled> {
  await context.commitTo(target.stream);
  await context.append(target, events, tags);
  return { stream: target.stream };
}
