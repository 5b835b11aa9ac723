/**
 * Timeouts are high, so that tests pass on a slow machine; they only end tests that hang. The real book has tens of
 * thousands of policies in one test, and fault tests start many processes.
 */
import { expect, jest } from '@jest/globals';

const minute = 60_000;
const path = expect.getState().testPath ?? '';
const isBook = /[\\/]test[\\/]book[\\/]/.test(path);
/** These download packages and build programs. */
const isOfClients = /[\\/]test[\\/]clients[\\/]/.test(path);
const isOfFaults = /[\\/]test[\\/]faults[\\/]/.test(path);
/** Many suites start separate servers, up to three at a time, concurrently with another suite. */
const isOnServers = globalThis.STORES_UNDER_TEST === 'servers' || /[\\/]test[\\/]servers[\\/]/.test(path);

jest.setTimeout(isBook ? 20 * minute : isOnServers ? 5 * minute : isOfFaults || isOfClients ? 3 * minute : 2 * minute);
