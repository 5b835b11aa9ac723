import { Failure } from '../components/load-status.tsx';
import { reportDone } from '../requests/changes.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts.ts';
import { formIdOf } from './attempts.ts';
import { type CommandName, mayExecute } from './commands.ts';
import { useCommand } from './use-command.ts';

interface QuickCommandProps {
  readonly session: Session;
  readonly name: CommandName;
  readonly label: string;
  /** What the command is about, in words and unlike that of any other thing. */
  readonly about: string;
  readonly body: object;
  /** What the page shows, as the client got it: what has changed since is not changed unseen. */
  readonly guarded?: object | undefined;
}

/** A button that executes a command at once, because nothing is left to ask. */
export function QuickCommand({ session, name, label, about, body, guarded }: QuickCommandProps) {
  const formId = formIdOf(session.me, label, about);
  const etag = guarded === undefined ? undefined : session.client.etagOf(guarded);
  const { waiting, error, isBusy, isRetrying, execute } = useCommand({ session, name, formId, id: '', etag });
  if (!mayExecute(session, name)) return null;
  return (
    <>
      <button
        type="button"
        aria-label={`${label}, ${about}`}
        disabled={isBusy}
        onClick={() => void execute(body).then((done) => done && reportDone(label, about))}
      >
        {label}
      </button>
      {waiting !== undefined && <p role="status">{texts.noAnswerYet}</p>}
      {isRetrying && <p role="status">{texts.retrying}</p>}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
