import { describe, test } from '@jest/globals';
import { ratesOf } from '#domain/values/rating.ts';
import { given, type GivenEvent, NOW } from '#test/support/given.ts';
import { changed, givenTermId, policyEvent, RATING, ratedTerm, returnedOf } from '#test/support/policy-events.ts';
import {
  policyActivated,
  policyCancelled,
  policyDeclined,
  policyImported,
  policyPurchased,
  policyRenewed,
  term,
} from '#test/support/sample-events.ts';
import { activatePolicy } from './activate-policy.ts';
import { declinePolicy } from './decline-policy.ts';
import { activateDuePolicy, renewDuePolicy, stopAutoRenewal } from './due-commands.ts';
import { setAutoRenew } from './set-auto-renew.ts';
import { withdrawTerm } from './withdraw-term.ts';

/** Days on which commands are decided, before and after the first term begins. */
const [EARLY, FIRST_DAY, LATE] = ['2026-03-01', '2026-03-10', '2026-04-20'];
const FIRST = ratedTerm(FIRST_DAY, 30);
const NEXT = ratedTerm('2026-04-09', 30);
const accepted = (changes: object = {}) => policyPurchased(1, 1, FIRST, { status: 'accepted', ...changes });
const active = (changes: object = {}) => accepted({ status: 'active', ...changes });
const WAITING = accepted({ waits: true, inspectionRequired: true });
const activated = (changes: object) => changed(policyActivated(1, 1), { cause: 'back_office', ...changes });
const CANCELLED = policyCancelled(1, 1);
const renewed = policyRenewed(1, 1, NEXT);

describe('ActivatePolicy', () => {
  const activate = (today: string, ...history: readonly GivenEvent[]) =>
    given(...history).when(activatePolicy, { today });

  test('on or before the first day lets cover begin on it', () => {
    activate(EARLY, WAITING).then(activated({ status: 'accepted', effectiveAt: EARLY }));
    activate(FIRST_DAY, WAITING).then(activated({ effectiveAt: FIRST_DAY }));
  });

  test('later moves the term to its own day', () => {
    const movedTerm = { termId: givenTermId(0), from: LATE, through: '2026-05-19' };
    activate(LATE, WAITING).then(activated({ effectiveAt: LATE, movedTerm }));
    activate(LATE, accepted({ waits: true, certificationRequired: true })).then(
      activated({ effectiveAt: LATE, movedTerm }),
    );
  });

  test('is refused for a policy that is active, activated, ended, or does not wait', () => {
    activate(FIRST_DAY, active()).thenRefused('policy_already_active');
    activate(EARLY, WAITING, activated({ status: 'accepted' })).thenRefused('policy_already_active');
    activate(LATE, WAITING, CANCELLED).thenRefused('policy_already_cancelled');
    activate(LATE, WAITING, policyDeclined(1, 1)).thenRefused('policy_already_cancelled');
    activate(EARLY, accepted()).thenRefused('policy_not_begun');
    const imported = changed(policyImported(1, 1, FIRST), { status: 'accepted', inspectionRequired: true });
    activate(EARLY, imported).thenRefused('policy_not_begun');
  });
});

describe('DeclinePolicy', () => {
  const decline = (...history: readonly GivenEvent[]) =>
    given(...history).when(declinePolicy, { reason: 'too old', now: NOW, today: LATE });
  const declined = (...returned: readonly object[]) =>
    policyEvent('PolicyDeclined', { declinedAt: NOW, reason: 'too old', returned, effectiveAt: LATE });

  test('returns everything before cover has begun, also after the days of a term that waits', () => {
    decline(WAITING).then(declined(returnedOf(0, FIRST)));
    decline(accepted(), renewed).then(declined(returnedOf(0, FIRST), returnedOf(1, NEXT)));
    decline(WAITING, activated({ status: 'accepted' })).then(declined(returnedOf(0, FIRST)));
  });

  test('is refused for a policy that has ended, or whose cover has begun', () => {
    decline(accepted(), CANCELLED).thenRefused('policy_already_cancelled');
    decline(active()).thenRefused('policy_already_active');
    decline(WAITING, activated({})).thenRefused('policy_already_active');
  });
});

describe('WithdrawTerm', () => {
  const withdraw = (from: string, today: string, ...history: readonly GivenEvent[]) =>
    given(...history).when(withdrawTerm, { from, reason: 'typing error', today });
  const withdrawn = (revision: number) =>
    policyEvent('TermWithdrawn', { reason: 'typing error', returned: returnedOf(revision, NEXT), effectiveAt: EARLY });
  const last = policyRenewed(1, 1, ratedTerm('2026-06-01', 30));

  test('takes back the last term in full, once for each time that it was agreed', () => {
    withdraw(NEXT.from, EARLY, active(), renewed).then(withdrawn(1));
    withdraw(NEXT.from, EARLY, active(), renewed, withdrawn(1), renewed).then(withdrawn(3));
  });

  test('is refused, in this order', () => {
    withdraw('2026-01-01', EARLY, active(), CANCELLED).thenRefused('policy_already_cancelled');
    withdraw('2026-01-01', EARLY, active(), renewed).thenRefused('term_not_found');
    withdraw(NEXT.from, LATE, active(), renewed, withdrawn(1)).thenRefused('term_already_withdrawn');
    withdraw(FIRST_DAY, FIRST_DAY, active(), renewed).thenRefused('term_already_begun');
    withdraw(NEXT.from, EARLY, active(), renewed, last).thenRefused('term_not_last');
    withdraw(FIRST_DAY, EARLY, accepted()).thenRefused('term_is_only_one');
    withdraw(FIRST_DAY, LATE, WAITING).thenRefused('term_is_only_one');
  });
});

describe('SetAutoRenew', () => {
  const set = (autoRenew: boolean, today: string, ...history: readonly GivenEvent[]) =>
    given(...history).when(setAutoRenew, { auto_renew: autoRenew, today });
  const switched = (autoRenew: boolean, effectiveAt: string) =>
    policyEvent('AutoRenewalSwitched', { autoRenew, effectiveAt });

  test('records what it changes, also while the policy waits', () => {
    set(true, '2026-04-08', active()).then(switched(true, '2026-04-08'));
    set(false, LATE, active({ autoRenew: true })).then(switched(false, LATE));
    set(true, LATE, WAITING).then(switched(true, LATE));
    set(false, LATE, active()).thenNothing();
    set(true, EARLY, active({ autoRenew: true })).thenNothing();
  });

  test('is refused, in this order', () => {
    const ended = changed(CANCELLED, { effectiveAt: '2026-04-01' });
    for (const value of [true, false]) {
      set(value, EARLY, active({ renewable: false }), ended).thenRefused('policy_already_cancelled');
      set(value, LATE, active({ renewable: false })).thenRefused('policy_not_renewable');
    }
    set(true, '2026-04-09', active()).thenRefused('policy_expired');
  });
});

describe('ActivateDuePolicy', () => {
  const activateDue = (now: string, ...history: readonly GivenEvent[]) =>
    given(...history).when(activateDuePolicy, { now });

  test.each(['2026-03-10T00:00:00.000Z', '2027-08-01T12:00:00.000Z'])('at %s is as of the first day', (now) => {
    activateDue(now, accepted()).then(changed(policyActivated(1, 1), { effectiveAt: FIRST_DAY }));
  });

  test('is refused before that day in the zone, and for a policy that waits, is active or has ended', () => {
    activateDue('2026-03-09T23:59:59.999Z', accepted()).thenRefused('policy_not_begun');
    activateDue('2026-03-10T04:59:59.999Z', accepted({ timeZone: 'America/Bogota' })).thenRefused('policy_not_begun');
    activateDue('2026-03-10T00:00:00.000Z', WAITING).thenRefused('policy_not_active');
    activateDue('2026-03-10T00:00:00.000Z', active()).thenRefused('policy_already_active');
    activateDue('2026-03-10T00:00:00.000Z', accepted(), CANCELLED).thenRefused('policy_already_cancelled');
  });
});

describe('RenewDuePolicy', () => {
  const AUTO = active({ autoRenew: true });
  const renewDue = (termFrom: string, today: string, rates: object | null, ...history: readonly GivenEvent[]) =>
    given(...history).when(renewDuePolicy, { termFrom, today, rates: rates && ratesOf(rates) });
  const renewal = (next: object, effectiveAt: string) => changed(renewed, { term: next, autoRenew: true, effectiveAt });

  test('adds as many days at the annual net price and the present rates of the product', () => {
    renewDue('2026-04-09', '2026-04-09', RATING, AUTO).then(renewal(NEXT, '2026-04-09'));
    const rating = { minimum_premium: '100.00', tax_percent: '10' };
    renewDue('2026-04-09', '2026-05-20', rating, AUTO).then(
      renewal(ratedTerm('2026-04-09', 30, { rating }), '2026-04-09'),
    );
  });

  test('adds a year to a year, so that its date stays', () => {
    const leap = policyPurchased(1, 1, ratedTerm('2027-03-01'), { autoRenew: true });
    renewDue('2028-03-01', '2028-03-01', RATING, leap).then(renewal(ratedTerm('2028-03-01'), '2028-03-01'));
  });

  test('keeps the rates of the last term without a rating, and where its tax is not known', () => {
    renewDue('2026-04-09', '2026-04-09', null, AUTO).then(renewal(NEXT, '2026-04-09'));
    const imported = changed(policyImported(1, 1, term('2026-03-10', '2026-04-08', '30.00')), { autoRenew: true });
    const next = { ...term('2026-04-09', '2026-05-08', '30.00'), minimum: '0.00' };
    renewDue('2026-04-09', '2026-04-09', RATING, imported).then(renewal(next, '2026-04-09'));
  });

  test('is refused before its day, for another term, and where the policy does not renew automatically', () => {
    renewDue('2026-04-09', '2026-04-08', RATING, AUTO).thenRefused('policy_not_renewable');
    renewDue('2026-05-09', '2028-01-01', RATING, AUTO).thenRefused('policy_not_renewable');
    renewDue('2026-04-09', '2026-04-09', RATING, active()).thenRefused('policy_not_renewable');
    renewDue('2026-04-09', '2026-04-09', RATING, AUTO, CANCELLED).thenRefused('policy_not_renewable');
    renewDue('2026-04-09', '2026-04-09', RATING, changed(WAITING, { autoRenew: true })).thenRefused(
      'policy_not_renewable',
    );
    renewDue('2026-04-09', '2026-04-09', { surcharge: '99999999.99' }, AUTO).thenRefused('premium_out_of_range');
  });
});

describe('StopAutoRenewal', () => {
  const stop = (hasChanged: boolean, ...history: readonly GivenEvent[]) =>
    given(...history).when(stopAutoRenewal, { hasChanged, reason: 'product_withdrawn', now: NOW });

  test('records the reason, unless the policy has changed meanwhile', () => {
    const auto = active({ autoRenew: true, timeZone: 'Pacific/Kiritimati' });
    stop(false, auto).then(
      policyEvent('AutoRenewalStopped', { reason: 'product_withdrawn', effectiveAt: '2026-03-02' }),
    );
    stop(true, auto).thenRefused('policy_not_renewable');
    stop(false, active()).thenRefused('policy_not_renewable');
  });
});
