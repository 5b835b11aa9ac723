/**
 * Jest environment of the project `servers`: makes the suites run on servers, and adds these to the title of each API
 * suite. Drops databases that a failed suite leaves behind.
 */
import { TestEnvironment } from 'jest-environment-node';

const isOfApi = /[\\/]test[\\/]api[\\/]/;

const SUFFIX = 'on MongoDB and a stand-in for EventStoreDB';

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
    for (const child of state.rootDescribeBlock.children) child.name = `${child.name} (${SUFFIX})`;
  }

  async teardown() {
    for (const remove of this.global.LEFT_BEHIND) await remove().catch(() => undefined);
    await super.teardown();
  }
}
