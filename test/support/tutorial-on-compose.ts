/** Follows docs/tutorial.md on the services of docker-compose.yml, and prints each step whose answer differs from the page. */
import { fileURLToPath } from 'node:url';
import { follow, tutorialOnCompose } from './tutorial.ts';

const folder = fileURLToPath(new URL('../..', import.meta.url));
const differences = await follow(tutorialOnCompose('http://127.0.0.1:3000', 'http://127.0.0.1:8025'), folder);
for (const difference of differences) process.stderr.write(`${difference}\n`);
process.exitCode = differences.length === 0 ? 0 : 1;
