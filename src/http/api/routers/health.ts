import { z } from 'zod';
import { withTimeout } from '#stores/shared/timing.ts';
import { keyOfRequest } from '../session/identify.ts';
import { publicRoute } from '../handlers/public-route.ts';
import { isPlatform } from '#queries/query.ts';
import type { RouteResponse } from '../messages/response.ts';
import type { Call, PublicRoute, RouteContext } from '../../server/route.ts';

const KEY_TIMEOUT_MS = 2_000;

const alive = z.strictObject({ status: z.literal('alive'), version: z.string() });
const check = z.strictObject({
  name: z.string(),
  ok: z.boolean().meta({ description: 'Whether the part works. The process is ready when every part does' }),
  severity: z
    .enum(['failure', 'warning'])
    .optional()
    .meta({
      description:
        '`failure`: `ok` is false and the process is not ready. `warning`: `ok` is true and the operator should look at the part. ' +
        'Absent when there is neither',
    }),
  reason: z.string().optional().meta({
    description: 'Reason of the failure or warning; only for keys of the platform, because it may name addresses',
  }),
});
const readiness = z.strictObject({ status: z.enum(['ready', 'not_ready']), checks: z.array(check) });

export const healthRoutes: readonly PublicRoute[] = [
  publicRoute(
    {
      name: 'Live',
      summary: 'Returns whether the process runs.',
      path: '/livez',
      reference: {
        description: 'Answers while the process runs, regardless of its stores.',
        response: alive,
      },
    },
    (_call, { version }) => jsonResponse(200, { status: 'alive', version } satisfies z.infer<typeof alive>),
  ),
  publicRoute(
    {
      name: 'Ready',
      summary:
        'Returns whether the process is ready: 200, or 503 when a check fails. Lists every check; a key of the platform also gets the reason of a failure or warning.',
      path: '/readyz',
      reference: {
        description:
          '200 when all checks succeed, else 503. Both list every check. For load balancers and orchestrators.',
        response: readiness,
        otherStatus: 503,
      },
    },
    async ({ request }, { health, keyRing }) => {
      const [results, isPlatform] = await Promise.all([health.results(), isOfPlatform(request, keyRing)]);
      const ready = results.every(({ ok }) => ok);
      const checks = results.map(({ seconds: _, reason, ...fields }) =>
        isPlatform && reason !== undefined ? { ...fields, reason } : fields,
      );
      const body: z.infer<typeof readiness> = { status: ready ? 'ready' : 'not_ready', checks };
      return jsonResponse(ready ? 200 : 503, body);
    },
  ),
  publicRoute(
    {
      name: 'Metrics',
      summary: 'Returns metrics for Prometheus.',
      path: '/metrics',
      reference: {
        description: 'Metrics of requests, stores and processes in the text format of Prometheus.',
        response: z.string(),
        mediaType: 'text/plain',
      },
    },
    async (_call, { metrics }) => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
      body: await metrics.metrics(),
    }),
  ),
];

/** A key that cannot be checked, because a store does not answer, gets what a request without a key gets. */
async function isOfPlatform(request: Call['request'], keyRing: RouteContext['keyRing']): Promise<boolean> {
  const key = keyOfRequest(request);
  if (key === undefined) return false;
  const caller = await withTimeout(keyRing.authenticate(key), KEY_TIMEOUT_MS, () => undefined).catch(() => undefined);
  return caller !== undefined && isPlatform(caller.reader);
}

function jsonResponse(status: number, body: object): RouteResponse {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}
