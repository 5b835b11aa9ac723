import { z } from 'zod';
import type { AnyCommand } from '#commands/command.ts';
import { importClaim } from '#commands/claim/import-claim.ts';
import { importPolicyTerm } from '#commands/policy/import-policy-term.ts';
import { COMMANDS, findCommand } from '#commands/registry.ts';
import { listMailJobs, listParked, listPersons, listPlatformKeys } from '#queries/operator-lists.ts';
import { parsePlatformInput } from '../handlers/command-input.ts';
import { Refusal } from '#domain/refusals.ts';
import { respondWhenVisible, runCommand } from '../handlers/run-command.ts';
import { inputSchemaOf } from '../bodies/coerce.ts';
import { bodyRulesOf, MANY_MEMBERS } from '../bodies/command-body.ts';
import { noParameters, parseParts, parseQuery } from '../messages/query-string.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { Json } from '../../reference/openapi/page.ts';
import { type AuthenticatedRoute, type Parameters, type Role, routesOf } from '../../server/route.ts';

type JsonObject = Readonly<Record<string, Json>>;

const LIST_PATH = '/api/v1/admin/commands';
const commandEntry = z
  .strictObject({
    name: z.string(),
    summary: z.string(),
    path: z.string(),
    creates: z.boolean(),
    body: z.record(z.string(), z.json()).meta({ description: 'JSON Schema of the body' }),
  })
  .meta({ id: 'CommandEntry' });

const outcomeSchema = z.strictObject({
  command: z.string(),
  stream: z.string(),
  revision: z.int(),
  position: z.string(),
  events: z.array(z.strictObject({ id: z.uuid(), type: z.string() })),
  result: z.record(z.string(), z.json()),
});

/** Cached, because the schemas of all commands take time to make. */
const commandLists = new Map<Role, string>();

const listCommandsRoute: AuthenticatedRoute = {
  name: 'ListCommands',
  summary: 'Lists all commands with the JSON Schemas of their bodies.',
  method: 'GET',
  path: LIST_PATH,
  kind: 'platform',
  roles: ['insurer', 'claims', 'admin', 'auditor'],
  wrongRoleCode: 'forbidden',
  reference: {
    description:
      'The commands that the role of the key runs (of an auditor: all), with the JSON Schemas of their bodies. Other names answer 404 `command_not_found`.',
    search: noParameters,
    response: z.strictObject({ commands: z.array(commandEntry) }),
  },
  handle: (call) => {
    parseQuery(noParameters, call.search);
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-cache' };
    return { status: 200, headers: { ...headers, Vary: 'X-API-Key' }, body: commandListFor(call.caller.reader.role) };
  },
};

/** Returns the list of the commands that a role runs; of all for an auditor, who runs none. */
function commandListFor(role: Role): string {
  const known = commandLists.get(role);
  if (known !== undefined) return known;
  const commands = COMMANDS.filter((command) => role === 'auditor' || platformRolesOf(command).includes(role));
  const list = JSON.stringify({ commands: commands.map(entryOf) });
  commandLists.set(role, list);
  return list;
}

/** Returns the roles that run a command by its name: for the others merchants have operations of their own. */
export function platformRolesOf({ roles, isOwn }: Pick<AnyCommand, 'roles' | 'isOwn'>): readonly Role[] {
  return isOwn === true ? roles : roles.filter((role) => role !== 'merchant');
}

function entryOf(command: AnyCommand): z.infer<typeof commandEntry> {
  const { name, summary, creates = false } = command;
  return { name, summary, path: `${LIST_PATH}/${name}`, creates, body: bodySchemaOf(command) };
}

export function bodySchemaOf(command: AnyCommand): z.infer<typeof commandEntry>['body'] {
  return withEnvironment(inputSchemaOf(command.input), command) as z.infer<typeof commandEntry>['body'];
}

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

/** Returns the body of the example request to the platform. */
export function exampleBodyOf({ example, inEnvironment }: AnyCommand): JsonObject {
  const body = { ...(example as JsonObject) };
  return inEnvironment === true ? { ...body, environment_id: 1 } : body;
}

const IMPORTS: ReadonlySet<AnyCommand> = new Set([importPolicyTerm, importClaim]);

function getCommand({ command: name = '' }: Parameters): AnyCommand {
  const command = findCommand(name);
  if (command === undefined)
    throw new Refusal(
      'command_not_found',
      'There is no command of this name; GET /api/v1/admin/commands, or surety command --list, lists them',
    );
  return command;
}

const runCommandRoute: AuthenticatedRoute = {
  name: 'RunCommand',
  summary: 'Runs a command of the platform.',
  method: 'POST',
  path: `${LIST_PATH}/:command`,
  kind: 'platform',
  roles: ['insurer', 'claims', 'admin'],
  rolesFor: (parameters) => platformRolesOf(getCommand(parameters)),
  readersMay: (parameters) => getCommand(parameters).isOwn === true,
  wrongRoleCode: 'forbidden',
  body: (parameters) => {
    const command = getCommand(parameters);
    return bodyRulesOf(bodySchemaOf(command), IMPORTS.has(command) ? MANY_MEMBERS : undefined);
  },
  reference: {
    // Of a name that is no command's.
    errors: ['command_not_found'],
    search: noParameters,
    body: z.record(z.string(), z.json()),
    response: outcomeSchema,
  },
  handle: async (call, context) => {
    const command = getCommand(call.parameters);
    const { input } = await parseParts({
      search: () => parseQuery(noParameters, call.search),
      input: () => parsePlatformInput(command, call.body, context.findEnvironment),
    });
    const outcome = await runCommand({ ...input, call, command }, context);
    const response: z.infer<typeof outcomeSchema> = {
      command: outcome.command,
      stream: outcome.stream,
      revision: outcome.revision,
      position: String(outcome.position),
      events: outcome.events.map(({ id, storedType }) => ({ id, type: storedType })),
      result: outcome.result as Record<string, never>,
    };
    return await respondWhenVisible(outcome, JSON.stringify(response), context);
  },
};

export const platformRoutes = routesOf<AuthenticatedRoute>('Platform', [
  queryRoute('/api/v1/admin/keys', listPlatformKeys),
  queryRoute('/api/v1/admin/persons/', listPersons),
  queryRoute('/api/v1/admin/parked', listParked),
  queryRoute('/api/v1/admin/mail-jobs', listMailJobs),
  listCommandsRoute,
  runCommandRoute,
]);
