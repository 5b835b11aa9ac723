/**
 * Runs docs/tutorial.md on the services of docker-compose.yml and prints each step whose output differs from the page.
 */
import { fileURLToPath } from 'node:url';
import { runTutorial, tutorialOnCompose } from './tutorial.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const differences = await runTutorial(tutorialOnCompose('http://127.0.0.1:3000', 'http://127.0.0.1:8025'), folder);
for (const difference of differences) process.stderr.write(`${difference}\n`);
process.exitCode = differences.length === 0 ? 0 : 1;
