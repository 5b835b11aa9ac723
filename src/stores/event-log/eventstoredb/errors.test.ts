import { AccessDeniedError } from '@eventstore/db-client';
import { Metadata, status } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';

import { definiteError, isLostConnection, isInvalidPosition } from './errors.ts';

/** Creates an error as gRPC does: no class of the client, and no `type`. */
function grpcError(code: number, details: string): Error {
  return Object.assign(new Error(`${code}: ${details}`), { code, details });
}

test('recognises a lost connection by its code alone', () => {
  expect(isLostConnection(grpcError(14, 'Connection dropped'))).toBe(true);
  expect(isLostConnection(grpcError(13, 'Received RST_STREAM with code 2'))).toBe(true);
  expect(isLostConnection(grpcError(4, 'Deadline exceeded'))).toBe(false);
  expect(isLostConnection(new Error('Connection dropped'))).toBe(false);
});

test('names the stream to which access is denied', () => {
  const denied = new AccessDeniedError({
    code: status.UNAUTHENTICATED,
    details: 'x',
    name: 'x',
    message: 'x',
    metadata: new Metadata(),
  });
  expect(definiteError(denied, '$all')?.message).toMatch(/^EventStoreDB denies access to \$all: /);
});

test.each<[number, string, boolean]>([
  [2, 'Unexpected ReadAllResult: Error', true],
  [2, 'Unexpected FilteredReadAllResult: Error', true],
  [2, 'Exception was thrown by handler.', true],
  [2, 'Trying to read from an invalid position.', true],
  [3, 'Trying to read from an invalid position.', true],
  [2, 'No leader info available in response', false],
  [2, 'Envelope callback expected either ReadAllEventsForwardCompleted or NotHandled, received X instead', false],
  [14, 'Server Is Too Busy', false],
])('code %i, "%s", reports an invalid position: %s', (code, details, expected) => {
  expect(isInvalidPosition(grpcError(code, details))).toBe(expected);
});
