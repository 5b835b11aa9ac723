import type { ComponentType } from 'preact';
import type { IconName } from '../components/icon.tsx';
import { lateComponent } from '../components/late-component.tsx';
import { AllPolicies } from '../lists/all-policies.tsx';
import { ClaimList } from '../lists/claims.tsx';
import { MERCHANT_VIEWS } from '../lists/views.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

export interface View {
  readonly title: string;
  readonly component: ComponentType<{ readonly session: Session }>;
}

/** Views that belong to no merchant, by the first part of their address. */
export const VIEWS: Readonly<Record<string, View>> = {
  claims: { title: texts.claims, component: ClaimList },
  policies: { title: texts.policies, component: AllPolicies },
  merchants: { title: texts.merchants, component: lateComponent('MerchantList') },
  insurers: { title: texts.insurers, component: lateComponent('InsurerList') },
  products: { title: texts.products, component: lateComponent('ProductList') },
  persons: { title: texts.persons, component: lateComponent('PersonList') },
  keys: { title: texts.keys, component: lateComponent('KeyList') },
  portfolio: { title: texts.portfolio, component: lateComponent('Portfolio') },
  verifications: { title: texts.verifications, component: lateComponent('Verifications') },
  status: { title: texts.installationStatus, component: lateComponent('InstallationStatus') },
  mails: { title: texts.mails, component: lateComponent('Mails') },
  parked: { title: texts.parkedDocuments, component: lateComponent('ParkedDocuments') },
  rebuilds: { title: texts.rebuilds, component: lateComponent('Rebuilds') },
};

/** A link of the sidebar: the first part of its address. */
interface Item {
  readonly name: string;
  readonly icon: IconName;
}

interface Group {
  /** Absent for the first group. */
  readonly title?: string;
  readonly items: readonly Item[];
}

const HOME: Item = { name: '', icon: 'home' };

const CATALOGUE: readonly Item[] = [
  { name: 'insurers', icon: 'bank' },
  { name: 'products', icon: 'box' },
];

const OF_MERCHANT: readonly Group[] = [
  {
    items: [
      HOME,
      { name: 'claims', icon: 'claim' },
      { name: 'policies', icon: 'policy' },
      { name: 'customers', icon: 'person' },
      { name: 'renewals', icon: 'renew' },
      { name: 'statement', icon: 'list' },
    ],
  },
  { title: texts.setUp, items: [...CATALOGUE, { name: 'environments', icon: 'key' }] },
];

const DESK: Group = { items: [HOME, { name: 'claims', icon: 'claim' }, { name: 'policies', icon: 'policy' }] };
const OF_INSURER: readonly Group[] = [DESK, { title: texts.setUp, items: CATALOGUE }];
const OF_PLATFORM: readonly Group[] = [
  DESK,
  {
    title: texts.setUp,
    items: [
      { name: 'merchants', icon: 'shop' },
      ...CATALOGUE,
      { name: 'persons', icon: 'person' },
      { name: 'keys', icon: 'key' },
    ],
  },
  {
    title: texts.operate,
    items: [
      { name: 'portfolio', icon: 'chart' },
      { name: 'verifications', icon: 'check' },
      { name: 'status', icon: 'pulse' },
      { name: 'mails', icon: 'mail' },
      { name: 'parked', icon: 'warn' },
      { name: 'rebuilds', icon: 'renew' },
    ],
  },
];

/** Returns the links of the sidebar: what the role may read. */
export function groupsOf({ me }: Session): readonly Group[] {
  if (me.merchant !== null) return OF_MERCHANT;
  return me.role === 'insurer' || me.role === 'claims' ? OF_INSURER : OF_PLATFORM;
}

/** Returns the title of a view. */
export function viewTitle(name: string): string | undefined {
  if (name === '') return texts.home;
  if (name === 'quote') return texts.newQuote;
  if (Object.hasOwn(MERCHANT_VIEWS, name)) return MERCHANT_VIEWS[name as keyof typeof MERCHANT_VIEWS][0];
  return Object.hasOwn(VIEWS, name) ? VIEWS[name]?.title : undefined;
}

/** Whether the sidebar has the view: a view of another role is not there. */
export function mayOpen(session: Session, name: string): boolean {
  return groupsOf(session).some(({ items }) => items.some((item) => item.name === name));
}
