import type { RequestState } from '../requests/use-request.ts';
import { texts } from '../texts.ts';
import { LoadStatus } from './load-status.tsx';
import { Table, type TableProps } from './table.tsx';

type RequestTableProps<T> = Omit<TableProps<T>, 'rows' | 'isSection'> & {
  readonly state: RequestState<readonly T[]>;
  /** Most rows that are asked for: with so many the table says that there may be more. */
  readonly max?: number;
  /** Whether the request is repeated by itself. */
  readonly isPolled?: boolean;
};

/** A section with the rows that a request returns, and the state of the request below them. */
export function RequestTable<T>({ state, max = Infinity, isPolled = false, ...table }: RequestTableProps<T>) {
  return (
    <>
      {state.value !== undefined && <Table {...table} isSection rows={state.value} />}
      <LoadStatus state={state} isPolled={isPolled} />
      {(state.value?.length ?? 0) >= max && <p class="notice">{texts.firstOnly(max)}</p>}
    </>
  );
}
