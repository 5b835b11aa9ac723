import type { Tags } from '../domain/tags.ts';
import type { DomainEvent, NewEvent } from '../event-sourcing/event.ts';
import type { CommandContext, HandlerResult, LoadedStream } from './command.ts';

/** Commits to a stream and appends the decided events: the last step of a command that changes one stream. */
export async function recordDecision<E extends DomainEvent>(
  context: CommandContext,
  target: LoadedStream<unknown, E>,
  events: readonly NewEvent<E>[],
  tags: Tags,
): Promise<HandlerResult> {
  await context.commitTo(target.stream);
  await context.append(target, events, tags);
  return { stream: target.stream };
}
