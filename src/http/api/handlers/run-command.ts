import type { IncomingHttpHeaders } from 'node:http';
import type { AnyCommand } from '#event-sourcing/executor/command.ts';
import type { ActingEnvironment } from '#domain/environment/environment.ts';
import type { Actor } from '#event-sourcing/event.ts';
import { executeCommand } from '#event-sourcing/executor/execute-command.ts';
import { previewCommand } from '#event-sourcing/executor/preview.ts';
import type { CommandOutcome, CommandRequest, IdempotencyKey } from '#event-sourcing/executor/request.ts';
import { wrongField } from '#domain/refusals.ts';
import type { BodyStream, Reader } from '#queries/query.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { revisionsOf } from '../messages/entity-tags.ts';
import { idempotencyKeyOf, traceparentOf } from '../messages/headers.ts';
import { parseSearch } from '../messages/query-string.ts';
import { waitForReadModels } from './positions.ts';
import { openStream, type RouteResponse } from '../messages/response.ts';
import type { AuthenticatedCall, Call, RouteContext } from '../../server/route.ts';

export interface CommandCall {
  readonly call: AuthenticatedCall;
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly environment: ActingEnvironment | undefined;
}

export async function runCommand(request: CommandCall, context: RouteContext): Promise<CommandOutcome> {
  const { command } = request;
  const parsed = { ...requestOf(request), idempotency: idempotencyOf(request) };
  return await context.countCommand(
    command.name,
    async () => await executeCommand(command, parsed, context.commandPorts),
  );
}

/** Returns what a command would do now. It ignores an `Idempotency-Key`. */
export async function previewOf(request: CommandCall, { commandPorts }: RouteContext): Promise<CommandOutcome> {
  return await previewCommand(request.command, requestOf(request), commandPorts);
}

function requestOf({ call, ...request }: CommandCall): CommandRequest {
  const { actor, reader, authority, access } = call.caller;
  return { ...commandRequest(call, actor, request), rights: { providerId: providerOf(reader), authority, access } };
}

/** Makes the request of a command without an idempotency key. @throws {Refusal} for an `If-Match` that it ignores */
export function commandRequest(
  { request: { headers }, requestId }: Call,
  actor: Actor,
  { command, input, environment }: Omit<CommandCall, 'call'>,
): CommandRequest {
  const traceparent = traceparentOf(headers);
  const ifMatch = ifMatchOf(command, headers);
  return { input, environment, actor, idempotency: undefined, ifMatch, requestId, traceparent };
}

/** Returns the insurer for which a key acts; null for another role. */
function providerOf(reader: Reader): string | null {
  return reader.role === 'insurer' ? reader.providerId : null;
}

const COMMAND_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: 'X-API-Key',
};

/** Returns the response to a preview. It has no position, because nothing was appended. */
export function previewResponse(result: object): RouteResponse {
  return { status: 200, headers: COMMAND_HEADERS, body: JSON.stringify(result) };
}

/**
 * Returns the revisions that `If-Match` accepts; undefined when it accepts any.
 * @throws {Refusal} `invalid_request` when it is malformed, or the command would ignore it
 */
export function ifMatchOf(
  { takesIfMatch }: Pick<AnyCommand, 'takesIfMatch'>,
  { 'if-match': header }: IncomingHttpHeaders,
): readonly number[] | undefined {
  if (header === undefined || takesIfMatch === true) return revisionsOf(header);
  throw wrongField('If-Match', 'must be left out: this operation compares no revision');
}

/** Returns the idempotency key with its scope: environment and operation. */
function idempotencyOf({ call, command }: CommandCall): IdempotencyKey | undefined {
  const key = idempotencyKeyOf(call.request);
  if (key === undefined) return undefined;
  const { environment } = call.caller;
  const owner = environment?.merchantId ?? providerOf(call.caller.reader) ?? 'platform';
  const sender = [owner, String(environment?.environmentId ?? '')];
  // `preview=false` asks for what a request without it asks for.
  const { preview: _, ...parameters } = parseSearch(call.search);
  // The name of a command is no resource: each command of the platform is an operation.
  const path = call.path.replace(':command', command.name);
  return {
    scope: [...sender, call.request.method, path, key],
    request: { path: call.parameters, body: call.body, parameters },
  };
}

/**
 * Answers an executed command when the read models reflect it, or with `Surety-Pending` after the time limit.
 * @param body a function is called after the wait, so that it can read what the command has not written
 */
export async function respondWhenVisible(
  outcome: CommandOutcome,
  body: string | (() => Promise<string | BodyStream>),
  dependencies: HttpDependencies,
): Promise<RouteResponse> {
  const isVisible = await waitForReadModels(outcome.position, dependencies);
  return commandResponse(
    outcome,
    await openStream(typeof body === 'string' ? body : await body()),
    isVisible ? {} : { 'Surety-Pending': 'true' },
  );
}

export function commandResponse(
  outcome: CommandOutcome,
  body: string | BodyStream,
  headers: RouteResponse['headers'],
): RouteResponse {
  return {
    status: outcome.created ? 201 : 200,
    headers: {
      ...COMMAND_HEADERS,
      'Surety-Position': String(outcome.position),
      ...headers,
      ...(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    },
    body,
    log: { command: outcome.command, stream: outcome.stream, position: String(outcome.position) },
  };
}
