import { describe, expect, test } from '@jest/globals';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { rebuilds } from '#event-sourcing/rebuilds.ts';
import { given, NOW } from '#test/support/given.ts';
import { endRebuild } from './end-rebuild.ts';
import { requestRebuild } from './request-rebuild.ts';

const [first, second] = [derivedId('first'), derivedId('second')];
const requested = (rebuildId: string, collections: readonly string[]) => ({
  type: 'RebuildRequested',
  data: { rebuildId, collections: [...collections] },
});
const end = { rebuildId: first, outcome: 'refused' as const, reason: 'full' };
const ended = { type: 'RebuildEnded', data: end };

describe('RequestRebuild', () => {
  const collections = ['policies' as const, 'claims' as const];

  test('records the collections; default: all', () => {
    given().when(requestRebuild, { rebuildId: first, collections }).then(requested(first, collections));
    const { input } = requestRebuild;
    const all = input.shape.collections.unwrap().element.options;
    given().when(requestRebuild, { rebuildId: first }).then(requested(first, all));
  });

  test('refuses the same collections until the rebuild has ended', () => {
    const running = [requested(second, ['merchants']), requested(first, ['claims', 'products'])];
    const command = { rebuildId: derivedId('third'), collections };
    const members = { rebuild_id: first, collections: ['claims', 'products'] };
    given(...running)
      .when(requestRebuild, command)
      .thenRefused('rebuild_running', { members });
    given(...running, ended)
      .when(requestRebuild, command)
      .then(requested(command.rebuildId, collections));
  });

  test('beside a rebuild of other collections', () => {
    given(requested(first, ['products']))
      .when(requestRebuild, { rebuildId: second, collections })
      .then(requested(second, collections));
  });
});

test('EndRebuild ends an open rebuild once', () => {
  const open = [requested(first, ['claims']), requested(second, ['policies'])];
  given(...open)
    .when(endRebuild, end)
    .then(ended);
  given(...open, ended)
    .when(endRebuild, end)
    .thenNothing();
  given(requested(second, ['policies']))
    .when(endRebuild, end)
    .thenNothing();
  given().when(endRebuild, end).thenNothing();
});

test('The rebuilds are listed in the order of their requests, with their end', () => {
  const all = given(requested(first, ['claims']), requested(second, ['policies']), ended).foldedBy(rebuilds);
  expect(all).toEqual([
    {
      rebuildId: first,
      collections: ['claims'],
      requestedAt: NOW,
      position: 1n,
      ended: { at: NOW, outcome: 'refused', reason: 'full' },
    },
    { rebuildId: second, collections: ['policies'], requestedAt: NOW, position: 2n, ended: undefined },
  ]);
});
