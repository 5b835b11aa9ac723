import { requestRebuild } from '../../../commands/rebuild/request-rebuild.ts';
import { getRebuild, rebuildResource, rebuildSchema } from '../../../queries/get-rebuild.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { queryRoute } from '../handlers/query-route.ts';
import type { AuthenticatedRoute } from '../route.ts';

const PATH = '/api/v1/admin/rebuilds';
const ACCEPTED = 202;

const requested = commandRoute(PATH, {
  command: requestRebuild,
  roles: ['admin'],
  answer: rebuildSchema,
  bodyOf: async ({ result, replayed }, { commandPorts: { eventStore }, projector }) => {
    const { rebuild_id, collections, requested_at } = result;
    const unknown = { reason: null, ended_at: null, progress: null };
    const requested = { rebuild_id, state: 'running', collections, requested_at, ...unknown };
    const current = { eventStore, rebuild: projector.status().rebuild };
    return JSON.stringify(replayed ? await rebuildResource(String(rebuild_id), current) : requested);
  },
});

/** The rebuild runs after the answer. */
const requestRoute: AuthenticatedRoute = {
  ...requested,
  reference: { ...requested.reference, status: ACCEPTED },
  handle: async (call, context) => ({ ...(await requested.handle(call, context)), status: ACCEPTED }),
};

export const rebuildRoutes: readonly AuthenticatedRoute[] = [
  requestRoute,
  queryRoute(`${PATH}/:rebuild_id`, getRebuild),
];
