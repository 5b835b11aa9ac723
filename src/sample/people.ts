/** An invented customer. No name, address or number belongs to anybody. */
export interface SamplePerson {
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly born: string;
  readonly houseNumber: string;
  readonly street: string;
  readonly city: string;
}

/** The customers of the sample. */
export const PEOPLE = {
  adaeze: person('01', 'Adaeze Okonkwo', '1988-04-12', '14', 'Palm Grove', 'Lagos'),
  babatunde: person('02', 'Babatunde Alabi', '1975-11-30', '7', 'Harbour View', 'Lagos'),
  chinwe: person('03', 'Chinwe Eze', '1993-02-03', '21', 'Hill Crescent', 'Enugu'),
  danladi: person('04', 'Danladi Musa', '1969-08-19', '5', 'Market Road', 'Kano'),
  efe: person('05', 'Efe Omoruyi', '2001-06-25', '40', 'Ring Road', 'Benin City'),
  folake: person('06', 'Folake Adeyemi', '1981-12-08', '9', 'Garden Close', 'Ibadan'),
  gbenga: person('07', 'Gbenga Salako', '1990-09-14', '33', 'Station Street', 'Abeokuta'),
  hauwa: person('08', 'Hauwa Bello', '1985-03-27', '2', 'Mosque Lane', 'Kaduna'),
} as const satisfies Record<string, SamplePerson>;

export type PersonName = keyof typeof PEOPLE;

function person(
  number: string,
  name: string,
  born: string,
  houseNumber: string,
  street: string,
  city: string,
): SamplePerson {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { number, firstName, lastName, born, houseNumber, street, city };
}

function emailOf({ firstName, lastName }: SamplePerson): string {
  return `${firstName}.${lastName}@customer.example`.toLowerCase();
}

function phoneOf({ number }: SamplePerson): string {
  return `+23400000010${number}`;
}

/** The customer as columns of an import. */
export function customerColumns(name: PersonName): object {
  const someone = PEOPLE[name];
  return {
    customer_reference: `C-00${someone.number}`,
    customer_name: `${someone.firstName} ${someone.lastName}`,
    customer_email: emailOf(someone),
    customer_phone: phoneOf(someone),
    customer_date_of_birth: someone.born,
    customer_address: `${someone.houseNumber} ${someone.street}, ${someone.city}`,
  };
}

/** The customer as `customer_metadata` of a quote request or a purchase. */
export function customerMetadata(name: PersonName): object {
  const someone = PEOPLE[name];
  return {
    first_name: someone.firstName,
    last_name: someone.lastName,
    email: emailOf(someone),
    phone: phoneOf(someone),
    date_of_birth: someone.born,
    residential_address: {
      house_number: someone.houseNumber,
      street: someone.street,
      city: someone.city,
      country: 'NG',
    },
  };
}
