import { pino } from 'pino';
import { StateCache } from '#event-sourcing/executor/state-cache.ts';
import { type PlatformCommands, platformCommands } from '#cli/platform-commands.ts';
import { readSettings } from '#service/config/config.ts';
import { Application } from '#service/compose/application.ts';
import { addDays } from '#domain/values/dates.ts';
import { plainClient } from '../servers/eventstoredb/support/plain-client.ts';
import type { Installation } from '../servers/support/installation.ts';
import { termRow } from '../support/merchant-fixture.ts';
import { IN_FLIGHT, secondsOfBareAppends, secondsOfBareReadsAndAppends } from './bare-appends.ts';
import { inFlight } from './posts.ts';
import { median, type Row, rateRow } from './table.ts';

const POLICIES = 1_024;
const ROUNDS = 4;

/**
 * Measures renewals with 64 in flight, from input to acknowledged append, against appends of the same events by the
 * client, one call each: of policies whose states are cached, and of others, whose streams have to be read; the latter
 * also against reads of their streams with the same appends. Without HTTP and projector, which would use the same cores
 * here.
 */
export async function benchCommands(on: Installation): Promise<readonly Row[]> {
  const settings = readSettings({ ...on.addresses(), SURETY_SECRET: 'secret-of-the-bench-0123456789-abcdef' });
  const application = await Application.open(settings, pino({ level: 'silent' }));
  const client = plainClient(on.eventStore.url);
  try {
    const remembering = platformCommands(application.commandPorts, 'bench');
    const forgetful = () => platformCommands({ ...application.commandPorts, stateCache: new StateCache() }, 'bench');
    const { environmentId, policyIds } = await policiesOf(remembering);
    const rates = { remembered: [] as number[], read: [] as number[], bare: [] as number[], bareRead: [] as number[] };
    let next = '2036-01-01';
    const renewals = async (platform: PlatformCommands): Promise<number> => {
      const bodies = policyIds.map((id) => ({
        environment_id: environmentId,
        policy_id: id,
        preferred_policy_start_date: next,
        policy_duration: 1,
      }));
      next = addDays(next, 2);
      return (
        bodies.length /
        (await inFlight(bodies, IN_FLIGHT, async (body) => void (await platform.run('RenewPolicy', body))))
      );
    };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = await application.eventStore.lastPosition();
      const read = await renewals(forgetful());
      const events = await application.eventStore.readAll({ after: before, limit: 1_000_000 });
      const bare = events.length / (await secondsOfBareAppends(client, events));
      const bareRead = events.length / (await secondsOfBareReadsAndAppends(client, events));
      // The first of these renewals notices and reads what the other process has renewed meanwhile.
      await renewals(remembering);
      const remembered = await renewals(remembering);
      // The first round is a warm-up.
      if (round === 0) continue;
      rates.read.push(read);
      rates.bare.push(bare);
      rates.bareRead.push(bareRead);
      rates.remembered.push(remembered);
    }
    const what = `renewals on EventStoreDB (stand-in), ${IN_FLIGHT} in flight`;
    const against = 'against bare appends of the same events';
    return [
      rateRow(
        `${what}, of policies changed before, ${against}`,
        'commands/s',
        median(rates.remembered),
        median(rates.bare),
      ),
      rateRow(`${what}, of policies not seen before, ${against}`, 'commands/s', median(rates.read), median(rates.bare)),
      rateRow(
        `${what}, of policies not seen before, against bare reads of the same streams and these appends`,
        'commands/s',
        median(rates.read),
        median(rates.bareRead),
      ),
    ];
  } finally {
    await client.dispose();
    await application.stop();
  }
}

async function policiesOf(platform: PlatformCommands) {
  const run = async (name: string, body: object): Promise<Record<string, unknown>> =>
    (await platform.run(name, body)).result;
  const merchant = await run('RegisterMerchant', { name: 'Bench', business_email: 'bench@bench.example' });
  const place = { short_code: merchant['short_code'], environment_name: 'live', test_mode: false };
  const environmentId = Number((await run('CreateEnvironment', place))['environment_id']);
  const policyIds: string[] = [];
  const numbers = Array.from({ length: POLICIES }, (_, number) => number);
  await inFlight(numbers, IN_FLIGHT, async (number) => {
    const row = termRow(`BENCH-${number}`, { term_from: '2026-01-01', term_through: '2035-12-31' });
    policyIds.push(String((await run('ImportPolicyTerm', { ...row, environment_id: environmentId }))['policy_id']));
  });
  return { environmentId, policyIds };
}
