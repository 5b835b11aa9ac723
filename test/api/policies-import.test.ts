import { describe, expect, test } from '@jest/globals';
import { openShop, problemOf } from '../support/bought-policies.ts';
import { termRow } from '../support/merchant-fixture.ts';

const shop = await openShop();
shop.setDay('2026-03-10');

let imports = 0;
const numberOfNext = (): string => `ROW-${(imports += 1)}`;

describe('A row of an import', () => {
  test.each<[string, object, readonly string[], object]>([
    [
      'with tax and commission',
      { premium: '1100.00', tax: '100.00', commission: '200.00' },
      ['premium 1100.00 2026-01-01'],
      { tax: '100.00', premium: '1100.00', auto_renew: false },
    ],
    [
      'that renews automatically',
      { auto_renew: 'true' },
      ['premium 365.00 2026-01-01'],
      { tax: null, auto_renew: true },
    ],
    [
      'that was cancelled, by days',
      { cancelled_on: '2026-01-10' },
      ['premium 365.00 2026-01-01', 'return_premium -355.00 2026-01-10'],
      { status: 'cancelled', cancellation_date: '2026-01-10T23:59:59.000Z', cancellation_initiator: 'import' },
    ],
    [
      'that was cancelled, with its own return premium',
      { cancelled_on: '2026-01-10', return_premium: '100.00', tax: '36.50' },
      ['premium 365.00 2026-01-01', 'return_premium -100.00 2026-01-10'],
      { status: 'cancelled', tax: '36.50' },
    ],
  ])('%s is taken', async (_, columns, transactions, view) => {
    const response = await shop.admin('ImportPolicyTerm', termRow(numberOfNext(), { premium: '365.00', ...columns }));
    const { policy_id } = response.json.result;
    expect(await shop.transactions(policy_id)).toEqual(transactions);
    expect((await shop.get(`policies/${policy_id}`)).json).toMatchObject(view);
  });

  test.each<[string, object]>([
    ['tax', { tax: '365.00' }],
    ['tax', { tax: '-1.00' }],
    ['commission', { tax: '65.00', commission: '300.01' }],
    ['return_premium', { cancelled_on: '2026-01-10', return_premium: '365.01' }],
    ['return_premium', { return_premium: '10.00' }],
    ['cancelled_on', { cancelled_on: '2026-03-11' }],
  ])('is refused for its %s (%#)', async (field, columns) => {
    const before = await shop.service.eventStore.lastPosition();
    const response = await shop.admin('ImportPolicyTerm', termRow(numberOfNext(), { premium: '365.00', ...columns }));
    expect(problemOf(response)).toEqual([400, 'invalid_request', field]);
    expect(await shop.service.eventStore.lastPosition()).toBe(before);
  });

  test('for a policy that was bought here is refused', async () => {
    const { policy_number } = await shop.buy(await shop.offer());
    const response = await shop.admin('ImportPolicyTerm', termRow(policy_number));
    expect(problemOf(response)).toEqual([400, 'invalid_request', 'policy_number']);
  });
});
