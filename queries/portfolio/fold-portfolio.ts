import { documentAsOf } from '#projections/as-of.ts';
import { policyAsOf } from '#projections/policies/policy-as-of.ts';
import type { MerchantEvent } from '#domain/merchant/merchant.ts';
import { decode } from '#domain/events.ts';
import { categoryOf } from '#event-sourcing/aggregate.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { EventStore, Position, StoredEvent } from '#stores/event-log/event-log.ts';
import { figuresOn } from '#domain/policy/figures.ts';
import { claimFiguresOn } from './book.ts';
import { BookPass, type BookPolicyDetails, type CustomerShare } from './book-pass.ts';
import { type Portfolio, type PortfolioRequest, refusePortfolio } from './portfolio.ts';
import { Rows } from './rows.ts';

type BookLog = Pick<EventStore, 'readAll' | 'lastPosition'>;

interface FoldPortfolioOptions {
  readonly log: BookLog;
  /** Called after each page of the log; an error ends the fold. */
  readonly nextTurn: () => Promise<void>;
  /**
   * The most events that are folded into policies and claims in memory, as `BookPass` counts them. A larger book is
   * folded in several passes over the log.
   */
  readonly maxEvents?: number;
}

const PAGE = 1_000;
/** About 150 MB. */
const MAX_EVENTS = 300_000;

/**
 * Folds a portfolio from the log, up to its end when the fold begins.
 * @throws {Refusal} `document_parked` when an event of a policy or claim cannot be folded @throws {StoreUnavailable}
 */
export async function foldPortfolio(
  request: PortfolioRequest,
  { log, nextTurn, maxEvents = MAX_EVENTS }: FoldPortfolioOptions,
): Promise<Portfolio> {
  const position = (await log.lastPosition()) ?? 0n;
  const shortCodes = new Map<string, string>();
  const rows = new Rows();
  const shares: CustomerShare[] = [{ divisor: 1, remainder: 0 }];
  for (let share = shares.pop(); share !== undefined; share = shares.pop()) {
    const pass = new BookPass(request, share, maxEvents);
    for await (const event of eventsUpTo(position, log, nextTurn)) {
      pass.apply(event);
      if (request.groupBy === 'merchant') noteShortCode(shortCodes, event);
    }
    addPass(rows, pass, request, shortCodes);
    shares.push(...pass.givenUp);
  }
  return { position, rows: rows.toRows() };
}

async function* eventsUpTo(
  position: Position,
  log: BookLog,
  nextTurn: () => Promise<void>,
): AsyncGenerator<StoredEvent> {
  for (let after: Position | undefined; (after ?? 0n) < position; ) {
    const page = await log.readAll({ after, limit: PAGE });
    for (const event of page) {
      if (event.position <= position) yield event;
    }
    after = page.at(-1)?.position ?? position;
    await nextTurn();
  }
}

function noteShortCode(shortCodes: Map<string, string>, event: StoredEvent): void {
  if (categoryOf(event.stream) !== 'merchant' || event.revision > 0) return;
  try {
    const { type, data } = decode(event) as RecordedEvent<MerchantEvent>;
    if (type === 'MerchantRegistered') shortCodes.set(data.tenantId, data.shortCode);
  } catch {
    throw refusePortfolio(
      'document_parked',
      `An event of ${event.stream} cannot be read, so that its group is not known`,
    );
  }
}

function addPass(
  rows: Rows,
  pass: BookPass,
  { asOf, groupBy }: PortfolioRequest,
  shortCodes: ReadonlyMap<string, string>,
): void {
  const groupOf = ({ merchantId, providerId, productType }: BookPolicyDetails): string => {
    if (groupBy === 'product_type') return productType;
    if (groupBy === 'provider') return providerId;
    return groupBy === 'merchant' ? (shortCodes.get(merchantId) ?? merchantId) : 'all';
  };
  for (const { details, state } of pass.policies()) {
    const policy = policyAsOf(state, asOf);
    if (policy === undefined) continue;
    rows.addPolicy(groupOf(details), details.currency, details.customerId, figuresOn(policy, asOf));
  }
  for (const { details, state, policy } of pass.claims()) {
    const claim = documentAsOf(state);
    if (claim === undefined) continue;
    rows.addClaim(groupOf(details), details.currency, claimFiguresOn(claim, policyAsOf(policy, asOf), asOf));
  }
}
