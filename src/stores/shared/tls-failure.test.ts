import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '#test/support/service-process.ts';
import { openEventStore, openRecords } from '#service/compose/server-adapters.ts';
import { mailServerCheck } from '#service/checks/readiness.ts';
import { pingMailServer } from '#processes/mails/smtp-transport.ts';
import { withAdmin } from '#stores/messaging/kafka/admin.ts';

const folder = temporaryFolder();
const file = (name: string): string => join(folder, name);
const openssl = (...words: readonly string[]): void => {
  execFileSync('openssl', words, { stdio: 'pipe', cwd: folder });
};
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes an authority, which signs a certificate for a host name that ends after that many days. */
function makeCertificate(name: string, authority: string, host: string, days: number): void {
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-keyout',
    `${authority}.key`,
    '-out',
    `${authority}.pem`,
    '-subj',
    `/CN=${authority}`,
  );
  openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${host}`);
  writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${host}`);
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', String(days)];
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
}

const before = getCACertificates('default');
beforeAll(() => {
  makeCertificate('untrusted', 'unknown', 'localhost', 2);
  makeCertificate('expired', 'known-1', 'localhost', -1);
  makeCertificate('other', 'known-2', 'other.example', 2);
  const known = ['known-1.pem', 'known-2.pem'].map((name) => readFileSync(file(name), 'utf8'));
  writeFileSync(file('known.pem'), known.join(''));
  setDefaultCACertificates([...before, ...known]);
});
afterAll(() => {
  setDefaultCACertificates(before);
  rmSync(folder, { recursive: true });
});

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  server?.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** Listens with a certificate, or without TLS, and answers nothing of use. */
async function listen(certificate: string | undefined): Promise<number> {
  const answer = (socket: Socket): void => {
    socket.on('error', () => {}).once('data', () => socket.end('220 not TLS\r\n'));
  };
  const tls = {
    key: () => readFileSync(file(`${certificate}.key`)),
    cert: () => readFileSync(file(`${certificate}.pem`)),
  };
  server =
    certificate === undefined ? createPlainServer(answer) : createServer({ key: tls.key(), cert: tls.cert() }, answer);
  server.on('tlsClientError', () => {}).on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function failureOf(store: { ping(): Promise<void>; close(): Promise<void> }): Promise<string> {
  try {
    await store.ping();
    return 'no failure';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await store.close();
  }
}

const CLIENTS: readonly (readonly [string, (port: number) => Promise<string | undefined>])[] = [
  [
    'EventStoreDB',
    async (port) => await failureOf(openEventStore(`esdb://localhost:${port}?tls=true&tlsCaFile=${file('known.pem')}`)),
  ],
  ['MongoDB', async (port) => await failureOf(openRecords(`mongodb://localhost:${port}/surety?tls=true`))],
  [
    'Kafka',
    async (port) => {
      const options = { brokers: [`localhost:${port}`], security: { tls: true, login: undefined } };
      return await withAdmin(options, async () => await Promise.resolve('no failure')).catch(
        (error: Error) => error.message,
      );
    },
  ],
  [
    'SMTP',
    async (port) => await mailServerCheck(async () => await pingMailServer(`smtps://localhost:${port}`)).check(),
  ],
];

const UNTRUSTED = 'the certificate of the server is not trusted: its authority is unknown here';

describe.each(CLIENTS)('%s', (_name, failure) => {
  test.each([
    ['untrusted', UNTRUSTED],
    ['expired', 'the certificate of the server has expired, or is not valid yet'],
    ['other', 'the certificate of the server is for another host name'],
  ])('names a certificate that is %s', async (certificate, sentence) => {
    expect(await failure(await listen(certificate))).toContain(sentence);
  });

  test('names a port without TLS', async () => {
    expect(await failure(await listen(undefined))).toMatch(/does not speak TLS|may not speak TLS/);
  });
});

const PLAIN_CLIENTS: readonly (readonly [string, (port: number) => Promise<string | undefined>])[] = [
  ['EventStoreDB', async (port) => await failureOf(openEventStore(`esdb://localhost:${port}?tls=false`))],
  ['MongoDB', async (port) => await failureOf(openRecords(`mongodb://localhost:${port}/surety`))],
  ['SMTP', async (port) => await mailServerCheck(async () => await pingMailServer(`smtp://localhost:${port}`)).check()],
];

test.each(PLAIN_CLIENTS)('%s without TLS names a port that speaks TLS', async (_name, failure) => {
  expect(await failure(await listen('untrusted'))).toContain('may require TLS');
});

test.each([
  [
    'EVENTSTORE_URL: the file in tlsCaFile cannot be read',
    () => openEventStore(`esdb://localhost:1?tls=true&tlsCaFile=${file('absent.pem')}`),
  ],
  [
    `MongoDB: the file ${file('absent.pem')} cannot be read (ENOENT)`,
    () => openRecords(`mongodb://localhost:1/surety?tls=true&tlsCAFile=${file('absent.pem')}`),
  ],
])('a file of an authority that is not there is named: %s', async (sentence, open) => {
  const message = await Promise.try(async () => await failureOf(open())).catch((error: Error) => error.message);
  expect(message).toBe(sentence);
});
