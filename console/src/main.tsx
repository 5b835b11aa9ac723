// First, because it removes a ticket from the address.
import './ticket.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { resume, watchSession } from './session.ts';

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no element for the console');
watchSession();
void resume();
render(<App />, root);
// A later version of the service has other forms: this page keeps its own.
void import('./actions/command-dialog.tsx').catch(() => undefined);
