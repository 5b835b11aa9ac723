import type { CallOptions, PortfolioRow } from '../../../clients/typescript/src/index.ts';
import { dayOf, decimal, hundredths, money } from '../format.ts';
import { DayFilter, InstantFilter } from '../parts/filters.tsx';
import { all, useLoaded } from '../load.ts';
import { Status } from '../parts/failure.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Curl } from '../parts/values.tsx';
import { replaceQuery, route } from '../route.ts';
import { type Session, serviceTime } from '../session.ts';
import { texts } from '../texts.ts';

const GROUPS = ['product_type', 'provider', 'merchant'] as const;
type Group = (typeof GROUPS)[number];

interface BookQuery {
  readonly as_of: string;
  readonly known_at?: string | undefined;
  readonly group_by?: Group | undefined;
  readonly test_mode?: boolean | undefined;
}

const AMOUNTS = [
  'premium_in_force',
  'premium_written',
  'premium_earned',
  'premium_unearned',
  'premium_returned',
  'tax',
  'commission',
  'amount_paid',
  'claims_outstanding',
] as const;
const COUNTS = ['policies_in_force', 'customers', 'claims_filed', 'claims_paid'] as const;

/** The book on a day, grouped, beside that of another day or of another state of knowledge. */
export function Book({ session }: { readonly session: Session }) {
  const today = dayOf(serviceTime.value, 'UTC');
  const { as_of = today, known_at, group_by, other, other_known_at, test_mode } = route.value.query;
  const common = {
    group_by: GROUPS.find((one) => one === group_by),
    test_mode: test_mode === 'true' ? true : undefined,
  };
  const query = { ...common, as_of, known_at };
  const compared =
    other === undefined && other_known_at === undefined
      ? undefined
      : { ...common, as_of: other ?? as_of, known_at: other_known_at };
  // One after the other: each reads the whole log.
  const loaded = useLoaded(JSON.stringify([query, compared]), async (options) => {
    const first = await read(session, query, options);
    const second = compared === undefined ? undefined : await read(session, compared, options);
    return { first, second, names: group_by === 'provider' ? await providerNames(session, options) : undefined };
  });
  const { first, second, names } = loaded.value ?? {};
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
  return (
    <main>
      <h1>{texts.book}</h1>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <DayFilter label={texts.onTheDay} name="as_of" value={as_of} />
        <InstantFilter label={texts.asKnownAt} name="known_at" value={known_at} />
        <label>
          {texts.groupedBy}{' '}
          <select
            value={group_by ?? ''}
            onChange={({ currentTarget }) => replaceQuery({ group_by: currentTarget.value || undefined })}
          >
            <option value="">{texts.notGrouped}</option>
            {GROUPS.map((name) => (
              <option key={name} value={name}>
                {texts.groups[name]}
              </option>
            ))}
          </select>
        </label>
        <DayFilter label={texts.besideTheDay} name="other" value={other ?? ''} />
        <InstantFilter label={texts.besideKnownAt} name="other_known_at" value={other_known_at} />
        <label>
          <input
            type="checkbox"
            checked={test_mode === 'true'}
            onChange={({ currentTarget }) => replaceQuery({ test_mode: currentTarget.checked ? 'true' : undefined })}
          />{' '}
          {texts.testMode}
        </label>
      </form>
      <Status loaded={loaded} />
      {first !== undefined && (
        <>
          <Figures rows={first.results} others={second?.results} names={names} />
          <Curl path={`/api/v1/audit/portfolio/?${search.toString()}`} />
        </>
      )}
    </main>
  );
}

async function read({ client }: Session, query: BookQuery, options: CallOptions) {
  return await client.admin.portfolio(query, { ...options, attemptTimeoutMs: 120_000, callTimeoutMs: 240_000 });
}

/** Returns the names of the insurers by their ids. */
async function providerNames({ client }: Session, options: CallOptions): Promise<ReadonlyMap<string, string>> {
  const providers = await all(client.providers.list({}, options));
  return new Map(providers.map(({ id, name }) => [id, name]));
}

interface FiguresProps {
  /** Names of groups that are ids. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly rows: readonly PortfolioRow[];
  readonly others: readonly PortfolioRow[] | undefined;
}

function Figures({ rows, others, names }: FiguresProps) {
  const keyOf = ({ group, currency }: PortfolioRow): string => `${group} ${currency}`;
  const other = new Map((others ?? []).map((row) => [keyOf(row), row]));
  const largest = rows.reduce((max, { premium_in_force }) => {
    const value = hundredths(premium_in_force);
    return value > max ? value : max;
  }, 1n);
  const column = (
    name: keyof typeof texts.figures,
    show: (row: PortfolioRow) => string,
    difference: (row: PortfolioRow, before: PortfolioRow) => string,
  ): Column<PortfolioRow> => ({
    title: texts.figures[name],
    isNumber: true,
    of: (row) => {
      const before = other.get(keyOf(row));
      return (
        <>
          {show(row)}
          {before !== undefined && (
            <div class="quiet">
              {show(before)} ({difference(row, before)})
            </div>
          )}
        </>
      );
    },
  });
  return (
    <Table
      caption={others === undefined ? texts.book : texts.bookBeside}
      whyEmpty={texts.emptyBook}
      rows={rows}
      columns={[
        {
          title: texts.group,
          of: ({ group, premium_in_force }) => (
            <>
              <bdi>{names?.get(group) ?? group.replaceAll('_', ' ')}</bdi>
              <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                <rect width={Number((hundredths(premium_in_force) * 1_000n) / largest) / 10} height="6" />
              </svg>
            </>
          ),
        },
        ...COUNTS.map((name) =>
          column(
            name,
            (row) => String(row[name]),
            (row, before) => signed(BigInt(row[name] - before[name]) * 100n).replace(/\.00$/, ''),
          ),
        ),
        ...AMOUNTS.map((name) =>
          column(
            name,
            (row) => money(row[name], row.currency),
            (row, before) => signed(hundredths(row[name]) - hundredths(before[name])),
          ),
        ),
      ]}
    />
  );
}

function signed(value: bigint): string {
  return value > 0n ? `+${money(decimal(value))}` : money(decimal(value));
}
