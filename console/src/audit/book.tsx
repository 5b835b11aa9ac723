import type { CallOptions, PortfolioRow } from '../../../clients/typescript/src/index.ts';
import { dayOf, decimal, hundredths, money } from '../format.ts';
import { DayFilter, InstantFilter, isTestShown, ModeFilter } from '../parts/filters.tsx';
import { all, useLoaded } from '../load.ts';
import { Mode, Status } from '../parts/failure.tsx';
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
  const { as_of = today, known_at, group_by, other, other_known_at } = route.value.query;
  const common = {
    group_by: GROUPS.find((one) => one === group_by),
    test_mode: isTestShown(session) ? true : undefined,
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
    <>
      <h1>
        {texts.book} <Mode isTest={isTestShown(session)} />
      </h1>
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
        <ModeFilter session={session} />
      </form>
      <Status loaded={loaded} />
      {first !== undefined && (
        <>
          <Figures rows={first.results} others={second?.results} names={names} />
          <Curl path={`/api/v1/audit/portfolio/?${search.toString()}`} />
        </>
      )}
    </>
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

/** A group of the book, and the same group of the other; undefined where nothing of it was insured or claimed. */
interface Pair {
  readonly row: PortfolioRow | undefined;
  readonly other: PortfolioRow | undefined;
}

function pairsOf(rows: readonly PortfolioRow[], others: readonly PortfolioRow[]): readonly Pair[] {
  const keyOf = ({ group, currency }: PortfolioRow): string => `${group} ${currency}`;
  const pairs = new Map<string, Pair>(rows.map((row) => [keyOf(row), { row, other: undefined }]));
  for (const other of others) pairs.set(keyOf(other), { row: pairs.get(keyOf(other))?.row, other });
  return [...pairs.values()];
}

function Figures({ rows, others, names }: FiguresProps) {
  const largest = rows.reduce((max, { premium_in_force }) => {
    const value = hundredths(premium_in_force);
    return value > max ? value : max;
  }, 1n);
  const column = (
    name: keyof typeof texts.figures,
    valueOf: (row: PortfolioRow) => bigint,
    show: (value: bigint, currency: string) => string,
  ): Column<Pair> => ({
    title: texts.figures[name],
    isNumber: true,
    of: ({ row, other }) => {
      const currency = (row ?? other)?.currency ?? '';
      const [value, before] = [row, other].map((one) => (one === undefined ? 0n : valueOf(one)));
      return (
        <>
          {show(value ?? 0n, currency)}
          {others !== undefined && (
            <div class="quiet">
              {show(before ?? 0n, currency)} ({signed((value ?? 0n) - (before ?? 0n), show)})
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
      rows={pairsOf(rows, others ?? [])}
      columns={[
        {
          title: texts.group,
          of: ({ row, other }) => {
            const { group = '' } = row ?? other ?? {};
            return (
              <>
                <bdi>{names?.get(group) ?? group.replaceAll('_', ' ')}</bdi>
                <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={shareOf(row, largest)} height="6" />
                </svg>
              </>
            );
          },
        },
        ...COUNTS.map((name) => column(name, (row) => BigInt(row[name]), String)),
        ...AMOUNTS.map((name) =>
          column(
            name,
            (row) => hundredths(row[name]),
            (value, currency) => money(decimal(value), currency),
          ),
        ),
      ]}
    />
  );
}

/** Returns the length of a bar, 0 to 100. */
function shareOf(row: PortfolioRow | undefined, largest: bigint): number {
  return row === undefined ? 0 : Number((hundredths(row.premium_in_force) * 1_000n) / largest) / 10;
}

function signed(value: bigint, show: (value: bigint, currency: string) => string): string {
  if (value < 0n) return show(value, '').replace('-', '−');
  return value === 0n ? show(value, '') : `+${show(value, '')}`;
}
