import { inspect } from 'node:util';
import { untilDespiteErrors } from '../../support/until.ts';
import type { Installation, ServerName } from './installation.ts';

/** By which checks a process with the role tells of a server. */
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

const SOON_MS = 15_000;

/**
 * Checks that `/readyz` and `/metrics` of every process tell soon how a server is, where its role needs it, and that
 * processes that need no Kafka or no mail server are ready without it, when the others have noticed.
 * @param how `away`: it does not answer; `slow`: it does, after more than a quarter of a second
 */
export async function expectTold(on: Installation, server: ServerName, how: 'away' | 'slow'): Promise<void> {
  const each = [...on.processes.keys()].map((name) => ({ name, checks: checksOf(server, name.split(' ')[0] ?? '') }));
  const needing = each.filter(({ checks }) => checks.length > 0);
  await Promise.all(needing.map(async ({ name, checks }) => await expectToldBy(on, name, checks, how)));
  const others = each.filter(({ checks }) => checks.length === 0);
  await Promise.all(others.map(async ({ name }) => await on.untilReady(name, SOON_MS)));
}

async function expectToldBy(
  on: Installation,
  name: string,
  checks: readonly string[],
  how: 'away' | 'slow',
): Promise<void> {
  const expected = checks.map((check) => ({ check, told: how, figure: how }));
  let found: unknown;
  await untilDespiteErrors(
    async () => {
      found = await Promise.all(checks.map(async (check) => await toldBy(on, name, check)));
      return isSame(found, expected);
    },
    () => `${name} tells ${inspect(found)}, not ${inspect(expected)}`,
    SOON_MS,
  );
}

function isSame(found: unknown, expected: unknown): boolean {
  return JSON.stringify(found) === JSON.stringify(expected);
}

/** What `/readyz` and `/metrics` say of a check. */
async function toldBy(on: Installation, name: string, check: string) {
  const { status, checks } = await on.readiness(name);
  const { ok, reason = '' } = checks.find((one) => one.name === check) ?? { ok: undefined };
  const label = `check="${check}"`;
  const isOk = (await on.metric(name, 'surety_check_ok', label)) === 1;
  const isSlow = (await on.metric(name, 'surety_check_seconds', label)) > 0.25;
  return {
    check,
    told: ok === false && status === 'not_ready' ? 'away' : reason.startsWith('answers slowly') ? 'slow' : 'fine',
    figure: isOk ? (isSlow ? 'slow' : 'fine') : 'away',
  };
}
