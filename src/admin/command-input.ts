import { z } from 'zod';
import type { ActingEnvironment, AnyCommand } from '../command-handling/command.ts';
import { decode } from '../domain/events.ts';
import { type EnvironmentEvent, environment, environmentStream } from '../domain/environment/environment.ts';
import type { Recorded } from '../event-sourcing/event.ts';
import { fieldsOf, parseInput } from '../command-handling/parse-input.ts';
import { wrongFields } from '../domain/refusals.ts';
import { wrongField } from '../domain/refusals.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** What the body of a back-office command says (`decisions`: Back office). */
export interface AdminInput {
  readonly input: unknown;
  /** Undefined for commands that act in no environment. */
  readonly environment: ActingEnvironment | undefined;
}

export type FindEnvironment = (id: number) => Promise<ActingEnvironment | undefined>;

const NUMBER_WANTED = 'must be the number of an environment';
const environmentNumber = z.int(NUMBER_WANTED).positive(NUMBER_WANTED);

/** Finds environments by their numbers in the log. What is found is remembered, because nothing of it ever changes. */
export function environmentFinder(eventStore: Pick<EventStore, 'readStream'>): FindEnvironment {
  const known = new Map<number, ActingEnvironment>();
  return async (id) => {
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    const [created] = await eventStore.readStream(environmentStream(id), { limit: 1 });
    if (created === undefined) return undefined;
    const { merchantId, testMode } = environment.evolve(undefined, decode(created) as Recorded<EnvironmentEvent>);
    const found = { environmentId: id, merchantId, testMode };
    known.set(id, found);
    return found;
  };
}

/**
 * The command's input, and the environment that the body names where the command acts in one.
 * @throws {Refusal} `invalid_request`, naming every wrong field
 */
export async function parseAdminInput(
  command: AnyCommand,
  body: Readonly<Record<string, unknown>>,
  findEnvironment: FindEnvironment,
): Promise<AdminInput> {
  if (!command.inEnvironment) return { input: parseInput(command.input, body), environment: undefined };
  const { environment_id: named, ...rest } = body;
  const id = environmentNumber.safeParse(named);
  const input = command.input.safeParse(rest);
  if (!id.success || !input.success) {
    throw wrongFields([
      ...(id.success ? [] : [{ field: 'environment_id', message: NUMBER_WANTED }]),
      ...(input.success ? [] : fieldsOf(input.error, rest)),
    ]);
  }
  const acting = await findEnvironment(id.data);
  if (acting === undefined) throw wrongField('environment_id', 'is not the number of an environment');
  return { input: input.data, environment: acting };
}
