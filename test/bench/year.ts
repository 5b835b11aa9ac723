import { Agent } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { QUOTE_REQUEST } from './quotes.ts';
import type { Subject } from './policies.ts';
import { send } from './posts.ts';
import { command } from './service.ts';
import type { Row } from './table.ts';

/** Members of responses that the next requests need. */
interface Answer {
  readonly results: readonly (readonly { readonly quote_code: string }[])[];
  readonly policy_id: string;
  readonly effective_from: string;
  readonly renewal_date: string;
  readonly claim_id: string;
}

/** Number of events, and bytes of data and metadata. */
interface Size {
  readonly bytes: number;
  readonly events: number;
}

/**
 * Measures what a year of a policy adds to the log: a quote, a purchase with an idempotency key, a paid claim and a
 * renewal. `file` is the event log of the running service.
 */
export async function benchYear({ url, key }: Subject, file: string): Promise<readonly Row[]> {
  const agent = new Agent({ keepAlive: true });
  const post = async (path: string, body: object): Promise<Answer> =>
    JSON.parse(await send(agent, url, key, { path, body })) as Answer;
  const start = sizeOf(file);
  const quotes = await post('/api/v1/quotes', QUOTE_REQUEST);
  const quoted = sizeOf(file);
  const [offer] = quotes.results[0] ?? [];
  const policy = await post('/api/v1/policies', { quote_code: offer?.quote_code });
  const details = { claim_type: 'accident', incident_date: policy.effective_from, claim_amount: '120.00' };
  const { claim_id: claim } = await post('/api/v1/claims', { policy_id: policy.policy_id, claim_details: details });
  for (const name of ['ReviewClaim', 'SendClaimForApproval', 'ApproveClaim', 'PayClaim']) {
    await command(url, name, { claim_id: claim });
  }
  const next = policy.renewal_date;
  const renewal = { policy_id: policy.policy_id, policy_duration: 365 };
  await post('/api/v1/policies/renew', { ...renewal, preferred_policy_start_date: next.slice(0, 10) });
  const end = sizeOf(file);
  agent.destroy();
  return [
    row('a request for quotes of 5 products that are not bought', start, quoted),
    row("a policy's year: bought, claimed on until paid, renewed", quoted, end),
  ];
}

function row(what: string, from: Size, to: Size): Row {
  const size = `${((to.bytes - from.bytes) / 1024).toFixed(1)} KiB in ${to.events - from.events} events`;
  return { what: `${what}: size in the log`, surety: size, bare: '–', ratio: '–' };
}

function sizeOf(file: string): Size {
  const database = new DatabaseSync(file, { readOnly: true });
  const sums = 'SELECT count(*) AS events, sum(length(data) + length(metadata)) AS bytes FROM events';
  const found = database.prepare(sums).get();
  database.close();
  return { bytes: Number(found?.['bytes']), events: Number(found?.['events']) };
}
