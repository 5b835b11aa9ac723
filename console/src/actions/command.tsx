import { useState } from 'preact/hooks';
import { Failure } from '../components/load-status.tsx';
import { useRequest } from '../requests/use-request.ts';
import { formIdOf, unansweredAttempt } from './attempts.ts';
import type { CommandProps } from './command-dialog.tsx';
import { COMMANDS, mayExecute } from './commands.ts';

/** The button of a command, for those who may execute it. What has had no answer opens by itself. */
export function Command(props: CommandProps) {
  const { session, name, id = '', about, look = 'plain', isAllowed = true } = props;
  const formId = formIdOf(session.me, name, `${id} ${about}`);
  const [isOpen, setOpen] = useState(() => unansweredAttempt(formId) !== undefined);
  if (!mayExecute(session, name)) return null;
  return (
    <>
      {isAllowed && (
        <button type="button" class={look === 'primary' ? 'primary' : undefined} onClick={() => setOpen(true)}>
          {COMMANDS[name][0]}
        </button>
      )}
      {isOpen && <Loaded {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The form of a command on a page of its own. */
export function CommandForm(props: CommandProps) {
  return <Loaded {...props} />;
}

/** The forms are a script of their own, which the first screen does not wait for. */
function Loaded({ onClose, ...props }: CommandProps & { readonly onClose?: () => void }) {
  const { value, error, reload } = useRequest('', async () => await import('./command-dialog.tsx'));
  if (error !== undefined) return <Failure error={error} retry={reload} />;
  if (value === undefined) return null;
  return onClose === undefined ? (
    <value.CommandForm {...props} />
  ) : (
    <value.CommandDialog {...props} onClose={onClose} />
  );
}
