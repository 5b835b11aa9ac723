/**
 * Jest reporter that fails a run of a whole project with fewer tests than the minimum, for example when a file pattern
 * no longer matches. Raise the numbers when suites are added; skipped tests count.
 */
const minimum = {
  unit: 2_300,
  ports: 300,
  api: 460,
  client: 50,
  console: 17,
  properties: 170,
  faults: 90,
  book: 8,
  clients: 6,
  servers: 180,
};

export default class MinimumReporter {
  #isWhole;
  #counts = new Map();
  #error;

  constructor({ testPathPatterns, testNamePattern, onlyChanged, shard }) {
    const isFiltered = testNamePattern || onlyChanged || shard || testPathPatterns.patterns.length > 0;
    this.#isWhole = !isFiltered;
  }

  onTestResult({ context }, { testResults }) {
    const { name } = context.config.displayName;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + testResults.length);
  }

  onRunComplete(contexts) {
    if (!this.#isWhole) return;
    const short = [...contexts]
      .map(({ config }) => config.displayName.name)
      .filter((name) => !((this.#counts.get(name) ?? 0) >= minimum[name]))
      .map((name) => `${name} has ${this.#counts.get(name) ?? 0} tests, at least ${minimum[name]} are expected`);
    if (short.length === 0) return;
    this.#error = new Error(`${short.join('; ')}. See tools/jest-minimum.mjs.`);
    // Jest ends with a failure, but does not print the error.
    console.error(this.#error.message);
  }

  getLastError() {
    return this.#error;
  }
}
