import type { Work } from '../../../clients/typescript/src/index.ts';
import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/load-status.tsx';
import { Table } from '../components/table.tsx';
import { RecentFinds } from '../find/find-results.tsx';
import { claimColumns } from '../lists/claims.tsx';
import { formatLongDay } from '../format.ts';
import { NewQuoteLink } from '../quotes/new-quote-link.tsx';
import { usePages } from '../requests/use-pages.ts';
import { hrefOf } from '../route.ts';
import { type Session, todayIn, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { JustNow, mayReadEvents } from './just-now.tsx';
import { assigneeOf, isHandler, openClaimsIn, work } from './work.ts';

/** What waits for the person, and what was found last. */
export function Home({ session }: { readonly session: Session }) {
  const { merchant } = session.me;
  return (
    <>
      <div class="row heading">
        <h1>{texts.home}</h1>
        <span class="quiet">
          {merchant !== null && (
            <>
              <bdi>{merchant.name}</bdi> ·{' '}
            </>
          )}
          {formatLongDay(todayIn(zoneOf(session)))}
        </span>
        <span class="push" />
        <NewQuoteLink session={session} />
      </div>
      {work.value === undefined ? <Skeleton /> : <Tiles counts={work.value} session={session} />}
      <div class="split">
        <OpenClaims session={session} />
        <div class="stack">
          {mayReadEvents(session) && <JustNow session={session} />}
          <Card>
            <RecentFinds />
          </Card>
        </div>
      </div>
    </>
  );
}

interface Tile {
  readonly title: string;
  readonly count: number | undefined;
  readonly href: string;
}

/** What waits, each with the list of it. What is not the person's has no count, and no tile. */
function Tiles({ counts, session }: { readonly counts: Work; readonly session: Session }) {
  const { claims } = counts;
  const me = assigneeOf(session);
  const handled: readonly Tile[] = [
    { title: texts.work.review, count: claims.submitted, href: hrefOf(['claims'], { stage: 'submitted' }) },
    { title: texts.work.approval, count: claims['pending approval'], href: stageHref('pending approval') },
    { title: texts.work.payment, count: claims['offer accepted'], href: stageHref('offer accepted') },
  ];
  const tiles: readonly Tile[] = [
    ...(isHandler(session)
      ? handled
      : [{ title: texts.openClaims, count: openClaimsIn(counts), href: hrefOf(['claims']) }]),
    {
      title: texts.work.assigned,
      count: counts.assigned_to_me,
      href: hrefOf(['claims'], { assignee: me }),
    },
    { title: texts.work.offers, count: counts.offers_to_answer, href: stageHref('offer sent') },
    { title: texts.work.renewals, count: counts.renewals_due, href: hrefOf(['renewals']) },
    {
      title: texts.work.policies,
      count: counts.policies_waiting,
      href: hrefOf(['policies'], { cover: 'waiting' }),
    },
    {
      title: texts.work.keys,
      count: counts.keys_expiring,
      href: hrefOf([session.me.merchant === null ? 'keys' : 'environments']),
    },
    { title: texts.parkedDocuments, count: counts.parked_documents, href: hrefOf(['parked']) },
    { title: texts.work.mails, count: counts.parked_mails, href: hrefOf(['mails'], { status: 'parked' }) },
  ];
  return (
    <div class="tiles">
      {tiles.map(
        ({ title, count, href }) =>
          count !== undefined && (
            <a key={title} class="tile" href={href}>
              <span class="quiet small">{title}</span>
              <b>{count >= 1_000 ? '1,000+' : count}</b>
            </a>
          ),
      )}
    </div>
  );
}

function stageHref(stage: string): string {
  return hrefOf(['claims'], { stage });
}

/** The claims that wait longest: those of the person, or all that are open. */
function OpenClaims({ session }: { readonly session: Session }) {
  const assignee = isHandler(session) ? assigneeOf(session) : undefined;
  const title = assignee === undefined ? texts.openClaims : texts.work.assigned;
  const pages = usePages('', (options) =>
    session.client.claims.list({ claim_status: 'open', assignee, limit: 6 }, { ...options, max: 6 }),
  );
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        <a class="button quiet push" href={hrefOf(['claims'])}>
          {texts.allClaims}
        </a>
      </header>
      {pages.items.length > 0 || pages.isComplete ? (
        <Table
          caption={title}
          hasQuietCaption
          columns={claimColumns(session, false).slice(0, 4)}
          rows={pages.items}
          emptyText={assignee === undefined ? texts.noOpenClaims : texts.nothingAssigned}
        />
      ) : (
        <Skeleton />
      )}
    </section>
  );
}
