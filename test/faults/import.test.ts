import { SMALL_BOOK } from '../book/books.ts';
import { describeBook } from '../book/book.suite.ts';

describeBook('The small book', SMALL_BOOK);
