/**
 * Which folder may import which (docs/architecture.md, Folders). Type imports count like value imports.
 * The TypeScript parser of dependency-cruiser cannot speak to TypeScript 7, so swc reads the files.
 */

/** The interfaces that the outside is reached by. Each lies directly in its folder; adapters lie in subfolders. */
const ports = '^src/stores/(event-log/event-log|read-models/read-models|records/records|messaging/messaging)[.]ts$';

/** What implements a port: $1 is the port's folder, $2 the technology. */
const adapters = '^src/stores/([^/]+)/(sqlite|eventstoredb|mongodb|kafka|in-memory)/';

/** SQLite parts that all SQLite adapters share. */
const sharedSqlite = '^src/stores/sqlite/';

/** MongoDB parts that all MongoDB adapters share. */
const sharedMongodb = '^src/stores/mongodb/';

/** What any event-sourced service needs. The executor beside it runs commands. */
const eventSourcing = '^src/event-sourcing/(?!executor/)';

const tests = '(^test/|[.]test[.]ts$)';

/** Pure libraries: they read no clock, no file and no network. */
const pureLibraries = '(^|/)node_modules/(zod|uuid|lru-cache)/|^(node:)?(crypto|util|url)$';

/** One of the pure folders and all that it may know. Tests may know more: they set the scene. */
const pure = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { pathNot: `${[from, ...allowed].join('|')}|${pureLibraries}` },
});

export default {
  forbidden: [
    pure('event-sourcing-knows-nothing', eventSourcing, [], 'src/event-sourcing holds no insurance.'),
    pure(
      'domain-knows-event-sourcing',
      '^src/domain/',
      [eventSourcing],
      'src/domain is shared by both sides and knows neither.',
    ),
    pure(
      'executor-knows-no-command',
      '^src/event-sourcing/executor/',
      ['^src/event-sourcing/', ports, '^src/service/observability/traces[.]ts$'],
      'src/event-sourcing/executor executes any command: it holds no insurance, and knows ports, but neither commands nor adapters.',
    ),
    pure(
      'commands-know-domain-and-ports',
      '^commands/(?!shared/read-model-collections[.]ts$)',
      ['^commands/', '^src/event-sourcing/executor/', '^src/event-sourcing/', '^src/domain/', ports],
      'A command decides from state and input. It never meets a projection (one file reads the names of all), an adapter, express, a driver or a clock.',
    ),
    pure(
      'projections-know-domain',
      '^projections/',
      ['^src/domain/', eventSourcing],
      'A projection is a pure fold: no port either, so that it can be replayed anywhere.',
    ),
    pure(
      'queries-know-read-side',
      '^queries/(?!certificate/layout/)',
      ['^projections/', '^src/domain/', eventSourcing, ports],
      'A query reads documents as projections shape them. It never meets a command, an adapter or express. The layout of certificates runs in a worker thread.',
    ),
    {
      name: 'adapters-meet-ports-in-service',
      comment: 'Only src/service chooses an adapter; an adapter never depends on another one.',
      severity: 'error',
      from: { pathNot: `^src/service/|${adapters}|${tests}` },
      to: { path: adapters },
    },
    {
      name: 'adapters-stand-alone',
      comment: 'An adapter imports its own folder, never another adapter.',
      severity: 'error',
      from: { path: adapters, pathNot: tests },
      to: { path: adapters, pathNot: '^src/stores/$1/$2/' },
    },
    {
      name: 'shared-sqlite-is-for-sqlite-adapters',
      comment: 'src/stores/sqlite holds what the SQLite adapters share; besides them only src/service imports it.',
      severity: 'error',
      from: { pathNot: `^src/service/|^src/stores/[^/]+/sqlite/|${sharedSqlite}|${tests}` },
      to: { path: sharedSqlite },
    },
    {
      name: 'shared-mongodb-is-for-mongodb-adapters',
      comment: 'src/stores/mongodb holds what the MongoDB adapters share; no other folder imports it.',
      severity: 'error',
      from: { pathNot: `^src/stores/[^/]+/mongodb/|${sharedMongodb}|${tests}` },
      to: { path: sharedMongodb },
    },
    {
      name: 'product-knows-no-test',
      comment: 'Test code and development packages are not there in production.',
      severity: 'error',
      from: { path: '^(src|commands|projections|queries)/', pathNot: tests },
      to: { path: tests },
    },
    {
      name: 'product-knows-no-development-package',
      severity: 'error',
      from: { path: '^(src|commands|projections|queries)/', pathNot: tests },
      // A package that is only typed by a development package (@types/...) counts as what it is.
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'http-messages-know-no-router',
      comment: 'Parsers of bodies and headers and the forms of responses import no router, handler or middleware.',
      severity: 'error',
      from: { path: '^src/http/api/(messages|bodies)/', pathNot: tests },
      to: { path: '^src/http/(server/|reference/|api/(routers|handlers|middleware)/)' },
    },
    {
      name: 'http-is-an-edge',
      comment: 'What runs without a request (mails, processes, projector, import) never leans on the HTTP interface.',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(http|cli|service)/|${tests}` },
      to: { path: '^src/http/' },
    },
    {
      name: 'core-reaches-no-http',
      comment:
        'What commands, folds and their execution import reaches no HTTP interface, not even through another folder.',
      severity: 'error',
      from: { path: '^(commands|projections|src/(domain|event-sourcing))/', pathNot: tests },
      to: { path: '^src/http/', reachable: true },
    },
    {
      name: 'client-imports-only-itself',
      comment: 'The client is installed without the service.',
      severity: 'error',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'console-calls-the-client',
      comment: 'The console reaches the service by the client only, as any page could.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { pathNot: '^(console/src|clients/typescript/src)/|(^|/)node_modules/(preact|@preact/signals)/' },
    },
    {
      name: 'only-command-line-calls-the-client',
      comment: 'The command line is a consumer of the service, as others are. The service runs without the client.',
      severity: 'error',
      from: { path: '^(src|commands|projections|queries)/', pathNot: '^src/cli/' },
      to: { path: '^clients/' },
    },
    {
      name: 'service-imports-no-console',
      severity: 'error',
      from: { path: '^(src|commands|projections|queries)/' },
      to: { path: '^console/' },
    },
    {
      name: 'no-circle',
      comment: 'Files that need each other are one file, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dangling-import',
      comment: 'A benchmark installs packages into a folder of its own.',
      severity: 'error',
      from: { pathNot: '^test/bench/peers/emmett/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
