import type { PersonName } from './people.ts';

/** A policy of the sample that is bought with a quote. Days count from the day on which the sample is created. */
export interface SamplePurchase {
  readonly name: string;
  readonly product: string;
  readonly holder: PersonName;
  /** Which request has the details of the customer. */
  readonly customerIn: 'request' | 'purchase';
  readonly risk: Readonly<Record<string, unknown>>;
  /** Members of the risk that are days. */
  readonly daysOfRisk: Readonly<Record<string, number>>;
  readonly options?: {
    readonly policy_duration?: number;
    readonly auto_renew?: boolean;
    readonly beneficiaries?: readonly { readonly beneficiary_name: string }[];
  };
  /** Only the quote is requested; it can still be bought. */
  readonly isQuoteOnly?: true;
  /** First day of cover; default: the day of the purchase. */
  readonly starts?: number;
  readonly afterwards?: readonly Afterwards[];
}

/** A command that follows the purchase, and the members of its body besides the policy and days. */
export type Afterwards =
  | { readonly command: 'ActivatePolicy' }
  | {
      readonly command: 'RenewPolicy' | 'CancelPolicy' | 'ReinstatePolicy';
      readonly body: Readonly<Record<string, unknown>>;
    }
  | {
      readonly command: 'SubmitClaim';
      readonly claim: Readonly<Record<string, string>>;
      readonly documents: readonly SampleDocument[];
    };

interface SampleDocument {
  readonly document_name: string;
  readonly evidence_type: string;
  readonly blob: string;
}

/** Still in the future if an interrupted sample is completed some days later. */
const DAYS_AHEAD = 30;

/**
 * At least one policy of every product: active, not started, waiting for inspection, renewed, cancelled in the
 * cooling-off time and later, reinstated; and an open quote.
 */
export const PURCHASES: readonly SamplePurchase[] = [
  purchase('motor', 'Comprehensive Motor', 'chinwe', {
    risk: car('Honda', 'Civic', 2022, '2400000'),
    starts: DAYS_AHEAD,
  }),
  purchase('gadget', 'Device Cover', 'efe', {
    risk: {
      gadget_type: 'Laptop',
      gadget_value: '600000.00',
      insurance_options: 'Device Policy',
      gadget_information: { device_make: 'Lenovo', device_model: 'ThinkPad' },
    },
    options: { policy_duration: 180 },
  }),
  purchase('health', 'Family Health Plan', 'adaeze', {
    risk: { health_condition: 'good', age: 37, coverage_type_details: 'family' },
    options: { auto_renew: true },
  }),
  purchase('travel', 'Worldwide Traveller', 'gbenga', {
    risk: {
      destination: 'Nairobi',
      trip_duration: 21,
      international_flight: true,
      insurance_options: 'TRAVELLER (WORLD WIDE)',
    },
    daysOfRisk: { departure_date: DAYS_AHEAD, return_date: DAYS_AHEAD + 21 },
    options: { policy_duration: 21 },
    starts: DAYS_AHEAD,
  }),
  purchase('home', 'Home and Contents', 'danladi', {
    risk: {
      property_type: 'house',
      property_value: '18000000',
      stationary_items_value: '1500000',
      mobile_items_value: '900000',
      property_location: 'Kano',
    },
    afterwards: [
      {
        command: 'CancelPolicy',
        body: { cancellation_reason: 'The house was sold', merchant_feedback: 'Customer was content' },
      },
    ],
  }),
  purchase('cargo waiting', 'Goods in Transit', 'hauwa', { risk: shipment('Apapa', 'Tema', 'international') }),
  purchase('cargo inspected', 'Goods in Transit', 'hauwa', {
    risk: shipment('Kaduna', 'Lagos', 'domestic'),
    options: { policy_duration: 60 },
    afterwards: [{ command: 'ActivatePolicy' }],
  }),
  purchase('personal accident', 'Personal Accident Silver', 'babatunde', {
    risk: { occupation: 'Electrician', occupation_risk_level: 'high', occupation_risk_details: 'field' },
    options: { beneficiaries: [{ beneficiary_name: 'Yetunde Alabi' }] },
  }),
  purchase('life', 'Term Life', 'folake', {
    options: {
      auto_renew: true,
      beneficiaries: [{ beneficiary_name: 'Kunle Adeyemi' }, { beneficiary_name: 'Tola Adeyemi' }],
    },
  }),
  purchase('student', 'Student Protection Annual', 'efe', {
    risk: { school: 'University of Benin' },
    afterwards: [{ command: 'RenewPolicy', body: { policy_duration: 365, auto_renew: true } }],
  }),
  purchase('accident', 'Everyday Accident', 'gbenga', {
    options: { policy_duration: 90 },
    afterwards: [
      { command: 'CancelPolicy', body: { cancellation_reason: 'Insured elsewhere' } },
      { command: 'ReinstatePolicy', body: { reason: 'The other policy does not cover accidents at work' } },
    ],
  }),
  purchase('loan', 'Loan Cover', 'hauwa', {
    risk: { loan_amount: '750000' },
    afterwards: [
      {
        command: 'RenewPolicy',
        body: {
          policy_duration: 180,
          include_additional_coverage: true,
          coverage_details: {
            coverage_type: 'Unemployment',
            additional_amount: '1200.00',
            covered_items: ['Job loss'],
          },
        },
      },
    ],
  }),
  purchase('pet', 'Happy Paws', 'chinwe', {
    risk: { animal: 'dog', age: 3 },
    options: { auto_renew: true },
    afterwards: [
      {
        command: 'SubmitClaim',
        claim: { claim_type: 'illness', incident_description: 'Torn claw, treated today', claim_amount: '12500.00' },
        documents: [
          {
            document_name: 'invoice.txt',
            evidence_type: 'invoice',
            blob: base64('Treatment of a torn claw: 12,500.00 NGN'),
          },
        ],
      },
    ],
  }),
  purchase('business', 'Small Business Liability', 'babatunde', {
    customerIn: 'purchase',
    afterwards: [{ command: 'CancelPolicy', body: { cancellation_reason: 'The shop was closed' } }],
  }),
  purchase('event', 'Event Cancellation', 'adaeze', { options: { policy_duration: 30 } }),
  purchase('open motor', 'Comprehensive Motor', 'folake', {
    risk: car('Toyota', 'Corolla', 2019, '2000000'),
    isQuoteOnly: true,
  }),
];

function purchase(
  name: string,
  product: string,
  holder: PersonName,
  more: Partial<Omit<SamplePurchase, 'name' | 'product' | 'holder'>>,
): SamplePurchase {
  return { name, product, holder, customerIn: 'request', risk: {}, daysOfRisk: {}, ...more };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function car(make: string, model: string, year: number, value: string): Readonly<Record<string, unknown>> {
  const vehicle = { vehicle_make: make, vehicle_model: model, vehicle_year: year, vehicle_value: value };
  return { vehicle_type: 'Car', ...vehicle, vehicle_usage: 'Private', insurance_options: 'Comprehensive' };
}

function shipment(from: string, to: string, type: 'domestic' | 'international'): Readonly<Record<string, unknown>> {
  return {
    shipment_type: type,
    shipment_value: '8500000',
    shipment_origin: from,
    shipment_destination: to,
    shipment_carrier: 'Gulf of Guinea Lines',
    shipment_carrier_details: { tracking_number: 'GGL-0042', service_type: 'standard' },
  };
}
