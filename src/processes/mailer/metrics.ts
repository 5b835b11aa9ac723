import { Counter } from 'prom-client';
import type { SendResult } from '../../mail/mail.ts';
import type { ProcessParts } from '../runtime/process.ts';

export interface MailerMetrics {
  readonly attempted: (outcome: SendResult['status']) => void;
  readonly skipped: () => void;
}

const OUTCOMES: readonly SendResult['status'][] = ['sent', 'refused', 'unknown'];

/** Declares the metrics of a mailer; call it once per registry. */
export function declareMailerMetrics({ metrics }: Pick<ProcessParts, 'metrics'>): MailerMetrics {
  const attempts = new Counter({
    name: 'surety_mails_total',
    help: 'Attempts of this process to send a mail, by outcome; refused: the mail server was unreachable or rejected the mail',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const skipped = new Counter({
    name: 'surety_mail_messages_skipped_total',
    help: 'Messages in the mail queue that are not the id of a mail job; the log names partition and offset',
    registers: [metrics],
  });
  return {
    attempted: (outcome) => attempts.inc({ outcome }),
    skipped: () => skipped.inc(),
  };
}
