import { BAOBAB, type ProviderName } from './products.ts';

/** The body of `AddPerson`, with the name of the insurer in place of its id. All names are fictitious. */
export interface StaffMember {
  readonly name: string;
  readonly email: string;
  readonly role: 'merchant' | 'claims' | 'insurer' | 'admin';
  readonly authority?: object;
  readonly provider?: ProviderName;
}

export const STAFF: readonly StaffMember[] = [
  { name: 'Ngozi Umeh', email: 'ngozi.umeh@acme-bank.example', role: 'merchant' },
  {
    name: 'Tunde Bakare',
    email: 'tunde.bakare@surety.example',
    role: 'claims',
    authority: { currency: 'NGN', approve_up_to: '500000.00', pay_up_to: '500000.00' },
  },
  { name: 'Amina Sule', email: 'amina.sule@baobab-general.example', role: 'insurer', provider: BAOBAB },
  { name: 'Femi Cole', email: 'femi.cole@surety.example', role: 'admin' },
];
