import { useState } from 'preact/hooks';
import type { Customer } from '../../../clients/typescript/src/index.ts';
import { formIdOf } from '../actions/attempts.ts';
import { CommandForm } from '../actions/command-dialog.tsx';
import { isObject, type Values } from '../actions/schema.ts';
import { LoadStatus } from '../components/load-status.tsx';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { OfferList, type Offers } from './offers.tsx';

/** Asks for quotes, for the customer that the address names or anyone, and shows the offers beside the questions. */
export function NewQuote({ session }: { readonly session: Session }) {
  const { customer: id } = route.value.query;
  const customer = useRequest(`${id}`, async (options) =>
    id === undefined ? null : await session.client.customers.get(id, {}, options),
  );
  return (
    <>
      <div class="row heading">
        <h1>{texts.newQuote}</h1>
        {customer.value && (
          <a class="quiet" href={hrefOf(['customers', customer.value.customer_id])}>
            <bdi>{customer.value.full_name}</bdi>
          </a>
        )}
      </div>
      <LoadStatus state={customer} />
      {customer.value !== undefined && <QuoteForm session={session} customer={customer.value} />}
    </>
  );
}

function QuoteForm({ session, customer }: { readonly session: Session; readonly customer: Customer | null }) {
  const id = customer?.customer_id ?? '';
  // A purchase that had no answer is sent again from its offer, also after a reload.
  const kept = formIdOf(session.me, 'offers', id);
  const [offers, setOffers] = useState(() => JSON.parse(sessionStorage.getItem(kept) ?? 'null') as Offers | null);
  const show = (response: unknown, body: object): void => {
    const { customer_metadata, policy_duration: days } = body as Values;
    const answer = { ...(response as Offers), hasCustomer: isObject(customer_metadata), days };
    setOffers(answer);
    sessionStorage.removeItem(kept);
    try {
      sessionStorage.setItem(kept, JSON.stringify(answer));
    } catch {
      // The storage is full: the offers last as long as the page.
    }
  };
  return (
    <div class="split questions">
      <section class="card">
        <CommandForm
          session={session}
          name="RequestQuotes"
          about={id}
          given={customer === null ? {} : { customer_metadata: metadataOf(customer) }}
          look={offers === null ? 'primary' : 'plain'}
          onTyped={() => setOffers(null)}
          onDone={show}
        />
      </section>
      {offers === null ? (
        <p class="card empty">{texts.quote.empty}</p>
      ) : (
        <section class="stack">
          <h2 ref={focus} tabIndex={-1}>
            {texts.quote.offers(offers.quotes.length)}
          </h2>
          <OfferList
            session={session}
            offers={offers}
            reference={customer?.customer_reference}
            onBought={() => sessionStorage.removeItem(kept)}
          />
        </section>
      )}
    </div>
  );
}

function focus(element: HTMLElement | null): void {
  element?.focus();
}

/** Returns a customer as a quote takes it: by the same e-mail and name the purchase finds it again. */
function metadataOf({ full_name, customer_email, customer_phone, date_of_birth }: Customer): Values {
  const [, first = full_name, last] = /^(.+)\s(\S+)$/.exec(full_name) ?? [];
  const known = { first_name: first, last_name: last, email: customer_email, phone: customer_phone, date_of_birth };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => typeof value === 'string'));
}
