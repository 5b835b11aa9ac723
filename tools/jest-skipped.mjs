/**
 * Jest reporter that prints a line for each suite without a run test, for each test with a skip reason in its title,
 * and, if EVENTSTORE_URL is set, for each suite that ran on a stand-in. The titles give the reason; the default
 * reporter only counts.
 */
export default class SkippedReporter {
  #withoutMongodb;

  /** @param withoutMongodb files that the project `servers` omits because MONGODB_URL is not set */
  constructor(_globalConfig, { withoutMongodb }) {
    this.#withoutMongodb = withoutMongodb;
  }

  onRunComplete(contexts, { testResults }) {
    const isOnServers = [...contexts].some(({ config }) => config.displayName?.name === 'servers');
    if (isOnServers)
      for (const file of this.#withoutMongodb) console.log(`SKIPPED ${file} (skipped: MONGODB_URL is not set)`);
    const isNamed = Boolean(process.env.EVENTSTORE_URL);
    for (const { testResults: tests } of testResults) {
      for (const [suite, own] of bySuite(tests)) {
        const skipped = own.filter(({ status }) => status === 'pending');
        const run = own.length - skipped.length;
        if (run === 0) console.log(`SKIPPED ${suite}: ${own.length} tests`);
        else {
          for (const { title } of skipped) if (title.includes('(skipped:')) console.log(`SKIPPED ${suite}: ${title}`);
          if (isNamed && suite.includes('stand-in')) console.log(`ON A STAND-IN ${suite}: ${run} tests`);
        }
      }
    }
  }
}

/** Groups the tests by their outermost block. */
function bySuite(tests) {
  const suites = new Map();
  for (const test of tests) {
    const suite = test.ancestorTitles[0] ?? test.title;
    suites.set(suite, [...(suites.get(suite) ?? []), test]);
  }
  return suites;
}
