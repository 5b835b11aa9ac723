import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomerDocument } from '#projections/customers/customers.ts';
import type { PolicyView } from '#projections/policies/policy-resource.ts';
import { BookOfFiles } from './portfolio-of-files.ts';
import { nameOfReadModelsIn } from '../support/read-models-file.ts';
import { cleanUp, type Service, startService, temporaryFolder } from '../support/service-process.ts';
import type { Book, FileTotals } from './books.ts';
import { type ImportReport, createEnvironment, importBook, type ImportTarget, killImportAt } from './import-process.ts';
import { expectedClaims, expectedPolicies, expectedReferences, refusedRows } from './source.ts';
import { claimOf, contentOf, documentsOf, readTotals, withReadModels } from './stores.ts';

/** Number of resources read over HTTP one by one. */
const READ_OVER_HTTP = 300;

/**
 * About how many events an import of the book appends: a policy, its number and its e-mail; a claim and its reference.
 */
function expectedEventCount(book: Book): number {
  const { policies, customers } = book.totals;
  return policies + 2 * customers + book.policiesTotals.taken + 3 * book.claimsTotals.taken;
}

/**
 * Checks an import of a book: after a kill halfway, a second run gives the totals of the book's README, all amounts
 * read back exactly, the service works, and a rebuild of the read models gives the same bytes.
 */
export function describeBook(name: string, book: Book): void {
  describe(name, () => {
    const base = temporaryFolder();
    const folder = join(base, 'data');
    const refusedFolder = join(base, 'refused');
    const killAt = Math.round(expectedEventCount(book) * (0.15 + 0.6 * Math.random()));
    let target: ImportTarget;
    let service: Service | undefined;
    let rest: ImportReport;
    const bookOfFiles = new BookOfFiles(book);

    beforeAll(async () => {
      target = { folder, refusedFolder, environmentId: await createEnvironment(folder) };
      await killImportAt(book, target, killAt);
      rest = await importBook(book, target);
    });
    afterAll(async () => await cleanUp(base, service === undefined ? [] : [service.process]));

    test(`a second run after a kill at position ${killAt} imports the rest and recognises earlier rows`, () => {
      const [policies, claims] = rest.files;
      expectTotals(policies, book.policiesTotals);
      expectTotals(claims, book.claimsTotals);
      // The row in progress at the kill counts as imported now or before.
      expect(policies?.already).toBeGreaterThan(book.policiesTotals.already);
    });

    test('has every total of its README', async () => {
      expect(await readTotals(folder)).toEqual(book.totals);
    });

    test('reports refused rows with line, reason, detail and their fields', () => {
      for (const [file, totals] of [
        [book.policiesFile, book.policiesTotals],
        [book.claimsFile, book.claimsTotals],
      ] as const) {
        const rows = refusedRows(file, refusedFolder);
        const reasons: Record<string, number> = {};
        for (const { reason } of rows) reasons[reason] = (reasons[reason] ?? 0) + 1;
        expect(reasons).toEqual(totals.refused);
        expect(rows.filter(({ detail }) => !/^\S.{4,499}$/.test(detail))).toEqual([]);
        const lines = rows.map(({ line }) => line);
        expect(lines).toEqual(lines.toSorted((a, b) => a - b));
      }
    });

    test('every policy and claim reads back exactly, and nothing else exists', async () => {
      const policies = expectedPolicies(book, refusedFolder, today());
      const claims = expectedClaims(book, refusedFolder);
      const numberOf = new Map<string, string>();
      await withReadModels(folder, async (readModels) => {
        for await (const { view: stored, parked } of documentsOf(readModels, 'policies')) {
          const view = JSON.parse(stored?.json ?? '') as PolicyView;
          const { customer_name, customer_email } = view.policy_holder;
          const { effective_from, effective_through, premium } = view;
          const read = { effective_from, effective_through, premium, customer_name, customer_email };
          expectSame(read, policies.get(view.policy_number), view.policy_number);
          expectSame(parked, undefined, view.policy_number);
          numberOf.set(view.policy_id, view.policy_number);
        }
        let count = 0;
        for await (const { body, parked } of documentsOf(readModels, 'claims')) {
          const view = claimOf(body);
          const { claim_status, claim_date, claim_amount } = view;
          const read = { claim_status, claim_date, claim_amount, policy_number: numberOf.get(view.policy) };
          expectSame(read, claims.get(view.claim_reference_number), view.claim_reference_number);
          expectSame(parked, undefined, view.claim_reference_number);
          count += 1;
        }
        expect(numberOf.size).toBe(policies.size);
        expect(count).toBe(claims.size);
      });
    });

    test('a start without read models creates the same documents, byte for byte', async () => {
      const before = await withReadModels(folder, contentOf);
      const file = join(folder, nameOfReadModelsIn(folder));
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      // The service rebuilds the read models of the whole book first, in CI beside other suites.
      service = await startService({ folder, readyWithinMs: 600_000 });
      // The service sends the pending mail of the merchant's registration: only those documents may change.
      expect(await withReadModels(folder, contentOf)).toEqual({ ...before, mail_jobs: expect.anything() });
      expect(before).toMatchObject({
        policies: { count: book.totals.policies },
        customers: { count: book.totals.customers },
        claims: { count: book.claimsTotals.taken },
      });
    });

    test('serves policies, customers and claims as the read models have them', async () => {
      const { request } = requireRunning(service);
      expect(await countOf(request, '/api/v1/policies/?limit=1')).toBe(book.totals.policies);
      await withReadModels(folder, async (readModels) => {
        const references = expectedReferences(book, refusedFolder);
        for (const { key, view: stored } of await firstDocuments(documentsOf(readModels, 'policies'))) {
          const response = await request(`/api/v1/policies/${key}/`);
          const view = JSON.parse(stored?.json ?? '') as PolicyView;
          const customer_reference = references.get(view.policy_number);
          expect([response.status, await response.json()]).toEqual([200, { ...view, customer_reference }]);
        }
        for (const { key, body } of await firstDocuments(documentsOf(readModels, 'claims'))) {
          const response = await request(`/api/v1/claims/${key}/`);
          const served = { ...claimOf(body), allowed_moves: expect.any(Array) };
          expect([response.status, await response.json()]).toEqual([200, served]);
        }
        for (const { key, body } of await firstDocuments(documentsOf(readModels, 'customers'))) {
          const customer = JSON.parse(body ?? '') as CustomerDocument;
          const response = (await (await request(`/api/v1/customers/${key}/`)).json()) as Record<string, unknown>;
          expect(response).toMatchObject({ full_name: customer.full_name, customer_email: customer.customer_email });
          const countIn = async (collection: string) =>
            (await readModels.find(collection, { where: { customer: key }, limit: 0, offset: 0 })).count;
          expect(response['purchased_policies_count']).toBe(await countIn('policies'));
          expect(await countOf(request, `/api/v1/customers/${key}/claims/`)).toBe(await countIn('claims'));
        }
      });
    });

    test.each(book.portfolioDays)(
      'the portfolio on %s has the figures of a program that reads the files',
      async (day) => await expectPortfolio(requireRunning(service), day, '', 'all'),
    );

    test('the transactions of the merchant add up to the portfolio', async () => {
      const { request } = requireRunning(service);
      const [shortCode] = await groupsOf(request);
      const response = await request(`/api/v1/merchants/${shortCode}/transactions/`, {
        headers: { Accept: 'text/csv' },
      });
      const all: readonly TransactionRow[] = parse(await response.text(), { columns: true });
      expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['premium', 'claim_payment']));
      for (const day of book.portfolioDays) {
        const { premium_written, amount_paid } = bookOfFiles.figuresOn(day);
        const begun = all.filter(({ term_from = '' }) => term_from <= day);
        const sums = [totalOf(begun, day, 'premium'), totalOf(all, day, 'claim_payment')];
        expect([day, ...sums]).toEqual([day, centsOf(premium_written), -centsOf(amount_paid)]);
      }
    });

    test('each group of the portfolio has the same figures, because the book has one', async () => {
      const running = requireRunning(service);
      const [shortCode, provider] = await groupsOf(running.request);
      const [day = ''] = book.portfolioDays;
      await expectPortfolio(running, day, '&group_by=product_type', 'Auto');
      await expectPortfolio(running, day, '&group_by=provider', provider);
      await expectPortfolio(running, day, '&group_by=merchant', shortCode);
    });

    async function expectPortfolio({ request }: Service, day: string, search: string, group: string): Promise<void> {
      const response = await request(`/api/v1/audit/portfolio/?as_of=${day}${search}`);
      const { results } = (await response.json()) as { results: unknown };
      expect(results).toEqual([{ group, currency: 'EUR', ...bookOfFiles.figuresOn(day) }]);
    }
  });
}

type Request = Service['request'];
type TransactionRow = Readonly<Record<string, string>>;

function totalOf(rows: readonly TransactionRow[], day: string, kind: string): bigint {
  const dated = rows.filter((row) => row['kind'] === kind && (row['date'] ?? '') <= day);
  return dated.reduce((sum, { amount = '' }) => sum + centsOf(amount), 0n);
}

function centsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

function expectTotals(file: ImportReport['files'][number] | undefined, totals: FileTotals): void {
  expect(file?.read).toBe(totals.read);
  expect(file?.refused).toEqual(totals.refused);
  expect((file?.taken ?? 0) + (file?.already ?? 0)).toBe(totals.taken + totals.already);
}

/** Compares like `expect(…).toEqual`, which is too slow for tens of thousands of documents. */
function expectSame(read: object | undefined, expected: object | undefined, what: string): void {
  if (JSON.stringify(read) !== JSON.stringify(expected)) expect({ what, ...read }).toEqual({ what, ...expected });
}

function requireRunning(service: Service | undefined): Service {
  if (service === undefined) throw new Error('the service does not run');
  return service;
}

/** Returns the short code of the only merchant and the id of the only insurer. */
async function groupsOf(request: Request): Promise<readonly [shortCode: string, providerId: string]> {
  const firstOf = async (path: string) =>
    ((await (await request(path)).json()) as { results: Record<string, unknown>[] }).results[0] ?? {};
  const { short_code: shortCode } = await firstOf('/api/v1/merchants/?limit=1');
  const { provider } = await firstOf('/api/v1/policies/?limit=1');
  return [String(shortCode), (provider as { provider_id: string }).provider_id];
}

async function countOf(request: Request, path: string): Promise<number> {
  return ((await (await request(path)).json()) as { count: number }).count;
}

/** Returns the first entries in order of their keys, which are random. */
async function firstDocuments<T>(all: AsyncIterable<T>): Promise<T[]> {
  const documents: T[] = [];
  for await (const one of all) {
    documents.push(one);
    if (documents.length === READ_OVER_HTTP) break;
  }
  return documents;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
