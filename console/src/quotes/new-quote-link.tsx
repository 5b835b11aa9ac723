import { mayExecute } from '../actions/commands.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

interface NewQuoteLinkProps {
  readonly session: Session;
  readonly customerId?: string;
}

/** Leads to the page of a new quote, perhaps to a customer; what a person who sells does next. */
export function NewQuoteLink({ session, customerId }: NewQuoteLinkProps) {
  if (!mayExecute(session, 'RequestQuotes')) return null;
  return (
    <a class="button primary" href={hrefOf(['quote'], { customer: customerId })}>
      {texts.newQuote}
    </a>
  );
}
