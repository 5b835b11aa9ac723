/** What StrykerJS runs for each mutant: the unit tests beside the code that it changes, as one project, because it cannot prepare several. */
import jest from '../jest.config.mjs';

const [unit] = jest.projects;
const { displayName: _, ...project } = unit;

export default {
  ...project,
  rootDir: '..',
  testMatch: ['src/domain', 'commands/policy', 'commands/claim', 'projections/policies', 'projections/claims'].map(
    (folder) => `<rootDir>/${folder}/*.test.ts`,
  ),
};
