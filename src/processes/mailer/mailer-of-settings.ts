import { join } from 'node:path';
import { mailboxOf } from '../../mail/compose.ts';
import { outboxTransport } from '../../mail/outbox-transport.ts';
import { smtpTransport } from '../../mail/smtp-transport.ts';
import type { JobQueues } from '../../messaging/messaging.ts';
import type { ProcessParts, RunningProcess } from '../process.ts';
import { declareMailerMetrics } from './metrics.ts';
import { mailComposer } from './mail-composer.ts';
import { startMailer } from './mailer.ts';

/** What of the settings concerns mails. */
export interface MailSettings {
  readonly dataFolder: string;
  /** Undefined: mails become files in the folder `outbox`. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly supportEmail: string | undefined;
}

/** Who mails come from unless it is set. */
const USUAL_FROM = 'Surety <no-reply@localhost>';

/**
 * The mailer that the settings ask for. It begins as soon as it is known where Surety is reached, because its links lead there.
 */
export function startMailerOf(
  settings: MailSettings,
  parts: ProcessParts,
  { queues, origin }: { readonly queues: JobQueues; readonly origin: Promise<string> },
): RunningProcess {
  const { commandPorts } = parts;
  const { now } = commandPorts;
  const { smtpUrl, supportEmail, mailFrom = USUAL_FROM, dataFolder } = settings;
  const mailerMetrics = declareMailerMetrics(parts);
  if (smtpUrl !== undefined && settings.mailFrom === undefined) {
    parts.log.warn(`Mails come from ${USUAL_FROM}, which most mail servers refuse: set MAIL_FROM`);
  }
  const transport =
    smtpUrl === undefined
      ? outboxTransport({ folder: join(dataFolder, 'outbox'), now })
      : smtpTransport({ url: smtpUrl });
  let running: RunningProcess | undefined;
  let stopped = false;
  void origin.then((known) => {
    if (stopped) return;
    const compose = mailComposer({
      now,
      verificationToken: commandPorts.services.verificationToken,
      from: mailboxOf(mailFrom),
      supportEmail,
      origin: () => known,
    });
    const monotonic = (): number => performance.now();
    running = startMailer({ ...parts, monotonic, queues, transport, compose, mailerMetrics });
  });
  return {
    name: 'mailer',
    check: () => running?.check(),
    stop: async () => {
      stopped = true;
      await running?.stop();
    },
  };
}
