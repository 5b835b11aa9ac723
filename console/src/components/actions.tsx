import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../texts.ts';

/** The buttons of what a person does with a thing. On a phone all but the strong one wait behind one button. */
export function Actions({ children }: { readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class={isOpen ? 'actions open' : 'actions'}>
      {children}
      <button
        type="button"
        class="more"
        aria-label={texts.moreActions}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        …
      </button>
    </div>
  );
}
