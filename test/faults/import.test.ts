import { SMALL_BOOK } from '../book/books.ts';
import { describeBook } from '../book/book.suite.ts';

describeBook('the small book', SMALL_BOOK);
