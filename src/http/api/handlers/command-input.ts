import { z } from 'zod';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import { type ActingEnvironment, environment, environmentStream } from '#domain/environment/environment.ts';
import { loadState } from '#domain/events.ts';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { wrongField } from '#domain/refusals.ts';
import type { EventStore } from '#stores/event-log/event-log.ts';
import { parseParts } from '../messages/query-string.ts';

export type FindEnvironment = (id: number) => Promise<ActingEnvironment | undefined>;

const environmentNumber = z.int().positive();

/** Returns a function that reads environments from the log and caches them, because they never change. */
export function environmentFinder(eventStore: Pick<EventStore, 'readStream'>): FindEnvironment {
  const cache = new Map<number, ActingEnvironment>();
  return async (id) => {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const state = await loadState(environment, environmentStream(id), eventStore);
    if (state === undefined) return undefined;
    const found = { environmentId: id, merchantId: state.merchantId, testMode: state.testMode };
    cache.set(id, found);
    return found;
  };
}

/**
 * Parses the input of a command, and `environment_id` if the command acts in an environment.
 * @throws {Refusal} `invalid_request`, naming every invalid field
 */
export async function parsePlatformInput(
  command: AnyCommand,
  body: Readonly<Record<string, unknown>>,
  findEnvironment: FindEnvironment,
): Promise<{ readonly input: unknown; readonly environment: ActingEnvironment | undefined }> {
  if (!command.inEnvironment) return { input: parseInput(command.input, body), environment: undefined };
  const { environment_id: number, ...rest } = body;
  const { id, input } = await parseParts({
    id: () => parseEnvironmentNumber(number),
    input: () => parseInput(command.input, rest),
  });
  const acting = await findEnvironment(id);
  if (acting === undefined) throw wrongField('environment_id', 'is not the number of an environment');
  return { input, environment: acting };
}

function parseEnvironmentNumber(number: unknown): number {
  const parsed = environmentNumber.safeParse(number);
  if (!parsed.success) throw wrongField('environment_id', 'must be the number of an environment');
  return parsed.data;
}
