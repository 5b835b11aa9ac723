/**
 * Where the jest project `servers` runs: tells the suites that their services work on servers, says in the name of each suite
 * of the API which these are, and skips it by name where one is missing.
 */
import { TestEnvironment } from 'jest-environment-node';

const isOfApi = /[\\/]test[\\/]api[\\/]/;

/** Why the suites of the API cannot run; undefined when they can. */
function whyNot() {
  if (!process.env.MONGODB_URL) return 'MONGODB_URL is not set';
  // A service reads the whole log, in which other suites have other merchants of the same names.
  if (process.env.EVENTSTORE_URL) return 'each needs a log of its own, and EVENTSTORE_URL names one that is shared';
  return undefined;
}

export default class ServersEnvironment extends TestEnvironment {
  #path;

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
    this.global.STORES_UNDER_TEST = 'servers';
  }

  handleTestEvent(event, state) {
    if (event.name !== 'run_start' || !isOfApi.test(this.#path)) return;
    const why = whyNot();
    const told = why === undefined ? 'on MongoDB and a stand-in for EventStoreDB' : `skipped: ${why}`;
    for (const child of state.rootDescribeBlock.children) {
      child.name = `${child.name} (${told})`;
      if (why !== undefined) skip(child);
    }
  }
}

/** Hooks of suites without a test to run do not run either. */
function skip(entry) {
  entry.mode = 'skip';
  for (const child of entry.children ?? []) skip(child);
}
