import type { AnyCommand } from '../command-handling/command.ts';
import { executeCommand } from '../command-handling/execute-command.ts';
import type { CommandPorts } from '../command-handling/ports.ts';
import type { CommandOutcome } from '../command-handling/request.ts';

/**
 * Runs a command that Surety gives itself: by nobody's key and in no environment. `requestId` names in the metadata of its events
 * what it was run for. @throws {Refusal} @throws {StoreUnavailable}
 */
export async function runSystemCommand(
  command: AnyCommand,
  input: unknown,
  ports: CommandPorts,
  requestId?: string,
): Promise<CommandOutcome> {
  const request = {
    input,
    actor: { role: 'system', keyId: null },
    environment: undefined,
    idempotency: undefined,
    ifMatch: undefined,
    requestId,
    traceparent: undefined,
  } as const;
  return await executeCommand(command, request, ports);
}
