import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  policyActivated,
  policyCancelled,
  policyChanged,
  policyDeclined,
  policyPurchased,
  policyReinstated,
  policyRenewed,
  type SampleEvent,
  sampleTermId,
  term,
  termWithdrawn,
  toStored,
} from '#test/support/sample-events.ts';
import { decode } from '#domain/events.ts';
import { isInForce } from '#domain/policy/cover.ts';
import { evolvePolicy, type PolicyState } from '#domain/policy/policy.ts';
import type { PolicyEvent } from '#domain/policy/policy-events.ts';
import type { RawEvent } from '#event-sourcing/codec.ts';
import type { RecordedEvent } from '#event-sourcing/event.ts';
import { messageOf } from '#test/support/translator.ts';

/** What a reader of the topic keeps of a policy. */
interface Known {
  waits: boolean;
  readonly terms: Map<string, { readonly from: string; readonly through: string }>;
  /** Last day of cover. */
  end: string | null;
}

/** Folds public events as a reader that knows nothing else of Surety. */
function readerOf(events: readonly RawEvent[]): Known {
  const known: Known = { waits: false, terms: new Map(), end: null };
  for (const { headers, value } of events.flatMap((event) => messageOf(event) ?? [])) {
    const data = JSON.parse(value);
    const { term_id, effective_from: from, effective_through: through } = data;
    switch (headers.ce_type) {
      case 'surety.policy.purchased.v1':
        known.waits = data.waits;
        known.terms.set(term_id, { from, through });
        break;
      case 'surety.policy.renewed.v1':
        known.terms.set(term_id, { from, through });
        break;
      case 'surety.policy.activated.v1':
        if (data.cause === 'back_office') known.waits = false;
        if (data.moved_term === null) break;
        for (const id of known.terms.keys())
          known.terms.set(id, { from: data.moved_term.effective_from, through: data.moved_term.effective_through });
        break;
      case 'surety.policy.term_withdrawn.v1':
        known.terms.delete(data.returned.term_id);
        break;
      case 'surety.policy.cancelled.v1':
        known.end = data.effective_on;
        break;
      case 'surety.policy.declined.v1':
        known.terms.clear();
        break;
      case 'surety.policy.reinstated.v1':
        known.end = null;
        break;
      default:
    }
  }
  return known;
}

function isInForceFor({ waits, terms, end }: Known, day: string): boolean {
  return (
    !waits && (end === null || day <= end) && [...terms.values()].some((one) => one.from <= day && day <= one.through)
  );
}

const year = (of: number) => term(`${of}-01-01`, `${of}-12-31`);
const day = fc
  .integer({ min: 0, max: 36 })
  .map((month) => `${2025 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`);
const activated = (movedTerm: object | null): SampleEvent => {
  const sample = policyActivated(1, 1);
  return { ...sample, data: { ...sample.data, cause: 'back_office', movedTerm } };
};

/** A purchase that waits or not, perhaps an activation, renewals, a change, and an end that may be undone. */
const lives = fc
  .record({
    waits: fc.boolean(),
    activation: fc.constantFrom(undefined, null, {
      termId: sampleTermId(1, 0),
      from: '2025-03-01',
      through: '2026-02-28',
    }),
    renewals: fc.integer({ min: 0, max: 2 }),
    isWithdrawn: fc.boolean(),
    end: fc.option(day),
    isReinstated: fc.boolean(),
    isDeclined: fc.boolean(),
  })
  .map(({ waits, activation, renewals, isWithdrawn, end, isReinstated, isDeclined }) => {
    const isActivated = waits && activation !== undefined;
    const samples = [policyPurchased(1, 1, year(2025), { waits })];
    if (isActivated) samples.push(activated(activation));
    for (let of = 2026; of < 2026 + renewals; of++) samples.push(policyRenewed(1, 1, year(of + 1)));
    const last = samples.length - 1;
    samples.push(policyChanged(1, 1, year(2025)));
    if (isWithdrawn && renewals > 0) samples.push(termWithdrawn(1, 1, year(2026 + renewals), last));
    if (end !== null) samples.push(policyCancelled(1, 1, { effectiveAt: end }));
    if (end !== null && isReinstated) samples.push(policyReinstated(1, 1));
    if (end === null && waits && !isActivated && isDeclined) samples.push(policyDeclined(1, 1));
    return toStored(...samples);
  });

test('a reader of the public events alone knows the policies in force on any day', () => {
  let inForce = 0;
  fc.assert(
    fc.property(lives, day, (events, on) => {
      const policy = events.reduce<PolicyState | undefined>(
        (state, event) => evolvePolicy(state, decode(event) as RecordedEvent<PolicyEvent>),
        undefined,
      );
      const expected = policy !== undefined && isInForce(policy, on);
      inForce += expected ? 1 : 0;
      expect(isInForceFor(readerOf(events), on)).toBe(expected);
    }),
    { numRuns: 300 },
  );
  expect(inForce).toBeGreaterThan(30);
});
