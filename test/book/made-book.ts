import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Cells = Readonly<Record<string, string>>;

/** A policy as the API must show it. */
export interface MadePolicy {
  readonly number: string;
  readonly email: string;
  readonly terms: readonly { readonly from: string; readonly through: string; readonly premium: string }[];
  readonly coverage: string;
  readonly cancellation: { readonly on: string; readonly reason: string | null; readonly returned: string } | null;
}

/** A claim as the API must show it. */
export interface MadeClaim {
  readonly reference: string;
  readonly policyNumber: string;
  readonly status: string;
  readonly filedOn: string;
  readonly resolvedOn: string | null;
  readonly amount: string;
  readonly settlement: Readonly<Record<'approved_amount' | 'offer_amount' | 'paid_amount', string | null>>;
}

/**
 * A book with cancellations in every term, coverages, and claims of every status; with the outcome that its import must
 * have.
 */
export interface MadeBook {
  readonly policiesFile: string;
  readonly claimsFile: string;
  readonly policies: readonly MadePolicy[];
  readonly claims: readonly MadeClaim[];
  readonly files: readonly {
    readonly read: number;
    readonly taken: number;
    readonly refused: Readonly<Record<string, number>>;
  }[];
}

const STATUSES = ['pending', 'approved', 'offer_sent', 'offer_accepted', 'paid', 'denied'] as const;
const FIRST_YEAR = 2022;
const COLUMNS = {
  policies:
    'policy_number,product_name,customer_reference,customer_name,customer_email,term_from,term_through,premium,coverages,cancelled_on,cancellation_reason,premium_fire,premium_glass',
  claims:
    'claim_reference_number,policy_number,claim_type,incident_date,filed_on,claim_amount,claim_status,approved_amount,paid_amount,resolved_on',
};

/** Writes a book into a folder. The expected amounts are computed here, without the program. */
export function writeMadeBook(folder: string, seed: number): MadeBook {
  let random = seed;
  const upTo = (most: number): number => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of this generator repeat soon.
    return Math.floor((random / 2 ** 32) * (most + 1));
  };
  const money = (): string => `${1 + upTo(2_000)}.${String(upTo(99)).padStart(2, '0')}`;
  const policies: MadePolicy[] = [];
  const claims: MadeClaim[] = [];
  const rows: { policies: Cells[]; claims: Cells[] } = { policies: [], claims: [] };
  const refused = { policy_already_cancelled: 0, incident_outside_every_term: 0, invalid_row: 2 };

  for (let index = 0; index < 150; index++) {
    const number = `MADE-${index}`;
    const email = `holder${index % 40}@made.example`;
    const rowCount = 1 + (index % 3);
    const cancelledTerm = [undefined, 0, Math.floor((rowCount - 1) / 2), rowCount - 1][upTo(3)];
    const coverages = upTo(1) === 0 ? '' : 'Fire; Third party';
    const terms: { from: string; through: string; premium: string }[] = [];
    let cancellation: MadePolicy['cancellation'] = null;
    for (let term = 0; term < rowCount; term++) {
      const [from, through] = [`${FIRST_YEAR + term}-01-01`, `${FIRST_YEAR + term}-12-31`];
      const premium = money();
      const isCancelled = term === cancelledTerm;
      // Sometimes the first or the last day of the term.
      const on = isCancelled ? dayAfter(from, [0, lengthOf(from, through) - 1, upTo(364)][upTo(2)] ?? 0) : '';
      const reason = isCancelled && upTo(1) === 1 ? 'Sold, "as seen"' : '';
      rows.policies.push({
        policy_number: number,
        product_name: `Motor ${index % 2}`,
        customer_reference: `C-${index % 40}`,
        customer_name: `Holder ${index % 40}`,
        customer_email: email,
        term_from: from,
        term_through: through,
        premium,
        coverages,
        cancelled_on: on,
        cancellation_reason: reason,
        premium_fire: '1.00',
        premium_glass: '0.00',
      });
      if (cancellation !== null) {
        refused.policy_already_cancelled += 1;
        continue;
      }
      terms.push({ from, through, premium });
      if (isCancelled) cancellation = { on, reason: reason || null, returned: returnOf(premium, on, from, through) };
    }
    policies.push({ number, email, terms, coverage: coverages === '' ? 'fire' : 'Fire, Third party', cancellation });

    const addClaim = (incident: string, status: (typeof STATUSES)[number]): void => {
      const isFinal = status === 'paid' || status === 'denied';
      const amount = money();
      const approved = status !== 'pending' && upTo(1) === 0 ? money() : '';
      const paid = status === 'paid' && upTo(1) === 0 ? money() : '';
      const resolved = isFinal && upTo(1) === 0 ? dayAfter(incident, 30) : '';
      const reference = `CLM-${rows.claims.length}`;
      const filedOn = dayAfter(incident, 2);
      rows.claims.push({
        claim_reference_number: reference,
        policy_number: number,
        claim_type: 'theft',
        incident_date: incident,
        filed_on: filedOn,
        claim_amount: amount,
        claim_status: status,
        approved_amount: approved,
        paid_amount: paid,
        resolved_on: resolved,
      });
      if (cancellation !== null && incident > cancellation.on) {
        refused.incident_outside_every_term += 1;
        return;
      }
      const offer = status.startsWith('offer') ? approved || amount : null;
      const paidAmount = status === 'paid' ? paid || approved || amount : null;
      const settlement = { approved_amount: approved || null, offer_amount: offer, paid_amount: paidAmount };
      const resolvedOn = isFinal ? resolved || filedOn : null;
      claims.push({ reference, policyNumber: number, status, filedOn, resolvedOn, amount, settlement });
    };
    // The day of a cancellation is covered, the next one is not.
    addClaim(cancellation?.on ?? '2022-06-30', STATUSES[index % STATUSES.length] ?? 'pending');
    if (cancellation !== null) addClaim(dayAfter(cancellation.on, 1), 'pending');
  }
  const first = rows.policies[0] ?? {};
  // Rows that contradict themselves.
  rows.policies.push({ ...first, policy_number: 'MADE-X', cancelled_on: '2021-12-31' });
  rows.policies.push({ ...first, policy_number: 'MADE-Y', cancelled_on: '', cancellation_reason: 'Sold' });
  const claim = rows.claims[0] ?? {};
  rows.claims.push({ ...claim, claim_reference_number: 'X', claim_status: 'pending', resolved_on: '2023-01-01' });
  rows.claims.push({ ...claim, claim_reference_number: 'Y', claim_status: 'approved', paid_amount: '1.00' });

  const { policy_already_cancelled, incident_outside_every_term, invalid_row } = refused;
  return {
    policiesFile: writeCsv(join(folder, 'made-policies.csv'), COLUMNS.policies, rows.policies),
    claimsFile: writeCsv(join(folder, 'made-claims.csv'), COLUMNS.claims, rows.claims),
    policies,
    claims,
    files: [
      {
        read: rows.policies.length,
        taken: rows.policies.length - policy_already_cancelled - invalid_row,
        refused: { policy_already_cancelled, invalid_row },
      },
      { read: rows.claims.length, taken: claims.length, refused: { incident_outside_every_term, invalid_row } },
    ],
  };
}

/** The figures of the portfolio of the book on a day, as `GET /audit/portfolio` shows them. */
export function portfolioOf({ policies, claims }: MadeBook, day: string): Readonly<Record<string, number | string>> {
  const begun = policies.flatMap(({ terms }) => terms).filter(({ from }) => from <= day);
  const inForce = policies.flatMap(({ terms, cancellation }) =>
    cancellation !== null && cancellation.on < day
      ? []
      : terms.filter(({ from, through }) => from <= day && day <= through),
  );
  const returned = policies.flatMap(({ cancellation: end }) => (end !== null && end.on <= day ? [end.returned] : []));
  const paid = claims.filter(({ status, resolvedOn }) => status === 'paid' && String(resolvedOn) <= day);
  const open = claims.filter(({ filedOn, resolvedOn }) => filedOn <= day && (resolvedOn === null || resolvedOn > day));
  return {
    policies_in_force: inForce.length,
    premium_in_force: sum(inForce.map(({ premium }) => premium)),
    premium_written: sum(begun.map(({ premium }) => premium)),
    premium_returned: sum(returned),
    claims_filed: claims.filter(({ filedOn }) => filedOn <= day).length,
    claims_paid: paid.length,
    amount_paid: sum(paid.map(({ settlement }) => settlement.paid_amount ?? '')),
    claims_outstanding: sum(open.map(outstandingOf)),
  };
}

/** Returns what an open claim may cost. Of one that is resolved later nothing but its filing is known. */
function outstandingOf({ amount, status, resolvedOn, settlement }: MadeClaim): string {
  if (resolvedOn !== null) return amount;
  const offer = status === 'offer_accepted' ? settlement.offer_amount : null;
  return offer ?? settlement.approved_amount ?? amount;
}

function writeCsv(file: string, columns: string, rows: readonly Cells[]): string {
  const names = columns.split(',');
  const lines = rows.map((row) => names.map((name) => `"${(row[name] ?? '').replaceAll('"', '""')}"`).join(','));
  writeFileSync(file, `${[columns, ...lines].join('\n')}\n`);
  return file;
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

function lengthOf(from: string, through: string): number {
  return (Date.parse(through) - Date.parse(from)) / 86_400_000 + 1;
}

/** Rounds half-up: 2 × numerator + denominator, divided by 2 × denominator. */
function returnOf(premium: string, on: string, from: string, through: string): string {
  const days = BigInt(lengthOf(from, through));
  const over = BigInt(lengthOf(from, on));
  // What is earned is rounded, and the rest returned.
  return decimal(cents(premium) - (2n * cents(premium) * over + days) / (2n * days));
}

function sum(amounts: readonly string[]): string {
  return decimal(amounts.reduce((total, amount) => total + cents(amount), 0n));
}

function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

function decimal(amount: bigint): string {
  return `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
}
