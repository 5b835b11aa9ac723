import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { halfUp, LARGEST } from './insurance-model/amounts.ts';
import { Comparison } from './insurance-model/comparison.ts';
import { anyBeginning, anyStep, anyZone } from './insurance-model/steps.ts';

/** More for a long run by hand. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 300);
const FIRST_INSTANT = Date.parse('2026-03-01T00:00:00Z');
/** Until the quote expires. */
const MINUTES = 29 * 1440;

test(
  'policies, terms and transactions are those of an independent model, for every sequence of commands',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBeginning,
        anyZone,
        fc.integer({ min: 0, max: MINUTES }),
        fc.array(anyStep, { maxLength: 16, size: 'max' }),
        async (beginning, zone, minutes, steps) => {
          const now = new Date(FIRST_INSTANT + minutes * 60_000).toISOString();
          const comparison = await Comparison.begin(beginning, zone, now);
          await comparison.check();
          for (const step of steps) {
            await comparison.take(step);
            await comparison.check();
          }
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 500,
);

test('the model rounds as the contract does', () => {
  expect([halfUp(5n, 2n), halfUp(-5n, 2n), halfUp(4n, 3n), halfUp(LARGEST, 1n)]).toEqual([3n, -3n, 1n, LARGEST]);
});
