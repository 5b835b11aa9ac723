import { test } from '@jest/globals';
import * as fc from 'fast-check';
import { GROUPS } from '#queries/portfolio/portfolio.ts';
import { anyPoint, pointOf } from './insurance-model/any-point.ts';
import { anyBookHistory, RUNS } from './book-model/any-book.ts';
import { Book } from './book-model/book.ts';
import { expectBook } from './book-model/real-book.ts';

test(
  'the portfolio of any day, as it was known at any moment, is that of an independent model to the cent, after every sequence of commands',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        anyBookHistory,
        fc.array(fc.tuple(anyPoint, fc.constantFrom(undefined, ...GROUPS), fc.integer({ min: 1, max: 20 })), {
          minLength: 6,
          maxLength: 10,
        }),
        async (history, points) => {
          const book = await Book.after(history);
          await book.checkPayments();
          for (const [any, groupBy, maxEvents] of points)
            await expectBook(book, pointOf(book, any), groupBy, maxEvents);
        },
      ),
      { numRuns: RUNS },
    );
  },
  60_000 + RUNS * 1_000,
);
