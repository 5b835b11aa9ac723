import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { KAFKA } from './support/kafka-admin.ts';
import { MONGODB_URL } from './support/mongodb.ts';
import { waitUntilIgnoringErrors } from '../support/wait-until.ts';
import { type RoleProcess, RoleProcesses } from './support/role-processes.ts';

/** Above the timeouts of several waits in a row, whose errors give the reason. */
jest.setTimeout(10 * 60_000);

const [broker] = KAFKA.brokers;
const missing = [MONGODB_URL === undefined ? 'MONGODB_URL' : [], broker === undefined ? 'KAFKA_BROKERS' : []].flat();
const describeThere = missing.length === 0 ? describe : describe.skip;
const why = missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not set)`;

describeThere(`Roles in separate processes on MongoDB and a stand-in for EventStoreDB${why}`, () => {
  const processes = missing.length === 0 ? new RoleProcesses(MONGODB_URL ?? '', broker ?? '') : undefined;
  let apis: RoleProcess[] = [];
  let projectors: RoleProcess[] = [];
  let schedulers: RoleProcess[] = [];
  let registrations = 0;
  /** Number of acknowledged registrations. */
  let merchants = 0;

  /** Registers a merchant through an api; returns the position. */
  async function write(api: RoleProcess): Promise<string> {
    registrations += 1;
    const body = { name: `Merchant ${registrations}`, business_email: `m${registrations}@example.com` };
    const response = await api.command('RegisterMerchant', body);
    expect([response.status, await response.text()]).toEqual([201, expect.anything()]);
    merchants += 1;
    return response.headers.get('Surety-Position') ?? '';
  }

  /** Returns the number of merchants at a position; undefined when the process has not reached it. */
  async function countAt(api: RoleProcess, position: string): Promise<number | undefined> {
    const response = await api.get('/api/v1/merchants', { 'Surety-Min-Position': position });
    if (response.status === 503) return undefined;
    return ((await response.json()) as { count: number }).count;
  }

  /** Waits for the number of merchants at a position. */
  async function firstCountAt(api: RoleProcess, position: string): Promise<number> {
    return await waitUntilIgnoringErrors(
      async () => await countAt(api, position),
      () => `the api responds 503 at ${position}`,
    );
  }

  const waitUntilEquals: RoleProcesses['waitUntilEquals'] = async (what, look, expected) =>
    await processes?.waitUntilEquals(what, look, expected);

  async function leaders(processes: readonly RoleProcess[]): Promise<readonly RoleProcess[]> {
    const leading: RoleProcess[] = [];
    for (const one of processes) {
      if ((await one.metric(`surety_leading{role="${one.role}"}`)) === 1) leading.push(one);
    }
    return leading;
  }

  /** Waits until the given number of processes lead. */
  async function waitForLeaders(processes: readonly RoleProcess[], count: number): Promise<void> {
    const what = `processes that lead as ${processes[0]?.role}`;
    await waitUntilEquals(what, async () => (await leaders(processes)).length, count);
  }

  /** Waits for a leader and returns it. */
  async function waitForLeader(processes: readonly RoleProcess[]): Promise<RoleProcess> {
    await waitForLeaders(processes, 1);
    const [leader] = await leaders(processes);
    if (leader === undefined) throw new Error('the leader lost its lease');
    return leader;
  }

  async function waitUntilAllReady(): Promise<void> {
    const all = [...projectors, ...apis, ...schedulers];
    expect(all).toHaveLength(6);
    for (const one of all) await waitUntilEquals(`${one.role} is ready`, one.isReady, true);
  }

  const other = (all: readonly RoleProcess[], one: RoleProcess): RoleProcess =>
    all.find((candidate) => candidate !== one) ?? one;

  async function expectNoDifference(): Promise<void> {
    const { code, stdout, stderr } = (await processes?.run(['verify'])) ?? {};
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('no difference'), expect.anything()]);
  }

  beforeAll(async () => {
    await processes?.startServers();
  });
  afterAll(async () => {
    await processes?.dispose();
  });

  test('a role refuses to start before surety setup; after it all roles are ready', async () => {
    const refused = await processes?.run(['serve'], { SURETY_ROLES: 'api' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'Surety is not set up on these servers: run surety setup first.\n',
    });
    for (const _ of [1, 2]) {
      const setUp = await processes?.run(['setup']);
      expect(setUp).toMatchObject({ code: 0, stdout: 'Surety is set up on its servers.\n' });
    }
    const start = async (role: string): Promise<RoleProcess> => (await processes?.start(role)) as RoleProcess;
    projectors = [await start('projector'), await start('projector')];
    apis = [await start('api'), await start('api')];
    schedulers = [await start('scheduler'), await start('scheduler')];
    for (const { role, url, process } of [...projectors, ...apis, ...schedulers]) {
      // Only an api prints its public address, and no process uses a data folder.
      const reached = role === 'api' ? 'It is reached at https://surety.example\n' : '';
      const stores = ['EventStoreDB at', 'MongoDB at', 'Kafka at'].join('.*');
      expect([role, process.stdout]).toEqual([
        role,
        expect.stringMatching(new RegExp(`^Surety serves ${url} \\(.*${stores}.*\\)\n${reached}$`)),
      ]);
      expect([role, process.stderr]).toEqual([role, expect.not.stringContaining('dataFolder')]);
    }
    await waitForLeaders(projectors, 1);
    await waitForLeaders(schedulers, 1);
    // They have no broker and need none.
    await waitUntilAllReady();
    for (const one of [...projectors, ...schedulers]) expect((await one.get('/api/v1/merchants')).status).toBe(404);
  });

  test('a write through one api is visible in the other at its position', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? apis : apis.toReversed();
      if (writer === undefined || reader === undefined) throw new Error('two apis are needed');
      const position = await write(writer);
      expect(await firstCountAt(reader, position)).toBe(merchants);
    }
  });

  test('only the relay is not ready without a broker', async () => {
    const relay = (await processes?.launch('relay')) as RoleProcess;
    const failingChecks = async (): Promise<string> => {
      const response = await relay.get('/readyz');
      const { checks } = (await response.json()) as { checks: readonly { name: string; ok: boolean }[] };
      const failing = checks.filter(({ name, ok }) => ['start', 'kafka'].includes(name) && !ok);
      return `${response.status}: ${failing.map(({ name }) => name).join(', ')}`;
    };
    await waitUntilEquals('failing checks of the relay', failingChecks, '503: kafka');
    await waitUntilAllReady();
    expect(await relay.isReady()).toBe(false);
  });

  test('the other projector takes over when the leader is frozen under writes, and late writes have no effect', async () => {
    const [api, reader] = apis;
    if (api === undefined || reader === undefined) throw new Error('two apis are needed');
    const frozen = await waitForLeader(projectors);
    const writes: Promise<string>[] = [];
    for (let n = 0; n < 40; n += 1) writes.push(write(api));
    frozen.process.child.kill('SIGSTOP');
    try {
      const positions = (await Promise.all(writes)).map(BigInt);
      const last = String(positions.reduce((a, b) => (a > b ? a : b)));
      await waitUntilEquals('merchants that the other api shows', async () => await countAt(reader, last), merchants);
      await waitForLeaders([other(projectors, frozen)], 1);
    } finally {
      frozen.process.child.kill('SIGCONT');
    }
    await waitForLeaders([frozen], 0);
    const position = await write(api);
    expect(await firstCountAt(reader, position)).toBe(merchants);
    await waitUntilEquals('the former leader is ready', frozen.isReady, true);
    await expectNoDifference();
  });

  test('the other projector takes over when the leader is killed', async () => {
    const [api, reader] = apis;
    if (api === undefined || reader === undefined) throw new Error('two apis are needed');
    const dead = await waitForLeader(projectors);
    const position = await write(api);
    await dead.process.kill();
    const later = await write(api);
    expect(BigInt(later)).toBeGreaterThan(BigInt(position));
    await waitUntilEquals('merchants that the other api shows', async () => await countAt(reader, later), merchants);
    for (const one of [api, reader]) await waitUntilEquals('api is ready', one.isReady, true);
    await expectNoDifference();
  });

  test('the other scheduler leads when one is frozen, and the frozen one stands by after it wakes up', async () => {
    const frozen = await waitForLeader(schedulers);
    const standby = other(schedulers, frozen);
    frozen.process.child.kill('SIGSTOP');
    try {
      await waitForLeaders([standby], 1);
    } finally {
      frozen.process.child.kill('SIGCONT');
    }
    await waitForLeaders([frozen], 0);
    await waitForLeaders([standby], 1);
    expect((await standby.process.stop()).code).toBe(0);
    await waitForLeaders([frozen], 1);
    expect((await frozen.process.stop()).code).toBe(0);
  });
});
