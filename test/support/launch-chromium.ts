import { type Browser, chromium } from 'playwright-core';

/** Where Debian's package installs it; `CHROMIUM` names another one. */
export const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

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

/** Starts Chromium without a window. */
export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath, args });
}
