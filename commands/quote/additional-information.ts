import { z } from 'zod';
import { day } from '#event-sourcing/time.ts';
import { withCrossFieldCheck, isBefore } from '../shared/checks.ts';
import { line } from '../shared/fields.ts';
import { amount, anyObject, decimal, oneOf, shortText, wholeNumber } from './risk-fields.ts';

/**
 * Schemas of `additional_information` by product type. What a single insurer accepts or refuses (option lists, makes,
 * local travel) is a setting of its products.
 */

/** `checkDates` rejects years after the present one. */
const OLDEST_CAR = 1950;
const LAST_YEAR = 9999;

const autoInformation = withCrossFieldCheck(
  z.strictObject({
    vehicle_type: oneOf(['Car', 'Bike']),
    vehicle_make: shortText.optional().meta({ description: 'Needed for cars' }),
    vehicle_model: line(100).optional(),
    vehicle_year: wholeNumber(OLDEST_CAR, LAST_YEAR).meta({ description: 'From 1950 to the present year' }),
    vehicle_value: amount,
    vehicle_usage: oneOf(['Private', 'Commercial', 'Rideshare']),
    insurance_options: shortText.meta({ examples: ['Comprehensive'] }),
    vehicle_usage_details: shortText.optional(),
    vehicle_mileage: wholeNumber(1, 100_000).optional(),
    vehicle_location: oneOf(['urban', 'suburban', 'rural']).optional(),
    vehicle_location_details: oneOf(['high_crime', 'low_crime', 'safe']).optional(),
    vehicle_purpose: shortText.optional(),
    vehicle_purpose_details: shortText.optional(),
    vehicle_category: oneOf(['Saloon', 'Suv', 'Truck', 'Van', 'Motorcycle']).optional(),
  }),
  (values, addIssue) => {
    if (values.vehicle_type === 'Car' && values.vehicle_make === undefined) {
      addIssue(['vehicle_make'], 'must be given for a car');
    }
  },
);

const gadgetInformation = z.strictObject({
  gadget_type: oneOf(['Pos', 'Smartphone', 'Laptop', 'Tablet', 'Smartwatch', 'Camera', 'Headphones', 'Other']),
  gadget_value: amount,
  insurance_options: shortText.meta({ examples: ['Device Policy'] }),
  gadget_information: anyObject.optional().meta({ description: 'For example make and model' }),
  usage_history: anyObject.optional(),
});

const healthInformation = z.strictObject({
  health_condition: oneOf(['good', 'fair', 'poor', 'critical']),
  age: wholeNumber(1, 100),
  coverage_type: oneOf(['basic', 'standard', 'premium']).optional(),
  coverage_type_details: oneOf(['individual', 'family', 'group']).optional(),
});

const homeInformation = z.strictObject({
  property_type: oneOf(['house', 'apartment', 'condo']),
  property_value: amount,
  stationary_items_value: amount,
  mobile_items_value: amount,
  property_location: shortText,
  security_details: anyObject.optional(),
});

const personalAccidentInformation = z.strictObject({
  occupation: shortText,
  occupation_risk_level: oneOf(['low', 'medium', 'high']).optional(),
  occupation_risk_details: oneOf(['office', 'field', 'remote']).optional(),
});

const travelInformation = withCrossFieldCheck(
  z.strictObject({
    destination: shortText,
    departure_date: day,
    return_date: day,
    number_of_travellers: wholeNumber(1, 10).default(1).meta({ description: '1 unless given' }),
    trip_duration: wholeNumber(1, 365).optional().meta({ description: 'Days' }),
    trip_type: oneOf(['one_way', 'round_trip']).optional(),
    trip_type_details: shortText.optional(),
    international_flight: z.boolean().default(false),
    insurance_options: shortText.optional().meta({ examples: ['TRAVELLER (WORLD WIDE)'] }),
    user_age: wholeNumber(0, 150).optional(),
    travel_purpose: shortText.optional(),
    travel_mode: shortText.optional(),
  }),
  (values, addIssue) => {
    if (isBefore(values.return_date, values.departure_date)) {
      addIssue(['return_date'], 'must not be before departure_date');
    }
  },
);

const cargoInformation = z.strictObject({
  shipment_type: oneOf(['domestic', 'international']),
  shipment_value: amount,
  shipment_origin: shortText,
  shipment_destination: shortText,
  shipment_carrier: shortText,
  shipment_carrier_details: anyObject.optional().meta({ description: 'For example tracking_number and service_type' }),
  exchange_rate: decimal(6, '1530.250000').optional(),
});

/** The types with a closed list of fields. */
export const INFORMATION = {
  Auto: autoInformation,
  Gadget: gadgetInformation,
  Health: healthInformation,
  Home: homeInformation,
  Personal_Accident: personalAccidentInformation,
  Travel: travelInformation,
  Cargo: cargoInformation,
};

/** Returns whether a quote request of this type may have the field. The other types take any. */
export function isAskedField(type: string, field: string): boolean {
  const information = Object.entries(INFORMATION).find(([closed]) => closed === type)?.[1];
  return information === undefined || Object.hasOwn(information.shape, field);
}
