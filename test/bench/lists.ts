/**
 * Measures pages of lists on the embedded store: `node test/bench/lists.ts [documents…]` (default 1000 100000). Half of
 * the documents belong to one customer. Run by hand; no test depends on the times.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { FindQuery, StoredDocument } from '#stores/read-models/read-models.ts';
import { openSqliteReadModels } from '#stores/read-models/sqlite/sqlite-read-models.ts';
import { median } from './table.ts';
import { takeOverServed, writeDocuments } from '../support/write-documents.ts';

const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 100_000];
const LIMIT = 100;
const READS = 40;
const CHUNK = 1_000;
/** About the size of a policy with one term. */
const BODY = JSON.stringify({ view: 'x'.repeat(2_500) });
const CUSTOMER = 'customer-0';

function documentOf(number: number): StoredDocument {
  const key = number.toString().padStart(12, '0');
  const customer = number % 2 === 0 ? CUSTOMER : `customer-${number}`;
  const indexes = { test_mode: false, customer };
  return {
    key,
    body: BODY,
    stream: `policy-${key}`,
    revision: 0,
    position: BigInt(number + 1),
    order: BigInt(number),
    indexes,
    parked: undefined,
  };
}

async function measure(documents: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'surety-lists-'));
  const indexes = ['test_mode', 'customer'];
  const definition = { name: 'policies', version: 1, indexes, countedBy: indexes };
  const readModels = openSqliteReadModels({ folder, definitions: [definition] });
  try {
    const generation = await takeOverServed(readModels);
    for (let from = 0; from < documents; from += CHUNK) {
      const chunk = Array.from({ length: Math.min(CHUNK, documents - from) }, (_, index) => documentOf(from + index));
      await writeDocuments(generation, 'policies', chunk);
    }
    const all = { where: { test_mode: false }, limit: LIMIT, offset: 0 };
    const half = Math.floor(documents / 2);
    const queries: Readonly<Record<string, FindQuery>> = {
      'first page': all,
      [`offset ${half}`]: { ...all, offset: half },
      [`after place ${half}`]: { ...all, after: documentOf(half) },
      'first page of the customer': { ...all, where: { customer: CUSTOMER } },
      'count of the customer': { where: { customer: CUSTOMER }, limit: 0, offset: 0 },
    };
    for (const [name, query] of Object.entries(queries)) {
      const times: number[] = [];
      for (let read = 0; read < READS; read++) {
        const start = performance.now();
        await readModels.find('policies', query);
        times.push(performance.now() - start);
      }
      const [p50, best] = [median(times), Math.min(...times)].map((time) => time.toFixed(2));
      process.stdout.write(`${documents} documents, ${name}: p50 ${p50} ms, best ${best} ms\n`);
    }
  } finally {
    await readModels.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const size of SIZES) await measure(size);
