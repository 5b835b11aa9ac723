import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { MemoryEventStore } from '#test/support/memory-event-store.ts';
import { openTestReadModels } from '#test/support/test-read-models.ts';
import { startTestProjector } from '#test/support/test-projector.ts';
import { StopOrder } from './lifecycle.ts';
import { startProcesses } from './process-runner.ts';

test('a process of a data folder starts again when its save was rejected, until it is stopped', async () => {
  const projector = await startTestProjector({
    eventStore: new MemoryEventStore(),
    readModels: openTestReadModels(),
  });
  const calls: string[] = [];
  let rejectSave = (): void => {};
  const start = () => {
    const takenOver = Promise.withResolvers<undefined>();
    rejectSave = () => takenOver.resolve(undefined);
    const number = calls.push('starts');
    return {
      name: 'mail_relay',
      check: () => `start ${number}`,
      takenOver: takenOver.promise,
      stop: async () => void (await Promise.resolve(calls.push('stops'))),
    };
  };
  const [running] = await startProcesses({
    roles: ['relay'],
    definitions: [{ name: 'mail_relay', role: 'relay', prepare: () => start }],
    projector,
    lease: undefined,
    ledRoles: new Map(),
    metrics: new Registry(),
    lifecycle: new StopOrder(),
  });
  expect(running?.check()).toBe('start 1');
  rejectSave();
  await nextTurn();
  expect(calls).toEqual(['starts', 'stops', 'starts']);
  expect(running?.check()).toBe('start 3');
  await running?.stop();
  rejectSave();
  await nextTurn();
  expect(calls.filter((call) => call === 'starts')).toHaveLength(2);
  await projector.stop();
});
