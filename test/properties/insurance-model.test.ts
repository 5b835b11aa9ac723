import { test } from '@jest/globals';
import * as fc from 'fast-check';
import { anyPoint, pointOf } from './insurance-model/any-point.ts';
import { Comparison } from './insurance-model/comparison.ts';
import { anyLife } from './insurance-model/any-life.ts';
import { firstNow } from './insurance-model/lives.ts';
import { expectBook } from './book-model/real-book.ts';

/** More for a long run by hand. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? 150);

test(
  'policies, terms, transactions and the book, now and at any point in time, are those of an independent model, for every sequence of commands',
  async () => {
    await fc.assert(
      fc.asyncProperty(anyLife, fc.array(anyPoint, { minLength: 4, maxLength: 6 }), async (life, points) => {
        const comparison = await Comparison.begin(life.contract, firstNow(life.minutes));
        if (comparison === undefined) return;
        await comparison.check();
        for (const step of life.steps) {
          await comparison.take(step);
          await comparison.check();
        }
        const models = { policies: [comparison], claims: [], instants: comparison.instants };
        for (const any of points) {
          const point = pointOf(models, any);
          await comparison.checkAt(point);
          await expectBook(models, point, undefined);
        }
      }),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 500,
);
