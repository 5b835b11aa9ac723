/**
 * Starts the longest suites first, also without durations of an earlier run, so that none of them runs alone at the
 * end.
 */
import Sequencer from '@jest/test-sequencer';

const LONGEST = [
  'servers/faults/stores',
  'servers/faults/messages',
  'servers/lost-topics',
  'test/book/',
  'servers/faults/processes',
  'faults/service',
  'faults/damaged-log',
  'properties/insurance-model',
  'test/console/',
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const found = LONGEST.findIndex((name) => path.includes(name));
      return found === -1 ? LONGEST.length : found;
    };
    return super.sort(tests).toSorted((a, b) => place(a) - place(b));
  }
}
