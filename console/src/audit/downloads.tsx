import { useState } from 'preact/hooks';
import { Failure } from '../parts/failure.tsx';
import { textOf } from '../parts/form.ts';
import { save } from '../parts/values.tsx';
import { hrefOf } from '../route.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';

const CSV = 'text/csv';

/** What an auditor takes away: the lists of a merchant and its statement, whole. */
export function Downloads({ session: { client } }: { readonly session: Session }) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>();
  const { merchants } = client;
  const lists = [
    [texts.policies, async () => await merchants.downloadPolicies(code, CSV)],
    [texts.customers, async () => await merchants.downloadCustomers(code, CSV)],
    [texts.claims, async () => await merchants.downloadClaims(code, CSV)],
    [texts.statement, async () => await merchants.downloadTransactions(code, CSV)],
    [texts.history, async () => await merchants.downloadHistory(code, CSV)],
  ] as const;
  return (
    <>
      <h1>{texts.downloads}</h1>
      <p>{texts.downloadsHelp}</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          setError(undefined);
          setCode(textOf(event.currentTarget, 'code').toUpperCase());
        }}
      >
        <label>
          {texts.ofMerchant} <input name="code" required maxLength={8} />
        </label>
        <button type="submit">{texts.choose}</button>
      </form>
      {code !== '' && (
        <>
          <h2>
            <a href={hrefOf(['merchants', code])}>{code}</a>
          </h2>
          <ul>
            {lists.map(([title, open]) => (
              <li key={title}>
                <button
                  type="button"
                  onClick={() =>
                    void open()
                      .then(async (response) => save(`${code} ${title}.csv`, await response.blob()))
                      .catch(setError)
                  }
                >
                  {title} (CSV)
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
