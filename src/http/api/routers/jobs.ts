import { requestRebuild } from '#commands/rebuild/request-rebuild.ts';
import { getRebuild, listRebuilds, rebuildResource, rebuildSchema } from '#queries/rebuilds.ts';
import { getVerification, listVerifications, verificationSchema } from '#queries/verifications.ts';
import { getPortfolio } from '#queries/portfolio/get-portfolio.ts';
import { commandRoute } from '../handlers/command-route.ts';
import { requireBuilt } from '../handlers/positions.ts';
import { ifMatchOf } from '../handlers/run-command.ts';
import { queryRoute } from '../handlers/query-route.ts';
import { basePathOf } from '../messages/links.ts';
import { noParameters, parseQuery } from '../messages/query-string.ts';
import { type AuthenticatedRoute, routesOf } from '../../server/route.ts';

const REBUILDS = '/api/v1/admin/rebuilds';

const requested = commandRoute(REBUILDS, {
  command: requestRebuild,
  roles: ['admin'],
  response: rebuildSchema,
  bodyOf: async ({ result, replayed }, { commandPorts: { eventStore }, readModels, projector }) => {
    const { rebuild_id, requested_at } = result;
    const requested = { rebuild_id, state: 'running', reason: null, requested_at, progress: null };
    const context = { eventStore, readModels, rebuild: projector.status().rebuild };
    return JSON.stringify(replayed ? await rebuildResource(String(rebuild_id), context) : requested);
  },
});

/** The rebuild runs after the response. */
const requestRebuildRoute: AuthenticatedRoute = {
  ...requested,
  reference: { ...requested.reference, status: 202 },
  handle: async (call, context) => ({ ...(await requested.handle(call, context)), status: 202 }),
};

export const rebuildRoutes = routesOf<AuthenticatedRoute>('Platform', [
  requestRebuildRoute,
  queryRoute(REBUILDS, listRebuilds),
  queryRoute(`${REBUILDS}/:rebuild_id`, getRebuild),
]);

const VERIFICATIONS = '/api/v1/admin/verifications';

/** The verification runs after the response. */
const startVerificationRoute: AuthenticatedRoute = {
  name: 'StartVerification',
  summary: 'Starts a verification of the event log and of the read models.',
  method: 'POST',
  path: VERIFICATIONS,
  kind: 'platform',
  roles: ['admin', 'auditor'],
  wrongRoleCode: 'forbidden',
  reference: {
    description: `First reads every event of the log: that it is as it was appended and matches its schema, that none is missing, that ids are unique, and that revisions and times rise in each
stream. With a fault nothing else is compared: the log is restored from a backup, and the read models are kept until then. Otherwise recomputes
every document of the read models from the event log, in a thread of its own and into a temporary file, and compares it with the stored one byte for byte. It also
compares the content of every claim document with its SHA-256. Requests are served meanwhile; a document that changes meanwhile is compared as it is after
its own newest event.

Poll the verification in \`Location\` until its \`state\` is not \`running\`. One runs at a time; a request meanwhile is refused (429) with its \`verification_id\`. \`surety verify --url\` does all of it.`,
    errors: ['verification_running', 'read_models_building'],
    search: noParameters,
    response: verificationSchema,
    status: 202,
    hasLocation: true,
  },
  handle: async ({ search, request }, context) => {
    parseQuery(noParameters, search);
    ifMatchOf({}, request.headers);
    requireBuilt(context);
    const verification = await context.startVerification();
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'X-API-Key',
      Location: `${basePathOf(context.publicUrl)}${VERIFICATIONS}/${verification.verification_id}/`,
    };
    return { status: 202, headers, body: JSON.stringify(verification) };
  },
};

export const auditRoutes = routesOf<AuthenticatedRoute>('Platform', [
  queryRoute('/api/v1/audit/portfolio/', getPortfolio),
  startVerificationRoute,
  queryRoute(VERIFICATIONS, listVerifications),
  queryRoute(`${VERIFICATIONS}/:verification_id`, getVerification),
]);
