import { z } from 'zod';
import type { AnyCommand } from '../../../commands/command.ts';
import { COMMANDS, findCommand } from '../../../commands/registry.ts';
import { backOfficeInput, environmentFinder } from '../../back-office/command-input.ts';
import { parseInput } from '../../domain/input.ts';
import { Refusal } from '../../domain/refusals.ts';
import { carryOut, outcomeAnswer, presentedResult } from '../handlers/carry-out.ts';
import type { JsonSchema } from '../bodies/coerce.ts';
import { readCommandBody } from '../bodies/command-body.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { judgedTogether } from '../handlers/judged-together.ts';
import { parseSearch } from '../messages/query-string.ts';
import type { KeyedCall, KeyedRoute } from '../route.ts';

const LIST_PATH = '/api/v1/admin/commands';
const COMMAND_PATH = `${LIST_PATH}/:command`;
const noParameters = z.strictObject({});

const commandEntry = z
  .strictObject({
    name: z.string(),
    summary: z.string(),
    path: z.string(),
    creates: z.boolean(),
    body: z.record(z.string(), z.json()).meta({ description: 'JSON Schema of the body' }),
  })
  .meta({ id: 'CommandEntry' });

const outcomeShape = z.strictObject({
  command: z.string(),
  stream: z.string(),
  revision: z.int(),
  position: z.string(),
  events: z.array(z.strictObject({ id: z.uuid(), type: z.string() })),
  result: z.record(z.string(), z.json()),
});

/** The back office (`decisions`: Back office): all commands, listed and run. */
export function adminCommandRoutes(dependencies: HttpDependencies): readonly KeyedRoute[] {
  return [listRoute(), runRoute(dependencies)];
}

function listRoute(): KeyedRoute {
  const body = JSON.stringify({ commands: COMMANDS.map(entryOf) });
  return {
    name: 'ListCommands',
    summary: 'Lists all commands with the JSON Schemas of their bodies.',
    method: 'GET',
    path: LIST_PATH,
    kind: 'admin',
    roles: ['admin', 'auditor'],
    otherRoles: 'forbidden',
    reference: {
      search: noParameters,
      body: undefined,
      answer: z.strictObject({ commands: z.array(commandEntry) }),
      status: 200,
      paged: false,
    },
    handle: async (call) => {
      parseInput(noParameters, parseSearch(call.search));
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };
      return { status: 200, headers: { ...headers, Vary: 'X-API-Key' }, body };
    },
  };
}

function entryOf(command: AnyCommand): z.infer<typeof commandEntry> {
  const { name, summary, creates } = command;
  return { name, summary, path: `${LIST_PATH}/${name}`, creates, body: bodySchemaOf(command) };
}

/** JSON Schema of a command's body in the back office. */
function bodySchemaOf(command: AnyCommand): z.infer<typeof commandEntry>['body'] {
  const schema = z.toJSONSchema(command.input, { io: 'input', unrepresentable: 'any' });
  return withEnvironment(schema, command) as z.infer<typeof commandEntry>['body'];
}

/** The schema of a command's input, and `environment_id` where the command acts in an environment. */
export function withEnvironment(
  schema: z.core.JSONSchema.BaseSchema,
  { inEnvironment }: Pick<AnyCommand, 'inEnvironment'>,
): z.core.JSONSchema.BaseSchema {
  if (!inEnvironment) return schema;
  const { properties, required = [] } = schema;
  return {
    ...schema,
    properties: { ...properties, environment_id: { type: 'integer', exclusiveMinimum: 0 } },
    required: [...required, 'environment_id'],
  };
}

function runRoute(dependencies: HttpDependencies): KeyedRoute {
  const findEnvironment = environmentFinder(dependencies.commandPorts.eventStore);
  const bodySchemas = new Map(COMMANDS.map((command) => [command.name, bodySchemaOf(command) as JsonSchema]));
  return {
    name: 'RunCommand',
    summary: 'Runs a command of the back office.',
    method: 'POST',
    path: COMMAND_PATH,
    kind: 'admin',
    roles: ['admin'],
    otherRoles: 'forbidden',
    reference: {
      search: noParameters,
      body: z.record(z.string(), z.json()),
      answer: outcomeShape,
      status: 200,
      paged: false,
    },
    handle: async (call: KeyedCall) => {
      const command = findCommand(call.parameters['command'] ?? '');
      if (command === undefined) throw new Refusal('command_not_found', 'There is no command of this name');
      const body = await readCommandBody(call.request, command, bodySchemas.get(command.name) ?? {});
      const { given } = await judgedTogether({
        search: () => parseInput(noParameters, parseSearch(call.search)),
        given: () => backOfficeInput(command, body, findEnvironment),
      });
      const asked = { ...given, call, route: { path: COMMAND_PATH }, command, body, conditional: true };
      const outcome = await carryOut(asked, dependencies);
      const answer: z.infer<typeof outcomeShape> = {
        command: outcome.command,
        stream: outcome.stream,
        revision: outcome.revision,
        position: String(outcome.position),
        events: outcome.events.map(({ id, type }) => ({ id, type })),
        result: (await presentedResult(outcome, dependencies.commandPorts.records)) as Record<string, never>,
      };
      return await outcomeAnswer(outcome, answer, dependencies);
    },
  };
}
