import type { ComponentChildren } from 'preact';
import { Failure } from '../components/load-status.tsx';
import { Mode } from '../components/mode.tsx';
import { hrefOf } from '../route.ts';
import { texts } from '../texts.ts';
import { addressOf, type RecentFind, type SearchResult, recentFinds, rememberFind, search } from './recent.ts';

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
      {current?.kind === 'failed' && <Failure error={current.error} />}
      {current?.kind === 'refused-key' && (
        <p class="failure" role="alert">
          {texts.notSent}
        </p>
      )}
      {current?.kind === 'done' && current.results.length === 0 && <p role="status">{texts.nothingFound}</p>}
      {current?.kind === 'done' && current.isIncomplete && <p role="status">{texts.moreMayMatch}</p>}
      {current?.kind === 'done' && <ResultList results={current.results} />}
      <RecentFinds />
    </>
  );
}

function ResultList({ results }: { readonly results: readonly SearchResult[] }) {
  return (
    <ul class="card results">
      {results.map((result) => (
        <li key={`${result.kind} ${result.id}`}>
          <ResultLink find={result} onFollow={() => rememberFind(result)}>
            {texts.kinds[result.kind]} <bdi>{result.title}</bdi>
          </ResultLink>{' '}
          <span class="quiet">
            <bdi>{result.subtitle}</bdi> {result.merchant_short_code}
          </span>{' '}
          {result.test_mode !== null && <Mode isTest={result.test_mode} />}
        </li>
      ))}
    </ul>
  );
}

/** A link to the page of a find. */
function ResultLink(props: {
  readonly find: RecentFind;
  readonly onFollow?: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <a href={hrefOf(...addressOf(props.find))} onClick={props.onFollow}>
      {props.children}
    </a>
  );
}

export function RecentFinds() {
  const finds = recentFinds.value;
  if (finds.length === 0) return <p class="quiet">{texts.findHelp}</p>;
  return (
    <section class="stack tight">
      <h2>{texts.recent}</h2>
      <ul class="stack tight">
        {finds.map((find) => (
          <li key={`${find.kind} ${find.id}`}>
            <ResultLink find={find}>
              {texts.kinds[find.kind]} <bdi>{find.title}</bdi>
            </ResultLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
