import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { KAFKA } from './support/kafka-admin.ts';
import { MONGODB_URL } from './support/mongodb.ts';
import { untilDespiteErrors } from '../support/until.ts';
import { type RoleProcess, RolesApart } from './support/role-processes.ts';

/** Above the limits of several waits in a row, each of which tells why it was in vain. */
jest.setTimeout(10 * 60_000);

const [broker] = KAFKA.brokers;
const missing = [MONGODB_URL === undefined ? 'MONGODB_URL' : [], broker === undefined ? 'KAFKA_BROKERS' : []].flat();
const describeThere = missing.length === 0 ? describe : describe.skip;
const why = missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not set)`;

describeThere(`roles in processes of their own on MongoDB and a stand-in for EventStoreDB${why}`, () => {
  const world = missing.length === 0 ? new RolesApart(MONGODB_URL ?? '', broker ?? '') : undefined;
  let apis: RoleProcess[] = [];
  let projectors: RoleProcess[] = [];
  let schedulers: RoleProcess[] = [];
  let named = 0;
  /** Those whose registration was acknowledged. */
  let merchants = 0;

  /** Writes by one process; resolves with the position. */
  async function write(api: RoleProcess): Promise<string> {
    named += 1;
    const body = { name: `Merchant ${named}`, business_email: `m${named}@example.com` };
    const answer = await api.command('RegisterMerchant', body);
    expect([answer.status, await answer.text()]).toEqual([201, expect.anything()]);
    merchants += 1;
    return answer.headers.get('Surety-Position') ?? '';
  }

  /** How many merchants a process sees that shows the log up to the position; undefined when it does not yet. */
  async function countAt(api: RoleProcess, position: string): Promise<number | undefined> {
    const answer = await api.get('/api/v1/merchants', { 'Surety-Min-Position': position });
    if (answer.status === 503) return undefined;
    return ((await answer.json()) as { count: number }).count;
  }

  /** The first count that a process shows of the log up to the position. */
  async function firstCountAt(api: RoleProcess, position: string): Promise<number> {
    return await untilDespiteErrors(
      async () => await countAt(api, position),
      () => `the api says 503 at ${position}`,
    );
  }

  const becomes: RolesApart['becomes'] = async (what, look, expected) => await world?.becomes(what, look, expected);

  async function leaders(processes: readonly RoleProcess[]): Promise<readonly RoleProcess[]> {
    const leading: RoleProcess[] = [];
    for (const one of processes) {
      if ((await one.figure(`surety_leading{role="${one.role}"}`)) === 1) leading.push(one);
    }
    return leading;
  }

  /** Waits until so many of them lead. */
  async function untilLead(processes: readonly RoleProcess[], count: number): Promise<void> {
    const what = `processes that lead as ${processes[0]?.role}`;
    await becomes(what, async () => (await leaders(processes)).length, count);
  }

  /** The one of them that leads; waits until there is one. */
  async function leaderOf(processes: readonly RoleProcess[]): Promise<RoleProcess> {
    await untilLead(processes, 1);
    const [leader] = await leaders(processes);
    if (leader === undefined) throw new Error('it leads no more');
    return leader;
  }

  async function untilAllAreReady(): Promise<void> {
    const all = [...projectors, ...apis, ...schedulers];
    expect(all).toHaveLength(6);
    for (const one of all) await becomes(`${one.role} is ready`, one.isReady, true);
  }

  const other = (all: readonly RoleProcess[], one: RoleProcess): RoleProcess =>
    all.find((candidate) => candidate !== one) ?? one;

  async function expectNoDifference(): Promise<void> {
    const { code, stdout, stderr } = (await world?.run(['verify'])) ?? {};
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('no difference'), expect.anything()]);
  }

  beforeAll(async () => {
    await world?.begin();
  });
  afterAll(async () => {
    await world?.end();
  });

  test('given servers on which nothing is set up, then a role says so in one sentence; after surety setup all are ready', async () => {
    const refused = await world?.run(['serve'], { SURETY_ROLES: 'api' });
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'Surety is not set up on these servers: run surety setup first.\n',
    });
    for (const _ of [1, 2]) {
      const setUp = await world?.run(['setup']);
      expect(setUp).toMatchObject({ code: 0, stdout: 'Surety is set up on its servers.\n' });
    }
    const start = async (role: string): Promise<RoleProcess> => (await world?.start(role)) as RoleProcess;
    projectors = [await start('projector'), await start('projector')];
    apis = [await start('api'), await start('api')];
    schedulers = [await start('scheduler'), await start('scheduler')];
    for (const { role, url, process } of [...projectors, ...apis, ...schedulers]) {
      // Where it is reached from outside is what the apis are for, and nothing of theirs lies in a folder.
      const reached = role === 'api' ? 'It is reached at https://surety.example\n' : '';
      expect([role, process.stdout]).toEqual([role, `Surety serves ${url}\n${reached}`]);
      expect([role, process.stderr]).toEqual([role, expect.not.stringContaining('dataFolder')]);
    }
    await untilLead(projectors, 1);
    await untilLead(schedulers, 1);
    // No broker is there for them, and they do not mind.
    await untilAllAreReady();
    for (const one of [...projectors, ...schedulers]) expect((await one.get('/api/v1/merchants')).status).toBe(404);
  });

  test('given a write by one api, then it has waited for the projector, and the other shows it at its position', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? apis : apis.toReversed();
      if (writer === undefined || reader === undefined) throw new Error('two apis are needed');
      const position = await write(writer);
      expect(await firstCountAt(reader, position)).toBe(merchants);
    }
  });

  test('given a relay without a broker, then it alone is not ready', async () => {
    const relay = (await world?.launch('relay')) as RoleProcess;
    const told = async (): Promise<string> => {
      const answer = await relay.get('/readyz');
      const { checks } = (await answer.json()) as { checks: readonly { name: string; ok: boolean }[] };
      const amiss = checks.filter(({ name, ok }) => ['start', 'kafka'].includes(name) && !ok);
      return `${answer.status}: ${amiss.map(({ name }) => name).join(', ')}`;
    };
    await becomes('the relay tells', told, '503: kafka');
    await untilAllAreReady();
    expect(await relay.isReady()).toBe(false);
  });

  test('given a leading projector that is frozen under writes, then the other takes over, and nothing of the late one counts', async () => {
    const [api, reader] = apis;
    if (api === undefined || reader === undefined) throw new Error('two apis are needed');
    const frozen = await leaderOf(projectors);
    const writes: Promise<string>[] = [];
    for (let n = 0; n < 40; n += 1) writes.push(write(api));
    frozen.process.child.kill('SIGSTOP');
    try {
      const positions = (await Promise.all(writes)).map(BigInt);
      const last = String(positions.reduce((a, b) => (a > b ? a : b)));
      await becomes('merchants that the other api shows', async () => await countAt(reader, last), merchants);
      await untilLead([other(projectors, frozen)], 1);
    } finally {
      frozen.process.child.kill('SIGCONT');
    }
    await untilLead([frozen], 0);
    const position = await write(api);
    expect(await firstCountAt(reader, position)).toBe(merchants);
    await becomes('the one that was frozen is ready', frozen.isReady, true);
    await expectNoDifference();
  });

  test('given a leading projector that is killed, then the other takes over by itself', async () => {
    const [api, reader] = apis;
    if (api === undefined || reader === undefined) throw new Error('two apis are needed');
    const dead = await leaderOf(projectors);
    const position = await write(api);
    await dead.process.kill();
    const later = await write(api);
    expect(BigInt(later)).toBeGreaterThan(BigInt(position));
    await becomes('merchants that the other api shows', async () => await countAt(reader, later), merchants);
    for (const one of [api, reader]) await becomes('api is ready', one.isReady, true);
    await expectNoDifference();
  });

  test('given a scheduler that is frozen, then the other leads until the end, and the frozen one stands by when it wakes', async () => {
    const frozen = await leaderOf(schedulers);
    const standing = other(schedulers, frozen);
    frozen.process.child.kill('SIGSTOP');
    try {
      await untilLead([standing], 1);
    } finally {
      frozen.process.child.kill('SIGCONT');
    }
    await untilLead([frozen], 0);
    await untilLead([standing], 1);
    expect((await standing.process.stop()).code).toBe(0);
    await untilLead([frozen], 1);
    expect((await frozen.process.stop()).code).toBe(0);
  });
});
