/** An invented customer. Names, addresses and numbers are fictitious. */
interface SamplePerson {
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly houseNumber: string;
  readonly street: string;
  readonly city: string;
}

const PEOPLE = {
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
  dateOfBirth: string,
  houseNumber: string,
  street: string,
  city: string,
): SamplePerson {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { number, firstName, lastName, dateOfBirth, houseNumber, street, city };
}

function emailOf({ firstName, lastName }: SamplePerson): string {
  return `${firstName}.${lastName}@customer.example`.toLowerCase();
}

function phoneOf({ number }: SamplePerson): string {
  return `+23400000010${number}`;
}

export function customerColumns(name: PersonName): object {
  const customer = PEOPLE[name];
  return {
    customer_reference: referenceOf(name),
    customer_name: `${customer.firstName} ${customer.lastName}`,
    customer_email: emailOf(customer),
    customer_phone: phoneOf(customer),
    customer_date_of_birth: customer.dateOfBirth,
    customer_address: `${customer.houseNumber} ${customer.street}, ${customer.city}`,
  };
}

export function referenceOf(name: PersonName): string {
  return `C-00${PEOPLE[name].number}`;
}

export function customerMetadata(name: PersonName): object {
  const customer = PEOPLE[name];
  return {
    first_name: customer.firstName,
    last_name: customer.lastName,
    email: emailOf(customer),
    phone: phoneOf(customer),
    date_of_birth: customer.dateOfBirth,
    residential_address: {
      house_number: customer.houseNumber,
      street: customer.street,
      city: customer.city,
      country: 'NG',
    },
  };
}
