import { NotFoundError, type Problem, SuretyError } from '../../../clients/typescript/src/index.ts';
import type { RequestState } from '../requests/use-request.ts';
import { labelOf } from '../format.ts';
import { hrefOf, route } from '../route.ts';
import { texts } from '../texts.ts';
import { Mode } from './mode.tsx';

type Candidates = NonNullable<Problem['candidates']>;

interface LoadStatusProps {
  readonly state: Omit<RequestState<unknown>, 'value'>;
  /** Whether the request is repeated by itself, so that loading it again is no news. */
  readonly isPolled?: boolean;
}

/** Shows that a request is in flight, is repeated, or failed, and why. */
export function LoadStatus({ state: { error, isLoading, retrying, reload }, isPolled = false }: LoadStatusProps) {
  if (retrying !== undefined)
    return (
      <p class="notice" role="status">
        {messageOf(retrying)} {texts.retrying} <span class="quiet">{retrying.code}</span>
      </p>
    );
  if (error !== undefined) return <Failure error={error} retry={reload} isRetrying={isLoading} />;
  return isLoading && !isPolled ? <Skeleton /> : null;
}

/** The shape of what comes, after a moment. */
export function Skeleton() {
  return (
    <div class="bones" role="status">
      <span class="hidden">{texts.loading}</span>
      <div class="bone" />
      <div class="bone" />
      <div class="bone" />
      <div class="bone" />
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
  readonly isRetrying?: boolean;
}

/** Shows why something failed, and offers to try again unless that is of no use. */
export function Failure({ error, retry, isRetrying = false }: FailureProps) {
  const again = retry !== undefined && !(error instanceof NotFoundError) && (
    <button type="button" disabled={isRetrying} onClick={retry}>
      {texts.tryAgain}
    </button>
  );
  if (!(error instanceof SuretyError))
    return (
      <p class="failure" role="alert">
        {String(error)} {again}
      </p>
    );
  const { candidates } = error.problem as { readonly candidates?: Candidates };
  if (error.code === 'reference_ambiguous' && candidates !== undefined)
    return <EnvironmentChoice candidates={candidates} />;
  return (
    <div class="failure" role="alert">
      {error.errors.length === 0 ? (
        <p>{messageOf(error)}</p>
      ) : (
        <ul>
          {error.errors.map(({ field, message }) => (
            <li key={field}>
              {labelOf(field.replaceAll(/\.\d+$|.*\.(?=\D)/g, ''))}: {message}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        {error.code} · {texts.request} {error.request_id} {again}
      </p>
    </div>
  );
}

function messageOf(error: SuretyError): string {
  if (error.code === 'no_response') return texts.noResponse;
  return typeof error.problem['detail'] === 'string' ? error.problem['detail'] : error.message;
}

/** Offers the environments that use an ambiguous number. */
function EnvironmentChoice({ candidates }: { readonly candidates: Candidates }) {
  const { path, query } = route.value;
  return (
    <section>
      <h2>{texts.whichOne}</h2>
      <ul>
        {candidates.map(({ environment_id, environment_name, test_mode, merchant_short_code, merchant_name }) => (
          <li key={environment_id}>
            <a href={hrefOf(path, { ...query, environment_id: String(environment_id) })}>
              <bdi>{merchant_name}</bdi> ({merchant_short_code}), <bdi>{environment_name}</bdi>
            </a>{' '}
            <Mode isTest={test_mode} />
          </li>
        ))}
      </ul>
    </section>
  );
}
