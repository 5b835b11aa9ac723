import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { cleanUp, readyService, type Service, SuretyProcess, temporaryFolder } from './service-process.ts';

/** Where one test works, and what it runs. */
export interface Workplace {
  /** Made before each test, removed after it. */
  readonly base: string;
  /** The data folder in it, not made yet. */
  readonly folder: string;
  /** Begins a command line; what still runs after the test is ended. */
  readonly begin: (
    words: readonly string[],
    settings?: Readonly<Record<string, string>>,
    ownGroup?: boolean,
  ) => SuretyProcess;
  /** Starts the service, and waits until it is ready. */
  readonly serve: (options?: {
    words?: readonly string[];
    settings?: Readonly<Record<string, string>>;
    ownGroup?: boolean;
  }) => Promise<Service>;
}

/** A workplace of its own for every test of the file that calls this once, at its top. */
export function ownWorkplace(): Workplace {
  let base = '';
  let started: SuretyProcess[] = [];
  beforeEach(() => {
    base = temporaryFolder();
    started = [];
  });
  afterEach(async () => await cleanUp(base, started));
  const folder = (): string => join(base, 'data');
  const begin: Workplace['begin'] = (words, settings = {}, ownGroup = false) => {
    const begun = new SuretyProcess(words, { folder: folder(), settings, ownGroup });
    started.push(begun);
    return begun;
  };
  return {
    get base() {
      return base;
    },
    get folder() {
      return folder();
    },
    begin,
    serve: async (options = {}) => {
      const { words = [], settings = {}, ownGroup = false } = options;
      return await readyService(begin(['serve', ...words], settings, ownGroup), { folder: folder(), settings });
    },
  };
}
