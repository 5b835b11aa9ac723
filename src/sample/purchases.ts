import { addDays } from '../domain/values/dates.ts';
import type { Day } from '../event-sourcing/time.ts';
import type { PersonName } from './people.ts';

/** A policy of the sample that is bought with a quote. Days are counted from the day on which the sample is made. */
export interface SamplePurchase {
  /** Names it among the others. */
  readonly name: string;
  readonly product: string;
  readonly holder: PersonName;
  /** The quote is requested without its customer, who is told with the purchase. */
  readonly customerTold: 'with the request' | 'with the purchase';
  readonly risk: (today: Day) => Readonly<Record<string, unknown>>;
  /** What the purchase tells besides quote and customer. */
  readonly wanted?: {
    readonly policy_duration?: number;
    readonly auto_renew?: boolean;
    readonly beneficiaries?: readonly { readonly beneficiary_name: string }[];
  };
  /** Day on which cover begins; the day of the purchase when left out. */
  readonly starts?: number;
  readonly afterwards?: Afterwards;
}

/** What becomes of it right away: a command, and its body besides the policy. */
type Afterwards =
  | { readonly command: 'ActivatePolicy' }
  | { readonly command: 'RenewPolicy'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly command: 'CancelPolicy'; readonly body: Readonly<Record<string, unknown>> };

/** Far enough ahead that a sample which is finished some days later still finds it in the future. */
const SOON = 30;

/** At least one policy of every product: begun, not begun, waiting for inspection, renewed, cancelled. */
export const PURCHASES: readonly SamplePurchase[] = [
  bought('motor', 'Comprehensive Motor', 'chinwe', {
    risk: () => ({
      vehicle_type: 'Car',
      vehicle_make: 'Honda',
      vehicle_model: 'Civic',
      vehicle_year: 2022,
      vehicle_value: '2400000',
      vehicle_usage: 'Private',
      insurance_options: 'Comprehensive',
    }),
    starts: SOON,
  }),
  bought('gadget', 'Device Cover', 'efe', {
    risk: () => ({
      gadget_type: 'Laptop',
      gadget_value: '600000.00',
      insurance_options: 'Device Policy',
      gadget_information: { device_make: 'Lenovo', device_model: 'ThinkPad' },
    }),
    wanted: { policy_duration: 180 },
  }),
  bought('health', 'Family Health Plan', 'adaeze', {
    risk: () => ({ health_condition: 'good', age: 37, coverage_type_details: 'family' }),
    wanted: { auto_renew: true },
  }),
  bought('travel', 'Worldwide Traveller', 'gbenga', {
    risk: (today) => ({
      destination: 'Nairobi',
      departure_date: addDays(today, SOON),
      return_date: addDays(today, SOON + 21),
      trip_duration: 21,
      international_flight: true,
      insurance_options: 'TRAVELLER (WORLD WIDE)',
    }),
    wanted: { policy_duration: 21 },
    starts: SOON,
  }),
  bought('home', 'Home and Contents', 'danladi', {
    risk: () => ({
      property_type: 'house',
      property_value: '18000000',
      stationary_items_value: '1500000',
      mobile_items_value: '900000',
      property_location: 'Kano',
    }),
    afterwards: {
      command: 'CancelPolicy',
      body: { cancellation_reason: 'The house was sold', merchant_feedback: 'Customer was content' },
    },
  }),
  bought('cargo waiting', 'Goods in Transit', 'hauwa', { risk: () => shipment('Apapa', 'Tema', 'international') }),
  bought('cargo inspected', 'Goods in Transit', 'hauwa', {
    risk: () => shipment('Kaduna', 'Lagos', 'domestic'),
    wanted: { policy_duration: 60 },
    afterwards: { command: 'ActivatePolicy' },
  }),
  bought('personal accident', 'Personal Accident Silver', 'babatunde', {
    risk: () => ({ occupation: 'Electrician', occupation_risk_level: 'high', occupation_risk_details: 'field' }),
    wanted: { beneficiaries: [{ beneficiary_name: 'Yetunde Alabi' }] },
  }),
  bought('life', 'Term Life', 'folake', {
    wanted: {
      auto_renew: true,
      beneficiaries: [{ beneficiary_name: 'Kunle Adeyemi' }, { beneficiary_name: 'Tola Adeyemi' }],
    },
    customerTold: 'with the purchase',
  }),
  bought('student', 'Student Protection Annual', 'efe', {
    risk: () => ({ school: 'University of Benin' }),
    afterwards: { command: 'RenewPolicy', body: { policy_duration: 365, auto_renew: true } },
  }),
  bought('accident', 'Everyday Accident', 'gbenga', { wanted: { policy_duration: 90 } }),
  bought('loan', 'Loan Cover', 'hauwa', {
    risk: () => ({ loan_amount: '750000' }),
    afterwards: {
      command: 'RenewPolicy',
      body: {
        policy_duration: 180,
        include_additional_coverage: true,
        coverage_details: { coverage_type: 'Other', additional_amount: '1200.00', covered_items: ['Job loss'] },
      },
    },
  }),
  bought('pet', 'Happy Paws', 'chinwe', { risk: () => ({ animal: 'dog', age: 3 }), wanted: { auto_renew: true } }),
  bought('business', 'Small Business Liability', 'babatunde', { customerTold: 'with the purchase' }),
  bought('event', 'Event Cancellation', 'adaeze', { wanted: { policy_duration: 30 } }),
];

function bought(
  name: string,
  product: string,
  holder: PersonName,
  more: Partial<Omit<SamplePurchase, 'name' | 'product' | 'holder'>>,
): SamplePurchase {
  return { name, product, holder, customerTold: 'with the request', risk: () => ({}), ...more };
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
