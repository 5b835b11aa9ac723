import { LIVE } from '#test/support/command-harness.ts';
import { waitUntilCaughtUp } from '#test/support/test-projector.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { temporaryFolder } from '#test/ports/support/temporary-folder.ts';
import { readSettings } from '../config/config.ts';
import { Application } from './application.ts';
import { TOKENS } from './tokens.ts';
import type { StartupOptions } from '../checks/installation-check.ts';
import { StoreUnavailable } from '#stores/shared/store-unavailable.ts';

const log = pino({ enabled: false });
const SERVE: StartupOptions = { purpose: 'serve' };

let temporary: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  temporary = temporaryFolder();
});
afterEach(() => temporary.remove());

const settingsWith = (addresses: Readonly<Record<string, string>>) =>
  readSettings({ SURETY_DATA: temporary.folder, ...addresses });

test('set-up of a folder is idempotent', async () => {
  for (let start = 0; start < 2; start += 1) {
    const application = await Application.open(settingsWith({}), log, SERVE);
    expect(await application.setUp()).toEqual({ createdTopics: [], missingTopics: [], isSecretKnown: true });
    await application.stop();
  }
});

test('starts one projector when a command of a tool reads the catalogue', async () => {
  const application = await Application.open(settingsWith({}), log);
  const { catalogue } = application.commandPorts.services;
  expect(await Promise.all([1, 2].map(async () => await catalogue.productsOnSale('Auto', LIVE)))).toEqual([[], []]);
  const projector = await application.startProjector();
  expect(await application.startProjector()).toBe(projector);
  await application.stop();
  await (await Application.open(settingsWith({}), log)).stop();
});

test('answers before it is ready, and is ready after start', async () => {
  const application = await Application.open(settingsWith({ PORT: '0' }), log, SERVE);
  const readiness = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;
  const during: number[] = [];
  const { url } = await application.start({
    beforeReady: async (url) => {
      await waitUntilCaughtUp(await application.startProjector());
      during.push(await readiness(url));
    },
  });
  expect([...during, await readiness(url)]).toEqual([503, 200]);
  await application.stop();
  await expect(fetch(`${url}/readyz`)).rejects.toThrow('fetch failed');
});

test('a service that starts while Kafka is away sets up its topics later, and fails where they are unsuitable', async () => {
  const answers = [new StoreUnavailable('Kafka is away'), new StoreUnavailable('still away'), new Error('compacted')];
  const find = (): Promise<never> => Promise.reject(answers.shift() ?? new Error('asked again'));
  const application = await Application.open(settingsWith({ PORT: '0' }), log, SERVE, (container) => {
    container.rebind(TOKENS.topics).toConstantValue({ find, setUp: find });
  });
  const { url } = await application.start();
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  await expect(application.failed).rejects.toThrow('compacted');
  expect(answers).toEqual([]);
  await application.stop();
});
