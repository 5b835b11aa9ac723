import { render } from 'preact';
import { App } from './app.tsx';
import { resume } from './session.ts';

const place = document.getElementById('console');
if (place === null) throw new Error('the page has no place for the console');
await resume();
render(<App />, place);
