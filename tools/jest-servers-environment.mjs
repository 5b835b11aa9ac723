/**
 * Jest environment of the project `servers`: makes the suites run on servers, adds these to the title of each API suite, and
 * skips the suite with the reason in its title when one is missing. Drops databases that a failed suite leaves behind.
 */
import { TestEnvironment } from 'jest-environment-node';

const isOfApi = /[\\/]test[\\/]api[\\/]/;

/** Suffix of the titles of API suites, and whether they can run. */
function ofServers() {
  if (!process.env.MONGODB_URL) return { suffix: 'skipped: MONGODB_URL is not set', skipped: true };
  return { suffix: 'on MongoDB and a stand-in for EventStoreDB', skipped: false };
}

export default class ServersEnvironment extends TestEnvironment {
  #path;

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
    this.global.STORES_UNDER_TEST = 'servers';
    this.global.LEFT_BEHIND = new Set();
  }

  handleTestEvent(event, state) {
    if (event.name !== 'run_start' || !isOfApi.test(this.#path)) return;
    const { suffix, skipped } = ofServers();
    for (const child of state.rootDescribeBlock.children) {
      child.name = `${child.name} (${suffix})`;
      if (skipped) skip(child);
    }
  }

  async teardown() {
    for (const remove of this.global.LEFT_BEHIND) await remove().catch(() => undefined);
    await super.teardown();
  }
}

/** Hooks of suites without a runnable test do not run either. */
function skip(entry) {
  entry.mode = 'skip';
  for (const child of entry.children ?? []) skip(child);
}
