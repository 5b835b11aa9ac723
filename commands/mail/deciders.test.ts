import { describe, expect, test } from '@jest/globals';
import { type MailJob, type MailDelivery, mailJob } from '#domain/mail-job/mail-job.ts';
import { derivedId } from '#event-sourcing/identifiers.ts';
import { instantAfter } from '#event-sourcing/time.ts';
import { given, type GivenEvent, NOW } from '#test/support/given.ts';
import { attemptMail, concludeMail, dropMail, MailNotDue, requestMail, reviewMail } from './mail-moves.ts';
import { resendMail } from './resend-mail.ts';

const jobId = derivedId('test', 'job');
const JOB: MailJob = { jobId, kind: 'verification', tenantId: derivedId('test', 'tenant'), serial: 3 };
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const after = (milliseconds: number) => ({ now: instantAfter(NOW, milliseconds) });

const requested = (reason = 'event') => ({ type: 'MailRequested', data: { ...JOB, reason } });
const attempted = (attempt: number) => ({ type: 'MailAttempted', data: { jobId, attempt } });
const refused = (attempt: number, retryAt: string | null) => ({
  type: 'MailRefused',
  data: { jobId, attempt, reason: 'recipient_refused', smtpCode: 550, retryAt },
});
const parked = (attempt: number, reason = 'outcome_unknown') => ({
  type: 'MailParked',
  data: { jobId, attempt, reason },
});
const sent = (attempt: number) => ({ type: 'MailSent', data: { jobId, attempt } });
const dropped = { type: 'MailDropped', data: { jobId, reason: 'link_expired' } };

/** A mail in every delivery after at most one attempt, and the commands that change it then, long after. */
const DELIVERIES: readonly (readonly [MailDelivery, readonly GivenEvent[], readonly string[]])[] = [
  [{ status: 'requested', last: NOW, times: 1 }, [requested()], ['attempt', 'drop', 'review']],
  [{ status: 'attempting', since: NOW }, [requested(), attempted(1)], ['conclude', 'give up', 'review']],
  [
    { status: 'attempting', since: NOW },
    [requested(), attempted(1), refused(1, null)],
    ['conclude', 'give up', 'review'],
  ],
  [
    { status: 'waiting', until: after(MINUTE).now },
    [requested(), attempted(1), refused(1, after(MINUTE).now)],
    ['review'],
  ],
  [{ status: 'sent' }, [requested(), attempted(1), sent(1)], []],
  [
    { status: 'parked', reason: 'refused' },
    [requested(), attempted(1), refused(1, null), parked(1, 'refused')],
    ['resend'],
  ],
  [{ status: 'parked', reason: 'outcome_unknown' }, [requested(), attempted(1), parked(1)], ['conclude', 'resend']],
  [{ status: 'dropped' }, [requested(), dropped], []],
];

describe.each(DELIVERIES)('A mail in the delivery %j', (delivery, history, allowed) => {
  const inDelivery = given(...history);
  const now = instantAfter(NOW, 24 * 60 * MINUTE);

  test('is changed only by the commands that are due', () => {
    expect(inDelivery.foldedBy(mailJob)?.delivery).toEqual(delivery);
    const ends = {
      request: inDelivery.when(requestMail, JOB),
      attempt: inDelivery.when(attemptMail, {}),
      drop: inDelivery.when(dropMail, { reason: 'link_expired' }),
      conclude: inDelivery.when(concludeMail, { attempt: 1, outcome: { status: 'sent' }, now }),
      'give up': inDelivery.when(concludeMail, { attempt: 1, outcome: { status: 'unknown' }, now }),
      review: inDelivery.when(reviewMail, { now }),
    };
    const isResent = allowed.includes('resend');
    for (const [name, end] of Object.entries(ends))
      expect([name, end.error()]).toEqual([name, allowed.includes(name) ? undefined : expect.any(MailNotDue)]);
    if (isResent) inDelivery.when(resendMail, {}).then(requested('resend'));
    else inDelivery.when(resendMail, {}).thenRefused('mail_job_not_parked');
  });
});

test('RequestMail requests the mail of an event', () => {
  given().when(requestMail, JOB).then(requested('event'));
});

test('AttemptMail counts the attempts', () => {
  given(requested()).when(attemptMail, {}).then(attempted(1));
  given(requested(), attempted(1), parked(1), requested('resend')).when(attemptMail, {}).then(attempted(2));
});

test('DropMail records the reason', () => {
  given(requested()).when(dropMail, { reason: 'link_expired' }).then(dropped);
});

describe('ConcludeMail', () => {
  const conclude = (outcome: object, attempt = 1) =>
    given(requested(), attempted(1)).when(concludeMail, { attempt, outcome: outcome as { status: 'sent' }, now: NOW });
  const refusal = { status: 'refused', reason: 'recipient_refused', smtpCode: 550 };

  test('records that the mail was sent', () => {
    conclude({ status: 'sent' }).then(sent(1));
  });

  test('plans the next attempt after a refusal', () => {
    conclude({ ...refusal, retryAfterMs: MINUTE }).then(refused(1, '2026-03-01T10:01:00.000Z'));
  });

  test('parks a mail that is refused without a retry, or whose result is unknown', () => {
    conclude({ ...refusal, retryAfterMs: null }).then(refused(1, null), parked(1, 'refused'));
    conclude({ status: 'unknown' }).then(parked(1));
  });

  test('rejects the result of another attempt than the last', () => {
    expect(conclude({ status: 'sent' }, 2).error()).toBeInstanceOf(MailNotDue);
    const again = given(requested(), attempted(1), parked(1), requested('resend'), attempted(2));
    const first = again.when(concludeMail, { attempt: 1, outcome: { status: 'sent' }, now: NOW });
    expect(first.error()).toBeInstanceOf(MailNotDue);
  });
});

describe('ReviewMail', () => {
  /** The review is too early one millisecond before. */
  const isDueAfter = (milliseconds: number, history: readonly GivenEvent[], due: GivenEvent): void => {
    expect(
      given(...history)
        .when(reviewMail, after(milliseconds - 1))
        .error(),
    ).toBeInstanceOf(MailNotDue);
    given(...history)
      .when(reviewMail, after(milliseconds))
      .then(due);
  };

  test.each([1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360].map((minutes, index) => [index + 1, minutes] as const))(
    'requests a mail that was requested %i times without an attempt after %i minutes',
    (times, minutes) => {
      const requests = [requested(), ...Array.from({ length: times - 1 }, () => requested('not_taken_up'))];
      isDueAfter(minutes * MINUTE, requests, requested('not_taken_up'));
    },
  );

  test('counts the requests since the last attempt', () => {
    const history = [requested(), requested('not_taken_up'), attempted(1), refused(1, NOW), requested('retry')];
    isDueAfter(MINUTE, history, requested('not_taken_up'));
  });

  test('requests a refused mail at the time of its next attempt', () => {
    isDueAfter(5 * MINUTE, [requested(), attempted(1), refused(1, after(5 * MINUTE).now)], requested('retry'));
  });

  test('parks a mail whose attempt has no result after 60 s', () => {
    isDueAfter(MINUTE, [requested(), attempted(1), refused(1, NOW), requested('retry'), attempted(2)], parked(2));
  });
});

describe('The attempts of a mail', () => {
  const attemptsOf = (...history: readonly GivenEvent[]) => given(...history).foldedBy(mailJob);

  test('are counted in a row, which a retry continues and a request by a person starts again', () => {
    const twice = [requested(), attempted(1), refused(1, NOW), requested('retry'), attempted(2), parked(2)];
    expect(attemptsOf(...twice)).toMatchObject({ attempts: 2, attemptsInRow: 2, job: JOB });
    expect(attemptsOf(...twice, requested('resend'))).toMatchObject({ attempts: 2, attemptsInRow: 0 });
    expect(attemptsOf(...twice, requested('resend'), attempted(3))).toMatchObject({ attempts: 3, attemptsInRow: 1 });
  });

  test('need a request', () => {
    expect(() => attemptsOf(attempted(1))).toThrow('before the job was requested');
  });
});
