import type { PublicEvent } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { formatMinute, formatMoney, labelOf } from '../format.ts';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf } from '../route.ts';
import { type Session, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';

const SHOWN = 6;

/** Kinds of subjects with a page. */
const PAGES: Readonly<Record<string, string>> = { policy: 'policies', claim: 'claims', merchant: 'merchants' };

/** Whether the role reads the feed of public events. */
export function mayReadEvents({ me: { role } }: Session): boolean {
  return role !== 'claims' && role !== 'insurer';
}

/** What happened last, by the public events. */
export function JustNow({ session }: { readonly session: Session }) {
  const { client } = session;
  const events = useRequest('newest', async (options) => await client.newestEvents(SHOWN, options));
  return (
    <Card title={texts.justNow}>
      {events.value === undefined ? <LoadStatus state={events} /> : null}
      {events.value?.length === 0 && <p class="quiet">{texts.noHistory}</p>}
      <ul class="line">
        {events.value?.map((event) => (
          <Happened key={event.id} event={event} zone={zoneOf(session)} />
        ))}
      </ul>
    </Card>
  );
}

function Happened({ event, zone }: { readonly event: PublicEvent; readonly zone: string }) {
  const { type, subject, time, data } = event;
  const [, kind = '', verb = ''] = type.split('.');
  const page = PAGES[kind];
  const title = labelOf(`${kind}_${verb}`);
  const facts = [textOf(data, NAMES), textOf(data, ['stage']), amountOf(data)].filter(Boolean);
  return (
    <li class="happened">
      <span class="what">{page === undefined ? title : <a href={hrefOf([page, subject])}>{title}</a>}</span>
      <time class="small quiet nowrap" dateTime={time}>
        {formatMinute(time, zone)}
      </time>
      {facts.length > 0 && <bdi class="more small quiet">{facts.join(' · ')}</bdi>}
    </li>
  );
}

type Data = Readonly<Record<string, unknown>>;

/** What names the subject, where the event has it. */
const NAMES = ['policy_number', 'claim_reference_number', 'name', 'short_code'];

function textOf(data: Data, names: readonly string[]): string | undefined {
  return names.map((name) => data[name]).find((value) => typeof value === 'string');
}

/** Returns the sum that moved, with its currency. */
function amountOf(data: Data): string | undefined {
  const payment = data['payment'] as Data | undefined;
  const amount =
    payment === undefined ? textOf(data, ['amount', 'premium', 'claim_amount']) : textOf(payment, ['amount']);
  return amount === undefined ? undefined : formatMoney(amount, textOf(data, ['currency']));
}
