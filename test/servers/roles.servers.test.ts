import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KAFKA } from './support/kafka-admin.ts';
import { MONGODB_URL } from './support/mongodb.ts';
import { EVENTSTORE_UNDER_TEST } from './support/named-eventstore.ts';
import { type RoleProcess, RolesApart, until } from './support/role-processes.ts';

const [broker] = KAFKA.brokers;
const missing = [MONGODB_URL === undefined ? 'MONGODB_URL' : [], broker === undefined ? 'KAFKA_BROKERS' : []].flat();
const describeThere = missing.length === 0 ? describe : describe.skip;
const why = missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not set)`;

describeThere(`roles in processes of their own on MongoDB and ${EVENTSTORE_UNDER_TEST}${why}`, () => {
  const world = missing.length === 0 ? new RolesApart(MONGODB_URL ?? '', broker ?? '') : undefined;
  let apis: RoleProcess[];
  let projectors: RoleProcess[];
  let schedulers: RoleProcess[];
  let merchants = 0;

  /** Writes by one process; resolves with the position. */
  async function write(api: RoleProcess): Promise<string> {
    merchants += 1;
    const body = { name: `Merchant ${merchants}`, business_email: `m${merchants}@example.com` };
    const answer = await api.command('RegisterMerchant', body);
    expect(answer.status).toBe(201);
    return answer.headers.get('Surety-Position') ?? '';
  }

  /** How many merchants a process sees that shows the log up to the position; undefined when it does not yet. */
  async function countAt(api: RoleProcess, position: string): Promise<number | undefined> {
    const answer = await api.get('/api/v1/merchants', { 'Surety-Min-Position': position });
    if (answer.status === 503) return undefined;
    return ((await answer.json()) as { count: number }).count;
  }

  async function leaders(processes: readonly RoleProcess[]): Promise<readonly RoleProcess[]> {
    const leading: RoleProcess[] = [];
    for (const one of processes) {
      if ((await one.figure(`surety_leading{role="${one.role}"}`)) === 1) leading.push(one);
    }
    return leading;
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
      stderr: 'Nothing is set up for Surety on these servers yet: run surety setup first.\n',
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
    expect(await leaders(projectors)).toHaveLength(1);
    expect(await leaders(schedulers)).toHaveLength(1);
    // No broker is there for them, and they do not mind.
    for (const one of [...projectors, ...apis, ...schedulers]) expect(await one.isReady()).toBe(true);
    for (const one of [...projectors, ...schedulers]) expect((await one.get('/api/v1/merchants')).status).toBe(404);
  });

  test('given a write by one api, then it has waited for the projector, and the other shows it at its position', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? apis : apis.toReversed();
      if (writer === undefined || reader === undefined) throw new Error('two apis are needed');
      const position = await write(writer);
      expect(await countAt(reader, position)).toBe(merchants);
    }
  });

  test('given a relay without a broker, then it alone is not ready', async () => {
    const relay = world?.start('relay');
    const found = await Promise.race([relay, pause(5_000, 'not ready')]);
    expect(found).toBe('not ready');
    for (const one of [...projectors, ...apis, ...schedulers]) expect(await one.isReady()).toBe(true);
    relay?.catch(() => undefined);
  });

  test('given a leading projector that is frozen under writes, then the other takes over, and nothing of the late one counts', async () => {
    const [frozen] = await leaders(projectors);
    const [api, reader] = apis;
    if (frozen === undefined || api === undefined || reader === undefined) throw new Error('no projector leads');
    const writes: Promise<string>[] = [];
    for (let n = 0; n < 40; n += 1) writes.push(write(api));
    frozen.process.child.kill('SIGSTOP');
    const positions = (await Promise.all(writes)).map(BigInt);
    const last = String(positions.reduce((a, b) => (a > b ? a : b)));
    await until(async () => (await countAt(reader, last)) === merchants);
    expect(await leaders([other(projectors, frozen)])).toHaveLength(1);
    frozen.process.child.kill('SIGCONT');
    await until(async () => (await leaders([frozen])).length === 0);
    expect(await countAt(reader, await write(api))).toBe(merchants);
    await until(async () => await frozen.isReady());
    await expectNoDifference();
  });

  test('given a leading projector that is killed, then the other takes over by itself', async () => {
    const [dead] = await leaders(projectors);
    const [api, reader] = apis;
    if (dead === undefined || api === undefined || reader === undefined) throw new Error('no projector leads');
    const position = await write(api);
    await dead.process.kill();
    const later = await write(api);
    expect(BigInt(later)).toBeGreaterThan(BigInt(position));
    await until(async () => (await countAt(reader, later)) === merchants);
    await until(async () => (await api.isReady()) && (await reader.isReady()));
    await expectNoDifference();
  });

  test('given a scheduler that is frozen, then the other leads until the end, and the frozen one stands by when it wakes', async () => {
    const [frozen] = await leaders(schedulers);
    if (frozen === undefined) throw new Error('no scheduler leads');
    const standing = other(schedulers, frozen);
    frozen.process.child.kill('SIGSTOP');
    await until(async () => (await leaders([standing])).length === 1);
    frozen.process.child.kill('SIGCONT');
    await until(async () => (await leaders([frozen])).length === 0);
    expect(await leaders([standing])).toHaveLength(1);
    expect((await standing.process.stop()).code).toBe(0);
    await until(async () => (await leaders([frozen])).length === 1);
    expect((await frozen.process.stop()).code).toBe(0);
  });
});
