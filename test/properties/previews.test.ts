import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { ApiResponse } from '../support/api-service.ts';
import { openShop } from '../support/bought-policies.ts';

const RATING = { surcharge: '50.00', tax_percent: '10', commission_percent: '20' };

const shop = await openShop();
let productId = '';
const FIRST_DAY = Date.UTC(2026, 2, 10);

const requestArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant('renew' as const),
    afterDays: fc.integer({ min: 0, max: 800 }),
    policy_duration: fc.constantFrom(30, 180, 365),
  }),
  fc.record({ kind: fc.constant('cancel' as const), inDays: fc.option(fc.integer({ min: 0, max: 60 })) }),
  fc.record({
    kind: fc.constant('change' as const),
    action: fc.constantFrom('add', 'modify', 'remove'),
    coverage_name: fc.constantFrom('Glass', 'Theft'),
    additional_amount: fc.constantFrom('110.00', '0.01', '-33.33', '64000000.00'),
  }),
);
type Request = typeof requestArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** What may happen between a preview and its request. */
const eventArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('tax' as const), percent: fc.constantFrom('10', '20', '7.5') }),
  fc.record({ kind: fc.constant('midnight' as const), days: fc.constantFrom(1, 1, 20, 400) }),
  fc.record({ kind: fc.constant('request' as const), request: requestArbitrary }),
);

const OPERATIONS = {
  renew: { path: () => 'policies/renew', status: 'renewal_status', amount: 'premium' },
  cancel: { path: () => 'policies/cancel', status: 'cancellation_status', amount: 'refund_amount' },
  change: { path: (id: string) => `policies/${id}/changes`, status: 'change_status', amount: 'premium_difference' },
} as const;

/** A policy with automatic renewal, bought on the first day. */
class Life {
  readonly #policyId: string;
  readonly #productId: string;
  #day = 0;

  constructor(policyId: string, productId: string) {
    this.#policyId = policyId;
    this.#productId = productId;
  }

  async send(request: Request, more: object, search = ''): Promise<ApiResponse> {
    const path = OPERATIONS[request.kind].path(this.#policyId);
    return await shop.post(`${path}${search}`, { ...this.#bodyOf(request), ...more });
  }

  async happen(event: typeof eventArbitrary extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    if (event.kind === 'tax') {
      const rating = { ...RATING, tax_percent: event.percent };
      await shop.admin('UpdateProduct', { product_id: this.#productId, rating });
    } else if (event.kind === 'request') await this.send(event.request, {});
    else {
      this.#day += event.days;
      shop.setDay(dayAfter(this.#day));
    }
  }

  #bodyOf(request: Request): object {
    const policy_id = this.#policyId;
    if (request.kind === 'renew') {
      const { afterDays, policy_duration } = request;
      return { policy_id, preferred_policy_start_date: dayAfter(365 + afterDays), policy_duration, auto_renew: true };
    }
    if (request.kind === 'cancel') {
      const effective_on = request.inDays === null ? {} : { effective_on: dayAfter(this.#day + request.inDays) };
      return { policy_id, cancellation_reason: 'Sold', ...effective_on };
    }
    const { action, coverage_name, additional_amount } = request;
    return { changes: [{ action, coverage_name, additional_amount }] };
  }
}

function dayAfter(days: number): string {
  return new Date(FIRST_DAY + days * 86_400_000).toISOString().slice(0, 10);
}

const withoutInstance = ({ status, json }: ApiResponse): unknown => {
  const { request_id: _, ...rest } = json;
  return { status, json: rest };
};

test('what a preview shows is done at this amount or refused, whatever happens in between, and a preview appends nothing', async () => {
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(
    fc.array(eventArbitrary, { maxLength: 3 }),
    requestArbitrary,
    fc.array(eventArbitrary, { maxLength: 2 }),
    async (before, request, between) => {
      shop.setDay(dayAfter(0));
      // A page of quotes has at most a hundred products.
      if (productId !== '') await shop.admin('WithdrawProduct', { product_id: productId });
      productId = await shop.offer({ base_premium: '1000.00', rating: RATING });
      const life = new Life((await shop.buy(productId, { auto_renew: true })).policy_id, productId);
      for (const event of before) await life.happen(event);
      const preview = async (more = {}): Promise<ApiResponse> => {
        const position = await shop.service.eventStore.lastPosition();
        const response = await life.send(request, more, '?preview=true');
        expect(await shop.service.eventStore.lastPosition()).toBe(position);
        return response;
      };
      const { status: statusName, amount: amountName } = OPERATIONS[request.kind];
      const shown = await preview();
      for (const event of between) await life.happen(event);
      const expected = shown.status === 200 ? { expected_amount: shown.json.data[amountName] } : {};
      const present = await preview(expected);
      const done = await life.send(request, expected);
      const outcome = done.status === 200 ? 'done' : done.json.code;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      if (present.json.code === 'busy') return;
      if (done.status !== 200) {
        expect(withoutInstance(done)).toEqual(withoutInstance(present));
        if (outcome === 'amount_changed') expect((await preview()).json.data[amountName]).toBe(done.json.amount);
        return;
      }
      expect({ ...present.json, [statusName]: 'success' }).toEqual(done.json);
      if (shown.status === 200) expect(done.json.data[amountName]).toBe(shown.json.data[amountName]);
    },
  );
  await fc.assert(property, { numRuns: 80 });
  expect(seen.get('done') ?? 0).toBeGreaterThan(0);
  expect(seen.get('amount_changed') ?? 0).toBeGreaterThan(0);
}, 120_000);
