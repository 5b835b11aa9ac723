import { useState } from 'preact/hooks';
import { Failure } from './parts/failure.tsx';
import { textOf } from './parts/form.ts';
import { endOfSession, signIn } from './session.ts';
import { texts } from './texts.ts';

/** Asks for a key, which is never part of an address. */
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
  return (
    <main class="sign-in">
      <h1>{texts.product}</h1>
      {reason !== undefined && error === undefined && (
        <p class="notice" role="status">
          {texts.endedBecause[reason]}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit(event.currentTarget);
        }}
      >
        <h2>{texts.signInTitle}</h2>
        <label>
          {texts.key}{' '}
          <input name="key" type="text" class="secret" required autoFocus autoComplete="off" spellcheck={false} />
        </label>
        <button type="submit" disabled={isBusy}>
          {texts.signIn}
        </button>
      </form>
      {error !== undefined && <Failure error={error} />}
      <p class="quiet">{texts.signInHelp}</p>
    </main>
  );
}
