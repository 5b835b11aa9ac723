import { useState } from 'preact/hooks';
import { Failure } from '../components/load-status.tsx';
import { useRequest } from '../requests/use-request.ts';
import { formIdOf, unansweredAttempt } from './attempts.ts';
import type { CommandProps } from './command-dialog.tsx';
import { COMMANDS, mayExecute } from './commands.ts';

/** The button of a command, for those who may execute it. What has had no answer opens by itself. */
export function Command(props: CommandProps) {
  const { session, name, about, look = 'plain', isAllowed = true } = props;
  const [isOpen, setOpen] = useState(() => unansweredAttempt(formIdOf(session.me, name, about)) !== undefined);
  if (!mayExecute(session, name)) return null;
  return (
    <>
      {isAllowed && (
        <button type="button" class={look === 'primary' ? 'primary' : undefined} onClick={() => setOpen(true)}>
          {COMMANDS[name][0]}
        </button>
      )}
      {isOpen && <LoadedDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The forms are a script of their own, which the first screen does not wait for. */
function LoadedDialog(props: CommandProps & { readonly onClose: () => void }) {
  const loaded = useRequest('', async () => await import('./command-dialog.tsx'));
  if (loaded.error !== undefined) return <Failure error={loaded.error} retry={loaded.reload} />;
  return loaded.value === undefined ? null : <loaded.value.CommandDialog {...props} />;
}
