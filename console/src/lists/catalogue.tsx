import { Command } from '../actions/command.tsx';
import { newIdOf } from '../administer/new-id.ts';
import { PRODUCT_RULES } from '../administer/product-page.tsx';
import { useChoices } from '../administer/rights.ts';
import { Tag } from '../components/badge.tsx';
import { List } from '../components/list.tsx';
import { ModeFilter, modeQuery } from '../components/mode.tsx';
import { labelOf } from '../format.ts';
import { usePages } from '../requests/use-pages.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

interface CatalogueProps {
  readonly session: Session;
}

export function InsurerList({ session }: CatalogueProps) {
  const query = modeQuery(session);
  const pages = usePages(JSON.stringify(query), (options) => session.client.providers.list(query, options));
  return (
    <List
      title={texts.insurers}
      pages={pages}
      emptyText={texts.noInsurers}
      filters={session.me.merchant === null ? <ModeFilter session={session} /> : undefined}
      actions={
        <Command
          session={session}
          name="RegisterProvider"
          about={texts.insurers}
          look="primary"
          opens={(response) => ['insurers', newIdOf(response, 'provider_id')]}
        />
      }
      columns={[
        { title: texts.name, cell: ({ id, name }) => <a href={hrefOf(['insurers', id])}>{name}</a> },
        {
          title: texts.status,
          cell: ({ is_confirmed, withdrawn_at }) => (
            <Tag name={withdrawn_at !== null ? 'withdrawn' : is_confirmed ? 'confirmed' : 'waiting'} />
          ),
        },
        { title: texts.address, cell: ({ address }) => address ?? '–', isMinor: true },
        { title: texts.phone, cell: ({ phone_number }) => phone_number ?? '–' },
      ]}
    />
  );
}

export function ProductList({ session }: CatalogueProps) {
  const query = modeQuery(session);
  const pages = usePages(JSON.stringify(query), (options) => session.client.products.list(query, options));
  const choices = useChoices(session);
  return (
    <List
      title={texts.products}
      pages={pages}
      emptyText={texts.noProducts}
      filters={session.me.merchant === null ? <ModeFilter session={session} /> : undefined}
      actions={
        <Command
          session={session}
          name="AddProduct"
          about={texts.products}
          look="primary"
          choices={choices}
          asJson={PRODUCT_RULES}
          initial={{ currency: 'NGN', renewable: true, is_live: true }}
          opens={(response) => ['products', newIdOf(response, 'product_id')]}
        />
      }
      columns={[
        {
          title: texts.name,
          cell: ({ id, name, description }) => (
            <>
              <a href={hrefOf(['products', id])}>{name}</a>
              <bdi class="sub">{description}</bdi>
            </>
          ),
        },
        { title: texts.productType, cell: ({ product_type }) => labelOf(product_type) },
        {
          title: texts.status,
          cell: ({ is_live, is_trashed }) => (
            <Tag name={is_trashed ? 'withdrawn' : is_live ? 'active' : 'not_on_sale'} />
          ),
        },
      ]}
    />
  );
}
