import { expect, test } from '@jest/globals';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { rebuilds } from '#event-sourcing/rebuilds.ts';
import { given, NOW } from '#test/support/given.ts';
import { requestRebuild } from './request-rebuild.ts';

const [first, second] = [derivedId('first'), derivedId('second')];
const requested = (rebuildId: string) => ({ type: 'RebuildRequested', data: { rebuildId } });

test('RequestRebuild records each request, and each asks for the next generation', () => {
  given().when(requestRebuild, { rebuildId: first }).then(requested(first));
  given(requested(first)).when(requestRebuild, { rebuildId: second }).then(requested(second));
  expect(given(requested(first), requested(second)).foldedBy(rebuilds)).toEqual([
    { rebuildId: first, number: 1, requestedAt: NOW },
    { rebuildId: second, number: 2, requestedAt: NOW },
  ]);
});
