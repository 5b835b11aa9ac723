import type { ActingEnvironment, AnyCommand } from '../../../commands/command.ts';
import { executeCommand } from '../../../commands/execution/execute-command.ts';
import type { CommandOutcome, IdempotencyKey } from '../../../commands/execution/request.ts';
import { type ClaimWithDocuments, withDocuments } from '../../../queries/claim-documents.ts';
import type { ClaimView } from '../../domain/claim-view.ts';
import type { Records } from '../../records/records.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { revisionsOf } from '../messages/entity-tags.ts';
import { idempotencyKeyOf, traceparentOf } from '../messages/headers.ts';
import { parseSearch } from '../messages/query-string.ts';
import { reached } from './positions.ts';
import type { Answer } from '../messages/answer.ts';
import type { KeyedCall, Parameters } from '../route.ts';

/** A command whose input is parsed, on its way through HTTP. */
export interface CommandCall {
  readonly call: KeyedCall;
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly environment: ActingEnvironment | undefined;
  /** The parsed body as it was sent, without defaults. */
  readonly body: unknown;
  /** Whether `If-Match` counts. */
  readonly conditional: boolean;
}

/** Runs the command. @throws {Refusal} @throws {StoreUnavailable} */
export async function carryOut(asked: CommandCall, dependencies: HttpDependencies): Promise<CommandOutcome> {
  const { call, command, input, environment } = asked;
  const { headers } = call.request;
  return await executeCommand(
    command,
    {
      input,
      environment,
      actor: call.caller.actor,
      idempotency: idempotencyOf(asked),
      ifMatch: asked.conditional ? revisionsOf(headers['if-match']) : undefined,
      requestId: call.requestId,
      traceparent: traceparentOf(headers),
    },
    dependencies.commandPorts,
  );
}

/** A key means something only for one sender, method and path. */
function idempotencyOf({ call, body }: CommandCall): IdempotencyKey | undefined {
  const key = idempotencyKeyOf(call.request);
  if (key === undefined) return undefined;
  const { environment } = call.caller;
  const sender = [environment?.merchantId ?? 'platform', String(environment?.environmentId ?? '')];
  const path = filledPath(call.path, call.parameters);
  return {
    scope: [...sender, 'POST', path, key],
    request: { path, body, parameters: parseSearch(call.search) },
  };
}

/** The path of a route with the values of its parameters: the same however the client encoded it. */
function filledPath(path: string, parameters: Parameters): string {
  return path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? '');
}

/** The result as the interface shows it. */
export async function presentedResult(outcome: CommandOutcome, records: Records): Promise<object> {
  const { command, result } = outcome;
  return command === 'SubmitClaim' ? await claimOf(result, records) : result;
}

async function claimOf(result: CommandOutcome['result'], records: Records): Promise<ClaimWithDocuments> {
  return await withDocuments(result as unknown as ClaimView, records);
}

/**
 * The answer to a command that was carried out: once the read models show it, or, when that takes too long, with
 * `Surety-Pending`.
 */
export async function outcomeAnswer(
  outcome: CommandOutcome,
  body: object,
  dependencies: HttpDependencies,
): Promise<Answer> {
  const shows = await reached(outcome.position, dependencies);
  return carriedOutAnswer(outcome, JSON.stringify(body), shows ? {} : { 'Surety-Pending': 'true' });
}

/** The answer to a command that was carried out, with the JSON text of its body. */
export function carriedOutAnswer(outcome: CommandOutcome, body: string, headers: Answer['headers']): Answer {
  return {
    status: outcome.created ? 201 : 200,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'X-API-Key',
      'Surety-Position': String(outcome.position),
      ...headers,
      ...(outcome.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
    },
    body,
    log: { command: outcome.command, stream: outcome.stream, position: String(outcome.position) },
  };
}
