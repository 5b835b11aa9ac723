import { Command } from '../actions/command.tsx';
import type { CommandProps } from '../actions/command-dialog.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { administerTexts as more } from '../texts-administer.ts';

interface Issued {
  readonly result: { readonly key_id: string; readonly api_key: string | null };
}

/** The button that issues a key; its dialog shows the key once. */
export function IssueKey(props: Omit<CommandProps, 'name' | 'outcome'>) {
  return (
    <Command
      {...props}
      name="IssueApiKey"
      outcome={(response, again) => {
        const { key_id, api_key } = (response as Issued).result;
        return (
          <>
            <p role="alert">{api_key === null ? more.keyLost(key_id) : more.keyOnce}</p>
            <div class="row">
              {api_key !== null && <code>{api_key}</code>}
              {api_key !== null && <CopyButton text={api_key} />}
              {api_key === null && (
                <button type="button" onClick={again}>
                  {more.issueAnother}
                </button>
              )}
            </div>
          </>
        );
      }}
    />
  );
}
