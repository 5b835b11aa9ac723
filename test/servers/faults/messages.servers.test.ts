import { expect, test } from '@jest/globals';
import { trapRequest } from '../support/failing.ts';
import { describeFaults } from '../support/fault-scene.ts';
import { testServerFaults } from './server-faults.ts';

/** As SMTP sends it. */
const END_OF_A_MAIL = /(^|\r\n)\.\r\n$/;

describeFaults('Processes for each role while the mail server, a mailer or Kafka fails', (scene) => {
  // First, so that mails that are refused now are tried again, a minute later, before the suite ends.
  testServerFaults(scene, 'the mail server', 'mail', ['surety_mails_total', 'outcome="refused"']);

  test('given a mailer is killed after the mail server got its mail and before the mailer got the answer, then the others go on, and do not send it again', async () => {
    const { installation, load } = scene;
    load.begin();
    const { mail: proxy } = installation.process('mailer 1');
    await trapRequest(proxy, END_OF_A_MAIL, () => 'mailer 1 sends no mail');
    proxy.release();
    await installation.kill('mailer 1');
    await load.until(5);
  });

  testServerFaults(scene, 'Kafka', 'kafka');

  test('in the end each mail was sent once, except those that were refused twice, and those with an unknown outcome, of which the mail server got some', async () => {
    const parked = await scene.expectMailsSentOnce();
    const delivered = scene.installation.mail.counts();
    expect(parked.filter((jobId) => delivered.has(jobId)).length).toBeGreaterThan(0);
  });
});
