import { expect, test } from '@jest/globals';
import type { VerificationReport } from '../../projector/verification.ts';
import { linesOf, reportOf, verificationLine } from './verification-lines.ts';

const event = { id: 'e', stream: 'policy-1', revision: 2 };
const log = { events: 5, upTo: 5n, faults: 0, named: [] };
const damaged: VerificationReport = {
  log: {
    events: 5,
    upTo: 6n,
    faults: 3,
    named: [
      { what: 'file', reason: 'malformed', position: undefined, event: undefined },
      { what: 'missing', reason: 'nothing is stored at position 4', position: 4n, event: undefined },
      { what: 'unreadable', reason: 'altered', position: 5n, event },
    ],
  },
  readModels: undefined,
};
const parked = { reason: 'cannot be folded', eventId: 'e', eventType: 'X.v1', position: 4n };
const compared: VerificationReport = {
  log,
  readModels: {
    documents: {
      upTo: 5n,
      compared: 4,
      advancedCount: 1,
      differing: 1,
      missing: 0,
      surplus: 1,
      differences: [
        { collection: 'policies', key: 'a', what: 'differing', pointers: ['/body/view/premium'] },
        { collection: 'policies', key: 'b', what: 'surplus', pointers: [] },
      ],
      parked: 1,
      parkedDocuments: [{ collection: 'claims', key: 'c', parked }],
    },
    contents: { compared: 3, differences: [{ claim: 'c', sha256: 'f', what: 'missing' }] },
  },
};
const empty: VerificationReport = { ...damaged, log: { events: 0, upTo: undefined, faults: 1, named: [] } };

test.each([
  ['a damaged log', damaged],
  ['an unreadable log', empty],
  ['read models', compared],
])('the lines of a report on %s give the same report', (_what, report) => {
  const lines = [...linesOf(report)].map((line) => verificationLine.parse(JSON.parse(JSON.stringify(line))));
  expect(reportOf(lines)).toEqual(report);
});
