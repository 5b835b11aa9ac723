import type { ComponentChildren } from 'preact';
import type { Pages } from '../requests/use-pages.ts';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { DownloadButton } from './download-button.tsx';
import { useAddressDefaults } from './filters.tsx';
import { LoadStatus } from './load-status.tsx';
import { isTestMode, Mode, ModeFilter } from './mode.tsx';
import { type Column, Table } from './table.tsx';

/** Whose list is shown, and with which key. */
export interface MerchantListProps {
  readonly session: Session;
  /** Short code of the merchant. */
  readonly code: string;
}

interface ListProps<T> {
  readonly title: string;
  /** Absent for a list that belongs to no merchant. */
  readonly of?: MerchantListProps;
  readonly pages: Pages<T>;
  readonly columns: readonly Column<T>[];
  readonly emptyText: string;
  /** What a person does here. */
  readonly actions?: ComponentChildren;
  /** Between the heading and the table. */
  readonly above?: ComponentChildren;
  readonly filters?: ComponentChildren;
  /** The whole list as CSV, and what its file is called after the merchant and the mode. */
  readonly csv?: { readonly name: string; readonly read: () => Promise<Response> };
}

/** A list with its filters, pages of 100, and the whole of it as CSV. */
export function List<T>({ title, of, pages, columns, emptyText, actions, above, filters, csv }: ListProps<T>) {
  const { items, isLoading, isComplete, error, more } = pages;
  useAddressDefaults(of === undefined ? {} : { merchant: of.code, test_mode: String(isTestMode(of.session)) });
  return (
    <>
      <div class="row heading">
        <h1>{title}</h1>
        {of !== undefined && (
          <>
            <a class="quiet" href={hrefOf(['merchants', of.code])}>
              {of.code}
            </a>
            {of.session.me.merchant === null && <Mode isTest={isTestMode(of.session)} />}
            <span class="push" />
            {csv !== undefined && <DownloadButton label={texts.csv} file={fileNameOf(of, csv.name)} read={csv.read} />}
          </>
        )}
        {actions !== undefined && <div class="row push">{actions}</div>}
      </div>
      {above}
      <section class="card">
        {(filters !== undefined || of !== undefined) && (
          <header class="filters">
            {filters}
            {of !== undefined && <ModeFilter session={of.session} />}
          </header>
        )}
        {(items.length > 0 || isComplete) && (
          <Table caption={title} columns={columns} rows={items} isPartial={!isComplete} emptyText={emptyText} />
        )}
        <LoadStatus state={pages} />
      </section>
      {!isComplete && !isLoading && error === undefined && (
        <div class="row">
          <button type="button" onClick={more}>
            {texts.more}
          </button>
        </div>
      )}
    </>
  );
}

/** Returns the name of a file of a merchant: its short code, the mode, and what is in it. */
export function fileNameOf({ session, code }: MerchantListProps, name: string): string {
  return `${code} ${(isTestMode(session) ? texts.test : texts.live).toLowerCase()} ${name}.csv`;
}
