import { describe, expect, test } from '@jest/globals';
import {
  idFor,
  MERCHANT_ID,
  policyActivated,
  policyCancelled,
  policyImported,
  policyPurchased,
  policyRenewed,
  policyTermImported,
  recordedOf,
  term,
} from '../../test/support/happenings.ts';
import { viewText } from '../view-text.ts';
import { policies, type PolicyDocument } from './policies.ts';

const folded = (...events: ReturnType<typeof recordedOf>) =>
  events.reduce<PolicyDocument | undefined>((document, event) => policies.fold(document, event), undefined);

describe('policies', () => {
  test('given a purchase, a renewal and a cancellation, then the document shows the last term and how it ended', () => {
    const next = term('2026-01-01', '2026-12-31', '120.00');
    const document = folded(...recordedOf(policyImported(1, 1), policyRenewed(1, 1, next), policyCancelled(1, 1)));
    expect(document?.view).toMatchObject({
      policy_id: idFor('policy', 1),
      effective_from: '2026-01-01',
      effective_through: '2026-12-31',
      premium: '120.00',
      status: 'cancelled',
      cancellation_reason: 'moved away',
      cancellation_initiator: 'A bank',
    });
    expect(document?.extra).toEqual({
      merchant_id: MERCHANT_ID,
      environment_id: 1,
      test_mode: false,
      first_from: '2025-01-01',
      auto_renew: false,
    });
  });

  test('given an earlier term that became known later, then the last term is still shown', () => {
    const earlier = term('2024-01-01', '2024-12-31', '80.00');
    const document = folded(...recordedOf(policyImported(1, 1), policyTermImported(1, 1, earlier)));
    expect(document?.view).toMatchObject({ effective_from: '2025-01-01', premium: '100.00' });
  });

  test('it is found by merchant and world', () => {
    const document = folded(...recordedOf(policyImported(3, 1)));
    expect(document && policies.indexes(document)).toEqual({ merchant: MERCHANT_ID, test_mode: false, due: null });
  });

  test.each([
    ['accepted, it is due on its start day', { status: 'accepted' }, '2025-01-01'],
    ['accepted and to be inspected, it waits for a person', { status: 'accepted', inspectionRequired: true }, null],
    ['accepted and to be certified, it waits for a person', { status: 'accepted', certificationRequired: true }, null],
    ['active and renewing by itself, it is due on the day after its last', { autoRenew: true }, '2026-01-02'],
    ['active and not renewable, it is never due', { autoRenew: true, renewable: false }, null],
    ['active, it is never due', {}, null],
  ])('when it is %s', (_situation, changes, due) => {
    const document = folded(...recordedOf(policyPurchased(1, 1, undefined, changes)));
    expect(document && policies.indexes(document).due).toBe(due);
  });

  test('when it is activated, renewed to renew by itself and cancelled, then it is due on the next day that matters', () => {
    const renewal = policyRenewed(1, 1, term('2026-02-01', '2027-02-01'));
    const happenings = [
      policyPurchased(1, 1, undefined, { status: 'accepted' }),
      policyActivated(1, 1),
      { ...renewal, data: { ...renewal.data, autoRenew: true } },
      policyCancelled(1, 1),
    ];
    const due = happenings.map((_, index) => {
      const document = folded(...recordedOf(...happenings.slice(0, index + 1)));
      return document && policies.indexes(document).due;
    });
    expect(due).toEqual(['2025-01-01', null, '2027-02-02', null]);
  });

  test.each([
    [['2025-01-01', '2024-01-01'], '2024-01-01'],
    [['2024-01-01', '2025-01-01'], '2024-01-01'],
  ])('given accepted terms from %j, then it is due on %s, the first start', ([from, next], due) => {
    const imported = policyImported(1, 1);
    const further = policyTermImported(1, 1, term(String(next), `${String(next).slice(0, 4)}-12-31`));
    const document = folded(
      ...recordedOf(
        { ...imported, data: { ...imported.data, status: 'accepted', term: term(String(from), '2025-12-31') } },
        { ...further, data: { ...further.data, status: 'accepted' } },
      ),
    );
    expect(document?.extra).toMatchObject({ first_from: due, merchant_id: MERCHANT_ID });
    expect(document && policies.indexes(document).due).toBe(due);
  });

  test('given a renewal before the purchase, then it cannot be folded', () => {
    const [, renewal] = recordedOf(policyImported(1, 1), policyRenewed(1, 1, term('2026-01-01', '2026-12-31')));
    expect(() => renewal && policies.fold(undefined, renewal)).toThrow('PolicyRenewed.v1 came before what it changes');
  });

  test('the text of the view is cut out of the body as it stands there, whatever the view says', () => {
    const view = { a: 'tells ,"extra":{} in a text', b: null };
    expect(viewText(JSON.stringify({ view, extra: { merchant_id: 'm' } }))).toBe(JSON.stringify(view));
    expect(() => viewText('{"customer_id":1}')).toThrow('not the text of a document with a view');
    const document = folded(...recordedOf(policyImported(1, 1)));
    expect(viewText(JSON.stringify(document))).toBe(JSON.stringify(document?.view));
  });
});
