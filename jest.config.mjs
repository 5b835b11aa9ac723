/**
 * One jest project per folder of tests, so that each can be run alone: `npm run jest -- --selectProjects api`.
 * (`npx jest` would lack the flag that ES modules need.)
 */
import { existsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The real book is too large for the repository. Where it lies beside the checkout, the tests of project "book" find
// it.
const bookBeside = fileURLToPath(new URL('../shared/data/french-motor-book', import.meta.url));
if (!process.env.SURETY_BOOK && existsSync(bookBeside)) process.env.SURETY_BOOK = bookBeside;

// Suites start hundreds of processes, which then need not compile the same modules again.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'surety-compile-cache');

/** Compiles a test as the build would, only without type checking: `npm run check:types` has done that by then. */
const compile = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript' },
      transform: { verbatimModuleSyntax: true },
      keepClassNames: true,
      experimental: { keepImportAttributes: true },
    },
    sourceMaps: 'inline',
  },
];

/** What all projects share: TypeScript as native ES modules, and the metadata API that inversify needs. */
const project = (displayName, testMatch, ignored = []) => ({
  displayName,
  testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
  testPathIgnorePatterns: ['/node_modules/', ...ignored],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': compile },
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['<rootDir>/tools/jest-timeout.mjs'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
});

/** Suites that need a server named by EVENTSTORE_URL, MONGODB_URL or KAFKA_BROKERS; they are skipped without it. */
const onServers = '[.]servers[.]test[.]ts$';

/**
 * Suites that run on the EventStoreDB that EVENTSTORE_URL names (project "servers"), or else on the stand-in (project
 * "ports").
 */
const onAnyEventStoreDB = [
  'test/ports/event-store.eventstoredb.test.ts',
  'test/ports/eventstoredb/refusals.test.ts',
  'test/servers/eventstoredb/rules.test.ts',
];

/**
 * Suites of the API whose outcome depends on the stores. They run on embedded stores in project "api", and on servers
 * in project "servers". The others concern HTTP, documents or rules of insurance: they run on embedded stores only.
 */
const apiOnAnyStores = [
  'commands',
  'idempotency',
  'keys',
  'lists',
  'mail-jobs',
  'outages',
  'portfolio',
  'previews',
  'queries',
  'races',
  'rebuilds',
  'roles-apart',
  'verifications',
].map((name) => `test/api/${name}.test.ts`);

const isEventStoreDBNamed = Boolean(process.env.EVENTSTORE_URL);

export default {
  projects: [
    project('unit', ['src/**/*.test.ts', 'commands/**/*.test.ts', 'projections/**/*.test.ts', 'queries/**/*.test.ts']),
    project('ports', ['test/ports/**/*.test.ts', 'test/servers/eventstoredb/**/*.test.ts'], [onServers]),
    project('api', ['test/api/**/*.test.ts']),
    project('client', ['test/client/**/*.test.ts']),
    project('console', ['test/console/**/*.test.ts']),
    project('properties', ['test/properties/**/*.test.ts']),
    project('faults', ['test/faults/**/*.test.ts']),
    project('book', ['test/book/**/*.test.ts']),
    project('clients', ['test/clients/*.test.ts']),
    {
      ...project('servers', [
        'test/**/*.servers.test.ts',
        ...(process.env.MONGODB_URL ? apiOnAnyStores : []),
        ...(isEventStoreDBNamed ? onAnyEventStoreDB : []),
      ]),
      testEnvironment: '<rootDir>/tools/jest-servers-environment.mjs',
      globalSetup: '<rootDir>/tools/jest-servers-before.mjs',
      globalTeardown: '<rootDir>/tools/jest-servers-after.mjs',
    },
  ],
  // Most suites wait for stores and processes more than they compute: twice as many workers as cores keep the cores
  // busy.
  // The suites on a named EventStoreDB have one log together, of which some expect that nobody else writes to it.
  maxWorkers: isEventStoreDBNamed ? 1 : Math.min(8, 2 * availableParallelism()),
  testSequencer: '<rootDir>/tools/jest-sequencer.mjs',
  reporters: [
    'default',
    '<rootDir>/tools/jest-counts.mjs',
    // Many of these suites open their stores when they are loaded, before they could be skipped.
    ['<rootDir>/tools/jest-skipped.mjs', { withoutMongodb: process.env.MONGODB_URL ? [] : apiOnAnyStores }],
    '<rootDir>/tools/jest-minimum.mjs',
  ],
};
