/**
 * Where the jest project `servers` runs: tells the suites that their services work on servers, says in the name of each suite
 * of the API which these are, and skips it by name where one is missing. Says of a suite that makes its event log fail that it
 * does so to a stand-in, also where EVENTSTORE_URL names a server. Drops what a suite that failed has left behind.
 */
import { TestEnvironment } from 'jest-environment-node';

const isOfApi = /[\\/]test[\\/]api[\\/]/;
const isOfStandIn = /[\\/]test[\\/]servers[\\/]eventstoredb[\\/]/;

/** What is said behind the name of a suite, and whether it can run. */
function told(path) {
  const named = process.env.EVENTSTORE_URL;
  if (isOfStandIn.test(path)) {
    return named ? { told: 'on the stand-in: no test may harm the server that EVENTSTORE_URL names' } : undefined;
  }
  if (!isOfApi.test(path)) return undefined;
  if (!process.env.MONGODB_URL) return { told: 'skipped: MONGODB_URL is not set', skipped: true };
  const log = named ? 'a part of its own of the log that EVENTSTORE_URL names' : 'a stand-in for EventStoreDB';
  return { told: `on MongoDB and ${log}` };
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
    if (event.name !== 'run_start') return;
    const suite = told(this.#path);
    if (suite === undefined) return;
    for (const child of state.rootDescribeBlock.children) {
      child.name = `${child.name} (${suite.told})`;
      if (suite.skipped) skip(child);
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
