import { useEffect } from 'preact/hooks';
import { UnauthorizedError } from '../../clients/typescript/src/index.ts';
import { Icon } from './components/icon.tsx';
import { textOf } from './components/form.ts';
import { Failure } from './components/load-status.tsx';
import { useAction } from './requests/use-action.ts';
import { endOfSession, hasIssuer, isResuming, resume, resumeError, signIn, signInAtIssuer } from './session.ts';
import { texts } from './texts.ts';
import { type Ticket, ticket as openTicket } from './ticket.ts';

/** Asks for a key, which is never part of an address, and does not stay in the page. */
export function SignIn() {
  const { isBusy, error, run } = useAction();
  const reason = endOfSession.value;
  useEffect(() => {
    document.title = texts.surety;
  }, []);
  if (isResuming.value)
    return (
      <main class="sign-in">
        <h1 class="row">
          <Icon name="policy" /> {texts.surety}
        </h1>
        <p role="status">{texts.signingIn}</p>
      </main>
    );
  return (
    <main class="sign-in">
      <h1 class="row">
        <Icon name="policy" /> {texts.surety}
      </h1>
      {reason !== undefined && error === undefined && (
        <p class="notice" role="status">
          {texts.endedBecause[reason]}
        </p>
      )}
      {resumeError.value !== undefined && error === undefined && (
        <Failure error={resumeError.value} retry={() => void resume()} />
      )}
      {hasIssuer && (
        <p>
          <button type="button" onClick={signInAtIssuer}>
            {texts.signInAtIssuer}
          </button>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const key = textOf(event.currentTarget, 'key');
          void run(async () => await signIn({ api_key: key }));
        }}
      >
        <h2>{texts.signInTitle}</h2>
        <label>
          {texts.key} {/* Not of type password: password managers would store the key. */}
          <input name="key" type="text" class="secret" required autoFocus autoComplete="off" spellcheck={false} />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          {texts.signIn}
        </button>
      </form>
      {error !== undefined && <SignInFailure error={error} />}
      <p class="quiet">{texts.signInHelp}</p>
    </main>
  );
}

/** Asks before it signs in: somebody else may have made the link. */
export function TicketSignIn({ ticket: { text, name, role } }: { readonly ticket: Ticket }) {
  const { isBusy, error, run } = useAction();
  const leave = (): void => {
    openTicket.value = undefined;
  };
  return (
    <main class="sign-in">
      <h1 class="row">
        <Icon name="policy" /> {texts.surety}
      </h1>
      {error === undefined ? (
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          autoFocus
          onClick={() => void run(async () => await signIn({ ticket: text }).then(leave))}
        >
          {texts.signInAs(name, isRole(role) ? texts.roles[role] : role)}
        </button>
      ) : (
        <SignInFailure error={error} text={texts.invalidTicket} />
      )}
      <p>
        <button type="button" onClick={leave}>
          {texts.notNow}
        </button>
      </p>
    </main>
  );
}

function isRole(role: string): role is keyof typeof texts.roles {
  return Object.hasOwn(texts.roles, role);
}

function SignInFailure({ error, text = texts.invalidKey }: { readonly error: unknown; readonly text?: string }) {
  if (!(error instanceof UnauthorizedError)) return <Failure error={error} />;
  return (
    <p class="failure" role="alert">
      {text}
    </p>
  );
}
