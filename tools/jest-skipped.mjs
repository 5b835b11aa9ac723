/**
 * Jest reporter that prints a line for each suite of which no test was run; its name says why. The default reporter counts
 * them only.
 */
export default class SkippedReporter {
  onRunComplete(_contexts, { testResults }) {
    for (const { testResults: tests } of testResults) {
      for (const [suite, states] of bySuite(tests)) {
        if (states.every((state) => state === 'pending')) console.log(`SKIPPED ${suite}: ${states.length} tests`);
      }
    }
  }
}

/** The state of each test, by the outermost block that it stands in. */
function bySuite(tests) {
  const suites = new Map();
  for (const { ancestorTitles, title, status } of tests) {
    const suite = ancestorTitles[0] ?? title;
    suites.set(suite, [...(suites.get(suite) ?? []), status]);
  }
  return suites;
}
