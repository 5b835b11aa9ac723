import { z } from 'zod';
import { parseInput } from '../domain/input.ts';
import { whyNotLevel } from '../projector/level.ts';
import type { HealthCheck, HttpDependencies, JudgedPart } from './dependencies.ts';
import { parseSearch } from './query-string.ts';
import type { Answer, Call, OpenRoute } from './route.ts';

/** How long a part may take to tell how it is. */
const PATIENCE_MS = 2_000;

const noParameters = z.strictObject({});
const alive = z.strictObject({ status: z.literal('alive'), version: z.string() });
const readiness = z.strictObject({
  status: z.enum(['ready', 'not_ready']),
  checks: z.array(z.strictObject({ name: z.string(), ok: z.boolean(), reason: z.string().optional() })),
});

/** Health and metrics: no key, no data. */
export function healthRoutes(dependencies: HttpDependencies): readonly OpenRoute[] {
  const checks = [...ownChecks(dependencies), ...(dependencies.healthChecks ?? [])];
  const { metrics, version } = dependencies;
  return [
    page('Live', 'Whether the process runs.', '/livez', alive, async () =>
      json(200, { status: 'alive', version } satisfies z.infer<typeof alive>),
    ),
    page(
      'Ready',
      'Whether the process can serve, and if not, which part is in the way.',
      '/readyz',
      readiness,
      async () => {
        const results = await Promise.all(checks.map(examined));
        const ready = results.every(({ ok }) => ok);
        const body: z.infer<typeof readiness> = { status: ready ? 'ready' : 'not_ready', checks: results };
        return json(ready ? 200 : 503, body);
      },
    ),
    page('Metrics', 'Figures for Prometheus.', '/metrics', z.string(), async () => ({
      status: 200,
      headers: { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' },
      body: await metrics.metrics(),
    })),
  ];
}

function page(name: string, summary: string, path: string, answer: z.ZodType, show: () => Promise<Answer>): OpenRoute {
  const reference = { search: noParameters, body: undefined, answer, status: 200, paged: false };
  const handle = async (call: Call): Promise<Answer> => {
    parseInput(noParameters, parseSearch(call.search));
    return await show();
  };
  return { name, summary, method: 'GET', path, kind: 'page', roles: 'anyone', reference, handle };
}

function json(status: number, body: object): Answer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: JSON.stringify(body) };
}

const ALL_PARTS: readonly JudgedPart[] = ['event_store', 'read_models', 'records', 'projector'];

function ownChecks({
  commandPorts,
  readModels,
  projector,
  judged = ALL_PARTS,
}: HttpDependencies): readonly HealthCheck[] {
  const answers = (name: JudgedPart, store: { ping(): Promise<void> }) => ({
    name,
    check: async () => {
      await store.ping();
      return undefined;
    },
  });
  const checks = [
    answers('event_store', commandPorts.eventStore),
    answers('read_models', readModels),
    answers('records', commandPorts.records),
    { name: 'projector' as const, check: async () => await Promise.resolve(whyNotLevel(projector.status())) },
  ];
  return checks.filter(({ name }) => judged.includes(name));
}

async function examined({ name, check }: HealthCheck): Promise<z.infer<typeof readiness>['checks'][number]> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`does not answer within ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
  try {
    const reason = await Promise.race([check(), late.promise]);
    return reason === undefined ? { name, ok: true } : { name, ok: false, reason };
  } catch {
    return { name, ok: false, reason: 'does not answer' };
  } finally {
    clearTimeout(timer);
  }
}
