import type { IncomingMessage } from 'node:http';
import type { AnyCommand } from '../../commands/command.ts';
import { plainObject } from '../domain/plain-object.ts';
import { Refusal } from '../domain/refusals.ts';
import { readBody } from './read-body.ts';

const MIB = 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads and parses the body of a command: one JSON object. A byte order mark is tolerated.
 * @throws {Refusal} `unsupported_media_type`, `body_too_large`, `malformed_body`, `invalid_request`
 * @throws {RequestAborted}
 */
export async function readCommandBody(
  request: IncomingMessage,
  command: Pick<AnyCommand, 'name'>,
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBody(request, limitOf(command));
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Refusal('malformed_body', 'The body is not JSON in UTF-8');
  }
  return plainObject(value);
}

/** The largest body of a command: documents come with a claim (`decisions`: Requests). */
function limitOf({ name }: Pick<AnyCommand, 'name'>): number {
  return (name === 'SubmitClaim' ? 10 : 1) * MIB;
}
