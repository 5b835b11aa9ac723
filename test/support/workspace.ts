import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import { cleanUp, readyService, type Service, SuretyProcess, temporaryFolder } from './service-process.ts';

/** The folder and processes of one test. */
export interface Workspace {
  /** Created before each test and removed after it. */
  readonly base: string;
  /** Path of the data folder in `base`; not created. */
  readonly folder: string;
  /** Starts the program; it is killed after the test if it still runs. */
  readonly spawn: (
    words: readonly string[],
    settings?: Readonly<Record<string, string>>,
    ownGroup?: boolean,
  ) => SuretyProcess;
  /** Starts the service and waits until it is ready. */
  readonly startService: (options?: {
    words?: readonly string[];
    settings?: Readonly<Record<string, string>>;
    ownGroup?: boolean;
  }) => Promise<Service>;
}

/**
 * Creates a workspace for every test; call it once at the top of the file.
 * @param program script to run instead of `bin/surety.mjs`
 */
export function useWorkspace(program?: string): Workspace {
  let base = '';
  let started: SuretyProcess[] = [];
  beforeEach(() => {
    base = temporaryFolder();
    started = [];
  });
  afterEach(async () => await cleanUp(base, started));
  const folder = (): string => join(base, 'data');
  const spawn: Workspace['spawn'] = (words, settings = {}, ownGroup = false) => {
    const child = new SuretyProcess(words, {
      folder: settings['SURETY_DATA'] ?? folder(),
      settings,
      ownGroup,
      ...(program && { program }),
    });
    started.push(child);
    return child;
  };
  return {
    get base() {
      return base;
    },
    get folder() {
      return folder();
    },
    spawn,
    startService: async (options = {}) => {
      const { words = [], settings = {}, ownGroup = false } = options;
      return await readyService(spawn(['serve', ...words], settings, ownGroup), { folder: folder(), settings });
    },
  };
}
