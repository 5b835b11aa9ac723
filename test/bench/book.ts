import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of an import and their number of rows. */
export interface Book {
  readonly name: string;
  readonly policies: string;
  readonly claims: string;
  readonly rows: number;
}

const MADE_POLICIES = 10_000;

/** Returns the real book beside the project (or at `SURETY_BOOK`), else a generated one. */
export async function findBook(folder: string): Promise<Book> {
  const real = process.env['SURETY_BOOK'] ?? join(import.meta.dirname, '../../../shared/data/french-motor-book');
  const policies = join(real, 'policies.csv.gz');
  const claims = join(real, 'claims.csv.gz');
  if (existsSync(policies) && existsSync(claims))
    return { name: 'the French motor book', policies, claims, rows: 61_195 };
  return await makeBook(folder);
}

async function makeBook(folder: string): Promise<Book> {
  const policies = [
    'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium,risk_age,premium_liability',
  ];
  const claims = ['claim_reference_number,policy_number,claim_type,incident_date,filed_on,claim_amount,claim_status'];
  for (let i = 0; i < MADE_POLICIES; i++) {
    const holder = Math.floor(i / 2);
    const start = `P-${i},Motor,${holder},Holder ${holder},holder-${holder}@book.example`;
    policies.push(`${start},2024-01-01,2024-12-31,200.00,40,200.00`, `${start},2025-01-01,2025-12-31,210.00,41,210.00`);
    if (i % 4 === 0) claims.push(`C-${i},P-${i},damage,2024-05-01,2024-05-02,500.00,paid`);
  }
  const files = { policies: join(folder, 'policies.csv'), claims: join(folder, 'claims.csv') };
  await writeFile(files.policies, `${policies.join('\n')}\n`);
  await writeFile(files.claims, `${claims.join('\n')}\n`);
  return { name: 'a made-up book', ...files, rows: policies.length + claims.length - 2 };
}
