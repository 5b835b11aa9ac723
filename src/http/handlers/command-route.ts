import type { z } from 'zod';
import type { AnyCommand } from '../../command-handling/command.ts';
import { normalise } from '../../event-sourcing/identifiers.ts';
import { parseInput } from '../../command-handling/parse-input.ts';
import { wrongField } from '../../domain/refusals.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyLimitOf } from '../bodies/command-body.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import type { KeyedCall, AuthenticatedRoute, Role } from '../route.ts';
import { answerWhenVisible, responseOf, runCommand } from './run-command.ts';
import { parseTogether } from './parse-together.ts';

/** A command that merchants run under a path of its own. */
interface PublicCommand {
  readonly command: AnyCommand;
  /** Default: merchants alone. */
  readonly roles?: readonly Role[];
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  /** Parameters of the query string that belong to the command's input. */
  readonly search?: z.ZodObject;
  /** `If-Match` is compared with the revision of what the command changes. */
  readonly conditional?: boolean;
  readonly answer: z.ZodType;
}

type Body = KeyedCall['body'];

/** Makes the route that runs a command. */
export function commandRoute(path: string, definition: PublicCommand): AuthenticatedRoute {
  const {
    command,
    roles = ['merchant'],
    problemMembers,
    search = noParameters,
    conditional = false,
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
      const { input } = await parseTogether({
        parameters: () => parseQuery(search, call.search),
        input: () => parseInput(command.input, joined(call.body, call.search, search)),
      });
      const { environment } = call.caller;
      const outcome = await runCommand({ call, command, input, environment, conditional }, context);
      return await answerWhenVisible(outcome, await responseOf(outcome, context.commandPorts.records), context);
    },
  };
}

/**
 * Joins the body and those query parameters that belong to the command's input, right or wrong, so that one refusal names the wrong
 * fields of both.
 * @throws {Refusal} `invalid_request` when they name different things
 */
function joined(body: Body, text: string, search: z.ZodObject): Body {
  const parameters = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(search.shape, name));
  for (const [name, value] of parameters) {
    const inBody = body[name];
    if (typeof inBody === 'string' && normalise(inBody) !== normalise(value)) {
      throw wrongField(name, 'must name the same policy in the body and in the query string');
    }
  }
  return { ...Object.fromEntries(parameters), ...body };
}
