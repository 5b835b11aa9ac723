/**
 * Generous limits, so that a slow machine does not fail a good test: a limit is there to end a test that hangs.
 * The real book is tens of thousands of policies in one test.
 */
import { expect, jest } from '@jest/globals';

const minute = 60_000;
const isBook = /[\\/]test[\\/]book[\\/]/.test(expect.getState().testPath ?? '');

jest.setTimeout(isBook ? 20 * minute : minute);
