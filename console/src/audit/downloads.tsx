import { DownloadButton } from '../components/download-button.tsx';
import { textOf } from '../components/form.ts';
import { fileNameOf } from '../components/list.tsx';
import { LoadStatus } from '../components/load-status.tsx';
import { isTestMode, Mode, ModeFilter, modeQuery } from '../components/mode.tsx';
import { useRequest } from '../requests/use-request.ts';
import { hrefOf, replaceQuery, route } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

/** What an auditor takes away: the lists of a merchant and its transactions, whole. */
export function Downloads({ session }: { readonly session: Session }) {
  const { merchant: code = '' } = route.value.query;
  return (
    <>
      <div class="row heading">
        <h1>{texts.downloads}</h1>
        <Mode isTest={isTestMode(session)} />
      </div>
      <p class="quiet">{texts.downloadsHelp}</p>
      <form
        class="row filters"
        onSubmit={(event) => {
          event.preventDefault();
          replaceQuery({ merchant: textOf(event.currentTarget, 'code').toUpperCase() || undefined });
        }}
      >
        <label>
          {texts.ofMerchant} <input name="code" required maxLength={8} defaultValue={code} />
        </label>
        <button type="submit">{texts.choose}</button>
        <ModeFilter session={session} />
      </form>
      {code !== '' && <MerchantDownloads key={code} session={session} code={code} />}
    </>
  );
}

function MerchantDownloads({ session, code }: { readonly session: Session; readonly code: string }) {
  const { merchants } = session.client;
  const merchant = useRequest(code, async (options) => await merchants.get(code, {}, options));
  const query = modeQuery(session);
  const lists = [
    [texts.policies, 'policies', async () => await merchants.downloadPolicies(code, 'text/csv', query)],
    [texts.customers, 'customers', async () => await merchants.downloadCustomers(code, 'text/csv', query)],
    [texts.claims, 'claims', async () => await merchants.downloadClaims(code, 'text/csv', query)],
    [texts.transactions, 'transactions', async () => await merchants.downloadTransactions(code, 'text/csv', query)],
  ] as const;
  return (
    <>
      <LoadStatus state={merchant} />
      {merchant.value !== undefined && (
        <>
          <h2>
            <a href={hrefOf(['merchants', code])}>
              <bdi>{merchant.value.name}</bdi>
            </a>
          </h2>
          <ul class="row links">
            {lists.map(([title, name, read]) => (
              <li key={name}>
                <DownloadButton label={`${title} (CSV)`} file={fileNameOf({ session, code }, name)} read={read} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
