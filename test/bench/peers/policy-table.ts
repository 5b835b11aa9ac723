import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { addDays } from '#domain/values/dates.ts';

/** A policy as the benchmark hands it to every program. */
export interface SeedPolicy {
  readonly policy_id: string;
  readonly policy_number: string;
  /** Last day of its last term. */
  readonly through: string;
  /** The response to its `GET`. */
  readonly document: string;
}

/** What the programs beside Surety read in the JSON of a policy. */
interface Document {
  readonly premium: string;
  readonly policy_holder: Readonly<Record<string, unknown>>;
  readonly provider: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

const renewal = z.strictObject({
  policy_id: z.uuid(),
  preferred_policy_start_date: z.iso.date(),
  policy_duration: z.int().min(1).max(365),
});

const schema = `
  CREATE TABLE keys (hash TEXT PRIMARY KEY, merchant TEXT NOT NULL) STRICT;
  CREATE TABLE policies (id TEXT PRIMARY KEY, merchant TEXT NOT NULL, number TEXT NOT NULL UNIQUE, through TEXT NOT NULL, document TEXT NOT NULL) STRICT;
  CREATE TABLE history (id TEXT PRIMARY KEY, policy TEXT NOT NULL, recorded_at TEXT NOT NULL, entry TEXT NOT NULL) STRICT;
  CREATE INDEX history_by_policy ON history (policy);
  CREATE TABLE requests (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, answer TEXT NOT NULL) STRICT;
`;

/**
 * Policies in SQLite as a plain service keeps them: a row for each, updated in place, and a row of history for each
 * change.
 */
export class PolicyTable {
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(file: string, policies: readonly SeedPolicy[], key: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    this.#database.exec(schema);
    this.#statements = prepare(this.#database);
    this.inTransaction(() => {
      this.#statements.addKey.run(sha256(key), 'bench');
      for (const { policy_id, policy_number, through, document } of policies)
        this.#statements.add.run(policy_id, 'bench', policy_number, through, document);
    });
  }

  inTransaction<T>(action: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = action();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Returns the merchant of an API key; undefined for an unknown one. */
  merchantOf(key: string | undefined): string | undefined {
    return key === undefined ? undefined : textOf(this.#statements.merchant.get(sha256(key))?.['merchant']);
  }

  get(id: string, merchant: string): Answer {
    const document = textOf(this.#statements.find.get(id, merchant)?.['document']);
    return document === undefined ? problem(404, 'not found') : { status: 200, text: document };
  }

  /** Renews a policy in an open transaction, once for each idempotency key. */
  renew(body: unknown, merchant: string, idempotencyKey: string | undefined): Answer {
    if (idempotencyKey === undefined) return this.#renew(body, merchant);
    const key = sha256(`${merchant} ${idempotencyKey}`);
    const fingerprint = sha256(JSON.stringify(body));
    const known = this.#statements.request.get(key);
    if (known !== undefined)
      return known['fingerprint'] === fingerprint
        ? { status: 200, text: String(known['answer']) }
        : problem(422, 'this key was used for another request');
    const response = this.#renew(body, merchant);
    if (response.status === 200) this.#statements.addRequest.run(key, fingerprint, response.text);
    return response;
  }

  #renew(body: unknown, merchant: string): Answer {
    const parsed = renewal.safeParse(body);
    if (!parsed.success) return problem(400, z.prettifyError(parsed.error));
    const { policy_id: id, preferred_policy_start_date: from, policy_duration: days } = parsed.data;
    const row = this.#statements.find.get(id, merchant);
    if (row === undefined) return problem(404, 'not found');
    if (from <= String(row['through'])) return problem(400, `must be after ${String(row['through'])}`);
    const policy = JSON.parse(String(row['document'])) as Document;
    const through = addDays(from, days - 1);
    const premium = ((Math.round(Number(policy.premium) * 100) * days) / 365 / 100).toFixed(2);
    const renewalDate = `${addDays(through, 1)}T00:00:00Z`;
    this.#statements.update.run(through, JSON.stringify({ ...policy, renewal_date: renewalDate }), id);
    const entry = JSON.stringify({ kind: 'renewed', from, through, premium });
    this.#statements.addHistory.run(randomUUID(), id, new Date().toISOString(), entry);
    return { status: 200, text: JSON.stringify(renewed(policy, id, days, addDays(through, 1))) };
  }
}

/** The response to a renewal, as Surety's API describes it. */
function renewed(policy: Document, id: string, days: number, renewalDate: string): object {
  const { customer_name, customer_email, customer_phone } = policy.policy_holder;
  return {
    renewal_status: 'success',
    message: 'The policy was renewed',
    data: {
      policy_id: id,
      policy_number: policy['policy_number'],
      policy_duration: days,
      policy_metadata: {
        product_name: policy['coverage'],
        product_type: policy['policy_type'],
        insurer: policy.provider['provider_name'],
        customer_name,
        customer_email,
        customer_phone,
        customer_address: null,
        policy_status: policy['status'],
        policy_id: id,
        renewable: policy['renewable'],
      },
      renewal_date: renewalDate,
    },
  };
}

/** Reads the policies that a benchmark has written. */
export function readSeed(file: string): readonly SeedPolicy[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly SeedPolicy[];
}

export function problem(status: number, detail: string): Answer {
  return { status, text: JSON.stringify({ status, detail }) };
}

function prepare(database: DatabaseSync) {
  return {
    addKey: database.prepare('INSERT INTO keys VALUES (?, ?)'),
    add: database.prepare('INSERT INTO policies VALUES (?, ?, ?, ?, ?)'),
    merchant: database.prepare('SELECT merchant FROM keys WHERE hash = ?'),
    find: database.prepare('SELECT through, document FROM policies WHERE id = ? AND merchant = ?'),
    update: database.prepare('UPDATE policies SET through = ?, document = ? WHERE id = ?'),
    addHistory: database.prepare('INSERT INTO history VALUES (?, ?, ?, ?)'),
    request: database.prepare('SELECT fingerprint, answer FROM requests WHERE key = ?'),
    addRequest: database.prepare('INSERT INTO requests VALUES (?, ?, ?)'),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
