import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '../../src/config.ts';
import { temporaryFolder } from '../ports/support/temporary-folder.ts';
import { canRunShell, runTutorial, tutorialOnCompose } from '../support/tutorial.ts';
import { Installation } from './support/installation.ts';
import { type MailPage, startMailPage } from './support/mail-page.ts';
import { describeOwnServers } from './support/own-servers.ts';
import { freePort } from '../support/free-port.ts';

const suite = (): void => {
  const place = temporaryFolder();
  let installation: Installation;
  let page: MailPage;

  beforeAll(async () => {
    // One after the other, so that all started servers are known when the next start fails.
    page = await startMailPage();
    installation = await Installation.start();
    const port = await freePort();
    const common = { PUBLIC_URL: `http://127.0.0.1:${port}`, SMTP_URL: page.mails.url };
    const own: Record<string, Record<string, string>> = { api: { PORT: String(port), SURETY_SAMPLE: 'on' } };
    await Promise.all(ROLES.map(async (role) => await installation.run(role, role, { ...common, ...own[role] })));
  });
  afterAll(async () => {
    await Promise.allSettled([installation?.dispose(), page?.close()]);
    place.remove();
  });

  test('the commands of docs/tutorial.md, with the lines of docs/runbook.md, give the output that the page shows', async () => {
    const { adminKey, url } = installation.process('api').service;
    writeFileSync(join(place.folder, '.env'), `# as of .env.example\nSURETY_ADMIN_KEY=${adminKey}\n`);
    expect(await runTutorial(tutorialOnCompose(url, page.url), place.folder)).toEqual([]);
  });
};

/** docker-compose.yml without Docker: the same roles and settings on separate servers. */
describeOwnServers(
  ['MONGODB_URL', 'KAFKA_BROKERS'],
  'The tutorial on five roles, with a stand-in for EventStoreDB',
  suite,
  canRunShell() ? undefined : 'no sh or no curl',
);
