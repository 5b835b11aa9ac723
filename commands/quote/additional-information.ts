import { z } from 'zod';
import { day } from '../../src/event-sourcing/time.ts';
import { checkedAcross, isBefore } from '../shared/checks.ts';
import { line } from '../shared/fields.ts';
import { amount, anyObject, decimal, oneOf, told, wholeNumber } from './risk-fields.ts';

/**
 * What must be told of a risk, by product type: the general rules of `upstream-facts` 2.2. What an insurer takes and refuses
 * besides (option lists, makes, local travel) stands in its products.
 */

/** No car is insured that is older than this; none is newer than the year in which the quote is asked for. */
const OLDEST_CAR = 1950;
const LAST_YEAR = 9999;

export const autoInformation = checkedAcross(
  z.strictObject({
    vehicle_type: oneOf(['Car', 'Bike']),
    vehicle_make: told.optional().meta({ description: 'Needed for cars' }),
    vehicle_model: line(100).optional(),
    vehicle_year: wholeNumber(OLDEST_CAR, LAST_YEAR).meta({ description: 'From 1950 to the present year' }),
    vehicle_value: amount,
    vehicle_usage: oneOf(['Private', 'Commercial', 'Rideshare']),
    insurance_options: told.meta({ examples: ['Comprehensive'] }),
    vehicle_usage_details: told.optional(),
    vehicle_mileage: wholeNumber(1, 100_000).optional(),
    vehicle_location: oneOf(['urban', 'suburban', 'rural']).optional(),
    vehicle_location_details: oneOf(['high_crime', 'low_crime', 'safe']).optional(),
    vehicle_purpose: told.optional(),
    vehicle_purpose_details: told.optional(),
    vehicle_category: oneOf(['Saloon', 'Suv', 'Truck', 'Van', 'Motorcycle']).optional(),
  }),
  (values, addIssue) => {
    if (values.vehicle_type === 'Car' && values.vehicle_make === undefined) {
      addIssue(['vehicle_make'], 'must be given for a car');
    }
  },
);

export const gadgetInformation = z.strictObject({
  gadget_type: oneOf(['Pos', 'Smartphone', 'Laptop', 'Tablet', 'Smartwatch', 'Camera', 'Headphones', 'Other']),
  gadget_value: amount,
  insurance_options: told.meta({ examples: ['Device Policy'] }),
  gadget_information: anyObject.optional().meta({ description: 'For example make and model' }),
  usage_history: anyObject.optional(),
});

export const healthInformation = z.strictObject({
  health_condition: oneOf(['good', 'fair', 'poor', 'critical']),
  age: wholeNumber(1, 100),
  coverage_type: oneOf(['basic', 'standard', 'premium']).optional(),
  coverage_type_details: oneOf(['individual', 'family', 'group']).optional(),
});

export const homeInformation = z.strictObject({
  property_type: oneOf(['house', 'apartment', 'condo']),
  property_value: amount,
  stationary_items_value: amount,
  mobile_items_value: amount,
  property_location: told,
  security_details: anyObject.optional(),
});

export const personalAccidentInformation = z.strictObject({
  occupation: told,
  occupation_risk_level: oneOf(['low', 'medium', 'high']).optional(),
  occupation_risk_details: oneOf(['office', 'field', 'remote']).optional(),
});

export const travelInformation = checkedAcross(
  z.strictObject({
    destination: told,
    departure_date: day,
    return_date: day,
    number_of_travellers: wholeNumber(1, 10).default(1),
    trip_duration: wholeNumber(1, 365).optional().meta({ description: 'Days' }),
    trip_type: oneOf(['one_way', 'round_trip']).optional(),
    trip_type_details: told.optional(),
    international_flight: z.boolean().default(false),
    insurance_options: told.optional().meta({ examples: ['TRAVELLER (WORLD WIDE)'] }),
    user_age: wholeNumber(0, 150).optional(),
    travel_purpose: told.optional(),
    travel_mode: told.optional(),
  }),
  (values, addIssue) => {
    if (isBefore(values.return_date, values.departure_date)) {
      addIssue(['return_date'], 'must not be before departure_date');
    }
  },
);

export const cargoInformation = z.strictObject({
  shipment_type: oneOf(['domestic', 'international']),
  shipment_value: amount,
  shipment_origin: told,
  shipment_destination: told,
  shipment_carrier: told,
  shipment_carrier_details: anyObject.optional().meta({ description: 'For example tracking_number and service_type' }),
  exchange_rate: decimal(6, '1530.250000').optional(),
});
