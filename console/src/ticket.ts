import { signal } from '@preact/signals';

/** A ticket of the address, and whom it says it signs in: only the service checks it. */
export interface Ticket {
  readonly text: string;
  readonly name: string;
  readonly role: string;
}

const START = '#ticket=';

/** The ticket with which the page was opened; undefined once it was used or refused. */
export const ticket = signal(takeTicket());

// Without a load of the page, when the address is pasted into an open console.
addEventListener('hashchange', () => {
  ticket.value = takeTicket() ?? ticket.value;
});

/** Removes the ticket from the address before anything else, so that no history has it. */
function takeTicket(): Ticket | undefined {
  if (!location.hash.startsWith(START)) return undefined;
  const text = location.hash.slice(START.length);
  history.replaceState(null, '', location.pathname + location.search);
  return parseTicket(text);
}

/** Returns undefined for a text that is no ticket. */
function parseTicket(text: string): Ticket | undefined {
  try {
    const shown = atob((text.split('.')[3] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(shown, (character) => character.charCodeAt(0));
    const { name, role } = JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, unknown>>;
    return typeof name === 'string' && typeof role === 'string' ? { text, name, role } : undefined;
  } catch {
    return undefined;
  }
}
