/**
 * Generous limits, so that a slow machine does not fail a good test: a limit is there to end a test that hangs.
 * The real book is tens of thousands of policies in one test; a test of faults starts process after process.
 */
import { expect, jest } from '@jest/globals';

const minute = 60_000;
const path = expect.getState().testPath ?? '';
const isBook = /[\\/]test[\\/]book[\\/]/.test(path);
const isOfFaults = /[\\/]test[\\/]faults[\\/]/.test(path);
/** Many start servers of their own, some of them three at once, beside those of another suite. */
const isOnServers = globalThis.STORES_UNDER_TEST === 'servers' || /[\\/]test[\\/]servers[\\/]/.test(path);

jest.setTimeout(isBook ? 20 * minute : isOnServers || isOfFaults ? 3 * minute : minute);
