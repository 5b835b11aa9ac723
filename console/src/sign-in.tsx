import { useEffect, useState } from 'preact/hooks';
import { UnauthorizedError } from '../../clients/typescript/src/index.ts';
import { textOf } from './components/form.ts';
import { Failure } from './components/load-status.tsx';
import { endOfSession, isResuming, resume, resumeError, signIn } from './session.ts';
import { texts } from './texts.ts';

/** Asks for a key, which is never part of an address, and does not stay in the page. */
export function SignIn() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const key = textOf(form, 'key');
    setBusy(true);
    setError(undefined);
    await signIn(key).catch(setError);
    setBusy(false);
  };
  const reason = endOfSession.value;
  useEffect(() => {
    document.title = texts.surety;
  }, []);
  if (isResuming.value)
    return (
      <main class="sign-in">
        <h1>{texts.surety}</h1>
        <p role="status">{texts.signingIn}</p>
      </main>
    );
  return (
    <main class="sign-in">
      <h1>{texts.surety}</h1>
      {reason !== undefined && error === undefined && (
        <p class="notice" role="status">
          {texts.endedBecause[reason]}
        </p>
      )}
      {resumeError.value !== undefined && error === undefined && (
        <Failure error={resumeError.value} retry={() => void resume()} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <h2>{texts.signInTitle}</h2>
        <label>
          {texts.key} {/* Not of type password: password managers would store the key. */}
          <input name="key" type="text" class="secret" required autoFocus autoComplete="off" spellcheck={false} />
        </label>
        <button type="submit" disabled={isBusy}>
          {texts.signIn}
        </button>
      </form>
      {error !== undefined && <SignInFailure error={error} />}
      <p class="quiet">{texts.signInHelp}</p>
    </main>
  );
}

function SignInFailure({ error }: { readonly error: unknown }) {
  if (!(error instanceof UnauthorizedError)) return <Failure error={error} />;
  return (
    <p class="failure" role="alert">
      {texts.invalidKey}
    </p>
  );
}
