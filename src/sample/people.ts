/** An invented customer. No name, address or number belongs to anybody. */
export interface SamplePerson {
  readonly customer_reference: string;
  readonly customer_name: string;
  readonly customer_email: string;
  readonly customer_phone: string;
  readonly customer_date_of_birth: string;
  readonly customer_address: string;
}

/** The customers of the sample. */
export const PEOPLE = {
  adaeze: person(1, 'Adaeze Okonkwo', '1988-04-12', '14 Palm Grove, Lagos'),
  babatunde: person(2, 'Babatunde Alabi', '1975-11-30', '7 Harbour View, Lagos'),
  chinwe: person(3, 'Chinwe Eze', '1993-02-03', '21 Hill Crescent, Enugu'),
  danladi: person(4, 'Danladi Musa', '1969-08-19', '5 Market Road, Kano'),
  efe: person(5, 'Efe Omoruyi', '2001-06-25', '40 Ring Road, Benin City'),
  folake: person(6, 'Folake Adeyemi', '1981-12-08', '9 Garden Close, Ibadan'),
} as const satisfies Record<string, SamplePerson>;

export type PersonName = keyof typeof PEOPLE;

function person(number: number, name: string, born: string, address: string): SamplePerson {
  return {
    customer_reference: `C-${String(number).padStart(4, '0')}`,
    customer_name: name,
    customer_email: `${name.toLowerCase().replace(' ', '.')}@customer.example`,
    customer_phone: `+23400000010${String(number).padStart(2, '0')}`,
    customer_date_of_birth: born,
    customer_address: address,
  };
}
