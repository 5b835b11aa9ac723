import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Failure, Mode, Status } from '../parts/failure.tsx';
import { isTestShown, ModeFilter } from '../parts/filters.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { save } from '../parts/values.tsx';
import { hrefOf, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import type { Pages } from './pages.ts';

interface ListProps<T> {
  readonly title: string;
  /** The session whose mode the list shows; absent where a list has no mode. */
  readonly session?: Session;
  readonly pages: Pages<T>;
  readonly columns: readonly Column<T>[];
  readonly whyEmpty: string;
  readonly filters?: ComponentChildren;
  /** Opens the whole list as CSV. */
  readonly download?: () => Promise<Response>;
}

/** A list with its filters, pages of 100, and the whole of it as CSV. */
export function List<T>({ title, session, pages, columns, whyEmpty, filters, download }: ListProps<T>) {
  const { items, isLoading, isComplete, error, more, reload, retrying } = pages;
  const [downloadError, setDownloadError] = useState<unknown>();
  const saveCsv = async (): Promise<void> => {
    setDownloadError(undefined);
    const response = await download?.();
    if (response !== undefined) save(`${title}.csv`, await response.blob());
  };
  return (
    <>
      <h1>
        {title} <MerchantOfList /> {session !== undefined && <Mode isTest={isTestShown(session)} />}
      </h1>
      <div class="row">
        {filters}
        {session !== undefined && <ModeFilter session={session} />}
        {download !== undefined && (
          <button type="button" onClick={() => void saveCsv().catch(setDownloadError)}>
            {texts.csv}
          </button>
        )}
      </div>
      {downloadError !== undefined && <Failure error={downloadError} />}
      <Status loaded={{ value: undefined, error, isLoading, retrying, reload }} />
      {(items.length > 0 || isComplete) && <Table caption={title} columns={columns} rows={items} whyEmpty={whyEmpty} />}
      {!isComplete && !isLoading && error === undefined && (
        <button type="button" onClick={more}>
          {texts.more}
        </button>
      )}
    </>
  );
}

/** The merchant that a key of the platform has chosen. */
function MerchantOfList() {
  const { merchant } = route.value.query;
  return merchant === undefined ? null : (
    <a class="quiet" href={hrefOf(['merchants', merchant])}>
      {merchant}
    </a>
  );
}
