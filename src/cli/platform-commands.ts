import { executeCommand } from '#event-sourcing/executor/execute-command.ts';
import type { CommandPorts } from '#event-sourcing/executor/ports.ts';
import type { CommandOutcome, IdempotencyKey } from '#event-sourcing/executor/request.ts';
import { findCommand } from '#commands/registry.ts';
import { requireJsonObject } from '#event-sourcing/executor/json-object.ts';
import { Refusal } from '#domain/refusals.ts';
import { parsePlatformInput, environmentFinder } from '#http/api/handlers/command-input.ts';

export interface PlatformCommands {
  /**
   * `key` works like `Idempotency-Key` over HTTP.
   * @throws {Refusal}
   * @throws {StoreUnavailable} when the outcome is unknown
   */
  run(name: string, body: unknown, key?: string): Promise<CommandOutcome>;
  hasEnvironment(id: number): Promise<boolean>;
}

/**
 * Returns the commands of `POST /api/v1/admin/commands/{name}` for an administrator, who needs no API key on the
 * command line.
 * @param label of the actor of their events
 */
export function platformCommands(ports: CommandPorts, label: string): PlatformCommands {
  const findEnvironment = environmentFinder(ports.eventStore);
  return {
    hasEnvironment: async (id) => (await findEnvironment(id)) !== undefined,
    run: async (name, body, key) => {
      const command = findCommand(name);
      if (command === undefined)
        throw new Refusal('command_not_found', `There is no command ${name}; surety command --list prints their names`);
      const object = requireJsonObject(body);
      const request = {
        ...(await parsePlatformInput(command, object, findEnvironment)),
        actor: { role: 'admin', keyId: null, label },
        idempotency: key === undefined ? undefined : idempotencyOf(name, object, key),
        ifMatch: undefined,
        requestId: undefined,
        traceparent: undefined,
      } as const;
      return await executeCommand(command, request, ports);
    },
  };
}

/** The same scope as over HTTP with a platform key, so that a command can be repeated either way. */
function idempotencyOf(name: string, body: unknown, key: string): IdempotencyKey {
  const path = `/api/v1/admin/commands/${name}`;
  return { scope: ['platform', '', 'POST', path, key], request: { path: { command: name }, body, parameters: {} } };
}
