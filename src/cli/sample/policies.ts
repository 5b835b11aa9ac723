import { addDays } from '#domain/values/dates.ts';
import type { Day } from '#event-sourcing/time.ts';
import type { PersonName } from './people.ts';

/**
 * A policy of the sample that is imported, so that it has past terms. Days count from the day on which the sample is
 * created.
 */
export interface SamplePolicy {
  readonly number: string;
  readonly product: string;
  readonly holder: PersonName;
  /** Start of each term; every one lasts 365 days. */
  readonly terms: readonly SampleTerm[];
  readonly risk: Readonly<Record<string, string>>;
  /** Renewed by command after its last term. */
  readonly renewal?: { readonly auto_renew: boolean };
  /** Changed by command in the middle of its last term. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** Renews by itself when its last term is over. */
  readonly autoRenew?: true;
  /** Cancelled before it was imported, within its last term. */
  readonly cancellation?: { readonly day: number; readonly reason: string };
}

export interface SampleTerm {
  readonly starts: number;
  readonly premium: string;
  readonly tax?: string;
  readonly commission?: string;
}

const YEAR = 365;

/** Policies that started before the sample was created: active, expired, renewed, changed. */
export const POLICIES: readonly SamplePolicy[] = [
  {
    number: 'BAO-MOTOR-0001',
    product: 'Comprehensive Motor',
    holder: 'adaeze',
    terms: [
      { starts: -30 - YEAR, premium: '41280.00', tax: '2880.00', commission: '4800.00' },
      { starts: -30, premium: '43430.00', tax: '3030.00', commission: '5050.00' },
    ],
    risk: { vehicle_make: 'Kia', vehicle_year: '2019', vehicle_usage: 'Private' },
    change: {
      changes: [
        { action: 'modify', coverage_name: 'Theft', deductible: '50000.00', additional_amount: '-860.00' },
        { action: 'add', coverage_name: 'Glass', coverage_limit: '250000.00', additional_amount: '2150.00' },
      ],
      reason: 'The customer parks in a garage now',
    },
  },
  {
    number: 'BAO-MOTOR-0002',
    product: 'Comprehensive Motor',
    holder: 'babatunde',
    terms: [{ starts: -200, premium: '58900.50' }],
    risk: { vehicle_make: 'Peugeot', vehicle_year: '2008', vehicle_usage: 'Commercial' },
    renewal: { auto_renew: true },
  },
  {
    number: 'LAG-GADGET-0001',
    product: 'Device Cover',
    holder: 'efe',
    terms: [{ starts: -60, premium: '8125.00' }],
    risk: { gadget_type: 'Smartphone', gadget_value: '250000' },
  },
  {
    number: 'LAG-TRAVEL-0001',
    product: 'Worldwide Traveller',
    holder: 'efe',
    terms: [{ starts: -YEAR - 90, premium: '13600.00' }],
    risk: { destination: 'Accra' },
  },
  {
    number: 'HAR-HEALTH-0001',
    product: 'Family Health Plan',
    holder: 'folake',
    terms: [{ starts: -10, premium: '48375.00' }],
    risk: { health_condition: 'good', coverage_type_details: 'family' },
  },
];

/**
 * Returns the number of a policy in a mode. They differ, so that a request with the key of the other mode finds no
 * policy.
 */
export function numberIn(testMode: boolean, number: string): string {
  return testMode ? `TEST-${number}` : number;
}

export function termDays(policy: SamplePolicy, today: Day) {
  return policy.terms.map(({ starts, ...amounts }) => {
    const from = addDays(today, starts);
    return { from, through: addDays(from, YEAR - 1), amounts };
  });
}
