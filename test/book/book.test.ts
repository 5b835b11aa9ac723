import { describeBook } from './book.suite.ts';
import { realBook, SMALL_BOOK } from './books.ts';

const real = realBook();

describeBook(
  real === undefined ? 'the small book, for want of the real one' : 'the French motor book',
  real ?? SMALL_BOOK,
);
