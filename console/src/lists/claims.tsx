import type { ComponentChildren } from 'preact';
import type { ClaimItem } from '../../../clients/typescript/src/index.ts';
import { AgeBadge, Tag } from '../components/badge.tsx';
import { chosenValue, SelectFilter } from '../components/filters.tsx';
import { List } from '../components/list.tsx';
import { ModeFilter, modeQuery } from '../components/mode.tsx';
import type { Column } from '../components/table.tsx';
import { Tabs } from '../components/tabs.tsx';
import { Day } from '../components/values.tsx';
import { dayNumber } from '../format.ts';
import { assigneeOf, isHandler, work } from '../home/work.ts';
import { usePages } from '../requests/use-pages.ts';
import { AssignToMe } from '../resources/claim-actions.tsx';
import { hrefOf, route } from '../route.ts';
import { type Session, todayIn, zoneOf } from '../session.ts';
import { texts } from '../texts.ts';
import { type ClaimQuery, namesOf } from './queries.ts';

const STATUSES = namesOf<NonNullable<ClaimQuery['claim_status']>>({
  open: true,
  pending: true,
  approved: true,
  offer_sent: true,
  offer_accepted: true,
  paid: true,
  denied: true,
  withdrawn: true,
});
const SELECTIONS = ['all', ...STATUSES] as const;

/** The stages at which a claim is open, as tabs. */
const STAGES = [
  'submitted',
  'under review',
  'pending approval',
  'approved',
  'offer sent',
  'offer accepted',
  'offer rejected',
] as const;

interface ClaimListProps {
  readonly session: Session;
  /** Short code of the merchant; absent: of all that the key may read. */
  readonly code?: string;
}

/** Claims by stage, the open ones at first, those that wait longest first. */
export function ClaimList({ session, code }: ClaimListProps) {
  const { claims, merchants } = session.client;
  const stage = chosenValue('stage', STAGES);
  const status = chosenValue('claim_status', SELECTIONS) ?? 'open';
  const { assignee } = route.value.query;
  const mode = modeQuery(session);
  const isOwn = session.me.merchant !== null;
  const statusQuery = { claim_status: status === 'all' || stage !== undefined ? undefined : status, ...mode };
  const query = {
    ...statusQuery,
    stage,
    assignee: isOwn ? undefined : assignee,
    order: stage === undefined && status !== 'open' ? ('newest' as const) : undefined,
    short_code: isOwn ? undefined : code,
  };
  const pages = usePages(JSON.stringify([code, query]), (options) => claims.list(query, options));
  const counts = work.value?.claims;
  const me = assigneeOf(session);
  const labels = new Map(
    pages.items.map(({ assignee: one }) => [one?.id ?? '', one?.label ?? one?.id ?? texts.anyone]),
  );
  if (assignee !== undefined && !labels.has(assignee)) labels.set(assignee, assignee);
  if (me !== undefined) labels.set(me, texts.me);
  return (
    <List
      title={texts.claims}
      {...(code !== undefined && {
        of: { session, code },
        csv: {
          name: `claims ${status}`,
          read: async () => await merchants.downloadClaims(code, 'text/csv', statusQuery),
        },
      })}
      above={
        <Tabs
          name="stage"
          part={stage ?? ''}
          parts={[
            ['', texts.allStages, undefined],
            ...STAGES.map(
              (name) =>
                [name, texts.stageTabs[name], isOwn || code === undefined ? counts?.[name] : undefined] as const,
            ),
          ]}
        />
      }
      pages={pages}
      emptyText={texts.noMatch}
      filters={
        <>
          {stage === undefined && (
            <SelectFilter
              label={texts.status}
              name="claim_status"
              values={STATUSES}
              value={status}
              none={['all', texts.all]}
            />
          )}
          {isHandler(session) && me !== undefined && (
            <SelectFilter
              label={texts.assignedTo}
              name="assignee"
              values={[...labels.keys()].filter((id) => id !== '')}
              labels={Object.fromEntries(labels)}
              value={assignee ?? ''}
              none={['', texts.anyone]}
            />
          )}
          {code === undefined && <ModeFilter session={session} />}
        </>
      }
      columns={claimColumns(session, !isOwn)}
    />
  );
}

/** The columns of claims: whose, at which stage, the money and the age; for handlers also who is assigned. */
export function claimColumns(session: Session, isHandled: boolean): readonly Column<ClaimItem>[] {
  const today = todayIn(zoneOf(session));
  return [
    {
      title: texts.claim,
      cell: ({ claim_id, claim_reference_number, claim_details: { claim_type, incident_date } }) => (
        <>
          <a href={hrefOf(['claims', claim_id])}>{claim_reference_number}</a>
          <span class="sub">
            <bdi>{claim_type}</bdi>, <Day day={incident_date} />
          </span>
        </>
      ),
    },
    {
      title: texts.customer,
      cell: ({ claimant, policy, policy_number }) => (
        <>
          {claimant.customer_name}
          <a class="sub" href={hrefOf(['policies', policy])}>
            {policy_number}
          </a>
        </>
      ),
    },
    {
      title: texts.stage,
      cell: ({ claim_status_timeline }) => <Tag name={claim_status_timeline.at(-1)?.name ?? 'submitted'} />,
    },
    { title: texts.claimed, money: ({ claim_amount, currency }) => [claim_amount, currency] },
    {
      title: texts.open,
      isMinor: true,
      cell: ({ claim_date, date_resolved }) =>
        date_resolved === null ? (
          <AgeBadge days={dayNumber(today) - dayNumber(claim_date)} />
        ) : (
          <>
            {texts.resolved} <Day day={date_resolved} />
          </>
        ),
    },
    ...(isHandled
      ? [{ title: texts.assignedTo, isMinor: true, cell: (claim: ClaimItem) => assigneeCell(claim, session) }]
      : []),
    { title: texts.outstanding, money: ({ settlement, currency }) => [settlement.outstanding, currency] },
  ];
}

function assigneeCell(claim: ClaimItem, session: Session): ComponentChildren {
  const { claim_id, assignee, allowed_moves } = claim;
  if (assignee !== null) return assignee.label ?? assignee.id;
  if (allowed_moves.every(({ command }) => command !== 'AssignClaim')) return '–';
  return <AssignToMe key={claim_id} claim={claim} session={session} />;
}
