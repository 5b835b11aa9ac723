import { z } from 'zod';
import type { ActingEnvironment } from '../commands/command.ts';
import { executeCommand } from '../commands/execution/execute-command.ts';
import type { CommandPorts } from '../commands/execution/ports.ts';
import type { CommandOutcome, IdempotencyKey } from '../commands/execution/request.ts';
import { findCommand } from '../commands/registry.ts';
import { decode } from './domain/codec.ts';
import { type EnvironmentEvent, environment, environmentStream } from './domain/environment.ts';
import type { Recorded } from './domain/event.ts';
import { sha256 } from './domain/identifiers.ts';
import { Refusal, wrongField } from './domain/refusals.ts';
import { canonicalJson } from './http/canonical-json.ts';
import { parseInput } from './http/input.ts';

/** Runs commands by their names without a service: for the command line, imports and sample data. */
export interface BackOffice {
  /**
   * With a key the command acts once however often it is run, as with `Idempotency-Key` over HTTP.
   * @throws {Refusal}
   * @throws {StoreUnavailable} when the outcome is unknown
   */
  run(name: string, body: unknown, key?: string): Promise<CommandOutcome>;
  hasEnvironment(id: number): Promise<boolean>;
}

const object = z.record(z.string(), z.unknown(), 'must be an object');
const environmentNumber = z.int().positive();

/** The back office as `POST /api/v1/admin/commands/{name}` has it, for an administrator who needs no key. */
export function backOffice(ports: CommandPorts): BackOffice {
  const known = new Map<number, ActingEnvironment>();

  async function findEnvironment(id: number): Promise<ActingEnvironment | undefined> {
    const acting = known.get(id) ?? (await readEnvironment(id, ports));
    if (acting !== undefined) known.set(id, acting);
    return acting;
  }

  async function environmentOf(id: unknown): Promise<ActingEnvironment> {
    const parsed = environmentNumber.safeParse(id);
    if (!parsed.success) throw wrongField('environment_id', 'must be the number of an environment');
    const acting = await findEnvironment(parsed.data);
    if (acting === undefined) throw wrongField('environment_id', 'is not the number of an environment');
    return acting;
  }

  return {
    hasEnvironment: async (id) => (await findEnvironment(id)) !== undefined,
    run: async (name, body, key) => {
      const command = findCommand(name);
      if (command === undefined) throw new Refusal('command_not_found', `There is no command ${name}`);
      const { environment_id: id, ...rest } = parseInput(object, body);
      const acting = command.inEnvironment ? await environmentOf(id) : undefined;
      const input = parseInput(command.input, command.inEnvironment ? rest : body);
      const request = {
        input,
        actor: { role: 'admin', keyId: null },
        environment: acting,
        idempotency: key === undefined ? undefined : idempotencyOf(name, body, key),
        ifMatch: undefined,
        requestId: undefined,
        traceparent: undefined,
      } as const;
      return await executeCommand(command, request, ports);
    },
  };
}

/** The same as that of the back office over HTTP with a key of the platform, so that a repeat is known on both ways. */
function idempotencyOf(name: string, body: unknown, key: string): IdempotencyKey {
  return {
    scope: ['platform', '', 'POST', `/api/v1/admin/commands/${name}`, key],
    fingerprint: sha256(canonicalJson({ body, search: {} })),
  };
}

async function readEnvironment(id: number, ports: CommandPorts): Promise<ActingEnvironment | undefined> {
  const [created] = await ports.eventStore.readStream(environmentStream(id), { limit: 1 });
  if (created === undefined) return undefined;
  const { merchantId, testMode } = environment.evolve(undefined, decode(created) as Recorded<EnvironmentEvent>);
  return { environmentId: id, merchantId, testMode };
}
