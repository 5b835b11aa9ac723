import { z } from 'zod';
import type { AnyCommand } from '#commands/command.ts';
import type { CommandOutcome } from '#event-sourcing/executor/request.ts';
import { normalise } from '#event-sourcing/identifiers.ts';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { RESOURCE_SCHEMAS } from '#projections/resources.ts';
import { Refusal, type RefusalCode, wrongField } from '#domain/refusals.ts';
import type { BodyStream, QueryContext } from '#queries/query.ts';
import type { HttpDependencies } from '../../server/dependencies.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyRulesOf } from '../bodies/command-body.ts';
import { noParameters, parseParts, parseQuery } from '../messages/query-string.ts';
import type { Json, RequestExample } from '../../reference/openapi/page.ts';
import type { AuthenticatedCall, AuthenticatedRoute, Method, Parameters, Role } from '../../server/route.ts';
import { turnsOf } from './next-turn.ts';
import { keyOf } from './query-context.ts';
import { previewOf, previewResponse, respondWhenVisible, runCommand } from './run-command.ts';

interface PublicCommand {
  readonly command: AnyCommand;
  readonly roles?: readonly Role[];
  readonly problemMembers?: Readonly<Record<string, unknown>>;
  readonly search?: z.ZodObject;
  /** Query parameters that only select what the response shows (`DISPLAY_PARAMETERS`). */
  readonly display?: z.ZodObject;
  /** The member of the command's input that the parameter of the path has, and the body leaves out. */
  readonly inPath?: PathMember;
  /** Schema of the response; default: that of the result of the command. */
  readonly response?: z.ZodType;
  /**
   * Makes the body of the response, JSON text; default: the result of the command. Called after the read models reflect
   * it.
   */
  readonly bodyOf?: (
    outcome: CommandOutcome,
    context: HttpDependencies,
    call: Pick<QueryContext, 'nextTurn' | 'reader' | 'key'> & { readonly query: Readonly<Record<string, unknown>> },
  ) => Promise<string | BodyStream>;
  readonly method?: Exclude<Method, 'GET'>;
  /**
   * The member of the result that says `preview` in the response to `?preview=true`; without it there is no preview.
   */
  readonly previewField?: string;
  /** Follows the description of the command in the API reference. */
  readonly addendum?: string;
  /** Query parameters of the example request. */
  readonly exampleQuery?: RequestExample['query'];
  /** Values of the example form, where the body may be a form with files. */
  readonly exampleForm?: Json;
}

interface PathMember {
  readonly member: string;
  /** A malformed id gets the same refusal as one that does not exist. */
  readonly notFound: RefusalCode;
}

type Body = AuthenticatedCall['body'];

export function commandRoute(path: string, definition: PublicCommand): AuthenticatedRoute {
  const {
    command,
    roles = ['merchant'],
    problemMembers,
    search = noParameters,
    display = noParameters,
    inPath,
    response = resultSchemaOf(command) ?? z.unknown(),
    bodyOf = resultOf,
    method = 'POST',
    previewField,
  } = definition;
  const shown = search.extend(display.shape);
  const parameters = previewField === undefined ? shown : shown.extend(previewSearch);
  const { name, summary } = command;
  const parameter = inPath && parameterOf(path, inPath, command);
  const bodySchema = parameter?.body ?? command.input;
  return {
    name,
    summary,
    method,
    path,
    kind: 'command',
    roles,
    hasPreview: previewField !== undefined,
    wrongRoleCode: definition.roles === undefined ? 'merchant_key_required' : 'forbidden',
    ...(problemMembers === undefined ? {} : { problemMembers }),
    body: () => bodyRulesOf(inputSchemaOf(bodySchema)),
    reference: {
      description: descriptionOf(definition),
      errors: inPath === undefined ? command.errors : [inPath.notFound, ...command.errors],
      example: exampleOf(definition, parameter),
      ...(parameter && { path: parameter.schema }),
      search: parameters,
      body: bodySchema,
      response,
      status: command.creates ? 201 : 200,
      takesIfMatch: command.takesIfMatch,
    },
    handle: async (call, context) => {
      const { body, query } = await parseParts({
        query: () => parseQuery(parameters, call.search) as { readonly preview?: string },
        body: () => parseInput(bodySchema, mergeInputs(call.body, call.search, search)),
      });
      const input = parameter === undefined ? body : { ...(body as object), ...parameter.valueIn(call.parameters) };
      const { environment } = call.caller;
      if (previewField !== undefined && query.preview === 'true') {
        const { result } = await previewOf({ call, command, input, environment }, context);
        return previewResponse({ ...result, [previewField]: 'preview' });
      }
      const outcome = await runCommand({ call, command, input, environment }, context);
      return await respondWhenVisible(
        outcome,
        async () => {
          const { reader, id } = call.caller;
          const key = keyOf(call.caller);
          return await bodyOf(outcome, context, { nextTurn: turnsOf(call.response, id), reader, key, query });
        },
        context,
      );
    },
  };
}

/** Returns the schema of the result of a command; undefined where it states none. */
export function resultSchemaOf({ response, resource }: AnyCommand): z.ZodType | undefined {
  return response ?? (resource && RESOURCE_SCHEMAS[resource]);
}

/** Returns the description of the command, and what the route adds to it. */
function descriptionOf({ command, addendum, previewField, problemMembers }: PublicCommand): string {
  const texts = [command.description, addendum];
  if (previewField !== undefined)
    texts.push(
      `\`?preview=true\` responds what the same request would do now, with \`${previewField}: "preview"\`, and changes nothing; it takes no notice of an \`Idempotency-Key\`.`,
    );
  for (const [name, value] of Object.entries(problemMembers ?? {}))
    texts.push(`Every problem of this operation has the member \`${name}: ${JSON.stringify(value)}\`.`);
  return texts.filter((text) => text !== undefined).join('\n\n');
}

interface PathParameter extends PathMember {
  readonly name: string;
  readonly schema: z.ZodObject;
  /** The rest of the input. */
  readonly body: z.ZodType;
  /** @throws {Refusal} when the value is invalid */
  valueIn(parameters: Parameters): object;
}

/** @param path has one parameter */
function parameterOf(path: string, { member, notFound }: PathMember, { input }: AnyCommand): PathParameter {
  const [, name = ''] = /:(\w+)/.exec(path) ?? [];
  const { [member]: value = z.never(), ...others } = (input as z.ZodObject<Record<string, z.ZodType>>).shape;
  const schema = z.strictObject({ [name]: value });
  return {
    member,
    notFound,
    name,
    schema,
    body: z.strictObject(others),
    valueIn: (parameters) => {
      const parsed = schema.safeParse(parameters);
      if (!parsed.success) throw new Refusal(notFound);
      return { [member]: parsed.data[name] };
    },
  };
}

/** Returns the example of the command, whose member in the path is a parameter. */
function exampleOf(definition: PublicCommand, parameter: PathParameter | undefined): RequestExample {
  const { exampleQuery, exampleForm } = definition;
  const members = { ...(definition.command.example as JsonObject) };
  const path = parameter && { [parameter.name]: members[parameter.member] ?? null };
  if (parameter !== undefined) delete members[parameter.member];
  return {
    ...(path && { path }),
    ...(exampleQuery && { query: exampleQuery }),
    body: members,
    ...(exampleForm && { form: exampleForm }),
  };
}

type JsonObject = Record<string, Json>;

const previewSearch = {
  preview: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .meta({ description: '`true` responds what the same request would do now, and changes nothing' }),
};

async function resultOf({ result }: CommandOutcome): Promise<string> {
  return await Promise.resolve(JSON.stringify(result));
}

/**
 * Merges the query parameters of the command's input into the body, valid or not, so that one refusal names the wrong
 * fields of both.
 * @throws {Refusal} `invalid_request` when body and query string differ
 */
function mergeInputs(body: Body, text: string, search: z.ZodObject): Body {
  const parameters = [...new URLSearchParams(text)].filter(([name]) => Object.hasOwn(search.shape, name));
  for (const [name, value] of parameters) {
    const inBody = body[name];
    if (typeof inBody === 'string' && normalise(inBody) !== normalise(value)) {
      throw wrongField(name, 'must be the same in the body and in the query string');
    }
  }
  return { ...Object.fromEntries(parameters), ...body };
}
