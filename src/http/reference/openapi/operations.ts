import { z } from 'zod';
import { noParameters } from '../../api/messages/query-string.ts';
import type { AnyCommand } from '#commands/command.ts';
import { COMMANDS } from '#commands/registry.ts';
import { customerDetailsSchema } from '#projections/customers/customer-resource.ts';
import { type ProblemCode, PROBLEM_TYPES } from '../../api/messages/problem-types.ts';
import { type Route, type RouteReference, sendsBody, takesIdempotencyKey } from '../../server/route.ts';
import type { Json, RequestExample, Tag } from './page.ts';

/** Paths that are documented with a trailing slash. Both forms work. */
const WITH_SLASH: ReadonlySet<string> = new Set([
  '/api/v1/quotes/:quote_code',
  '/api/v1/products/:id',
  '/api/v1/insurers',
  '/api/v1/providers/search',
  '/api/v1/onboarding/providers/registration',
  '/api/v1/policies',
  '/api/v1/policies/:policy_id',
  '/api/v1/policies/:policy_id/claims',
  '/api/v1/policies/:policy_id/history',
  '/api/v1/policies/renew',
  '/api/v1/customers/:id',
  '/api/v1/customers/:id/claims',
  '/api/v1/customers/:id/history',
  '/api/v1/claims/:id',
  '/api/v1/claims/:id/history',
  '/api/v1/claims/:id/documents',
  '/api/v1/claims/:id/offer/accept',
  '/api/v1/claims/:id/offer/reject',
  '/api/v1/merchants/:short_code',
  '/api/v1/merchants/:short_code/history',
  '/api/v1/merchants/:short_code/policies',
  '/api/v1/merchants/:short_code/customers',
  '/api/v1/merchants/:short_code/claims',
  '/api/v1/merchants/:short_code/verify',
  '/api/v1/environments/:id',
  '/api/v1/events',
  '/api/v1/admin/status',
  '/api/v1/audit/portfolio',
  '/docs',
  '/docs/public-events',
]);

export interface Operation {
  readonly id: string;
  readonly key: string;
  readonly route: Route;
  readonly path: string;
  readonly summary: string;
  readonly tag: Tag;
  readonly description: string;
  readonly errors: readonly ProblemCode[];
  readonly example: RequestExample;
  /** Schema of the result of a command of the back office. */
  readonly result?: z.ZodType | undefined;
  readonly command?: AnyCommand;
}

export function takesIfMatch({ route, command }: Pick<Operation, 'route' | 'command'>): boolean {
  return (command ?? route.reference).takesIfMatch === true;
}

export function isAsset({ path }: Pick<Route, 'path'>): boolean {
  return /^\/docs\/.+\.(?:css|js|png|json)$|^\/console|^\/docs\/guides/.test(path);
}

/** Returns the operations of a route: none for assets and the page of `/`, one per command for the route of admin commands. */
export function operationsOf(route: Route): readonly Operation[] {
  const { name, summary, path, reference, tag = 'Service' } = route;
  if (path === '/' || isAsset(route)) return [];
  if (path.endsWith('/:command')) return COMMANDS.map((command) => commandOperation(route, command));
  const documentedPath = path.replace(/:(\w+)/g, '{$1}') + (WITH_SLASH.has(path) ? '/' : '');
  const { description = summary, errors = [], example = {} } = reference;
  const own = {
    tag,
    description,
    errors,
    example: { ...example, path: { ...pathExample(reference), ...example.path } },
  };
  return [{ id: name, key: name, route, path: documentedPath, summary, ...own }];
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

/** Results that are resources, whose schema the read side has. */
const RESOURCES: Readonly<Record<string, z.ZodType>> = { UpdateCustomer: customerDetailsSchema };

function commandOperation(route: Route, command: AnyCommand): Operation {
  const { name, summary, description = summary, errors = [], response, inEnvironment } = command;
  const example = command.example as Readonly<Record<string, Json>> | undefined;
  return {
    id: `Admin${name}`,
    key: `admin/${name}`,
    route,
    path: route.path.replace(':command', name),
    summary,
    tag: 'Back office',
    description,
    errors,
    example: { body: inEnvironment === true ? { ...example, environment_id: 1 } : { ...example } },
    result: response ?? RESOURCES[name],
    command,
  };
}

/** Returns all codes of an operation by status: its own, and those of its kind. */
export function codesOf(operation: Operation): ReadonlyMap<number, readonly ProblemCode[]> {
  const { route, errors, command } = operation;
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...generalCodes(route, command), ...errors])) {
    const { status } = PROBLEM_TYPES[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  if (takesIfMatch(operation)) byStatus.set(412, ['precondition_failed']);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

function generalCodes(route: Route, command: AnyCommand | undefined): readonly ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request'];
  if (route.roles === 'anyone') return codes;
  codes.push('api_key_missing', 'api_key_invalid');
  if (!(['merchant', 'admin', 'auditor'] as const).every((role) => route.roles.includes(role))) {
    codes.push(route.wrongRoleCode);
  }
  if (route.roles.includes('merchant')) codes.push('rate_limited');
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
