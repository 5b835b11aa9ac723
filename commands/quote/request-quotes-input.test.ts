import { describe, expect, test } from '@jest/globals';
import { parseInput } from '#event-sourcing/executor/parse-input.ts';
import { PRODUCT_TYPES } from '#domain/product/product.ts';
import { Refusal } from '#domain/refusals.ts';
import { RISKS } from '#test/support/risks.ts';
import { checkDates, requestQuotesInput } from './request-quotes-input.ts';

/** The wrong fields of a body. */
function wrong(body: unknown): readonly string[] {
  try {
    parseInput(requestQuotesInput, body);
  } catch (error) {
    if (error instanceof Refusal) return error.fields.map(({ field }) => field);
    throw error;
  }
  return [];
}

/** The invalid fields of a risk, without their common prefix. */
function invalidFields(product_type: string, additional_information: unknown): readonly string[] {
  const before = 'insurance_details.additional_information.';
  return wrong({ insurance_details: { product_type, additional_information } }).map((field) =>
    field.replace(before, ''),
  );
}

describe('Additional information', () => {
  test.each(PRODUCT_TYPES.map((type) => [type, RISKS[type]] as const))('is accepted for %s', (...risk) => {
    expect(invalidFields(...risk)).toEqual([]);
  });

  test.each([
    ['Auto', ['vehicle_type', 'vehicle_year', 'vehicle_value', 'vehicle_usage', 'insurance_options']],
    ['Gadget', ['gadget_type', 'gadget_value', 'insurance_options']],
    ['Health', ['health_condition', 'age']],
    ['Home', ['property_type', 'property_value', 'stationary_items_value', 'mobile_items_value', 'property_location']],
    ['Personal_Accident', ['occupation']],
    ['Travel', ['destination', 'departure_date', 'return_date']],
    ['Cargo', ['shipment_type', 'shipment_value', 'shipment_origin', 'shipment_destination', 'shipment_carrier']],
  ])('of %s is rejected without its required fields, naming all of them', (type, needed) => {
    expect(invalidFields(type, {})).toEqual(needed);
    expect(wrong({ insurance_details: { product_type: type } })).toEqual(['insurance_details.additional_information']);
    expect(invalidFields(type, { ...RISKS[type as 'Auto'], unheard_of: 1 })).toEqual(['unheard_of']);
  });

  test.each(['Life', 'Student_Protection', 'Accident', 'CreditLife', 'PetCare', 'General', 'Other'])(
    'of %s is free-form within limits',
    (type) => {
      expect(wrong({ insurance_details: { product_type: type } })).toEqual([]);
      expect(invalidFields(type, { of: ['any', { kind: null }] })).toEqual([]);
      expect(invalidFields(type, { long: 'x'.repeat(20_000) })).toEqual(['insurance_details.additional_information']);
      const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
      expect(invalidFields(type, deep)).toEqual(['insurance_details.additional_information']);
    },
  );
});

describe('A rule of a product type', () => {
  test.each<[string, object, string[]]>([
    ['Auto', { vehicle_make: undefined }, ['vehicle_make']],
    ['Auto', { vehicle_type: 'Bike', vehicle_make: undefined }, []],
    ['Auto', { vehicle_type: 'Boat', vehicle_year: 1949 }, ['vehicle_type', 'vehicle_year']],
    ['Auto', { vehicle_year: '1950', vehicle_value: 0.5 }, []],
    ['Auto', { vehicle_year: 2020.5 }, ['vehicle_year']],
    ['Auto', { vehicle_value: 1.005, vehicle_mileage: 0 }, ['vehicle_value', 'vehicle_mileage']],
    ['Auto', { vehicle_value: '-1' }, ['vehicle_value']],
    ['Auto', { vehicle_value: '123456789' }, ['vehicle_value']],
    ['Auto', { vehicle_value: 1e21 }, ['vehicle_value']],
    ['Auto', { vehicle_value: true, vehicle_model: 'x'.repeat(101) }, ['vehicle_model', 'vehicle_value']],
    ['Gadget', { gadget_information: 'Acme' }, ['gadget_information']],
    ['Health', { age: 0 }, ['age']],
    ['Health', { age: 101, coverage_type: 'gold' }, ['age', 'coverage_type']],
    ['Travel', { return_date: '2026-03-31' }, ['return_date']],
    ['Travel', { return_date: '2026-02-30', number_of_travellers: 11 }, ['return_date', 'number_of_travellers']],
    ['Cargo', { exchange_rate: '1530.1234567' }, ['exchange_rate']],
  ])('of %s rejects %j, naming %j', (type, changes, fields) => {
    expect(invalidFields(type, { ...RISKS[type as 'Auto'], ...changes })).toEqual(fields);
  });

  test.each([
    ['Auto', 'vehicle_mileage', 1, 100_000],
    ['Auto', 'vehicle_year', 1950, 9999],
    ['Health', 'age', 1, 100],
    ['Travel', 'number_of_travellers', 1, 10],
    ['Travel', 'trip_duration', 1, 365],
    ['Travel', 'user_age', 0, 150],
  ])('of %s limits %s to a whole number from %i to %i, as number or text', (type, field, from, to) => {
    const wrongWith = (value: unknown) => invalidFields(type, { ...RISKS[type as 'Auto'], [field]: value });
    for (const taken of [from, to, String(from), String(to)]) expect(wrongWith(taken)).toEqual([]);
    for (const not of [from - 1, to + 1, String(to + 1), `${from}.5`, from + 0.5])
      expect(wrongWith(not)).toEqual([field]);
    if (from > 0) expect(wrongWith(String(from - 1))).toEqual([field]);
  });

  test('defaults to one traveller without international flight', () => {
    const request = { insurance_details: { product_type: 'Travel', additional_information: RISKS.Travel } };
    expect(parseInput(requestQuotesInput, request).insurance_details.additional_information).toMatchObject({
      number_of_travellers: 1,
      international_flight: false,
    });
  });

  test('rejects model years and birth dates in the future', () => {
    const body = parseInput(requestQuotesInput, {
      customer_metadata: { first_name: 'A', last_name: 'B', email: 'a@b.example', date_of_birth: '2026-03-02' },
      insurance_details: { product_type: 'Auto', additional_information: { ...RISKS.Auto, vehicle_year: 2027 } },
    });
    expect(checkDates(body, '2027-01-01')).toEqual([]);
    expect(checkDates(body, '2026-03-02')).toMatchObject([{ field: expect.stringMatching('vehicle_year') }]);
    expect(checkDates(body, '2026-03-01')).toMatchObject([
      { field: 'customer_metadata.date_of_birth' },
      { field: 'insurance_details.additional_information.vehicle_year' },
    ]);
  });
});

const listOf = (entries: number): readonly string[] => Array.from({ length: entries }, () => 'Theft');

describe('A quote request', () => {
  const insurance_details = { product_type: 'Life' };

  test.each<[object, string[]]>([
    [{}, ['insurance_details']],
    [{ insurance_details: 'Life' }, ['insurance_details']],
    [{ insurance_details: {} }, ['insurance_details.product_type']],
    [{ insurance_details: { product_type: 'Boat' } }, ['insurance_details.product_type']],
    [{ insurance_details: { product_type: 'Life', product_name: 'x' } }, ['insurance_details.product_name']],
    [{ insurance_details, more: 1 }, ['more']],
    [{ insurance_details, customer_metadata: {} }, ['first_name', 'email'].map((name) => `customer_metadata.${name}`)],
    [{ insurance_details, customer_metadata: { first_name: 'Ada', email: 'ada@x.example' } }, []],
    [{ insurance_details, customer_metadata: { first_name: 'Ada', last_name: '', email: 'ada@x.example' } }, []],
    [
      {
        insurance_details,
        customer_metadata: { first_name: '\u200b', last_name: '\u2060', email: '\u200b@x.example' },
      },
      ['first_name', 'last_name', 'email'].map((name) => `customer_metadata.${name}`),
    ],
    [{ insurance_details, coverage_preferences: {} }, []],
    [{ insurance_details, policy_duration: 1 }, []],
    [{ insurance_details, policy_duration: 365 }, []],
    [{ insurance_details, policy_duration: 0 }, ['policy_duration']],
    [{ insurance_details, policy_duration: 366 }, ['policy_duration']],
    [{ insurance_details, policy_duration: 1.5 }, ['policy_duration']],
    [{ insurance_details, policy_duration: null }, ['policy_duration']],
    [{ insurance_details, coverage_preferences: { coverage_type: listOf(100) } }, []],
    [
      { insurance_details, coverage_preferences: { coverage_type: listOf(101), additional_coverages: listOf(101) } },
      ['coverage_preferences.coverage_type', 'coverage_preferences.additional_coverages'],
    ],
    [{ insurance_details, coverage_preferences: { coverage_amount: 'all' } }, ['coverage_preferences.coverage_amount']],
    [
      { insurance_details, coverage_preferences: { coverage_type: ['', 1] } },
      ['coverage_preferences.coverage_type.0', 'coverage_preferences.coverage_type.1'],
    ],
  ])('rejects %j, naming %j', (body, fields) => {
    expect(wrong(body)).toEqual(fields);
  });

  test('lists the product types for an unknown one', () => {
    expect(() => parseInput(requestQuotesInput, { insurance_details: { product_type: 'Boat' } })).toThrow(
      PRODUCT_TYPES.join(', '),
    );
  });

  test('keeps all fields of a customer unchanged', () => {
    const customer_metadata = {
      first_name: 'Ada',
      last_name: 'Obi',
      email: 'ada@customers.example',
      phone: '+234 1 000',
      residential_address: {
        street: 'Marina',
        city: 'Lagos',
        state: 'LA',
        country: 'NG',
        house_number: '1',
        postal_code: '101',
      },
      date_of_birth: '1980-05-17',
      customer_gender: 'F',
      occupation: 'Engineer',
      identity_card_img: 'https://files.example/card.png',
      utility_bill_img: 'https://files.example/bill.png',
      identity_card_number: 'A1',
      identity_card_type: 'driver_license',
      identity_card_expiry_date: '2030-01-01',
    };
    expect(parseInput(requestQuotesInput, { customer_metadata, insurance_details })).toMatchObject({
      customer_metadata,
    });
  });
});
