import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { BodyMemory } from './body-memory.ts';

function responseOf(closed: boolean) {
  return Object.assign(new EventEmitter(), { closed }) as never;
}

test('Bytes are counted until the response is closed, and not after that', () => {
  const memory = new BodyMemory({ total: 10, perKey: 8 });
  const response: EventEmitter = responseOf(false);
  const hold = memory.holderFor(response as never, 'a');
  expect([hold(5), hold(4), memory.holderFor(responseOf(false), 'b')(6), memory.bytes]).toEqual([
    true,
    false,
    false,
    5,
  ]);
  response.emit('close');
  expect(memory.bytes).toBe(0);
  expect([memory.holderFor(responseOf(true), 'a')(5), memory.bytes]).toEqual([true, 0]);
});
