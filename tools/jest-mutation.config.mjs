/** Jest configuration for StrykerJS: the unit tests as a single project, because StrykerJS does not support several. */
import jest from '../jest.config.mjs';

const [unit] = jest.projects;
const { displayName: _, ...project } = unit;

export default {
  ...project,
  rootDir: '..',
  testMatch: ['src/domain', 'commands', 'projections/policies', 'projections/claims'].map(
    (folder) => `<rootDir>/${folder}/**/*.test.ts`,
  ),
};
