import type { z } from 'zod';
import type { AnyCommand } from '../../command-handling/command.ts';
import { normalise } from '../../event-sourcing/identifiers.ts';
import { parseInput } from '../../command-handling/parse-input.ts';
import { wrongField } from '../../domain/refusals.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyLimitOf } from '../bodies/command-body.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { AuthenticatedCall, AuthenticatedRoute, Role } from '../route.ts';
import { answerWhenVisible, responseOf, runCommand } from './run-command.ts';
import { parseParts } from './parse-parts.ts';

/** Command with a separate path. */
interface PublicCommand {
  readonly command: AnyCommand;
  /** Default: merchants only. */
  readonly roles?: readonly Role[];
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  /** Query parameters that are part of the command's input. */
  readonly search?: z.ZodObject;
  /** Whether `If-Match` is compared with the revision of the target. */
  readonly checksIfMatch?: boolean;
  readonly answer: z.ZodType;
}

type Body = AuthenticatedCall['body'];

/** Makes the route that runs a command. */
export function commandRoute(path: string, definition: PublicCommand): AuthenticatedRoute {
  const {
    command,
    roles = ['merchant'],
    problemMembers,
    search = noParameters,
    checksIfMatch = false,
    answer,
  } = definition;
  const { name, summary } = command;
  return {
    name,
    summary,
    method: 'POST',
    path,
    kind: 'command',
    roles,
    wrongRoleCode: definition.roles === undefined ? 'merchant_key_required' : 'forbidden',
    ...(problemMembers === undefined ? {} : { problemMembers }),
    body: () => ({ limit: bodyLimitOf(name), schema: inputSchemaOf(command.input) }),
    reference: { search, body: command.input, answer, status: command.creates ? 201 : 200, paged: false },
    handle: async (call, context) => {
      const { input } = await parseParts({
        parameters: () => parseQuery(search, call.search),
        input: () => parseInput(command.input, mergeInputs(call.body, call.search, search)),
      });
      const { environment } = call.caller;
      const outcome = await runCommand({ call, command, input, environment, checksIfMatch }, context);
      return await answerWhenVisible(outcome, await responseOf(outcome, context.commandPorts.records), context);
    },
  };
}

/**
 * Merges the query parameters of the command's input into the body, valid or not, so that one refusal names the wrong fields of both.
 * @throws {Refusal} `invalid_request` when body and query string differ
 */
function mergeInputs(body: Body, text: string, search: z.ZodObject): Body {
  const parameters = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(search.shape, name));
  for (const [name, value] of parameters) {
    const inBody = body[name];
    if (typeof inBody === 'string' && normalise(inBody) !== normalise(value)) {
      throw wrongField(name, 'must name the same policy in the body and in the query string');
    }
  }
  return { ...Object.fromEntries(parameters), ...body };
}
