export const BAOBAB = 'Baobab General Insurance';
const HARMATTAN = 'Harmattan Life and Health';
const LAGOON = 'Lagoon Everyday Cover';

export const PROVIDERS = [
  {
    name: BAOBAB,
    support_email: 'help@baobab-general.example',
    support_phone: '+2340000000100',
    address: '12 Acacia Avenue, Lagos',
  },
  {
    name: HARMATTAN,
    support_email: 'care@harmattan-life.example',
    support_phone: '+2340000000200',
    address: '3 Savannah Road, Abuja',
  },
  {
    name: LAGOON,
    support_email: 'hello@lagoon-everyday.example',
    support_phone: '+2340000000300',
    address: '88 Creek Street, Port Harcourt',
  },
] as const;

export type ProviderName = (typeof PROVIDERS)[number]['name'];

/** The body of `AddProduct`, with the name of the insurer in place of its id. */
interface SampleProduct {
  readonly provider: ProviderName;
  readonly name: string;
  readonly product_type: string;
  readonly [field: string]: unknown;
}

const charges = { tax_percent: '7.5', commission_percent: '12.5' };

export const PRODUCTS: readonly SampleProduct[] = [
  {
    provider: BAOBAB,
    name: 'Comprehensive Motor',
    description: 'Own damage, theft and third-party liability for private and commercial vehicles.',
    product_type: 'Auto',
    base_premium: '5000.00',
    product_plan: 'Comprehensive',
    coverages: [
      coverage('Own damage', 'Collision', '5000000.00', '25000.00'),
      coverage('Theft', 'Property', '5000000.00'),
      coverage('Third-party liability', 'Liability', '3000000.00'),
    ],
    rating: {
      rate: { field: 'vehicle_value', percent: '1.5' },
      loadings: [
        { field: 'vehicle_usage', equals: 'Commercial', percent: '20', label: 'Commercial use' },
        { field: 'vehicle_usage', equals: 'Rideshare', percent: '30', label: 'Rideshare use' },
        { field: 'vehicle_year', below: '2010', percent: '10', label: 'Older vehicle' },
        { field: 'vehicle_type', equals: 'Bike', amount: '2500.00', label: 'Motorcycle' },
      ],
      discount_percent: '5',
      minimum_premium: '15000.00',
      surcharge: '500.00',
      ...charges,
    },
    additional_information: {
      options: { insurance_options: ['Third Party', 'Comprehensive'] },
      refused: { vehicle_make: ['Ferrari', 'Lamborghini', 'Bugatti'] },
    },
  },
  {
    provider: LAGOON,
    name: 'Device Cover',
    description: 'Accidental damage and theft of phones, laptops and other devices.',
    product_type: 'Gadget',
    base_premium: '2000.00',
    tiers: [
      {
        tier_name: 'Basic',
        base_premium: '2000.00',
        coverages: [coverage('Accidental damage', 'Accidental', '150000.00')],
        rating: { rate: { field: 'gadget_value', percent: '2.5' }, ...charges },
      },
      {
        tier_name: 'Advanced',
        base_premium: '3500.00',
        coverages: [
          coverage('Accidental damage', 'Accidental', '400000.00', '10000.00'),
          coverage('Theft', 'Property', '400000.00'),
        ],
        rating: {
          rate: { field: 'gadget_value', percent: '4' },
          loadings: [{ field: 'gadget_type', equals: 'Smartphone', percent: '15', label: 'Carried every day' }],
          ...charges,
        },
      },
    ],
  },
  {
    provider: HARMATTAN,
    name: 'Family Health Plan',
    description: 'Hospital, maternity and outpatient care.',
    product_type: 'Health',
    base_premium: '45000.00',
    coverages: [
      coverage('Hospital care', 'Medical', '2000000.00'),
      coverage('Outpatient care', 'Medical', '300000.00'),
    ],
    rating: {
      loadings: [
        { field: 'age', at_least: '60', percent: '40', label: 'From 60 years' },
        { field: 'health_condition', equals: 'poor', percent: '35', label: 'Known illness' },
      ],
      minimum_premium: '40000.00',
      ...charges,
    },
  },
  {
    provider: LAGOON,
    name: 'Worldwide Traveller',
    description: 'Medical costs, baggage and cancellation on international trips.',
    product_type: 'Travel',
    base_premium: '8500.00',
    coverages: [
      coverage('Medical costs abroad', 'Travel', '15000000.00'),
      coverage('Baggage', 'Property', '500000.00'),
    ],
    rating: {
      loadings: [{ field: 'trip_duration', at_least: '90', percent: '60', label: 'Long stay' }],
      ...charges,
    },
    additional_information: { options: { international_flight: [true] }, refused: {} },
  },
  {
    provider: BAOBAB,
    name: 'Home and Contents',
    description: 'Building, contents and liability of a home.',
    product_type: 'Home',
    base_premium: '10000.00',
    coverages: [coverage('Building', 'Property', '20000000.00'), coverage('Contents', 'Property', '3000000.00')],
    rating: { rate: { field: 'property_value', percent: '0.15' }, surcharge: '750.00', ...charges },
    cancellation: { cooling_off_days: 14, minimum_retained: '2500.00' },
  },
  {
    provider: BAOBAB,
    name: 'Goods in Transit',
    description: 'Goods on the road, on the water and in the air.',
    product_type: 'Cargo',
    base_premium: '12000.00',
    coverages: [coverage('Loss or damage in transit', 'Damages', '50000000.00')],
    rating: {
      rate: { field: 'shipment_value', percent: '0.35' },
      loadings: [{ field: 'shipment_type', equals: 'international', percent: '25', label: 'Crosses a border' }],
      ...charges,
    },
    inspection_required: true,
    cerfication_required: true,
  },
  plain(HARMATTAN, 'Personal Accident Silver', 'Personal_Accident', '2450.00', 'Accidental', {
    rating: {
      loadings: [{ field: 'occupation_risk_level', equals: 'high', percent: '50', label: 'Dangerous occupation' }],
      ...charges,
    },
  }),
  plain(HARMATTAN, 'Term Life', 'Life', '10000.00', 'Other', {
    additional_information: { min_age: 18, max_age: 65 },
  }),
  plain(HARMATTAN, 'Student Protection Annual', 'Student_Protection', '12000.00', 'Accidental'),
  plain(LAGOON, 'Everyday Accident', 'Accident', '3200.00', 'Accidental', { cancellation: { cooling_off_days: 14 } }),
  plain(HARMATTAN, 'Loan Cover', 'CreditLife', '7500.00', 'Other'),
  plain(LAGOON, 'Happy Paws', 'PetCare', '6500.00', 'Medical'),
  plain(BAOBAB, 'Small Business Liability', 'General', '30000.00', 'Liability'),
  plain(LAGOON, 'Event Cancellation', 'Other', '5500.00', 'Damages', { renewable: false }),
];

function coverage(name: string, type: string, limit: string, deductible?: string): object {
  return {
    coverage_name: name,
    coverage_description: `${name} up to the limit`,
    coverage_type: type,
    coverage_limit: limit,
    ...(deductible === undefined ? {} : { deductible }),
  };
}

function plain(
  provider: ProviderName,
  name: string,
  productType: string,
  basePremium: string,
  coverageType: string,
  more: object = {},
): SampleProduct {
  return {
    provider,
    name,
    description: `${name} of ${provider}.`,
    product_type: productType,
    base_premium: basePremium,
    coverages: [coverage(name, coverageType, '1000000.00')],
    rating: charges,
    ...more,
  };
}
