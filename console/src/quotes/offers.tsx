import type { NotOffered, Policy, QuoteItem } from '../../../clients/typescript/src/index.ts';
import { Command } from '../actions/command.tsx';
import { Card } from '../components/card.tsx';
import { formatMoney, labelOf } from '../format.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** The answer to a request for quotes, and what a purchase needs to know of the request. */
export interface Offers {
  readonly quotes: readonly QuoteItem[];
  readonly notOffered: readonly NotOffered[];
  readonly hasCustomer: boolean;
  /** Undefined for a year. */
  readonly days: unknown;
}

interface OfferListProps {
  readonly session: Session;
  readonly offers: Offers;
  /** Number of the customer at the merchant, where it is known. */
  readonly reference: string | null | undefined;
  readonly onBought: () => void;
}

/** Offers side by side, the cheapest first, then the products that make none, with their reasons. */
export function OfferList(props: OfferListProps) {
  const { quotes, notOffered } = props.offers;
  return (
    <>
      {quotes.length + notOffered.length === 0 && <p class="notice">{texts.quote.noProducts}</p>}
      <div class="offers">
        {quotes.map((quote, index) => (
          <Card
            key={quote.quote_code}
            title={<OfferTitle of={quote} />}
            aside={badgeOf(quote.additional_metadata.tier_name)}
          >
            <Offer {...props} quote={quote} look={index === 0 ? 'primary' : 'plain'} />
          </Card>
        ))}
        {notOffered.map((product) => (
          <Card key={product.product_id} title={<OfferTitle of={product} />} aside={badgeOf(texts.quote.noOffer)}>
            {product.reasons.map(({ field, message }) => (
              <p key={`${field} ${message}`} class="small quiet">
                {field !== null && `${labelOf(field.split('.').at(-1) ?? '')}: `}
                {message}
              </p>
            ))}
          </Card>
        ))}
      </div>
      {quotes.length > 0 && <p class="say">{texts.quote.nothingBought}</p>}
    </>
  );
}

function badgeOf(text: string | null) {
  return text !== null && <bdi class="badge plain">{text}</bdi>;
}

function OfferTitle({ of: { provider, product } }: { readonly of: Pick<NotOffered, 'provider' | 'product'> }) {
  return (
    <>
      <bdi>{provider}</bdi>
      <bdi class="sub">{product}</bdi>
    </>
  );
}

interface OfferProps extends OfferListProps {
  readonly quote: QuoteItem;
  readonly look: 'primary' | 'plain';
}

function Offer({ session, offers: { hasCustomer, days }, quote, reference, look, onBought }: OfferProps) {
  const { quote_code, provider, product, premium, additional_metadata } = quote;
  const { currency, coverages } = additional_metadata;
  const price = (
    <p>
      <b class="price">{formatMoney(premium)}</b>{' '}
      <span class="quiet">
        {currency} {texts.quote.duration(days)}
      </span>
    </p>
  );
  return (
    <>
      {price}
      <ul class="small">
        {coverages.map(({ coverage_name, coverage_limit, deductible }) => (
          <li key={coverage_name} class="row">
            <span>
              <bdi>{coverage_name}</bdi>
              {deductible !== null && <span class="sub">{texts.quote.deductible(formatMoney(deductible))}</span>}
            </span>
            <span class="push">{coverage_limit === null ? texts.noLimit : formatMoney(coverage_limit)}</span>
          </li>
        ))}
      </ul>
      <Command
        session={session}
        name="PurchasePolicy"
        about={`${provider}, ${product} (${quote_code})`}
        given={{ quote_code, ...(typeof reference === 'string' ? { customer_reference: reference } : {}) }}
        omitted={['purchase_id', ...(hasCustomer ? ['customer_metadata'] : [])]}
        required={['customer_metadata']}
        look={look}
        notice={price}
        opens={(bought) => ['policies', (bought as Policy).policy_id]}
        onDone={onBought}
      />
    </>
  );
}
