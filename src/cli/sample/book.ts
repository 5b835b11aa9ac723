import type { ImportedClaim } from './claims.ts';
import type { PersonName } from './people.ts';
import type { SamplePolicy, SampleTerm } from './policies.ts';

/**
 * The earlier book of the merchant, in live mode: policies whose terms began in the last 14 months, imported with their
 * days. The last term of some ends within the next 30 days. Days count from the day on which the sample is created.
 */
export const BOOK: readonly SamplePolicy[] = [
  motor('BAO-MOTOR-0101', 'segun', 38_000, [-422, -57], ['Toyota', 'Camry', '2015'], { autoRenew: true }),
  motor('BAO-MOTOR-0102', 'nkechi', 52_400, [-401, -36], ['Honda', 'CR-V', '2018']),
  motor('BAO-MOTOR-0103', 'zoe', 71_200, [-360], ['Volkswagen', 'Tiguan', '2021'], { autoRenew: true }),
  motor('BAO-MOTOR-0104', 'eleni', 64_000, [-352], ['Peugeot', '5008', '2020']),
  motor('BAO-MOTOR-0105', 'mei', 45_600, [-318], ['Kia', 'Rio', '2017']),
  motor('BAO-MOTOR-0106', 'karim', 88_800, [-281], ['Toyota', 'Hilux', '2019'], { autoRenew: true }),
  motor('BAO-MOTOR-0107', 'irina', 59_600, [-244], ['Hyundai', 'Tucson', '2021']),
  motor('BAO-MOTOR-0108', 'tunde', 41_200, [-207], ['Nissan', 'Almera', '2014'], {
    cancellation: { day: -25, reason: 'The car was sold' },
  }),
  motor('BAO-MOTOR-0109', 'emeka', 93_600, [-171], ['Mercedes-Benz', 'Sprinter', '2016']),
  motor('BAO-MOTOR-0110', 'priya', 48_800, [-133], ['Suzuki', 'Swift', '2022'], { autoRenew: true }),
  motor('BAO-MOTOR-0111', 'jiwoo', 66_400, [-96], ['Kia', 'Sportage', '2023']),
  motor('BAO-MOTOR-0112', 'aisha', 39_200, [-74], ['Toyota', 'Yaris', '2016']),
  motor('BAO-MOTOR-0113', 'musa', 43_600, [-19], ['Honda', 'Accord', '2013']),
  home('BAO-HOME-0101', 'ifeoma', 31_200, [-410, -45], '14000000', 'Owerri', { autoRenew: true }),
  home('BAO-HOME-0102', 'haruto', 58_000, [-347], '32000000', 'Abuja'),
  home('BAO-HOME-0103', 'tamar', 44_400, [-303], '23000000', 'Abuja', { autoRenew: true }),
  home('BAO-HOME-0104', 'segun', 27_600, [-226], '11500000', 'Ibadan'),
  home('BAO-HOME-0105', 'eleni', 40_800, [-148], '20500000', 'Lagos'),
  home('BAO-HOME-0106', 'karim', 36_000, [-62], '17500000', 'Kano', { autoRenew: true }),
  policy('BAO-BUSINESS-0101', 'Small Business Liability', 'emeka', 30_000, [-339], {}, { autoRenew: true }),
  policy('BAO-BUSINESS-0102', 'Small Business Liability', 'mei', 30_000, [-185], {}),
  policy('BAO-CARGO-0101', 'Goods in Transit', 'eleni', 46_000, [-262], { shipment_type: 'international' }),
  policy('BAO-CARGO-0102', 'Goods in Transit', 'karim', 33_200, [-29], { shipment_type: 'domestic' }),
  health('HAR-HEALTH-0101', 'ifeoma', 63_000, [-418, -53], { autoRenew: true }),
  health('HAR-HEALTH-0102', 'tunde', 45_000, [-358], { autoRenew: true }),
  health('HAR-HEALTH-0103', 'nkechi', 45_000, [-343]),
  health('HAR-HEALTH-0104', 'haruto', 45_000, [-290]),
  health('HAR-HEALTH-0105', 'zoe', 45_000, [-233], { autoRenew: true }),
  health('HAR-HEALTH-0106', 'irina', 45_000, [-160]),
  health('HAR-HEALTH-0107', 'aisha', 45_000, [-108], {
    cancellation: { day: -40, reason: 'Insured by the employer now' },
  }),
  health('HAR-HEALTH-0108', 'priya', 45_000, [-12], { autoRenew: true }),
  policy('HAR-LIFE-0101', 'Term Life', 'segun', 10_000, [-389, -24], {}, { autoRenew: true }),
  policy('HAR-LIFE-0102', 'Term Life', 'tamar', 10_000, [-274], {}, { autoRenew: true }),
  policy('HAR-STUDENT-0101', 'Student Protection Annual', 'musa', 12_000, [-395], { school: 'University of Jos' }),
  policy('HAR-LOAN-0101', 'Loan Cover', 'aisha', 7_520, [-200], { loan_amount: '750000' }),
  gadget('LAG-GADGET-0101', 'jiwoo', 16_000, [-354], 'Smartphone', '400000'),
  gadget('LAG-GADGET-0102', 'mei', 27_520, [-330], 'Laptop', '600000'),
  gadget('LAG-GADGET-0103', 'musa', 14_000, [-254], 'Smartphone', '260000'),
  gadget('LAG-GADGET-0104', 'zoe', 19_520, [-122], 'Tablet', '400000'),
  gadget('LAG-GADGET-0105', 'tunde', 17_520, [-83], 'Smartphone', '350000'),
  policy('LAG-TRAVEL-0101', 'Worldwide Traveller', 'irina', 13_600, [-407], { destination: 'Athens' }),
  policy('LAG-PET-0101', 'Happy Paws', 'nkechi', 6_520, [-216], { animal: 'cat', age: '5' }),
];

/** The claims of the earlier book, filed and resolved over the months; some are open. */
export const BOOK_CLAIMS: readonly ImportedClaim[] = [
  claim('BAO-MOTOR-0101', 'accident', '96000.00', 'paid', [355, 352, 320], '71000.00'),
  claim('HAR-HEALTH-0101', 'illness', '182000.00', 'paid', [331, 329, 310]),
  claim('BAO-HOME-0101', 'fire', '640000.00', 'paid', [296, 295, 240], '610000.00'),
  claim('LAG-TRAVEL-0101', 'other', '54000.00', 'paid', [270, 262, 249]),
  claim('BAO-MOTOR-0104', 'theft', '120000.00', 'denied', [251, 244, 230]),
  claim('HAR-HEALTH-0104', 'illness', '47500.00', 'paid', [222, 221, 212]),
  claim('BAO-MOTOR-0106', 'accident', '415000.00', 'paid', [198, 197, 159], '390000.00'),
  claim('LAG-GADGET-0102', 'accident', '210000.00', 'paid', [176, 174, 165], '200000.00'),
  claim('BAO-CARGO-0101', 'other', '1350000.00', 'paid', [163, 155, 101], '1180000.00'),
  claim('HAR-HEALTH-0102', 'hospital', '268000.00', 'paid', [140, 136, 121]),
  claim('BAO-HOME-0103', 'other', '88000.00', 'withdrawn', [126, 124, 119]),
  claim('BAO-MOTOR-0109', 'accident', '530000.00', 'paid', [104, 103, 71], '505000.00'),
  claim('LAG-PET-0101', 'illness', '24500.00', 'paid', [92, 90, 85]),
  claim('BAO-MOTOR-0110', 'theft', '64000.00', 'denied', [78, 76, 60]),
  claim('HAR-HEALTH-0105', 'illness', '39000.00', 'paid', [66, 64, 58]),
  claim('LAG-GADGET-0104', 'theft', '380000.00', 'offer_accepted', [51, 49], '350000.00'),
  claim('BAO-HOME-0105', 'theft', '275000.00', 'offer_sent', [43, 41], '240000.00'),
  claim('BAO-MOTOR-0107', 'accident', '158000.00', 'approved', [34, 33], '133000.00'),
  claim('HAR-HEALTH-0106', 'hospital', '194000.00', 'approved', [26, 22]),
  claim('BAO-MOTOR-0102', 'accident', '72000.00', 'pending', [16, 14]),
  claim('HAR-HEALTH-0101', 'illness', '31000.00', 'pending', [9, 8]),
  claim('BAO-MOTOR-0103', 'theft', '46500.00', 'pending', [5, 3]),
];

type Risk = SamplePolicy['risk'];
type More = Pick<SamplePolicy, 'autoRenew' | 'cancellation'>;

/** @param net of a year, a multiple of 40, so that tax and commission are whole */
function policy(
  number: string,
  product: string,
  holder: PersonName,
  net: number,
  starts: readonly number[],
  risk: Risk,
  more: More = {},
): SamplePolicy {
  const terms = starts.map((start): SampleTerm => ({ starts: start, ...priceOf(net) }));
  return { number, product, holder, terms, risk, ...more };
}

/** The price of a net with the tax of 7.5 % and the commission of 12.5 % that all products have. */
function priceOf(net: number): Omit<SampleTerm, 'starts'> {
  const tax = (net / 40) * 3;
  return { premium: `${net + tax}.00`, tax: `${tax}.00`, commission: `${net / 8}.00` };
}

function motor(
  number: string,
  holder: PersonName,
  net: number,
  starts: readonly number[],
  [make, model, year]: readonly [make: string, model: string, year: string],
  more?: More,
): SamplePolicy {
  const risk = { vehicle_make: make, vehicle_model: model, vehicle_year: year, vehicle_usage: 'Private' };
  return policy(number, 'Comprehensive Motor', holder, net, starts, risk, more);
}

function home(
  number: string,
  holder: PersonName,
  net: number,
  starts: readonly number[],
  value: string,
  city: string,
  more?: More,
): SamplePolicy {
  const risk = { property_type: 'house', property_value: value, property_location: city };
  return policy(number, 'Home and Contents', holder, net, starts, risk, more);
}

function health(number: string, holder: PersonName, net: number, starts: readonly number[], more?: More): SamplePolicy {
  const risk = { health_condition: 'good', coverage_type_details: 'family' };
  return policy(number, 'Family Health Plan', holder, net, starts, risk, more);
}

function gadget(
  number: string,
  holder: PersonName,
  net: number,
  starts: readonly number[],
  type: string,
  value: string,
): SamplePolicy {
  return policy(number, 'Device Cover', holder, net, starts, { gadget_type: type, gadget_value: value });
}

/**
 * @param days of the incident, the filing and, once it is closed, the resolution, before the day on which the sample is
 * created
 */
function claim(
  ofPolicy: string,
  type: string,
  amount: string,
  status: ImportedClaim['status'],
  [incident, filed, resolved]: readonly [incident: number, filed: number, resolved?: number],
  approved?: string,
): ImportedClaim {
  return {
    policy: ofPolicy,
    reference: `OLD-${3e3 - incident}`,
    type,
    amount,
    status,
    incident,
    filed,
    ...(resolved === undefined ? {} : { resolved }),
    ...(approved === undefined ? {} : { approved }),
  };
}
