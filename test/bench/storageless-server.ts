import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { SequenceQueue } from '#event-sourcing/executor/sequence-queue.ts';
import { StreamCache } from '#event-sourcing/executor/stream-cache.ts';
import { merchantTags } from '#domain/tags.ts';
import { decode, encode } from '#domain/events.ts';
import { PROJECTIONS } from '#projections/registry.ts';
import { readModelCatalogue } from '#service/compose/read-model-catalogue.ts';
import { createHttpServer } from '#http/server/server.ts';
import { startProjector } from '#read-side/start-projector.ts';
import { KeyRing } from '#service/security/key-ring.ts';
import { verificationTokens } from '#service/security/verification-token.ts';
import { MemoryEventStore } from '../support/memory-event-store.ts';
import { MemoryReadModels } from '../support/memory-read-models.ts';
import { openTemporaryRecords } from '#stores/records/sqlite/sqlite-records.ts';
import { ADMIN_KEY } from './service.ts';
import * as resources from '#projections/resources.ts';
import { createTranslator } from '#public-events/translate.ts';

/**
 * The HTTP server with every handler on a log in memory: the baseline without storage. Nothing waits for read models; those
 * that quotes need are in memory too.
 */
const [, , port] = process.argv;
const eventStore = new MemoryEventStore();
const readModels = new MemoryReadModels();
const records = openTemporaryRecords();
const log = pino({ level: 'silent' });
const now = (): string => new Date().toISOString();

const projector = await startProjector({
  eventStore,
  readModels,
  // Only the read models that quotes need.
  projections: PROJECTIONS.filter(({ name }) => name === 'products' || name === 'providers'),
  log,
  now,
  pause: async (milliseconds) => await pause(milliseconds),
});

const server = createHttpServer({
  translator: createTranslator('http://127.0.0.1:3000'),
  commandPorts: {
    eventStore,
    records,
    codec: { decode, encode },
    streamCache: new StreamCache(),
    sequences: new SequenceQueue(),
    tagsOf: merchantTags,
    services: {
      resources,
      catalogue: readModelCatalogue(readModels, async () => {}),
      verificationToken: verificationTokens('bench-secret-0123456789-abcdefghijklm'),
      saveBlob: async (bytes) => await records.putBlob(bytes),
      revokeKey: async (keyId) => await records.revokeKey(keyId),
      randomBytes,
    },
    now,
    randomId: randomUUID,
    pause: async (milliseconds) => await pause(milliseconds),
  },
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
  keyRing: new KeyRing({ eventStore, records, adminKey: ADMIN_KEY }),
  log,
  publicUrl: undefined,
  metrics: new Registry(),
  version: 'bench',
});
await server.listen(Number(port), '127.0.0.1');
