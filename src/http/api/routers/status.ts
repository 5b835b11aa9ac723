import { z } from 'zod';
import { instant } from '#event-sourcing/time.ts';
import { BEFORE_FIRST_EVENT } from '#read-side/projector.ts';
import { withTimeout } from '#stores/shared/timing.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import { type AuthenticatedRoute, type RouteContext, routesOf } from '../../server/route.ts';

const position = z.string().regex(/^\d+$/).nullable();

const statusSchema = z
  .strictObject({
    checks: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'Heading of the runbook that says what to do' }),
          ok: z.boolean(),
          reason: z
            .string()
            .nullable()
            .meta({ description: 'Of a failure, or with `ok` of a warning; null without one' }),
        }),
      )
      .meta({ description: 'The checks of `/readyz` of the process that answers' }),
    head: position.meta({ description: 'Position of the newest event' }),
    read_models: z.array(
      z.strictObject({
        name: z.string(),
        position: position.meta({ description: 'Position up to which its documents reflect the log' }),
        parked: z.int().nullable().meta({ description: 'Number of its parked documents' }),
      }),
    ),
    roles: z
      .array(
        z.strictObject({
          name: z.string(),
          leader: z
            .string()
            .nullable()
            .meta({ description: 'The process that holds the lease: host, process id and a random id' }),
          since: instant
            .nullable()
            .meta({ description: 'Known for roles that the process that answers leads; else null' }),
        }),
      )
      .meta({ description: 'The roles of which one process at a time is the leader' }),
    relay: z
      .strictObject({
        position: position.meta({ description: 'Position of the last public event that Kafka has acknowledged' }),
        lag_seconds: z
          .number()
          .nonnegative()
          .nullable()
          .meta({ description: 'Age of the oldest public event after it' }),
      })
      .meta({ description: 'Both null where no public events are sent to Kafka' }),
    disk: z
      .strictObject({ free_bytes: z.int().nullable(), total_bytes: z.int().nullable() })
      .meta({ description: 'The disk of the data folder; both null where the process that answers writes to none' }),
  })
  .meta({ id: 'Status' });

/** A store that does not answer must not hide the others. */
const TIMEOUT_MS = 2_000;

async function readOrNull<T>(read: () => Promise<T>): Promise<T | null> {
  return await withTimeout(read(), TIMEOUT_MS, () => null).catch(() => null);
}

async function readStatus(context: RouteContext): Promise<z.infer<typeof statusSchema>> {
  const { health, commandPorts, collections, status } = context;
  const [results, head, read_models, roles, relay, disk] = await Promise.all([
    health.results(),
    readOrNull(async () => await commandPorts.eventStore.lastPosition()),
    Promise.all([...collections.keys()].map(async (name) => await readCollection(name, context))),
    readOrNull(status.readRoles),
    readOrNull(status.readRelay),
    readOrNull(status.readDisk),
  ]);
  return {
    checks: results.map(({ name, ok, reason }) => ({ name, ok, reason: reason ?? null })),
    head: head?.toString() ?? null,
    read_models,
    roles: (roles ?? []).map((role) => ({ ...role })),
    relay: { position: relay?.position.toString() ?? null, lag_seconds: relay?.lagSeconds ?? null },
    disk: { free_bytes: disk?.free ?? null, total_bytes: disk?.total ?? null },
  };
}

async function readCollection(name: string, { readModels, projector }: RouteContext) {
  const parked = await readOrNull(async () => await readModels.countParked(name));
  const { position = BEFORE_FIRST_EVENT } = projector.status();
  return { name, position: position === BEFORE_FIRST_EVENT ? null : String(position), parked };
}

export const statusRoutes = routesOf<AuthenticatedRoute>('Platform', [
  {
    name: 'GetStatus',
    summary: 'Returns the state of the installation: checks, read models, leaders, relay and disk.',
    method: 'GET',
    path: '/api/v1/admin/status/',
    kind: 'platform',
    roles: ['admin', 'auditor'],
    wrongRoleCode: 'forbidden',
    reference: {
      description: `What an operator looks at first. \`checks\` are those of \`/readyz\` of the process that answers, each named like the heading of the runbook that says what to do. What only other processes do is read from the stores that they share: positions of the
read models, the holders of the leases, the checkpoint of the relay. A holder that died is shown for 8 seconds, until its lease expires. What a store does not answer within 2 s is null.

On a data folder one process has all roles; \`leader\` is its host and process id.`,
      search: noParameters,
      response: statusSchema,
    },
    handle: async ({ search }, context) => {
      parseQuery(noParameters, search);
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
      const body = JSON.stringify(await readStatus(context));
      return { status: 200, headers: { ...headers, Vary: 'X-API-Key' }, body };
    },
  },
]);
