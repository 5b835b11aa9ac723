import { inspect } from 'node:util';
import { waitUntilIgnoringErrors } from '../../support/wait-until.ts';
import type { Installation, ServerName } from './installation.ts';

/** The state of a server in health checks: `away` without a response, `slow` with one after more than 0.25 s. */
export type ReportedState = 'away' | 'slow';

/** Returns the names of a role's health checks for a server. */
function checksOf(server: ServerName, role: string): readonly string[] {
  switch (server) {
    case 'eventStore':
      return ['event_store'];
    case 'mongodb':
      return ['relay', 'mailer'].includes(role) ? ['records'] : ['records', 'read_models'];
    case 'kafka':
      return ['relay', 'mailer'].includes(role) ? ['kafka'] : [];
    case 'mail':
      return role === 'mailer' ? ['smtp'] : [];
    default:
      return server satisfies never;
  }
}

const TIMEOUT_MS = 15_000;

/**
 * Checks that within 15 s `/readyz` and `/metrics` of every process whose role needs the server report its state, and
 * that the other processes are ready then.
 */
export async function expectHealthReports(
  installation: Installation,
  server: ServerName,
  reported: ReportedState,
): Promise<void> {
  const names = [...installation.processes.keys()];
  const processes = names.map((name) => ({ name, checks: checksOf(server, name.split(' ')[0] ?? '') }));
  const needing = processes.filter(({ checks }) => checks.length > 0);
  await Promise.all(
    needing.map(async ({ name, checks }) => await expectReportsOf(installation, name, checks, reported)),
  );
  const others = processes.filter(({ checks }) => checks.length === 0);
  await Promise.all(others.map(async ({ name }) => await installation.waitUntilReady(name, TIMEOUT_MS)));
}

async function expectReportsOf(
  installation: Installation,
  name: string,
  checks: readonly string[],
  reported: ReportedState,
): Promise<void> {
  const expected = checks.map((check) => ({ check, readiness: reported, metrics: reported }));
  let found: unknown;
  await waitUntilIgnoringErrors(
    async () => {
      found = await Promise.all(checks.map(async (check) => await reportOf(installation, name, check)));
      return JSON.stringify(found) === JSON.stringify(expected);
    },
    () => `${name} reports ${inspect(found)}, not ${inspect(expected)}`,
    TIMEOUT_MS,
  );
}

/** Reads the state of a health check from `/readyz` and `/metrics` of a process. */
async function reportOf(installation: Installation, name: string, check: string) {
  const { status, checks } = await installation.readiness(name);
  const { ok, reason = '' } = checks.find((one) => one.name === check) ?? { ok: undefined };
  const label = `check="${check}"`;
  const isOk = (await installation.metric(name, 'surety_check_ok', label)) === 1;
  const isSlow = (await installation.metric(name, 'surety_check_seconds', label)) > 0.25;
  return {
    check,
    readiness: ok === false && status === 'not_ready' ? 'away' : reason.startsWith('answers slowly') ? 'slow' : 'fine',
    metrics: isOk ? (isSlow ? 'slow' : 'fine') : 'away',
  };
}
