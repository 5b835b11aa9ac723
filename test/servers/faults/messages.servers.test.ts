import { expect, test } from '@jest/globals';
import { waitForHeldRequest } from '../support/faults.ts';
import { describeFaults } from '../support/fault-harness.ts';
import { testServerFaults } from './server-faults.ts';

/** The end of a message in SMTP. */
const END_OF_A_MAIL = /(^|\r\n)\.\r\n$/;

const PAIRS = ['mailer'] as const;

describeFaults('Processes for each role while the mail server, a mailer or Kafka fails', PAIRS, (harness) => {
  // First, so that the retries of refused mails, one minute later, happen before the suite ends.
  testServerFaults(harness, 'the mail server', 'mail', ['surety_mails_total', 'outcome="refused"']);

  test('a mail whose mailer is killed between delivery and reply is not sent again', async () => {
    const { installation, load } = harness;
    load.start();
    const { mail: proxy } = installation.process('mailer 1');
    await waitForHeldRequest(proxy, END_OF_A_MAIL, () => 'mailer 1 does not send a mail');
    proxy.release();
    await installation.kill('mailer 1');
    await load.waitForClaims(5);
  });

  testServerFaults(harness, 'Kafka', 'kafka');

  test('every mail was sent once, except those refused twice and those with an unknown outcome, some of which were delivered', async () => {
    const parked = await harness.expectMailsSentOnce();
    const delivered = harness.installation.mail.counts();
    expect(parked.filter((jobId) => delivered.has(jobId)).length).toBeGreaterThan(0);
  });
});
