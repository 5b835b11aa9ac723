import { useEffect, useRef } from 'preact/hooks';
import { useAction } from '../requests/use-action.ts';
import { Failure } from './load-status.tsx';

interface DownloadButtonProps {
  readonly label: string;
  /** What is downloaded, where several buttons have one label. */
  readonly name?: string;
  /** Name of the saved file; absent: it is opened in a tab of its own. */
  readonly file?: string;
  readonly read: () => Promise<Response>;
  /** Media type of the saved file; absent: that of the response. */
  readonly type?: string;
}

/** Saves a response as a file, or opens it. A failure is shown beside the button. */
export function DownloadButton({ label, name, file, read, type }: DownloadButtonProps) {
  const { isBusy, error, run } = useAction();
  const isLeft = useRef(false);
  useEffect(() => () => void (isLeft.current = true), []);
  const download = async (): Promise<void> => {
    const blob = await (await read()).blob();
    // What a key has read is not saved after it was forgotten, or when its page was left.
    if (!isLeft.current) giveFile(file, type === undefined ? blob : new Blob([blob], { type }));
  };
  return (
    <>
      <button
        type="button"
        aria-label={name === undefined ? undefined : `${label} ${name}`}
        disabled={isBusy}
        onClick={() => void run(download)}
      >
        {label}
      </button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

function giveFile(name: string | undefined, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  if (name === undefined) link.target = '_blank';
  else link.download = name;
  link.click();
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
