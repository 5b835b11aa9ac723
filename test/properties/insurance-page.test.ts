import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { submitClaim } from '../../commands/claim/submit-claim.ts';
import { activatePolicy } from '../../commands/policy/activate-policy.ts';
import { cancelPolicy } from '../../commands/policy/cancel-policy.ts';
import { declinePolicy } from '../../commands/policy/decline-policy.ts';
import { renewPolicy } from '../../commands/policy/renew-policy.ts';
import { setAutoRenew } from '../../commands/policy/set-auto-renew.ts';
import { withdrawTerm } from '../../commands/policy/withdraw-term.ts';
import { foldPortfolio } from '../../queries/portfolio/fold-portfolio.ts';
import type { PortfolioRow } from '../../queries/portfolio/portfolio.ts';
import type { PolicyResource } from '../../projections/policies/policy-resource.ts';
import { parseMoney } from '../../src/domain/values/money.ts';
import { codeOf, RealPolicy } from './insurance-model/real-policy.ts';

interface Row {
  readonly day: string;
  readonly command: string;
  readonly results: readonly string[];
}

/** Returns the tables of examples, with the text above each. */
function readExamples(page: string): readonly (readonly [title: string, rows: readonly Row[]])[] {
  const tables = page.matchAll(
    /^(?<title>.*)\n\n\| Day \| Command \| Result \|\n\|---\|---\|---\|\n(?<rows>(?:\|.*\n)+)/gm,
  );
  return [...tables].map(({ groups: { title = '', rows = '' } = {} }) => [
    title,
    [...rows.matchAll(/^\| (\S+) \| `([^`]+)` \| (.*) \|$/gm)].map(([, day = '', command = '', results = '']) => ({
      ...{ day, command },
      results: [...results.matchAll(/`([^`]+)`/g)].map(([, result = '']) => result),
    })),
  ]);
}

const PAGE = readFileSync(new URL('../../docs/insurance.md', import.meta.url), 'utf8');
const examples = readExamples(PAGE);

/** Returns what follows a word in a command, such as the amount after `tax`. */
function optionOf(command: string, name: string): string | undefined {
  return new RegExp(`${name} ([\\d.-]+)`).exec(command)?.[1];
}

function requireOption(command: string, name: string): string {
  const value = optionOf(command, name);
  if (value === undefined) throw new Error(`${command}: ${name} is missing`);
  return value;
}

/** Runs the commands of a table. */
class Example {
  readonly #policy = new RealPolicy('UTC', '');
  #portfolio: readonly string[] = [];
  /** The view at a point in time, if the last command asked for one. */
  #past: PolicyResource | undefined;
  #read = 0;

  /** Returns the code of the refusal, if any. */
  async run({ day, command }: Row): Promise<string | undefined> {
    const { harness, policyId: policy_id } = this.#policy;
    harness.now = `${day}T10:00:00.000Z`;
    this.#past = undefined;
    const [verb] = command.split(' ');
    switch (verb) {
      case 'purchase':
        return await this.#purchase(command);
      case 'renew':
        return await this.#policy.run(renewPolicy, { policy_id, ...renewalOf(command) });
      case 'withdraw':
        return await this.#policy.run(withdrawTerm, {
          policy_id,
          from: requireOption(command, 'from'),
          reason: 'A mistake',
        });
      case 'cancel':
        return await this.#policy.run(cancelPolicy, { policy_id, cancellation_reason: 'Sold' });
      case 'view':
        return await codeOf(async () => {
          const knownAt = optionOf(command, 'known at');
          this.#past = await this.#policy.viewAt({
            as_of: requireOption(command, 'as of'),
            known_at: knownAt && `${knownAt}T23:59:59.999Z`,
          });
        });
      case 'activate':
        return await this.#policy.run(activatePolicy, { policy_id });
      case 'decline':
        return await this.#policy.run(declinePolicy, { policy_id, reason: 'Not insurable' });
      case 'claim':
        return await this.#claim(command);
      case 'portfolio':
        this.#portfolio = await this.#portfolioOn(command.split(' ').at(-1) ?? '');
        return undefined;
      // Every command first records what is due; this one changes nothing else.
      case 'run':
        return await this.#policy.run(setAutoRenew, { policy_id, auto_renew: (await this.#policy.views()).autoRenew });
      default:
        throw new Error(`unknown command: ${command}`);
    }
  }

  async #purchase(command: string): Promise<undefined> {
    const part = (name: string): bigint => parseMoney(optionOf(command, name) ?? '0.00');
    const annual = {
      premium: part('at'),
      tax: part('tax'),
      surcharge: part('surcharge'),
      commission: part('commission'),
    };
    const terms = {
      effective_from: requireOption(command, 'from'),
      policy_duration: Number(requireOption(command, 'purchase')),
      auto_renew: command.includes('renews automatically'),
    };
    await this.#policy.purchase(terms, annual, { inspectionRequired: command.includes('needs inspection') });
  }

  async #portfolioOn(asOf: string): Promise<readonly string[]> {
    const request = { asOf, knownAt: undefined, groupBy: undefined, testMode: false };
    const log = this.#policy.harness.eventStore;
    const row = requireRow((await foldPortfolio(request, { log, nextTurn: async () => {} })).rows[0]);
    const figures = ['written', 'earned', 'unearned', 'returned'] as const;
    return [`in force ${row.premium_in_force}`, ...figures.map((name) => `${name} ${row[`premium_${name}`]}`)];
  }

  async #claim(command: string): Promise<string | undefined> {
    const claim_details = {
      claim_type: 'Theft',
      incident_date: requireOption(command, 'on'),
      claim_amount: requireOption(command, 'claim'),
    };
    const code = await this.#policy.run(submitClaim, { policy_id: this.#policy.policyId, claim_details });
    if (code !== undefined) return code;
    const log = await this.#policy.harness.log();
    const claimId = log.findLast(({ type }) => type === 'ClaimSubmitted')?.stream.slice('claim-'.length) ?? '';
    this.#policy.addClaim(claimId);
    const [approved, offer, paid] = ['approved', 'offered', 'paid'].map((name) => optionOf(command, name));
    const amounts = Object.entries({ approved, offer, paid }).filter(([, amount]) => amount !== undefined);
    if (command.includes('paid')) await this.#policy.payClaim(claimId, Object.fromEntries(amounts));
    return undefined;
  }

  /** Returns the transactions since the last call, as the page writes them. */
  async newTransactions(): Promise<readonly string[]> {
    const all = await this.#policy.transactions();
    const added = all.slice(this.#read).map(({ facts: { kind, amount, date, tax, commission } }) => {
      const parts = Object.entries({ tax, commission }).filter(([, part]) => part !== null && parseMoney(part) !== 0n);
      return [`${kind} ${amount} on ${date}`, ...parts.map(([name, part]) => `${name} ${part}`)].join(', ');
    });
    this.#read = all.length;
    return added;
  }

  /** Returns the status, the shown term and the last portfolio, as the page writes them. */
  async view(): Promise<readonly string[]> {
    const shown = this.#past ?? (await this.#policy.views()).policy;
    const { status, effective_from: from, effective_through: through } = shown;
    return [`status ${String(status)}`, `term ${String(from)} through ${String(through)}`, ...this.#portfolio];
  }
}

function requireRow(row: PortfolioRow | undefined): PortfolioRow {
  if (row === undefined) throw new Error('the portfolio is empty');
  return row;
}

function renewalOf(command: string): object {
  const additional = optionOf(command, 'additional amount');
  return {
    preferred_policy_start_date: requireOption(command, 'from'),
    policy_duration: Number(requireOption(command, 'renew')),
    ...(additional === undefined
      ? {}
      : {
          include_additional_coverage: true,
          coverage_details: { coverage_type: 'Glass', additional_amount: additional },
        }),
  };
}

const TRANSACTION = /^(premium|return_premium|claim_payment) /;

describe('the page about insurance', () => {
  test('has its examples', () => expect(examples.map(([, rows]) => rows.length)).toEqual([4, 9, 5, 2, 6, 2, 9, 3]));

  test.each(examples)('%s', async (_title, rows) => {
    const example = new Example();
    for (const row of rows) {
      const code = await example.run(row);
      const transactions = await example.newTransactions();
      const response = code === undefined ? 'accepted' : `refused: ${code}`;
      expect({ ...row, transactions, response }).toEqual({
        ...row,
        transactions: row.results.filter((result) => TRANSACTION.test(result)),
        response: row.results.find((result) => result.startsWith('refused')) ?? 'accepted',
      });
      const facts = row.results.filter((result) =>
        /^(status|term|in force|written|earned|unearned|returned) /.test(result),
      );
      expect(await example.view()).toEqual(expect.arrayContaining(facts));
    }
  });
});
