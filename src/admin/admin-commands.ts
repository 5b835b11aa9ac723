import { executeCommand } from '../command-handling/execute-command.ts';
import type { CommandPorts } from '../command-handling/ports.ts';
import type { CommandOutcome, IdempotencyKey } from '../command-handling/request.ts';
import { findCommand } from '../../commands/registry.ts';
import { plainObject } from '../command-handling/plain-object.ts';
import { Refusal } from '../domain/refusals.ts';
import { parseAdminInput, environmentFinder } from './command-input.ts';

/** Runs commands by their names without a service: for the command line, imports and sample data. */
export interface AdminCommands {
  /**
   * With a key the command acts once however often it is run, as with `Idempotency-Key` over HTTP.
   * @throws {Refusal}
   * @throws {StoreUnavailable} when the outcome is unknown
   */
  run(name: string, body: unknown, key?: string): Promise<CommandOutcome>;
  hasEnvironment(id: number): Promise<boolean>;
}

/** The back office as `POST /api/v1/admin/commands/{name}` has it, for an administrator who needs no key. */
export function adminCommands(ports: CommandPorts): AdminCommands {
  const findEnvironment = environmentFinder(ports.eventStore);
  return {
    hasEnvironment: async (id) => (await findEnvironment(id)) !== undefined,
    run: async (name, body, key) => {
      const command = findCommand(name);
      if (command === undefined) throw new Refusal('command_not_found', `There is no command ${name}`);
      const sent = plainObject(body);
      const request = {
        ...(await parseAdminInput(command, sent, findEnvironment)),
        actor: { role: 'admin', keyId: null },
        idempotency: key === undefined ? undefined : idempotencyOf(name, sent, key),
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
  const path = `/api/v1/admin/commands/${name}`;
  return { scope: ['platform', '', 'POST', path, key], request: { path, body, parameters: {} } };
}
