import { useState } from 'preact/hooks';
import { Failure } from './load-status.tsx';

interface DownloadButtonProps {
  readonly label: string;
  /** Name of the saved file. */
  readonly file: string;
  readonly read: () => Promise<Response>;
  /** Media type of the saved file; absent: that of the response. */
  readonly type?: string;
}

/** Saves a response as a file. A failure is shown beside the button. */
export function DownloadButton({ label, file, read, type }: DownloadButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const download = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const blob = await (await read()).blob();
      saveFile(file, type === undefined ? blob : new Blob([blob], { type }));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void download()}>
        {label}
      </button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the content after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
