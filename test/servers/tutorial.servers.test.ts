import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROLES } from '../../src/config.ts';
import { temporaryFolder } from '../ports/support/temporary-folder.ts';
import { canFollow, follow, tutorialOnCompose } from '../support/tutorial.ts';
import { Installation } from './support/installation.ts';
import { type MailPage, startMailPage } from './support/mail-page.ts';
import { describeOwnServers } from './support/own-servers.ts';
import { freePort } from '../support/free-port.ts';

const suite = (): void => {
  const place = temporaryFolder();
  let on: Installation;
  let page: MailPage;

  beforeAll(async () => {
    // One after the other: what was started is known when the next one fails.
    page = await startMailPage();
    on = await Installation.start();
    const port = await freePort();
    const common = { PUBLIC_URL: `http://127.0.0.1:${port}`, SMTP_URL: page.mails.url };
    const own: Record<string, Record<string, string>> = { api: { PORT: String(port), SURETY_SAMPLE: 'on' } };
    await Promise.all(ROLES.map(async (role) => await on.run(role, role, { ...common, ...own[role] })));
  });
  afterAll(async () => {
    await Promise.allSettled([on?.dispose(), page?.close()]);
    place.remove();
  });

  test('given docs/tutorial.md with the lines of docs/runbook.md, when a shell runs its commands, then each shows what the page shows', async () => {
    const { adminKey, url } = on.process('api').service;
    writeFileSync(join(place.folder, '.env'), `# as of .env.example\nSURETY_ADMIN_KEY=${adminKey}\n`);
    expect(await follow(tutorialOnCompose(url, page.url), place.folder)).toEqual([]);
  });
};

/** docker-compose.yml without Docker: the same roles and settings on servers of the suite's own. */
describeOwnServers(
  ['MONGODB_URL', 'KAFKA_BROKERS'],
  'The tutorial on five roles, with a stand-in for EventStoreDB',
  suite,
  canFollow() ? undefined : 'no sh or no curl',
);
