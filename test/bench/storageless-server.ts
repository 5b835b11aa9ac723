import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { Container } from 'inversify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { PROJECTIONS } from '#projections/registry.ts';
import { commands } from '#service/modules/commands.ts';
import { readSettings } from '#service/config/config.ts';
import { TOKENS } from '#service/compose/tokens.ts';
import { readModelCatalogue } from '#service/compose/read-model-catalogue.ts';
import { createHttpServer } from '#http/server/server.ts';
import { definitionsOf, startProjector } from '#read-side/start-projector.ts';
import { SessionTokens } from '#service/security/session-tokens.ts';
import { Sessions } from '#service/security/sessions.ts';
import { KeyRing } from '#service/security/key-ring.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { openTemporaryReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { ADMIN_KEY } from './service.ts';
import { createTranslator } from '#public-events/translate.ts';

/**
 * The HTTP server with every handler on a log in memory: the baseline without storage. Nothing waits for read models;
 * those that quotes need are in a temporary file.
 */
const [, , port] = process.argv;
const eventStore = new MemoryEventStore();
// Only the read models that quotes need.
const projections = PROJECTIONS.filter(({ name }) => name === 'products' || name === 'providers');
const readModels = openTemporaryReadModels(definitionsOf(projections));
const records = openTemporaryRecords();
const SECRET = 'bench-secret-0123456789-abcdefghijklm';
const log = pino({ level: 'silent' });
const now = (): string => new Date().toISOString();

const projector = startProjector({
  eventStore,
  readModels,
  projections,
  log,
  now,
  pause: async (milliseconds) => await pause(milliseconds),
});

const container = new Container({ defaultScope: 'Singleton' });
container.load(commands(readSettings({ SURETY_SECRET: SECRET })));
container.bind(TOKENS.eventStore).toConstantValue(eventStore);
container.bind(TOKENS.records).toConstantValue(records);
container.bind(TOKENS.catalogue).toConstantValue(readModelCatalogue(readModels, async () => {}));

const keyRing = new KeyRing({ eventStore, records, adminKey: ADMIN_KEY, now });
const server = createHttpServer({
  translator: createTranslator('http://127.0.0.1:3000'),
  commandPorts: container.get(TOKENS.commandPorts),
  readModels,
  collections: new Map(),
  projector: {
    initialBuildProgress: () => undefined,
    status: () => projector.status(),
    waitFor: async () => await Promise.resolve(true),
  },
  runPortfolio: async () => await Promise.reject(new Error('this server has no log')),
  renderCertificate: async () => await Promise.reject(new Error('there are no certificates here')),
  startVerification: async () => await Promise.reject(new Error('this server has no log')),
  status: {
    readRoles: async () => await Promise.resolve([]),
    readRelay: async () => await Promise.resolve(undefined),
    readDisk: async () => await Promise.resolve(undefined),
  },
  keyRing,
  sessions: new Sessions({ tokens: new SessionTokens(SECRET), keyRing, records, now }),
  log,
  publicUrl: undefined,
  metrics: new Registry(),
  version: 'bench',
});
await server.listen(Number(port), '127.0.0.1');
