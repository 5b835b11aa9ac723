import { addressOf, recordedAtOf } from '#projections/projection.ts';
import { type AsOfState, foldAsOf } from '#projections/as-of.ts';
import { foldPolicyAsOf } from '#projections/policies/policy-as-of.ts';
import type { ClaimEvent } from '#domain/claim/claim-events.ts';
import { decode } from '#domain/events.ts';
import type { PolicyState } from '#domain/policy/policy.ts';
import { isFirstEvent, type PolicyEvent } from '#domain/policy/policy-events.ts';
import type { Coverage, Period } from '#domain/policy/term.ts';
import type { Refusal } from '#domain/refusals.ts';
import { categoryOf } from '#event-sourcing/aggregate.ts';
import { compareTexts } from '#event-sourcing/identifiers.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import type { StoredEvent } from '#stores/event-log/event-log.ts';
import { type ClaimState, evolveClaim } from '#domain/claim/claim.ts';
import { type PortfolioRequest, refusePortfolio } from './portfolio.ts';

/** What the rows need of a policy besides its figures. It never changes. */
export interface BookPolicyDetails {
  readonly customerId: string;
  readonly merchantId: string;
  readonly providerId: string;
  readonly productType: string;
  readonly currency: string;
}

interface Tracked<Document> {
  /** Of its customer. */
  readonly hash: number;
  revision: number;
  /** Undefined until an event counts. */
  state: AsOfState<Document> | undefined;
}

interface TrackedPolicy extends Tracked<PolicyState> {
  /** Known as soon as the log has the policy, whatever `known_at` is: claims take group and currency from them. */
  readonly details: BookPolicyDetails;
}

interface BookClaim {
  readonly state: AsOfState<ClaimState> | undefined;
  readonly policy: AsOfState<PolicyState> | undefined;
  readonly details: BookPolicyDetails;
}

/** The customers of one pass over the log: those whose hash leaves this remainder. */
export interface CustomerShare {
  /** A power of two. */
  readonly divisor: number;
  readonly remainder: number;
}

/** The first event of a policy takes 1.5 KB, each other event of policies and claims about a third of it. */
const FIRST_OF_POLICY = 3;

/**
 * The policies and claims of a share of the customers, while the events of the log are folded into them. When it holds
 * too many, it gives up half of its customers, which another pass over the log folds.
 */
export class BookPass {
  /** The shares that it has given up, each for a pass of its own. */
  readonly givenUp: CustomerShare[] = [];
  readonly #request: PortfolioRequest;
  readonly #policies = new Map<string, TrackedPolicy>();
  readonly #claims = new Map<string, Tracked<ClaimState>>();
  #share: CustomerShare;
  #maxEvents: number;
  #events = 0;

  /** @param maxEvents the first event of a policy counts as `FIRST_OF_POLICY` */
  constructor(request: PortfolioRequest, share: CustomerShare, maxEvents: number) {
    this.#request = request;
    this.#share = share;
    this.#maxEvents = maxEvents;
  }

  /** Returns the policies, those of a customer one after the other. */
  policies(): readonly TrackedPolicy[] {
    return [...this.#policies.values()].sort((a, b) => compareTexts(a.details.customerId, b.details.customerId));
  }

  *claims(): Generator<BookClaim> {
    for (const [stream, { state }] of this.#claims) {
      const policy = state === undefined ? undefined : this.#policies.get(`policy-${state.document.policyId}`);
      if (policy === undefined) throw parkedDocument(stream);
      yield { state, policy: policy.state, details: policy.details };
    }
  }

  /** Folds an event, if it belongs to a policy or claim of these customers. @throws {Refusal} `document_parked` */
  apply(event: StoredEvent): void {
    const { stream } = event;
    const category = categoryOf(stream);
    if (category !== 'policy' && category !== 'claim') return;
    const { customer, testMode } = customerAndModeOf(event);
    if (testMode !== this.#request.testMode) return;
    const hash = hashOf(customer);
    if (!this.#includes(hash)) return;
    try {
      if (category === 'policy') this.#applyToPolicy(event, hash);
      else this.#applyToClaim(event, hash);
    } catch {
      if (!this.#isKnown(event)) return;
      // As the projector does: whatever fails in decoding or folding parks the document.
      throw parkedDocument(stream);
    }
    while (this.#events > this.#maxEvents) this.#giveUpHalf();
  }

  #includes(hash: number): boolean {
    return hash % this.#share.divisor === this.#share.remainder;
  }

  #applyToPolicy(event: StoredEvent, hash: number): void {
    const tracked = this.#policies.get(event.stream);
    const isKnown = this.#isKnown(event);
    if (tracked === undefined) {
      this.#events += FIRST_OF_POLICY;
      const decoded = decode(event) as RecordedEvent<PolicyEvent>;
      const state = isKnown ? this.#foldPolicy(undefined, decoded) : undefined;
      this.#policies.set(event.stream, { hash, details: detailsOf(decoded), revision: event.revision, state });
    } else if (isKnown) {
      this.#events += 1;
      requireNext(tracked, event);
      tracked.state = this.#foldPolicy(tracked.state, decode(event) as RecordedEvent<PolicyEvent>);
    }
  }

  #applyToClaim(event: StoredEvent, hash: number): void {
    if (!this.#isKnown(event)) return;
    this.#events += 1;
    const tracked = this.#claims.get(event.stream) ?? { hash, revision: -1, state: undefined };
    requireNext(tracked, event);
    const decoded = decode(event) as RecordedEvent<ClaimEvent>;
    tracked.state = foldAsOf(evolveClaim, tracked.state, decoded, this.#request.asOf);
    this.#claims.set(event.stream, tracked);
  }

  #foldPolicy(state: AsOfState<PolicyState> | undefined, event: RecordedEvent<PolicyEvent>): AsOfState<PolicyState> {
    const folded = foldPolicyAsOf(state, event, this.#request.asOf);
    return folded === state ? state : { ...folded, document: withoutTexts(folded.document) };
  }

  /**
   * In a stream the instants of record never decrease, so that this cuts each document after its last event recorded by
   * then.
   */
  #isKnown(event: StoredEvent): boolean {
    const { knownAt } = this.#request;
    return knownAt === undefined || recordedAtOf(event) <= knownAt;
  }

  #giveUpHalf(): void {
    const [first, ...others] = [...this.#policies.values(), ...this.#claims.values()];
    // A customer's policies and claims are never separated.
    if (others.every(({ hash }) => hash === first?.hash)) {
      this.#maxEvents *= 2;
      return;
    }
    const { divisor, remainder } = this.#share;
    this.#share = { divisor: 2 * divisor, remainder };
    this.givenUp.push({ divisor: 2 * divisor, remainder: remainder + divisor });
    this.#events = 0;
    for (const [documents, first] of [[this.#policies, FIRST_OF_POLICY] as const, [this.#claims, 1] as const]) {
      for (const [stream, { hash, revision }] of documents) {
        if (this.#includes(hash)) this.#events += revision + first;
        else documents.delete(stream);
      }
    }
  }
}

/** Returns a number below 2³² that depends on every character. */
function hashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0;
  return hash;
}

/**
 * Reads the tags of the metadata, which exist also when the data cannot be decoded; without them, the data.
 * @throws {Refusal} `document_parked`
 */
function customerAndModeOf(event: StoredEvent): { readonly customer: string; readonly testMode: boolean } {
  let { customer, testMode } = addressOf(event).metadata;
  if (customer === undefined)
    ({ customerId: customer, testMode } = (event.data ?? {}) as Readonly<Record<string, unknown>>);
  if (typeof customer !== 'string' || typeof testMode !== 'boolean') throw parkedDocument(event.stream);
  return { customer, testMode };
}

function detailsOf(event: RecordedEvent<PolicyEvent>): BookPolicyDetails {
  if (!isFirstEvent(event)) throw new Error(`${event.type} in ${event.stream} before the policy exists`);
  const { customerId, merchantId, provider, product, currency } = event.data;
  return { customerId, merchantId, providerId: provider.id, productType: product.type, currency };
}

const NO_HOLDER = { name: '', email: '', phone: null, address: null };
const NO_TEXTS = {
  policyNumber: '',
  merchantName: '',
  merchantShortCode: '',
  tierName: null,
  holder: NO_HOLDER,
  provider: {
    id: '',
    name: '',
    email: null,
  },
  product: {
    id: '',
    name: '',
    type: '',
  },
  beneficiaries: [],
};
const NO_COVERAGES: Coverage[] = [];

/** Returns a policy without what no figure and no later event needs, which is half of it. */
function withoutTexts(policy: PolicyState): PolicyState {
  const terms = policy.terms.map((term) => ({ ...term, periods: term.periods.map(withoutCoverages) }));
  return { ...policy, ...NO_TEXTS, terms };
}

function withoutCoverages({ from, through, net }: Period): Period {
  return { from, through, net, annualNet: '', coverages: NO_COVERAGES };
}

function requireNext(tracked: { revision: number }, { stream, revision }: StoredEvent): void {
  if (revision !== tracked.revision + 1)
    throw new Error(`an event before revision ${revision} of ${stream} is missing`);
  tracked.revision = revision;
}

/** Figures without a policy or claim would be wrong, so there are none. */
function parkedDocument(stream: string): Refusal {
  return refusePortfolio(
    'document_parked',
    `An event of ${stream} cannot be folded, so that the portfolio would be wrong`,
  );
}
