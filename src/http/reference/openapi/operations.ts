import { z } from 'zod';
import { noParameters } from '../../api/messages/query-string.ts';
import type { AnyCommand } from '#commands/command.ts';
import { COMMANDS } from '#commands/registry.ts';
import { resultSchemaOf } from '../../api/handlers/command-route.ts';
import { ROLES } from '#domain/values/rights.ts';
import { exampleBodyOf, platformRolesOf } from '../../api/routers/admin.ts';
import { type ProblemCode, PROBLEM_TYPES } from '../../api/messages/problem-types.ts';
import {
  type Role,
  type Route,
  type RouteReference,
  runsCommand,
  sendsBody,
  takesIdempotencyKey,
} from '../../server/route.ts';
import type { Json, RequestExample, Tag } from './page.ts';

export interface Operation {
  readonly id: string;
  /** Of the query or command. */
  readonly name: string;
  readonly key: string;
  readonly route: Route;
  readonly path: string;
  readonly summary: string;
  readonly tag: Tag;
  readonly description: string;
  readonly errors: readonly ProblemCode[];
  readonly example: RequestExample;
  /** Schema of the result of a command of the platform. */
  readonly result?: z.ZodType | undefined;
  readonly command?: AnyCommand;
}

export function takesIfMatch({ route, command }: Pick<Operation, 'route' | 'command'>): boolean {
  return (command ?? route.reference).takesIfMatch === true;
}

type RouteOrCommand = { readonly route: Route; readonly command?: AnyCommand | undefined };

/** Returns the roles of an operation; undefined where it needs no key. */
export function rolesOf({ route, command }: RouteOrCommand): readonly Role[] | undefined {
  if (route.roles === 'anyone') return undefined;
  return command === undefined ? route.roles : platformRolesOf(command);
}

export function isAsset({ path }: Pick<Route, 'path'>): boolean {
  return /^\/docs\/.+\.(?:css|js|png|json)$|^\/console|^\/sign-in|^\/docs\/guides/.test(path);
}

/**
 * Returns the operations of a route: none for assets and the page of `/`, one per command for the route of admin
 * commands.
 */
export function operationsOf(route: Route): readonly Operation[] {
  const { name, summary, path, reference, tag = 'Service' } = route;
  if (path === '/' || isAsset(route)) return [];
  if (path.endsWith('/:command')) return COMMANDS.map((command) => commandOperation(route, command));
  const documentedPath = path.replace(/:(\w+)/g, '{$1}') + (route.endsInSlash === true ? '/' : '');
  const { description = summary, errors = [], example = {} } = reference;
  const own = {
    tag,
    description,
    errors,
    example: { ...example, path: { ...pathExample(reference), ...example.path } },
  };
  return [{ id: name, name, key: name, route, path: documentedPath, summary, ...own }];
}

/** Returns the examples of the schemas of path parameters. */
function pathExample({ path = noParameters }: RouteReference): Readonly<Record<string, Json>> {
  const { properties = {} } = z.toJSONSchema(path, { io: 'input', unrepresentable: 'any' });
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const [example] = (typeof schema === 'object' && (schema.examples as Json[] | undefined)) || [];
      return example === undefined ? [] : [[name, example]];
    }),
  );
}

function commandOperation(route: Route, command: AnyCommand): Operation {
  const { name, summary, description, errors } = command;
  return {
    id: `Admin${name}`,
    name,
    key: `admin/${name}`,
    route,
    path: route.path.replace(':command', name),
    summary,
    tag: 'Platform',
    description,
    errors,
    example: { body: exampleBodyOf(command) },
    result: resultSchemaOf(command),
    command,
  };
}

/** Returns all codes of an operation by status: its own, and those of its kind. */
export function codesOf(operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> {
  const { errors } = operation;
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...generalCodesOf(operation), ...errors])) {
    const { status } = PROBLEM_TYPES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (takesIfMatch(operation)) byStatus.set(412, ['precondition_failed']);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Returns the codes that every operation of its kind has. */
export function generalCodesOf({ route, command }: RouteOrCommand): readonly ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request'];
  if (route.roles === 'anyone') return codes;
  codes.push('api_key_missing', 'api_key_invalid', 'api_key_expired', 'session_ended');
  if (route.method !== 'GET') codes.push('cross_site');
  if (!ROLES.every((role) => rolesOf({ route, command })?.includes(role))) {
    codes.push(route.wrongRoleCode);
  }
  // A key that may only read.
  if (runsCommand(route) && !codes.includes('forbidden')) codes.push('forbidden');
  // The session of a person names an environment, which the read models have.
  if (rolesOf({ route, command })?.includes('merchant') === true)
    codes.push('rate_limited', 'environment_not_found', 'read_models_building');
  if (sendsBody(route)) codes.push('malformed_body', 'body_too_large', 'unsupported_media_type', 'busy');
  if (takesIdempotencyKey(route)) {
    codes.push('event_too_large');
    // A command with an identity from its input ignores the idempotency key.
    if (command?.identity === undefined) codes.push('idempotency_key_reused');
  } else if (route.kind === 'command') {
    codes.push('busy');
  } else if (route.kind === 'query') {
    codes.push('position_not_reached', 'busy');
    if (route.reference.readsOnlyLog !== true) codes.push('read_models_building');
    if (route.path.includes('/:') && route.reference.paged !== true) codes.push('document_parked');
  }
  return [...codes, 'internal_error', 'unavailable'];
}
