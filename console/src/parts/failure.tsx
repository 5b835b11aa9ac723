import { NotFoundError, type Problem, SuretyError } from '../../../clients/typescript/src/index.ts';
import type { Loaded } from '../load.ts';
import { hrefOf, route } from '../route.ts';
import { texts } from '../texts.ts';

type Candidates = NonNullable<Problem['candidates']>;

/** Says that something is loaded, is asked for again, or cannot be shown, and why. */
export function Status({ loaded }: { readonly loaded: Loaded<unknown> }) {
  const { error, isLoading, retrying, reload } = loaded;
  if (isLoading && retrying !== undefined)
    return (
      <p class="notice" role="status">
        {texts.retrying} {retrying.message}
      </p>
    );
  if (isLoading)
    return (
      <p class="quiet" role="status">
        {texts.loading}
      </p>
    );
  if (error === undefined) return null;
  return <Failure error={error} retry={reload} />;
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  if (!(error instanceof SuretyError))
    return (
      <p class="failure" role="alert">
        {String(error)}
      </p>
    );
  const { candidates } = error.problem as { readonly candidates?: Candidates };
  if (error.code === 'reference_ambiguous' && candidates !== undefined) return <Choice candidates={candidates} />;
  const detail = typeof error.problem['detail'] === 'string' ? error.problem['detail'] : error.message;
  return (
    <div class="failure" role="alert">
      <p>{detail}</p>
      <p class="quiet">
        {error.code} · {texts.request} {error.request_id}
        {retry !== undefined && !(error instanceof NotFoundError) && (
          <button type="button" onClick={retry}>
            {texts.tryAgain}
          </button>
        )}
      </p>
    </div>
  );
}

/** A number that several environments use. */
function Choice({ candidates }: { readonly candidates: Candidates }) {
  const { path, query } = route.value;
  return (
    <section>
      <h2>{texts.whichOne}</h2>
      <ul>
        {candidates.map(({ environment_id, environment_name, test_mode, merchant_short_code, merchant_name }) => (
          <li key={environment_id}>
            <a href={hrefOf(path, { ...query, environment_id: String(environment_id) })}>
              {merchant_name} ({merchant_short_code}), {environment_name}
            </a>{' '}
            <Mode isTest={test_mode} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Live or test, by the thing that is shown. */
export function Mode({ isTest }: { readonly isTest: boolean }) {
  return <span class={`mode ${isTest ? 'test' : 'live'}`}>{isTest ? texts.test : texts.live}</span>;
}
