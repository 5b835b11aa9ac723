import { dayNumber, dayOf, isoDay, money } from '../format.ts';
import { Choice, DayFilter, isTestShown } from '../parts/filters.tsx';
import { Day, Tag } from '../parts/values.tsx';
import { hrefOf, route } from '../route.ts';
import { type Session, serviceTime, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { List } from './list.tsx';
import { usePages } from './pages.ts';

export interface MerchantListProps {
  readonly session: Session;
  /** Short code of the merchant. */
  readonly code: string;
}

const RENEWAL_DAYS = 30;
const CSV = 'text/csv';

/** Policies by their renewal date, those of the next 30 days at first. */
export function RenewalsDue({ session, code }: MerchantListProps) {
  const { client } = session;
  const today = dayOf(serviceTime.value, zoneOf(session));
  const { from = today, through = isoDay(dayNumber(today) + RENEWAL_DAYS) } = route.value.query;
  const query = { renewal_from: from, renewal_through: through, ...modeOf(session) };
  const pages = usePages(JSON.stringify([code, query]), (options) => client.merchants.policies(code, query, options));
  return (
    <List
      title={texts.renewalsDue}
      session={session}
      pages={pages}
      whyEmpty={texts.noRenewals}
      download={async () => await client.merchants.downloadPolicies(code, CSV, query)}
      filters={
        <>
          <DayFilter label={texts.from} name="from" value={from} />
          <DayFilter label={texts.through} name="through" value={through} />
        </>
      }
      columns={[
        { title: texts.renewal, of: ({ renewal_date }) => <Day of={renewal_date} /> },
        ...policyColumns,
        { title: texts.autoRenew, of: ({ auto_renew }) => (auto_renew ? texts.yes : texts.no) },
      ]}
    />
  );
}

type PolicyItem = Awaited<ReturnType<Session['client']['policies']['get']>>;

const policyColumns = [
  {
    title: texts.number,
    of: ({ policy_id, policy_number }: PolicyItem) => <a href={hrefOf(['policies', policy_id])}>{policy_number}</a>,
  },
  {
    title: texts.holder,
    of: ({ policy_holder: { customer_id, customer_name } }: PolicyItem) => (
      <a href={hrefOf(['customers', customer_id])}>
        <bdi>{customer_name}</bdi>
      </a>
    ),
  },
  { title: texts.productName, of: ({ product }: PolicyItem) => product.name },
  { title: texts.premium, of: ({ premium, currency }: PolicyItem) => money(premium, currency), isNumber: true },
];

/** Policies in force on a day, today at first. */
export function PoliciesInForce({ session, code }: MerchantListProps) {
  const { client } = session;
  const today = dayOf(serviceTime.value, zoneOf(session));
  const { on = today, status, product_type } = route.value.query;
  const query = {
    ...(status === undefined ? { in_force_on: on } : { status: status as 'active' }),
    ...(product_type === undefined ? {} : { product_type: product_type as 'Auto' }),
    ...modeOf(session),
  };
  const pages = usePages(JSON.stringify([code, query]), (options) => client.merchants.policies(code, query, options));
  return (
    <List
      title={texts.policies}
      session={session}
      pages={pages}
      whyEmpty={texts.noneSuch}
      download={async () => await client.merchants.downloadPolicies(code, CSV, query)}
      filters={
        <>
          {status === undefined && <DayFilter label={texts.inForceOn} name="on" value={on} />}
          <Choice label={texts.byStatus} name="status" values={['accepted', 'active', 'cancelled']} />
          <Choice label={texts.productType} name="product_type" values={PRODUCT_TYPES} />
        </>
      }
      columns={[
        ...policyColumns,
        { title: texts.from, of: ({ effective_from }) => <Day of={effective_from} /> },
        { title: texts.through, of: ({ effective_through }) => <Day of={effective_through} /> },
        { title: texts.status, of: ({ status: name }) => <Tag name={name} /> },
      ]}
    />
  );
}

type PolicyQuery = NonNullable<Parameters<Session['client']['merchants']['policies']>[1]>;

const PRODUCT_TYPES = [
  'Life',
  'Health',
  'Auto',
  'Cargo',
  'Gadget',
  'Travel',
  'Home',
  'Student_Protection',
  'Accident',
  'Personal_Accident',
  'CreditLife',
  'PetCare',
  'General',
  'Other',
] as const satisfies readonly PolicyQuery['product_type'][];

const CLAIM_STATUSES = ['open', 'pending', 'approved', 'offer_sent', 'offer_accepted', 'paid', 'denied', 'withdrawn'];

/** Claims, the open ones at first. */
export function ClaimList({ session, code }: MerchantListProps) {
  const { client } = session;
  const { claim_status = 'open' } = route.value.query;
  const query = { ...(claim_status === 'all' ? {} : { claim_status: claim_status as 'open' }), ...modeOf(session) };
  const pages = usePages(JSON.stringify([code, query]), (options) => client.merchants.claims(code, query, options));
  return (
    <List
      title={texts.claims}
      session={session}
      pages={pages}
      whyEmpty={texts.noneSuch}
      download={async () => await client.merchants.downloadClaims(code, CSV, query)}
      filters={<Choice label={texts.status} name="claim_status" values={CLAIM_STATUSES} all="all" initial="open" />}
      columns={[
        {
          title: texts.reference,
          of: ({ claim_id, claim_reference_number }) => (
            <a href={hrefOf(['claims', claim_id])}>{claim_reference_number}</a>
          ),
        },
        {
          title: texts.policy,
          of: ({ policy, policy_number }) => <a href={hrefOf(['policies', policy])}>{policy_number}</a>,
        },
        { title: texts.insurer, of: ({ insurer }) => insurer },
        { title: texts.filed, of: ({ claim_date }) => <Day of={claim_date} /> },
        { title: texts.status, of: ({ claim_status: name }) => <Tag name={name} /> },
        { title: texts.claimant, of: ({ claimant }) => claimant.customer_name },
        { title: texts.claimed, of: ({ claim_amount, currency }) => money(claim_amount, currency), isNumber: true },
        {
          title: texts.outstanding,
          of: ({ settlement, currency }) => money(settlement.outstanding, currency),
          isNumber: true,
        },
      ]}
    />
  );
}

/** Customers, newest first. A reference or e-mail is found by the box above, which sends it in no address. */
export function CustomerList({ session, code }: MerchantListProps) {
  const { client } = session;
  const query = modeOf(session);
  const pages = usePages(JSON.stringify([code, query]), (options) => client.merchants.customers(code, query, options));
  return (
    <List
      title={texts.customers}
      session={session}
      pages={pages}
      whyEmpty={texts.noCustomers}
      download={async () => await client.merchants.downloadCustomers(code, CSV, query)}
      filters={<span class="quiet">{texts.findCustomers}</span>}
      columns={[
        {
          title: texts.name,
          of: ({ customer_id, full_name }) => (
            <a href={hrefOf(['customers', customer_id])}>
              <bdi>{full_name}</bdi>
            </a>
          ),
        },
        { title: texts.reference, of: ({ customer_reference }) => customer_reference ?? '–' },
        { title: texts.email, of: ({ customer_email }) => customer_email },
      ]}
    />
  );
}

/** Returns the parameter of the shown mode; a merchant's key has one mode. */
export function modeOf(session: Session): { readonly test_mode?: boolean } {
  return session.me.merchant === null && isTestShown(session) ? { test_mode: true } : {};
}
