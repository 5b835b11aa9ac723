import { z } from 'zod';
import type { ActingEnvironment } from '../commands/command.ts';
import { executeCommand } from '../commands/execution/execute-command.ts';
import type { CommandPorts } from '../commands/execution/ports.ts';
import type { CommandOutcome } from '../commands/execution/request.ts';
import { findCommand } from '../commands/registry.ts';
import { decode } from './domain/codec.ts';
import { type EnvironmentEvent, environment, environmentStream } from './domain/environment.ts';
import type { Recorded } from './domain/event.ts';
import { Refusal, wrongField } from './domain/refusals.ts';
import { parseInput } from './http/input.ts';

/** Runs commands by their names without a service: for the command line, imports and sample data. */
export interface BackOffice {
  /** @throws {Refusal} @throws {StoreUnavailable} when the outcome is unknown */
  run(name: string, body: unknown): Promise<CommandOutcome>;
}

const object = z.record(z.string(), z.unknown(), 'must be an object');
const environmentNumber = z.int().positive();

/** The back office as `POST /api/v1/admin/commands/{name}` has it, for an administrator who needs no key. */
export function backOffice(ports: CommandPorts): BackOffice {
  const known = new Map<number, ActingEnvironment>();

  async function environmentOf(id: unknown): Promise<ActingEnvironment> {
    const parsed = environmentNumber.safeParse(id);
    if (!parsed.success) throw wrongField('environment_id', 'must be the number of an environment');
    const acting = known.get(parsed.data) ?? (await readEnvironment(parsed.data, ports));
    known.set(parsed.data, acting);
    return acting;
  }

  return {
    run: async (name, body) => {
      const command = findCommand(name);
      if (command === undefined) throw new Refusal('command_not_found', `There is no command ${name}`);
      const { environment_id: id, ...rest } = parseInput(object, body);
      const acting = command.inEnvironment ? await environmentOf(id) : undefined;
      const input = parseInput(command.input, command.inEnvironment ? rest : body);
      const request = {
        input,
        actor: { role: 'admin', keyId: null },
        environment: acting,
        idempotency: undefined,
        ifMatch: undefined,
        requestId: undefined,
        traceparent: undefined,
      } as const;
      return await executeCommand(command, request, ports);
    },
  };
}

async function readEnvironment(id: number, ports: CommandPorts): Promise<ActingEnvironment> {
  const events = await ports.eventStore.readStream(environmentStream(id));
  const state = events
    .map((raw) => decode(raw) as Recorded<EnvironmentEvent>)
    .reduce<ReturnType<typeof environment.evolve> | undefined>(
      (folded, event) => environment.evolve(folded, event),
      undefined,
    );
  if (state === undefined) throw new Refusal('environment_not_found', `There is no environment ${id}`);
  return { environmentId: id, merchantId: state.merchantId, testMode: state.testMode };
}
