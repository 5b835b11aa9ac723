import { useState } from 'preact/hooks';
import { texts } from '../texts.ts';

/** Copies a text. Browsers offer the clipboard to https and localhost only. */
export function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<string>();
  if (navigator.clipboard === undefined) return null;
  const copy = async (): Promise<void> =>
    await navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(undefined),
    );
  return (
    <button type="button" onClick={() => void copy()}>
      {copied === text ? texts.copied : texts.copy}
    </button>
  );
}
