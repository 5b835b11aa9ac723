import { parseMailAddress } from './mail.ts';
import { outboxOf, outboxTransport } from './outbox-transport.ts';
import { smtpTransport } from './smtp-transport.ts';
import type { JobQueues } from '#stores/messaging/messaging.ts';
import type { ProcessParts, RunningProcess } from '../runtime/process.ts';
import { startMailer } from './mailer.ts';
import { declareMailerMetrics, mailComposer } from './send-mail.ts';

interface MailSettings {
  readonly dataFolder: string;
  /** Undefined: mails are written as files to the folder `outbox`. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly supportEmail: string | undefined;
}

const DEFAULT_FROM = 'Surety <no-reply@localhost>';

/**
 * Starts the mailer with the transport that the settings select. It consumes no mail until the public URL of Surety
 * (`origin`), which is part of the links in the mails, is known.
 */
export function startConfiguredMailer(
  settings: MailSettings,
  parts: ProcessParts,
  { queues, origin }: { readonly queues: JobQueues; readonly origin: Promise<string> },
): RunningProcess {
  const { commandPorts } = parts;
  const { now } = commandPorts;
  const { smtpUrl, supportEmail, mailFrom = DEFAULT_FROM, dataFolder } = settings;
  const mailerMetrics = declareMailerMetrics(parts);
  if (smtpUrl !== undefined && settings.mailFrom === undefined) {
    parts.log.warn(`MAIL_FROM is not set: mails are sent from ${DEFAULT_FROM}, which most mail servers refuse`);
  }
  const transport =
    smtpUrl === undefined ? outboxTransport({ folder: outboxOf(dataFolder), now }) : smtpTransport({ url: smtpUrl });
  let running: RunningProcess | undefined;
  let stopped = false;
  void origin.then((url) => {
    if (stopped) return;
    const from = parseMailAddress(mailFrom);
    const { verificationToken } = commandPorts.services;
    const compose = mailComposer({ now, verificationToken, from, supportEmail, origin: () => url });
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
