import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  BadRequestError,
  NoResponseError,
  NotFoundError,
  type PublicEvent,
  ServerError,
  SuretyClient,
  type SuretyError,
  UnprocessableContentError,
} from '#client/index.ts';
import { freePort } from '../../support/free-port.ts';
import { sampleKeyOf, type Service } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { type Fault, FAULTS, FaultyProxy, LATE_MS } from './faulty-proxy.ts';
import { all, buyAndRead, requestQuotes } from './sales.ts';

/** Starts a service, also again after a kill. With `--sample` it prints a merchant's key. */
export type StartService = (port: number, words?: readonly string[]) => Promise<Service>;

/** `SURETY_KILLS=200` takes some minutes. */
const KILLS = Number(process.env['SURETY_KILLS'] ?? 6);
/** A start on servers waits for the lease of the killed process. */
export const KILLS_ON_SERVERS = Math.ceil(KILLS / 2);
const SALES_PER_KILL = 3;
const SEED = randomInt(2 ** 31);
const LIMIT_MS = 120_000 + KILLS * 5_000;

/** Declares the tests of a client whose service is killed, and whose network loses, cuts, delays and doubles. */
export function testClientUnderFaults(startService: StartService, kills = KILLS): void {
  let port = 0;
  let service: Service;
  let key = '';
  const cleanUp: (() => unknown)[] = [];
  beforeAll(async () => {
    port = await freePort();
    service = await startService(port, ['--sample']);
    key = sampleKeyOf(service.process);
  }, LIMIT_MS);
  afterEach(async () => {
    for (const end of cleanUp.splice(0)) await end();
  });
  afterAll(async () => await service?.process.kill());

  /** Puts a proxy in front of the service. */
  async function setUp(faultsOf: (path: string) => readonly Fault[]) {
    const proxy = await FaultyProxy.start(() => service.url, faultsOf);
    cleanUp.push(async () => await proxy.stop());
    const directClient = new SuretyClient({ url: service.url, key });
    const { merchant } = await directClient.me();
    const restart = async (): Promise<void> => {
      await service.process.kill();
      service = await startService(port);
    };
    const hurriedClient = new SuretyClient({ url: proxy.url, key, attemptTimeoutMs: LATE_MS / 2 });
    const defaultClient = new SuretyClient({ url: proxy.url, key });
    return { proxy, directClient, hurriedClient, defaultClient, restart, shortCode: merchant?.short_code ?? '' };
  }

  /** Returns the ids of the policies of customers with these references, each as often as it is listed. */
  async function policiesOf(client: SuretyClient, shortCode: string, references: readonly string[]) {
    const found: (readonly string[])[] = [];
    for (const customer_reference of references) {
      const policies = await all(client.merchants.policies(shortCode, { customer_reference }));
      found.push(policies.map(({ policy_id }) => policy_id));
    }
    return found;
  }

  test(
    `buys once while the service is killed between request and response ${kills} times`,
    async () => {
      const commands = (path: string): readonly Fault[] => (path.startsWith('/api/v1/quotes') ? [] : ['lost']);
      const { proxy, directClient, defaultClient, restart, shortCode } = await setUp(commands);
      const [start] = (await all(directClient.events())).slice(-1);
      const heard: PublicEvent[] = [];
      const closing = new AbortController();
      cleanUp.push(() => closing.abort());
      const listening = (async () => {
        const options = { follow: true, signal: closing.signal } as const;
        for await (const event of directClient.events({ lastEventId: start?.id ?? '' }, options)) heard.push(event);
      })().catch((error: unknown) => error);

      const bought = new Map<string, string>();
      const claims: string[] = [];
      for (let kill = 0; kill < kills; kill++) {
        const references = Array.from({ length: SALES_PER_KILL }, (_, number) => `K-${kill}-${number}`);
        const quotes = await requestQuotes(directClient, references);
        const sales = quotes.map(async (quote, number) => {
          const reference = references[number] ?? '';
          const { bought: policy, read } = await buyAndRead(defaultClient, quote, reference);
          expect(read).toEqual(policy);
          bought.set(reference, policy.policy_id);
        });
        const [insured] = bought.values();
        if (insured !== undefined) sales.push(fileClaim(defaultClient, insured).then((id) => void claims.push(id)));
        const settled = Promise.all(sales);
        const killed = (async () => {
          await waitUntil(() => proxy.inFlight > 0);
          await pause(randomInt(4));
          await restart();
        })();
        await Promise.all([settled, killed]);
      }

      const references = [...bought.keys()];
      expect(references).toHaveLength(kills * SALES_PER_KILL);
      const expected = references.map((reference) => [bought.get(reference)]);
      expect(await policiesOf(directClient, shortCode, references)).toEqual(expected);
      const filed = await all(directClient.merchants.claims(shortCode, { policy_id: [...bought.values()][0] ?? '' }));
      expect(filed.map(({ claim_id }) => claim_id).toSorted()).toEqual(claims.toSorted());
      const events = await all(directClient.events({ lastEventId: start?.id ?? '' }));
      await waitUntil(() => heard.length >= events.length);
      closing.abort(new Error('closed'));
      expect(await listening).toEqual(new Error('closed'));
      expect(heard.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
    },
    LIMIT_MS,
  );

  test(
    `buys once through a network that loses, cuts, delays and doubles requests and responses (seed ${SEED})`,
    async () => {
      const plans: (readonly Fault[])[] = [];
      const { directClient, hurriedClient, shortCode } = await setUp(() => plans.shift() ?? []);
      let run = 0;
      const anyFaults = fc.array(fc.array(fc.constantFrom(...FAULTS), { maxLength: 4 }), {
        minLength: 30,
        maxLength: 30,
      });
      await fc.assert(
        fc.asyncProperty(anyFaults, async (faults) => {
          run += 1;
          const references = Array.from({ length: 10 }, (_, number) => `F-${run}-${number}`);
          const quotes = await requestQuotes(directClient, references);
          plans.push(...faults);
          const sales = quotes.map(
            async (quote, number) => await buyAndRead(hurriedClient, quote, references[number] ?? ''),
          );
          const results = await Promise.all(sales);
          for (const { bought, read } of results) expect(read).toEqual(bought);
          const expected = results.map(({ bought }) => [bought.policy_id]);
          expect(await policiesOf(directClient, shortCode, references)).toEqual(expected);
          const listed = await all(hurriedClient.merchants.policies(shortCode, { limit: 7 }));
          const whole = await all(directClient.merchants.policies(shortCode));
          expect(listed.map(({ policy_id }) => policy_id)).toEqual(whole.map(({ policy_id }) => policy_id));
        }),
        { numRuns: 3, seed: SEED, endOnFailure: true },
      );
    },
    LIMIT_MS,
  );

  test(
    'says of every failure which field, code and request, and continues with the key of the error',
    async () => {
      const plans: (readonly Fault[])[] = [];
      const { proxy, directClient, hurriedClient, defaultClient, restart, shortCode } = await setUp(
        () => plans.shift() ?? ['lost', 'cut'],
      );
      const [quote] = await requestQuotes(directClient, ['E-1']);
      const failureOf = async (call: Promise<unknown>): Promise<SuretyError> => {
        const error = await call.then(
          () => undefined,
          (one: SuretyError) => one,
        );
        if (error === undefined) throw new Error('the call did not fail');
        expect(error.message).toContain(`${error.code}: `);
        expect(error.message).toContain(`request ${error.request_id}`);
        for (const { field } of error.errors) expect(error.message).toContain(field);
        return error;
      };

      const unknown = await failureOf(hurriedClient.policies.purchase({ quote_code: 'Quo_00000_00000000' }));
      expect(unknown).toBeInstanceOf(NotFoundError);
      expect(proxy.statuses.get(unknown.request_id)).toEqual([404, 404, 404]);
      const body = { quote_code: quote?.quote_code ?? '', policy_duration: 0 };
      const wrong = await failureOf(hurriedClient.policies.purchase(body));
      expect(wrong).toBeInstanceOf(BadRequestError);
      expect(wrong.errors.map(({ field }) => field)).toEqual(['policy_duration']);

      // The command is executed, but no response of it arrives before the call ends.
      plans.push(Array.from({ length: 50 }, () => 'lost' as const));
      const purchase = { quote_code: quote?.quote_code ?? '', customer_reference: 'E-1' };
      const lost = await failureOf(defaultClient.policies.purchase(purchase, { callTimeoutMs: 3_000 }));
      expect(lost).toBeInstanceOf(NoResponseError);
      expect(proxy.statuses.get(lost.request_id)?.[0]).toBe(201);
      const { idempotencyKey = '' } = lost;
      const again = await hurriedClient.policies.purchase(purchase, { idempotencyKey });
      expect(await policiesOf(directClient, shortCode, ['E-1'])).toEqual([[again.policy_id]]);
      const other = { ...purchase, policy_duration: 30 };
      const reused = await failureOf(hurriedClient.policies.purchase(other, { idempotencyKey }));
      expect(reused).toBeInstanceOf(UnprocessableContentError);

      plans.push(['given-up']);
      const gateway = await failureOf(hurriedClient.policies.purchase(purchase, { idempotencyKey }));
      expect(gateway).toBeInstanceOf(ServerError);
      expect(gateway).toMatchObject({ status: 504, code: 'unexpected_response', idempotencyKey });
      await restart();
      expect(await hurriedClient.policies.purchase(purchase, { idempotencyKey })).toEqual(again);
    },
    LIMIT_MS,
  );
}

async function fileClaim(client: SuretyClient, policy_id: string): Promise<string> {
  const incident_date = new Date().toISOString().slice(0, 10);
  const { claim_id } = await client.claims.submit({
    policy_id,
    claim_details: { claim_type: 'illness', incident_date },
  });
  return claim_id;
}
