import type { CallOptions, PortfolioRow } from '../../../clients/typescript/src/index.ts';
import { Curl } from '../components/curl.tsx';
import { chosenValue, DateFilter, InstantFilter, SelectFilter, useAddressDefaults } from '../components/filters.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { isTestMode, Mode, ModeFilter } from '../components/mode.tsx';
import { type Column, Table } from '../components/table.tsx';
import { formatDay, formatInstantWithUtc, formatMoney, fromMinorUnits, labelOf, toMinorUnits } from '../format.ts';
import { collect } from '../requests/read-all.ts';
import { useRequest } from '../requests/use-request.ts';
import { route } from '../route.ts';
import { type Session, todayIn } from '../session.ts';
import { texts } from '../texts.ts';

const GROUPS = ['product_type', 'provider', 'merchant'] as const;
type Group = (typeof GROUPS)[number];

type PortfolioResponse = Awaited<ReturnType<Session['client']['admin']['portfolio']>>;

interface PortfolioQuery {
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

/** The portfolio on a day, grouped, beside that of another day or of another state of knowledge. */
export function Portfolio({ session }: { readonly session: Session }) {
  const { as_of = todayIn('UTC'), known_at, other, other_known_at } = route.value.query;
  useAddressDefaults({ as_of });
  const group_by = chosenValue('group_by', GROUPS);
  const common = { group_by, test_mode: isTestMode(session) ? true : undefined };
  const query = { ...common, as_of, known_at };
  const compared =
    other === undefined && other_known_at === undefined
      ? undefined
      : { ...common, as_of: other ?? as_of, known_at: other_known_at };
  // One after the other: each reads the whole log.
  const state = useRequest(JSON.stringify([query, compared]), async (options) => {
    const first = await read(session, query, options);
    const second = compared === undefined ? undefined : await read(session, compared, options);
    return {
      query,
      compared,
      first,
      second,
      names: group_by === 'provider' ? await providerNames(session, options) : undefined,
    };
  });
  return (
    <>
      <h1>{texts.portfolio}</h1>
      <form class="row filters" onSubmit={(event) => event.preventDefault()}>
        <DateFilter label={texts.onTheDay} name="as_of" value={as_of} />
        <InstantFilter label={texts.asKnownAt} name="known_at" value={known_at} />
        <SelectFilter
          label={texts.groupedBy}
          name="group_by"
          values={GROUPS}
          labels={texts.groups}
          value={group_by ?? ''}
          none={['', texts.notGrouped]}
        />
        <DateFilter label={texts.compareWithDay} name="other" value={other ?? ''} />
        <InstantFilter label={texts.knownAt} name="other_known_at" value={other_known_at} />
        <ModeFilter session={session} />
      </form>
      <LoadStatus state={state} />
      {state.value !== undefined && <Result {...state.value} />}
    </>
  );
}

interface ResultProps {
  readonly query: PortfolioQuery;
  readonly first: PortfolioResponse;
  readonly compared: PortfolioQuery | undefined;
  readonly second: PortfolioResponse | undefined;
  /** Names of groups that are ids. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

/** The portfolio of a request; while the next one runs, the address is another. */
function Result({ query, first, compared, second, names }: ResultProps) {
  return (
    <>
      <p>
        <Mode isTest={query.test_mode === true} /> {describe(query)}
        {compared !== undefined && (
          <>
            {' · '}
            <span class="quiet">
              {texts.secondLine} {describe(compared)}
            </span>
          </>
        )}
      </p>
      <section class="card">
        <PortfolioTable rows={first.results} others={second?.results} names={names} />
      </section>
      <Curl path="/api/v1/audit/portfolio/" query={parametersOf(query)} />
      {compared !== undefined && <Curl path="/api/v1/audit/portfolio/" query={parametersOf(compared)} />}
    </>
  );
}

function describe({ as_of, known_at }: PortfolioQuery): string {
  return `${formatDay(as_of)}, ${texts.knownAt} ${known_at === undefined ? texts.now : formatInstantWithUtc(known_at, 'UTC')}`;
}

function parametersOf({ test_mode, ...query }: PortfolioQuery): Readonly<Record<string, string | undefined>> {
  return { ...query, test_mode: test_mode?.toString() };
}

async function read({ client }: Session, query: PortfolioQuery, options: CallOptions) {
  return await client.admin.portfolio(query, { ...options, attemptTimeoutMs: 120_000, callTimeoutMs: 240_000 });
}

/** Returns the names of the insurers by their ids. */
async function providerNames({ client }: Session, options: CallOptions): Promise<ReadonlyMap<string, string>> {
  const providers = await collect(client.providers.list({}, options));
  return new Map(providers.map(({ id, name }) => [id, name]));
}

interface PortfolioTableProps {
  /** Names of groups that are ids. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly rows: readonly PortfolioRow[];
  readonly others: readonly PortfolioRow[] | undefined;
}

/** A group of the portfolio, and the same group of the other; undefined where nothing of it was insured or claimed. */
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

function PortfolioTable({ rows, others, names }: PortfolioTableProps) {
  const largest = new Map<string, bigint>();
  for (const { currency, premium_in_force } of rows) {
    const value = toMinorUnits(premium_in_force);
    if (value > (largest.get(currency) ?? 0n)) largest.set(currency, value);
  }
  const column = (
    name: keyof typeof texts.portfolioColumns,
    valueOf: (row: PortfolioRow) => bigint,
    show: (value: bigint) => string,
  ): Column<Pair> => ({
    title: texts.portfolioColumns[name],
    isNumber: true,
    cell: ({ row, other }) => {
      const [value, before] = [row, other].map((one) => (one === undefined ? 0n : valueOf(one)));
      return (
        <>
          {show(value ?? 0n)}
          {others !== undefined && (
            <div class="quiet">
              {show(before ?? 0n)} ({formatDifference((value ?? 0n) - (before ?? 0n), show)})
            </div>
          )}
        </>
      );
    },
  });
  return (
    <Table
      isWide
      caption={others === undefined ? texts.portfolio : texts.portfoliosCompared}
      emptyText={texts.emptyPortfolio}
      rows={pairsOf(rows, others ?? [])}
      columns={[
        {
          title: texts.group,
          cell: ({ row, other }) => {
            const { group = '', currency } = row ?? other ?? {};
            return (
              <>
                <bdi>{names?.get(group) ?? labelOf(group)}</bdi> <span class="quiet">{currency}</span>
                <svg class="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={shareOf(row, row === undefined ? undefined : largest.get(row.currency))} height="6" />
                </svg>
              </>
            );
          },
        },
        ...COUNTS.map((name) => column(name, (row) => BigInt(row[name]), String)),
        ...AMOUNTS.map((name) =>
          column(
            name,
            (row) => toMinorUnits(row[name]),
            (value) => formatMoney(fromMinorUnits(value)),
          ),
        ),
      ]}
    />
  );
}

/** Returns the length of a bar, 0 to 100: the share of the largest premium of the currency. */
function shareOf(row: PortfolioRow | undefined, largest: bigint | undefined): number {
  return row === undefined || largest === undefined
    ? 0
    : Number((toMinorUnits(row.premium_in_force) * 1_000n) / largest) / 10;
}

function formatDifference(value: bigint, show: (value: bigint) => string): string {
  return value > 0n ? `+${show(value)}` : show(value).replace('-', '−');
}
