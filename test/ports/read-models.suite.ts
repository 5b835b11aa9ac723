import { describe } from '@jest/globals';

import { describeBuilds } from './read-models/builds.ts';
import { describeCounting } from './read-models/counting.ts';
import { describeDocuments } from './read-models/documents.ts';
import { describeFencing } from './read-models/fencing.ts';
import { describeFinding } from './read-models/finding.ts';
import { describeScanning } from './read-models/scanning.ts';
import type { MakeReadModels } from './read-models/subject.ts';
import { describeVersions } from './read-models/versions.ts';

/** Declares the tests that every adapter of store of read models must pass unchanged. */
export function describeReadModels(name: string, make: MakeReadModels): void {
  describe(`read models: ${name}`, () => {
    describeBuilds(make);
    describeCounting(make);
    describeDocuments(make);
    describeFencing(make);
    describeFinding(make);
    describeScanning(make);
    describeVersions(make);
  });
}
