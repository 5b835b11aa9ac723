import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { WaitingResponses } from './response-limits.ts';

const STALLED_AFTER_MS = 30_000;
const BODY_BYTES = 60_000;

/** Response of a client that reads as much as the test sets. */
class FakeResponse extends EventEmitter {
  destroyed = false;
  writableLength = BODY_BYTES;
  readonly socket = { bytesWritten: BODY_BYTES, _handle: { writeQueueSize: BODY_BYTES } };

  end(): void {}

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

let cuts: number;
let response: FakeResponse;
let responses: WaitingResponses;
beforeEach(() => {
  jest.useFakeTimers();
  cuts = 0;
  response = new FakeResponse();
  responses = new WaitingResponses({ stalledAfter: STALLED_AFTER_MS }, () => (cuts += 1));
  responses.end(response as unknown as ServerResponse, 'body', BODY_BYTES);
});
afterEach(() => {
  jest.useRealTimers();
});

test('does not cut a response with progress in each interval', () => {
  for (let interval = 0; interval < 10; interval++) {
    response.socket._handle.writeQueueSize -= 1_000;
    jest.advanceTimersByTime(STALLED_AFTER_MS);
  }
  expect([cuts, response.destroyed, responses.bytes]).toEqual([0, false, BODY_BYTES]);
});

test('cuts a response once after an interval without progress', () => {
  jest.advanceTimersByTime(3 * STALLED_AFTER_MS);
  expect([cuts, response.destroyed, responses.bytes]).toEqual([1, true, 0]);
});
