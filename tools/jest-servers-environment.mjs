/**
 * Where the jest project `servers` runs: tells the suites that their services work on servers, says in the name of each suite
 * of the API which these are, and skips it by name where one is missing. Drops what a suite that failed has left behind.
 */
import { TestEnvironment } from 'jest-environment-node';

const isOfApi = /[\\/]test[\\/]api[\\/]/;

/** What is said behind the name of a suite of the API, and whether it can run. */
function ofServers() {
  if (!process.env.MONGODB_URL) return { told: 'skipped: MONGODB_URL is not set', skipped: true };
  return { told: 'on MongoDB and a stand-in for EventStoreDB', skipped: false };
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
    const { told, skipped } = ofServers();
    for (const child of state.rootDescribeBlock.children) {
      child.name = `${child.name} (${told})`;
      if (skipped) skip(child);
    }
  }

  async teardown() {
    for (const remove of this.global.LEFT_BEHIND) await remove().catch(() => undefined);
    await super.teardown();
  }
}

/** Hooks of suites without a test to run do not run either. */
function skip(entry) {
  entry.mode = 'skip';
  for (const child of entry.children ?? []) skip(child);
}
