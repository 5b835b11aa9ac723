import { Command } from '../actions/command.tsx';
import { Table } from '../components/table.tsx';
import { formatMoney, labelOf } from '../format.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { administerTexts as more } from '../texts-administer.ts';
import { ThingPage } from './thing-page.tsx';

/** Members of a product that are written as JSON: rules that no form says. */
export const PRODUCT_RULES = ['rating', 'tiers', 'additional_information'] as const;
/** Members whose values no response shows, so that a box would not be what is so now. */
const UNSHOWN = ['renewable', 'inspection_required', 'cerfication_required'] as const;
const YES_OR_NO = [
  { value: 'true', label: texts.yes },
  { value: 'false', label: texts.no },
];

/** A product, and what an administrator does with it. */
export function ProductPage({ id, session }: { readonly id: string; readonly session: Session }) {
  const state = useRequest(id, async (options) => await session.client.products.get(id, options));
  return (
    <ThingPage
      list={['products', texts.products]}
      state={state}
      show={(product) => {
        const { name, description, product_type, base_premium, product_plan, coverages, cancellation } = product;
        const { is_live, is_trashed, provider, currency } = product;
        const shared = { session, about: name, given: { product_id: id } };
        return {
          name,
          status: is_trashed ? 'withdrawn' : is_live ? 'active' : 'not_on_sale',
          facts: {
            [texts.productType]: labelOf(product_type),
            [texts.insurer]: <a href={hrefOf(['insurers', provider.provider_id])}>{provider.provider_name}</a>,
            [more.basePremium]: formatMoney(base_premium, currency),
            [more.plan]: product_plan,
            [more.coolingOff]: cancellation?.cooling_off_days,
            [texts.details]: description,
            [texts.id]: <code>{id}</code>,
          },
          actions: (
            <>
              <Command {...shared} name="RestoreProduct" look="primary" isAllowed={is_trashed} />
              <Command
                {...shared}
                name="UpdateProduct"
                guarded={product}
                asJson={[...PRODUCT_RULES, ...UNSHOWN]}
                choices={Object.fromEntries(UNSHOWN.map((name) => [name, YES_OR_NO]))}
                omitted={['currency']}
                initial={product}
                notice={<p class="small quiet">{more.unchangedEmpty}</p>}
              />
              <Command
                {...shared}
                name="WithdrawProduct"
                look="danger"
                isAllowed={!is_trashed}
                notice={<p>{more.productWithdraws}</p>}
              />
            </>
          ),
          children: (
            <Table
              caption={texts.coverages}
              isSection
              emptyText={texts.noLimits}
              rows={coverages}
              columns={[
                { title: texts.coverage, cell: ({ coverage_name }) => coverage_name },
                { title: more.limit, money: ({ coverage_limit }) => [coverage_limit, currency] },
                { title: texts.deductible, money: ({ deductible }) => [deductible, currency] },
              ]}
            />
          ),
        };
      }}
    />
  );
}
