import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { executablePath, launchChromium } from './launch-chromium.ts';

/** Declares a suite in Chromium; skipped where it is not installed, with the reason in its title. */
export function describeInChromium(title: string, suite: (launch: () => Promise<Browser>) => void): void {
  const isInstalled = existsSync(executablePath);
  const describeIfInstalled = isInstalled ? describe : describe.skip;
  describeIfInstalled(isInstalled ? title : `${title} (skipped: Chromium is not installed)`, () => {
    suite(launchChromium);
  });
}
