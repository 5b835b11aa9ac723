import { expect, test } from '@jest/globals';
import { createEnvironment, type ImportReport, importBook, killImportAt } from '../book/import-process.ts';
import { type MadeBook, portfolioOf, writeMadeBook } from '../book/made-book.ts';
import { logPosition } from '../book/stores.ts';
import type { Service } from '../support/service-process.ts';
import { useWorkspace } from '../support/workspace.ts';

const place = useWorkspace();
const SEED = Math.floor(Math.random() * 2 ** 31);

function expectOutcome({ files }: ImportReport, book: MadeBook, isRepeated: boolean): void {
  for (const [index, { read, taken, refused }] of book.files.entries()) {
    const expected = isRepeated ? { read, refused, taken: 0, already: taken } : { read, refused };
    expect(files[index]).toMatchObject(expected);
    expect((files[index]?.taken ?? 0) + (files[index]?.already ?? 0)).toBe(taken);
  }
}

test.each([
  ['into a data folder', false],
  ['by URL', true],
])(
  `a made book (seed ${SEED}) comes out as it went in after an import %s that was killed half-way, and after a repeated one`,
  async (_where, isByUrl) => {
    const book = writeMadeBook(place.base, SEED);
    const environmentId = await createEnvironment(place.folder);
    const target = { folder: place.folder, refusedFolder: place.base, environmentId };
    const running = isByUrl ? await place.startService() : undefined;
    const more = running === undefined ? [] : ['--url', running.url];
    await killImportAt(book, target, Math.round(book.policies.length * (1 + 2 * Math.random())), more);
    expectOutcome(await importBook(book, target, more), book, false);
    const position = logPosition(place.folder);
    expectOutcome(await importBook(book, target, more), book, true);
    expect(logPosition(place.folder)).toBe(position);
    await expectServed(running ?? (await place.startService()), book, environmentId);
  },
);

/** Reads the whole book by lists, views and downloads, and compares it with what went in. */
async function expectServed(service: Service, book: MadeBook, environmentId: number): Promise<void> {
  const issued = await service.run('IssueApiKey', { environment_id: environmentId, label: 'till' });
  const headers = { 'x-api-key': String(issued['api_key']) };
  const text = async (path: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
    await (await service.request(`/api/v1/${path}`, { headers: { ...headers, ...more } })).text();
  const get = async (path: string) => JSON.parse(await text(path)) as Record<string, never>;
  const { short_code: merchant } =
    ((await get('merchants')) as unknown as { results: { short_code: string }[] }).results[0] ?? {};
  /** Every item of a list of the merchant, page by page. */
  const list = async (path: string): Promise<Record<string, never>[]> => {
    const items: Record<string, never>[] = [];
    for (let url: string | null = `${service.url}/api/v1/merchants/${merchant}/${path}`; url !== null; ) {
      const page = (await (await fetch(url, { headers })).json()) as {
        next: string | null;
        results: Record<string, never>[];
      };
      items.push(...page.results);
      url = page.next;
    }
    return items;
  };

  const shown = await list('policies/?limit=40');
  const ids = new Map(shown.map(({ policy_number: number, policy_id: id }) => [String(number), String(id)]));
  expect([...ids.keys()].toSorted()).toEqual(book.policies.map(({ number }) => number).toSorted());
  const cancelled = book.policies.filter(({ cancellation }) => cancellation !== null);
  expect(await list('policies/?status=cancelled&limit=100')).toHaveLength(cancelled.length);
  const day = '2023-06-30';
  expect(await list(`policies/?in_force_on=${day}&limit=100`)).toHaveLength(
    Number(portfolioOf(book, day).policies_in_force),
  );
  for (const { number, email, terms, coverage, cancellation } of book.policies) {
    const view = await get(`policies/${number}`);
    expect(view).toEqual(shown.find(({ policy_number: shownNumber }) => shownNumber === number));
    const last = terms.at(-1);
    expect(view).toMatchObject({
      effective_from: last?.from,
      effective_through: last?.through,
      premium: last?.premium,
      coverage,
      policy_holder: { customer_email: email },
      status: cancellation === null ? 'active' : 'cancelled',
      cancellation_date: cancellation && `${cancellation.on}T23:59:59.000Z`,
      cancellation_reason: cancellation && cancellation.reason,
      cancellation_initiator: cancellation && 'import',
    });
    expect((await get(`policies/${number}/terms`)).results).toMatchObject(terms);
    const entries = (await get(`policies/${number}/transactions?limit=100`)).results as unknown as { kind: string }[];
    const premiums = terms.map(({ premium: amount, from }) => ({ kind: 'premium', amount, date: from }));
    const returned =
      cancellation === null || cancellation.returned === '0.00'
        ? []
        : [{ kind: 'return_premium', amount: `-${cancellation.returned}`, date: cancellation.on }];
    expect(entries.filter(({ kind }) => kind !== 'claim_payment')).toMatchObject([...premiums, ...returned]);
    const lines = (await text(`policies/${number}/history`, { accept: 'application/x-ndjson' })).trim().split('\n');
    const paid = book.claims.filter(({ policyNumber, status }) => policyNumber === number && status === 'paid');
    expect(lines).toHaveLength(terms.length + (cancellation === null ? 0 : 1) + paid.length);
    if (cancellation === null || cancellation.on === terms[0]?.from) continue;
    const before = new Date(Date.parse(cancellation.on) - 86_400_000).toISOString().slice(0, 10);
    expect((await get(`policies/${number}?as_of=${before}`)).status).toBe('active');
    expect((await get(`policies/${number}?as_of=${cancellation.on}`)).status).toBe('cancelled');
  }

  const claims = await list('claims/?limit=40');
  expect(claims).toHaveLength(book.claims.length);
  for (const { reference, policyNumber, status, filedOn, resolvedOn, amount, settlement } of book.claims) {
    const view = await get(`claims/${reference}`);
    const moved =
      status === 'pending' ? [] : [{ name: status.replace('_', ' '), time_stamp: `${resolvedOn ?? filedOn} 00:00:00` }];
    expect(view).toMatchObject({
      claim_status: status,
      claim_date: filedOn,
      claim_amount: amount,
      settlement,
      policy: ids.get(policyNumber),
      claim_status_timeline: [{ name: 'submitted', time_stamp: `${filedOn} 00:00:00` }, ...moved],
    });
    const { documents: _, ...item } = view;
    expect(claims.find(({ claim_id: id }) => id === view.claim_id)).toEqual(item);
  }
  for (const status of new Set(book.claims.map((claim) => claim.status)))
    expect(await list(`claims/?claim_status=${status}&limit=100`)).toHaveLength(
      book.claims.filter((claim) => claim.status === status).length,
    );

  const customers = await list('customers/?limit=100');
  expect(customers).toHaveLength(new Set(book.policies.map(({ email }) => email)).size);
  for (const { customer_id: id, customer_email: email } of customers) {
    const { count } = await get(`customers/${id}/policies`);
    expect(count).toBe(book.policies.filter((policy) => policy.email === email).length);
  }
  expect((await get('products')).count).toBe(2);
  expect((await get('insurers')).count).toBe(1);

  for (const asOf of [day, '2022-12-31', '2024-12-31', '2025-12-31']) {
    const response = await service.request(`/api/v1/audit/portfolio/?as_of=${asOf}`);
    expect(((await response.json()) as { results: object[] }).results).toMatchObject([
      { group: 'all', currency: 'EUR', ...portfolioOf(book, asOf) },
    ]);
  }
}
