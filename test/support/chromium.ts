import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package installs it; `CHROMIUM` names another one. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Chromium that looks nothing up on its own. In a container it can have no sandbox. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Declares a suite in Chromium; skipped where it is not installed, with the reason in its title. */
export function describeInChromium(title: string, suite: (launch: () => Promise<Browser>) => void): void {
  const isInstalled = existsSync(executablePath);
  const describeIfInstalled = isInstalled ? describe : describe.skip;
  describeIfInstalled(isInstalled ? title : `${title} (skipped: Chromium is not installed)`, () => {
    suite(async () => await chromium.launch({ executablePath, args }));
  });
}
