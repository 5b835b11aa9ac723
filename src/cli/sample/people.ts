/** An invented customer. Names, addresses and numbers are fictitious. */
interface SamplePerson {
  readonly number: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly houseNumber: string;
  readonly street: string;
  readonly city: string;
  /** Local part of the e-mail address, where it is not the name in lower case. */
  readonly mailbox?: string;
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
  // Of the earlier book. The examples of the reference use the numbers between.
  segun: person('31', 'Ṣẹ́gun Adéyẹmí', '1979-05-02', '18', 'Acacia Road', 'Ibadan', 'segun.adeyemi'),
  nkechi: person('32', 'Nkẹchi Ọkọrọ', '1992-10-11', '6', 'New Market Road', 'Onitsha', 'nkechi.okoro'),
  zoe: person('33', 'Zoë Müller-Obi', '1984-01-29', '27', 'Lagoon Drive', 'Lagos', 'zoe.mueller-obi'),
  eleni: person('34', 'Ελένη Παπαδοπούλου', '1971-07-07', '3', 'Shipyard Street', 'Lagos', 'eleni.p'),
  irina: person('35', 'Ирина Соколова', '1987-12-19', '11', 'Embassy Row', 'Abuja', 'irina.sokolova'),
  karim: person('36', 'كريم الحداد', '1966-03-15', '52', 'Kofar Street', 'Kano', 'karim.haddad'),
  priya: person('37', 'प्रिया शर्मा', '1990-08-23', '8', 'Mill Road', 'Lagos', 'priya.sharma'),
  mei: person('38', '李 梅', '1982-02-14', '15', 'Free Zone Avenue', 'Lagos', 'li.mei'),
  haruto: person('39', '佐藤 春斗', '1976-06-30', '1', 'Consulate Close', 'Abuja', 'haruto.sato'),
  jiwoo: person('40', '김 지우', '1995-11-05', '20', 'Harbour View', 'Port Harcourt', 'jiwoo.kim'),
  tamar: person('41', 'תמר כהן', '1989-09-01', '4', 'Garden Close', 'Abuja', 'tamar.cohen'),
  ifeoma: person('42', 'Ifeoma Nwosu', '1963-04-18', '30', 'Cathedral Street', 'Owerri'),
  musa: person('43', 'Musa Danjuma', '1998-01-08', '12', 'Plateau Lane', 'Jos'),
  tunde: person('44', 'Tunde Bakare', '1986-07-21', '44', 'Creek Street', 'Lagos'),
  aisha: person('45', 'Aisha Yusuf', '1994-05-16', '9', 'Station Street', 'Zaria'),
  emeka: person('46', 'Emeka Nnamdi', '1973-10-03', '16', 'Coal Camp Road', 'Enugu'),
} as const satisfies Record<string, SamplePerson>;

export type PersonName = keyof typeof PEOPLE;

function person(
  number: string,
  name: string,
  dateOfBirth: string,
  houseNumber: string,
  street: string,
  city: string,
  mailbox?: string,
): SamplePerson {
  const [firstName = '', lastName = ''] = name.split(' ');
  const given = mailbox === undefined ? {} : { mailbox };
  return { number, firstName, lastName, dateOfBirth, houseNumber, street, city, ...given };
}

function emailOf({ firstName, lastName, mailbox = `${firstName}.${lastName}`.toLowerCase() }: SamplePerson): string {
  return `${mailbox}@customer.example`;
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
