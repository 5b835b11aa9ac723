import { chosenValue, DateFilter, SelectFilter, useAddressDefaults } from '../components/filters.tsx';
import { List, type MerchantListProps } from '../components/list.tsx';
import { modeQuery } from '../components/mode.tsx';
import { NewQuoteLink } from '../quotes/new-quote-link.tsx';
import { usePages } from '../requests/use-pages.ts';
import { route } from '../route.ts';
import { todayIn, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { namesOf, type PolicyQuery } from './queries.ts';
import { coverColumns, policyColumns } from './policy-columns.tsx';

const PRODUCT_TYPES = namesOf<NonNullable<PolicyQuery['product_type']>>({
  Life: true,
  Health: true,
  Auto: true,
  Cargo: true,
  Gadget: true,
  Travel: true,
  Home: true,
  Student_Protection: true,
  Accident: true,
  Personal_Accident: true,
  CreditLife: true,
  PetCare: true,
  General: true,
  Other: true,
});
/** Those in force are listed by the day. */
const COVERS = namesOf<Exclude<NonNullable<PolicyQuery['cover']>, 'in_force'>>({
  not_begun: true,
  waiting: true,
  gap: true,
  expired: true,
  cancelled: true,
});
const SELECTIONS = ['all', ...COVERS] as const;

/** Policies: those in force on a day, today at first, all, or those that are not in force today for a reason. */
export function PolicyList({ session, code }: MerchantListProps) {
  const { merchants } = session.client;
  const selection = chosenValue('selection', SELECTIONS);
  const { on = todayIn(zoneOf(session)) } = route.value.query;
  useAddressDefaults(selection === undefined ? { on } : {});
  const query: PolicyQuery = {
    ...(selection === undefined ? { in_force_on: on } : {}),
    cover: selection === 'all' ? undefined : selection,
    product_type: chosenValue('product_type', PRODUCT_TYPES),
    ...modeQuery(session),
  };
  const pages = usePages(JSON.stringify([code, query]), (options) => merchants.policies(code, query, options));
  return (
    <List
      title={texts.policies}
      of={{ session, code }}
      pages={pages}
      emptyText={texts.noMatch}
      actions={<NewQuoteLink session={session} />}
      csv={{
        name: ['policies', selection ?? `in force on ${on}`, query.product_type].filter(Boolean).join(' '),
        read: async () => await merchants.downloadPolicies(code, 'text/csv', query),
      }}
      filters={
        <>
          <SelectFilter
            label={texts.select}
            name="selection"
            values={SELECTIONS}
            value={selection ?? ''}
            none={['', texts.inForceOn]}
          />
          {selection === undefined && <DateFilter label={texts.day} name="on" value={on} />}
          <SelectFilter
            label={texts.productType}
            name="product_type"
            values={PRODUCT_TYPES}
            value={query.product_type ?? ''}
          />
          <span class="quiet">{texts.asOfToday}</span>
        </>
      }
      columns={[...policyColumns, ...coverColumns]}
    />
  );
}
