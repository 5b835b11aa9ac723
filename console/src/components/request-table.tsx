import type { RequestState } from '../requests/use-request.ts';
import { LoadStatus } from './load-status.tsx';
import { Table, type TableProps } from './table.tsx';

type RequestTableProps<T> = Omit<TableProps<T>, 'rows' | 'isSection'> & {
  readonly state: RequestState<readonly T[]>;
};

/** A section with the rows that a request returns, and the state of the request below them. */
export function RequestTable<T>({ state, ...table }: RequestTableProps<T>) {
  return (
    <>
      {state.value !== undefined && <Table {...table} isSection rows={state.value} />}
      <LoadStatus state={state} />
    </>
  );
}
