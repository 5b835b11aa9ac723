import { describe, expect, test } from '@jest/globals';
import { given, type GivenEvent } from '#test/support/given.ts';
import { changed, givenTermId, policyEvent, returnedOf } from '#test/support/policy-events.ts';
import {
  policyActivated,
  policyCancelled,
  policyDeclined,
  policyImported,
  policyPurchased,
  policyRenewed,
  policyTermImported,
  term,
} from '#test/support/sample-events.ts';
import { type PolicyState, policy } from './policy.ts';
import type { Period } from './term.ts';

const year = (of: number, premium?: string) => term(`${of}-01-01`, `${of}-12-31`, premium);
const period = (of: number) => year(of).periods[0] as Period;
const imported = (of: number) => policyImported(1, 1, year(of));
const purchased = (changes: object) => policyPurchased(1, 1, year(2026), { status: 'accepted', ...changes });
const renewed = (of: number) => policyRenewed(1, 1, year(of));
const state = (...events: readonly GivenEvent[]) => given(...events).foldedBy(policy) as PolicyState;
const returned = (revision: number, of: number) => returnedOf(revision, year(of));

describe('The terms of a policy', () => {
  test('are sorted by first day, with an id of policy and event', () => {
    const events = [imported(2024), policyTermImported(1, 1, year(2022)), policyTermImported(1, 1, year(2023))];
    const terms = state(...events, renewed(2025)).terms.map(({ from, termId: id }) => [from.slice(0, 4), id]);
    expect(terms).toEqual([
      ['2022', givenTermId(1)],
      ['2023', givenTermId(2)],
      ['2024', givenTermId(0)],
      ['2025', givenTermId(3)],
    ]);
  });

  test('have their coverages in common where they are equal', () => {
    const other = { ...term('2026-01-01', '2026-12-31'), periods: [{ ...period(2026), coverages: [] }] };
    const { terms } = state(imported(2024), renewed(2025), policyRenewed(1, 1, other));
    const [first, second, third] = terms.map(({ periods }) => periods[0]?.coverages);
    expect(second).toBe(first);
    expect(second).toEqual(period(2025).coverages);
    expect(third).toEqual([]);
  });

  test('stay after they are withdrawn, before one of the same day', () => {
    const withdrawn = policyEvent('TermWithdrawn', { reason: 'typing error', returned: returned(1, 2025) });
    const { terms, autoRenew } = state(
      imported(2024),
      changed(renewed(2025), { autoRenew: true }),
      withdrawn,
      renewed(2025),
    );
    expect(terms.map(({ termId: id, isWithdrawn }) => [id, isWithdrawn])).toEqual([
      [givenTermId(0), undefined],
      [givenTermId(1), true],
      [givenTermId(3), undefined],
    ]);
    expect(autoRenew).toBe(false);
  });

  test('have what a change made of them; one changed before its first day begins with its new net price', () => {
    const price = { premium: '60.00', net: '60.00', fee: '0.00', tax: null, commission: null };
    const periods = [{ ...year(2026).periods[0], net: '60.00' }];
    const change = (revision: number, effectiveAt: string) =>
      policyEvent('PolicyChanged', {
        reason: null,
        changes: [],
        effectiveAt,
        terms: [{ ...returned(revision, 2026), ...price, periods, difference: { ...price, premium: '-40.00' } }],
      });
    const before = state(imported(2026), change(0, '2025-06-01'));
    expect(before).toMatchObject({ changedOn: '2025-06-01', terms: [{ ...price, periods }] });
    expect(before.terms[0]).not.toHaveProperty('netAtStart');
    expect(state(imported(2026), change(0, '2026-01-01')).terms[0]).not.toHaveProperty('netAtStart');
    expect(state(imported(2026), change(0, '2026-01-02')).terms).toMatchObject([{ ...price, netAtStart: '100.00' }]);
    expect(state(imported(2026), change(9, '2026-02-01')).terms).toEqual(state(imported(2026)).terms);
  });
});

describe('A policy', () => {
  test('renews automatically as the last of its events says', () => {
    const on = { autoRenew: true };
    const histories: readonly (readonly [boolean, ...GivenEvent[]])[] = [
      [false, imported(2024)],
      [true, changed(imported(2024), on)],
      [true, imported(2024), changed(renewed(2025), on)],
      [false, changed(imported(2024), on), renewed(2025)],
      [true, imported(2024), changed(policyTermImported(1, 1, year(2025)), on)],
      [true, imported(2024), policyEvent('AutoRenewalSwitched', on)],
      [false, changed(imported(2024), on), policyEvent('AutoRenewalStopped', { reason: 'product_withdrawn' })],
      [false, changed(imported(2024), on), policyCancelled(1, 1)],
      [false, purchased(on), policyDeclined(1, 1)],
    ];
    for (const [renews, ...events] of histories) expect(state(...events).autoRenew).toBe(renews);
  });

  test('is active from the event that makes it so, and waits until a person activates it', () => {
    const activated = (changes: object) => changed(policyActivated(1, 1), { cause: 'back_office', ...changes });
    expect(state(purchased({}), policyActivated(1, 1))).toMatchObject({ status: 'active', waits: false });
    const waiting = purchased({ waits: true });
    expect(state(waiting)).toMatchObject({ status: 'accepted', waits: true });
    expect(state(waiting, activated({ status: 'accepted' }))).toMatchObject({ status: 'accepted', waits: false });
    const movedTerm = { from: '2026-02-01', through: '2027-01-31' };
    const moved = state(waiting, activated({ movedTerm: { termId: givenTermId(0), ...movedTerm } }));
    expect(moved).toMatchObject({ status: 'active', waits: false, terms: [{ ...movedTerm, premium: '100.00' }] });
    expect(moved.terms[0]?.periods).toMatchObject([movedTerm]);
    const future = changed(imported(2027), { status: 'accepted' });
    expect(state(future, policyTermImported(1, 1, year(2026))).status).toBe('active');
  });

  test('has its contract from its first event', () => {
    expect(state(purchased({ tierName: 'Gold', boughtOn: '2025-12-01' }))).toMatchObject({
      contract: {
        isImported: false,
        tierName: 'Gold',
        boughtOn: '2025-12-01',
        cancellation: { coolingOffDays: 0, refundAfterClaim: true, minimumRetained: '0.00' },
      },
      changedOn: null,
      end: null,
      beneficiaries: [{ name: 'Next of kin' }],
    });
    const cancellation = { coolingOffDays: 14, refundAfterClaim: false, minimumRetained: '5.00' };
    expect(state(purchased({ cancellation })).contract.cancellation).toEqual(cancellation);
    expect(state(imported(2026))).toMatchObject({
      contract: { isImported: true, boughtOn: null, tierName: null },
      beneficiaries: [],
    });
  });

  test('ends with a cancellation or a decline, and goes on as before when it is reinstated', () => {
    const cancelled = changed(policyCancelled(1, 1), { effectiveAt: '2026-05-05', returned: [returned(0, 2026)] });
    const before = changed(imported(2026), { autoRenew: true });
    expect(state(before, cancelled).end).toEqual({
      kind: 'cancelled',
      day: '2026-05-05',
      decidedOn: '2026-03-01',
      at: '2026-03-01T10:00:00.000Z',
      reason: 'moved away',
      initiator: 'A bank',
      refundRule: 'pro_rata',
      returned: [returned(0, 2026)],
      autoRenewBefore: true,
    });
    const data = { reason: 'mistake', autoRenew: true, reinstated: [returned(0, 2026)], effectiveAt: '2026-05-05' };
    expect(state(before, cancelled, policyEvent('PolicyReinstated', data))).toEqual(state(before));
    const zoned = purchased({ timeZone: 'Pacific/Kiritimati', waits: true });
    expect(state(zoned, policyDeclined(1, 1)).end).toMatchObject({
      kind: 'declined',
      day: '2026-03-02',
      decidedOn: '2026-03-02',
      reason: 'too old',
      initiator: 'admin',
      refundRule: 'not_begun',
    });
  });

  test('renews after a reinstatement as it did at the end, also where a later renewal is left out', () => {
    const before = changed(imported(2026), { autoRenew: true });
    const again = { reason: 'mistake', autoRenew: false, reinstated: [], effectiveAt: '2026-05-05' };
    expect(state(before, policyCancelled(1, 1), policyEvent('PolicyReinstated', again)).autoRenew).toBe(true);
  });

  test.each([policyTermImported(1, 1, year(2026)), renewed(2026), policyCancelled(1, 1)])(
    'begins with its first term',
    (later) => {
      expect(() => state(later)).toThrow('before the policy exists');
    },
  );
});
