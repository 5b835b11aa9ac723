import { searchOf } from '../route.ts';
import { apiUrl } from '../session.ts';
import { texts } from '../texts.ts';
import { CopyButton } from './copy-button.tsx';

interface CurlProps {
  /** Path of the API, without parameters. */
  readonly path: string;
  /** Parameters; those without a value are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
}

/** Shows the request to the API as a command of curl. */
export function Curl({ path, query = {}, accept }: CurlProps) {
  const header = accept === undefined ? '' : ` -H 'Accept: ${accept}'`;
  const url = new URL(path.replace(/^\//, ''), apiUrl()).href;
  // In double quotes a shell may take `!` for an event of its history.
  const command = `curl -s "${`${url}${searchOf(query)}`.replaceAll('!', '%21')}" -H "X-API-Key: $KEY"${header}`;
  return (
    <details class="curl small quiet">
      <summary>{texts.asCurl}</summary>
      <code>{command}</code>
      <CopyButton text={command} />
    </details>
  );
}
