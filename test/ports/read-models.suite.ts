import { describe } from '@jest/globals';

import { describeCounting } from './read-models/counting.ts';
import { describeDocuments } from './read-models/documents.ts';
import { describeFinding } from './read-models/finding.ts';
import { describeGenerations } from './read-models/generations.ts';
import { describeScanning } from './read-models/scanning.ts';
import type { MakeReadModels } from './read-models/subject.ts';
import { describeVersions } from './read-models/versions.ts';
import { describeWriters } from './read-models/writers.ts';

/** Declares the tests that every adapter of store of read models must pass unchanged. */
export function describeReadModels(name: string, make: MakeReadModels): void {
  describe(`read models: ${name}`, () => {
    describeGenerations(make);
    describeCounting(make);
    describeDocuments(make);
    describeWriters(make);
    describeFinding(make);
    describeScanning(make);
    describeVersions(make);
  });
}
