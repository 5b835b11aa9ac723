import type { AnyCommand } from '../../command-handling/command.ts';
import { executeCommand } from '../../command-handling/execute-command.ts';
import type { CommandPorts } from '../../command-handling/ports.ts';
import { type CommandOutcome, systemRequest } from '../../command-handling/request.ts';

/**
 * Runs a command on behalf of Surety itself, without an API key and outside any environment.
 * @param requestId stored in the metadata of the events; names what the command was run for
 * @throws {Refusal} @throws {StoreUnavailable}
 */
export async function runSystemCommand(
  command: AnyCommand,
  input: unknown,
  ports: CommandPorts,
  requestId?: string,
): Promise<CommandOutcome> {
  return await executeCommand(command, systemRequest(input, { requestId }), ports);
}
