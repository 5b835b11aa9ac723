// First, because it removes a ticket from the address.
import './ticket.ts';
import { render } from 'preact';
import { App } from './app.tsx';
import { setLateScript } from './components/late-component.tsx';
import { resume, watchSession } from './session.ts';

const root = document.getElementById('console');
if (root === null) throw new Error('the page has no element for the console');
const readLate = async () => await import('./late.ts');
setLateScript(readLate);
watchSession();
void resume();
render(<App />, root);
// A later version of the service has other forms: this page keeps its own.
void readLate().catch(() => undefined);
