import { z } from 'zod';
import { day } from '../../event-sourcing/time.ts';
import { personal } from '../values/personal.ts';
import { storedMoney } from '../values/money.ts';
import type { Term } from './term.ts';

/** A term as the first versions of the events of a policy store it. */
export const termV1 = z.object({
  from: day,
  through: day,
  premium: storedMoney,
  /** Of an imported term its premium, whatever its days. */
  annualPremium: storedMoney,
  paymentFrequency: z.string().nullable(),
  /** Nested members by their dotted paths. */
  risk: personal(z.record(z.string(), z.string()), 'customer'),
  premiumParts: z.record(z.string(), storedMoney),
});

const UNKNOWN_PARTS = { tax: null, surcharge: null, commission: null };

/**
 * Returns an old term in the current shape. Its tax, surcharge and commission are not known.
 * @param coverage names of the coverages, joined by `, `; undefined where the event has none
 */
export function fromTermV1(
  { annualPremium, ...old }: z.infer<typeof termV1>,
  { isImported, coverage }: { readonly isImported: boolean; readonly coverage?: string },
): Term {
  return {
    ...old,
    ...UNKNOWN_PARTS,
    annual: isImported ? null : { premium: annualPremium, ...UNKNOWN_PARTS },
    coverages: coverage === undefined ? null : coveragesOf(coverage),
  };
}

function coveragesOf(text: string): Term['coverages'] {
  return text === '' ? [] : text.split(', ').map((name) => ({ name, type: null, limit: null }));
}
