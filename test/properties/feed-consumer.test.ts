import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { describeWithPython, FeedConsumer } from '../clients/feed/consumer.ts';
import { expectPortfolio } from '../clients/feed/portfolio.ts';
import { addDays } from '#domain/values/dates.ts';
import { ADMIN_KEY } from '../support/api-service.ts';
import { openShop } from '../support/bought-policies.ts';
import { termRow } from '../support/merchant-fixture.ts';
import { cleanUp, temporaryFolder } from '../support/service-process.ts';

const shop = await openShop();
const SEED = Math.floor(Math.random() * 2 ** 31);
const STEPS = 200;
/** Each portfolio starts a thread. */
const LIMIT_MS = 3 * 60_000;
const FIRST_DAY = '2026-03-10';

describeWithPython(`A consumer of the feed in Python, by random commands over years (seed ${SEED})`, () => {
  const folder = temporaryFolder();
  afterAll(async () => await cleanUp(folder, []));

  test(
    'counts what the portfolio counts on any day',
    async () => {
      let random = SEED;
      const upTo = (most: number): number => {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((random / 2 ** 32) * (most + 1));
      };
      const { service } = shop;
      const products = [
        await shop.offer(),
        await shop.offer({ inspection_required: true }),
        await shop.offer({ product_type: 'Auto', cancellation: { cooling_off_days: 14 } }),
      ];
      const policies: string[] = [];
      let day = FIRST_DAY;
      const any = (): string => policies[Math.max(0, policies.length - 1 - upTo(25))] ?? '';
      const near = (days: number): string => addDays(day, upTo(2 * days) - days);
      const reason = { reason: 'As agreed' };
      const row = (): object => {
        const number = `ROW-${upTo(20)}`;
        const year = 2024 + upTo(4);
        const cancelled_on = upTo(3) === 0 ? `${year}-0${1 + upTo(8)}-15` : '';
        const days = { term_from: `${year}-01-0${1 + upTo(8)}`, term_through: `${year}-12-2${upTo(8)}`, cancelled_on };
        return termRow(number, { ...days, product_type: 'Home', product_name: 'House', auto_renew: 'true' });
      };
      const commands: readonly (readonly [string, () => object])[] = [
        ['ActivatePolicy', () => ({ policy_id: any() })],
        ['DeclinePolicy', () => ({ policy_id: any(), ...reason })],
        ['CancelPolicy', () => ({ policy_id: any(), cancellation_reason: 'Sold' })],
        ['CancelPolicy', () => ({ policy_id: any(), cancellation_reason: 'Sold', effective_on: near(60) })],
        ['ReinstatePolicy', () => ({ policy_id: any(), ...reason })],
        [
          'ChangePolicy',
          () => ({
            policy_id: any(),
            changes: [{ action: 'modify', coverage_name: 'Theft', additional_amount: '9.00' }],
          }),
        ],
        ['ImportPolicyTerm', row],
      ];
      /** Renews a policy after its last term, with a gap or without, and sometimes withdraws this term again. */
      const renewOne = async (policy_id: string): Promise<void> => {
        const { json } = await shop.get(`policies/${policy_id}/terms/`, ADMIN_KEY);
        const from = addDays(json.results.at(-1).through, 1 + upTo(1) * upTo(20));
        const body = { policy_id, preferred_policy_start_date: from, policy_duration: 1 + upTo(364) };
        const { status } = await shop.admin('RenewPolicy', body);
        if (status === 200 && upTo(2) === 0) await shop.admin('WithdrawTerm', { policy_id, from, ...reason });
      };
      for (let step = 0; step < STEPS; step++) {
        if (upTo(2) === 0) {
          day = addDays(day, upTo(12));
          shop.setDay(day);
          if (upTo(1) === 0) await service.scheduler.runOnce();
        }
        const choice = upTo(commands.length + 3);
        const [name, body] = commands[choice] ?? [];
        if (name !== undefined && body !== undefined) {
          const { status, json } = await shop.admin(name, body());
          // Most of what is drawn does not fit its policy.
          expect(status).toBeLessThan(500);
          if (status <= 201 && name === 'ImportPolicyTerm') policies.push(json.result.policy_id);
        } else if (choice === commands.length && policies.length > 0) await renewOne(any());
        else {
          const bought = { effective_from: addDays(day, upTo(1) * upTo(40)), auto_renew: upTo(1) === 0 };
          const duration = upTo(1) === 0 ? {} : { policy_duration: 10 + upTo(90) };
          const policy = await shop.buy(products[upTo(2)] ?? '', { ...bought, ...duration });
          policies.push(policy.policy_id);
        }
      }
      const days = Array.from({ length: 12 }, (_, index) => addDays('2025-12-31', index * 61));
      const consumer = new FeedConsumer(join(folder, 'state.json'), days);
      const request = async (path: string) => await fetch(service.url + path, { headers: { 'x-api-key': ADMIN_KEY } });
      await expectPortfolio({ request }, async () => await consumer.runUntilDone(service.url, ADMIN_KEY, 50), days);
    },
    LIMIT_MS,
  );
});
