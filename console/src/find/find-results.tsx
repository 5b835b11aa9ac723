import { SuretyError } from '../../../clients/typescript/src/index.ts';
import { Failure } from '../components/load-status.tsx';
import { Mode } from '../components/mode.tsx';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import { addressOf, type SearchResult, recentFinds, rememberFind, search } from './recent.ts';

/** What was found, and what was found before in this tab. */
export function FindResults() {
  const current = search.value;
  return (
    <>
      <h1>{texts.find}</h1>
      {current?.kind === 'loading' && (
        <p class="quiet" role="status">
          {texts.loading}
        </p>
      )}
      {current?.kind === 'failed' && <FindFailure error={current.error} />}
      {current?.kind === 'refused-key' && (
        <p class="failure" role="alert">
          {texts.notSent}
        </p>
      )}
      {current?.kind === 'done' && current.results.length === 0 && <p role="status">{texts.nothingFound}</p>}
      {current?.kind === 'done' && <ResultList results={current.results} />}
      <RecentFinds />
    </>
  );
}

/** A platform key finds numbers without a merchant, but no references and e-mails of customers. */
function FindFailure({ error }: { readonly error: unknown }) {
  const needsMerchant = error instanceof SuretyError && error.errors.some(({ field }) => field === 'short_code');
  return needsMerchant ? <p role="status">{texts.merchantNeeded}</p> : <Failure error={error} />;
}

function ResultList({ results }: { readonly results: readonly SearchResult[] }) {
  return (
    <ul class="links">
      {results.map((result) => (
        <li key={`${result.kind} ${result.id}`}>
          <a href={hrefOf(...addressOf(result))} onClick={() => rememberFind(result)}>
            {texts.kinds[result.kind]} <bdi>{result.number ?? result.id}</bdi>
          </a>{' '}
          <span class="quiet">{result.merchant_short_code}</span>{' '}
          {result.test_mode !== null && <Mode isTest={result.test_mode} />}
        </li>
      ))}
    </ul>
  );
}

export function RecentFinds() {
  const finds = recentFinds.value;
  if (finds.length === 0) return <p class="quiet">{texts.findHelp}</p>;
  return (
    <section>
      <h2>{texts.recent}</h2>
      <ul class="links">
        {finds.map((find) => (
          <li key={`${find.kind} ${find.id}`}>
            <a href={hrefOf(...addressOf(find))}>
              {texts.kinds[find.kind]} <code>{find.id}</code>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
