import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { lateComponent } from '../components/late-component.tsx';
import { formIdOf, unansweredAttempt } from './attempts.ts';
import type { CommandProps } from './command-dialog.tsx';
import { COMMANDS, mayExecute } from './commands.ts';

const CommandDialog: ComponentType<CommandProps & { readonly onClose: () => void }> = lateComponent('CommandDialog');

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
      {isOpen && <CommandDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}
