import type { ProductType } from '#domain/product/product.ts';

/** An example of `additional_information` of a quote request for each product type. */
export const RISKS: Readonly<Record<ProductType, Readonly<Record<string, unknown>>>> = {
  Auto: {
    vehicle_type: 'Car',
    vehicle_make: 'Toyota',
    vehicle_year: 2020,
    vehicle_value: 2_000_000,
    vehicle_usage: 'Commercial',
    insurance_options: 'Comprehensive',
  },
  Gadget: {
    gadget_type: 'Smartphone',
    gadget_value: '250000.00',
    insurance_options: 'Device Policy',
    gadget_information: { make: 'Acme', model: 'One' },
  },
  Health: { health_condition: 'good', age: 34 },
  Home: {
    property_type: 'house',
    property_value: 30_000_000,
    stationary_items_value: '2000000',
    mobile_items_value: '500000.50',
    property_location: 'Lagos',
  },
  Personal_Accident: { occupation: 'Engineer', occupation_risk_level: 'low' },
  Travel: { destination: 'Accra', departure_date: '2026-04-01', return_date: '2026-04-15' },
  Cargo: {
    shipment_type: 'international',
    shipment_value: '1000000',
    shipment_origin: 'Lagos',
    shipment_destination: 'Accra',
    shipment_carrier: 'Ship & Co',
    shipment_carrier_details: { tracking_number: '1Z' },
    exchange_rate: '1530.25',
  },
  Life: { smoker: false },
  Student_Protection: { school: 'University of Lagos' },
  Accident: {},
  CreditLife: { loan_amount: '500000' },
  PetCare: { animal: 'dog', age: 3 },
  General: {},
  Other: { anything: [1, 'two', null] },
};
