import { beforeEach, describe, expect, test } from '@jest/globals';
import { parkedStream } from '#event-sourcing/system-events.ts';
import { CommandHarness, invalidFields } from '#test/support/command-harness.ts';
import { given } from '#test/support/given.ts';
import { retryParked } from './retry-parked.ts';

let h: CommandHarness;
beforeEach(() => {
  h = new CommandHarness();
});

const input = { collection: 'policies', key: 'p-1' } as const;

describe('RetryParked', () => {
  test('records every request in one stream per document', async () => {
    const requested = { type: 'ParkedRetryRequested', data: input };
    given().when(retryParked, input).then(requested);
    given(requested).when(retryParked, input).then(requested);
    h.parked.add('policies p-1');
    await h.run(retryParked, input);
    expect(await h.run(retryParked, input)).toMatchObject({
      stream: parkedStream('policies', 'p-1'),
      created: false,
      result: {},
      revision: 1,
    });
  });

  test('refuses a document that is not parked, and records nothing', async () => {
    h.parked.add('policies p-1').add('claims p-2');
    for (const key of ['p-2', 'policies p-1'])
      expect((await h.expectRefusal(retryParked, { ...input, key })).code).toBe('parked_document_not_found');
    expect(await h.log()).toEqual([]);
  });

  test('answers a repeated request also when the document is no longer parked', async () => {
    h.parked.add('policies p-1');
    await h.run(retryParked, input, { key: 'k' });
    h.parked.clear();
    expect(await h.run(retryParked, input, { key: 'k' })).toMatchObject({ replayed: true, revision: 0 });
  });

  test('refuses another collection and an empty key', async () => {
    expect(invalidFields(await h.expectRefusal(retryParked, { collection: 'secrets', key: '' }))).toEqual([
      'collection',
      'key',
    ]);
  });
});
