import { appendFileSync } from 'node:fs';

/**
 * Jest reporter that appends the counts "passed failed" of the run as one line to the file SURETY_TEST_COUNTS.
 * CI adds up the lines of all runs. A suite that fails to start counts as one failure.
 */
export default class CountsReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.SURETY_TEST_COUNTS;
    if (!file) return;
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    appendFileSync(file, `${results.numPassedTests} ${failed}\n`);
  }
}
