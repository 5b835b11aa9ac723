import { expect, test } from '@jest/globals';
import { nearestPathFinder } from './nearest-path.ts';

const PATHS = [
  '/',
  '/livez',
  '/docs',
  '/docs/guides',
  '/api/v1/me',
  '/api/v1/policies',
  '/api/v1/policies/renew',
  '/api/v1/policies/:policy_id',
  '/api/v1/policies/:policy_id/changes',
  '/api/v1/customers/:id/policies',
  '/api/v1/claims/:claim_id',
];
const nearest = nearestPathFinder(PATHS.map((path) => ({ path })));

test.each([
  ['/api/v1/policy/8c3d9ca1', '/api/v1/policies/{policy_id}'],
  ['/api/v1/polcies/', '/api/v1/policies'],
  ['/api/v1/claim', '/api/v1/claims/{claim_id}'],
  ['/API/V1/Policies', '/api/v1/policies'],
  ['/api/v2/policies', '/api/v1/policies'],
  ['/policies', '/api/v1/policies'],
  ['/v1/policies/8c3d9ca1/change', '/api/v1/policies/{policy_id}/changes'],
  ['/api/v1/policies/8c3d9ca1/holder', '/api/v1/policies/{policy_id}'],
  ['/api/v1/policies/renew/now', '/api/v1/policies/renew'],
  ['/docs/guide', '/docs/guides'],
  ['/livezz', '/livez'],
  ['/nowhere', undefined],
  ['/api/v1/nowhere', undefined],
  ['/wp-login.php', undefined],
  ['/api/v1/vehicles/of/nobody', undefined],
])('the path nearest to %s is %s', (path, expected) => {
  expect(nearest(path)).toBe(expected);
});

test('only paths with a route that passes the filter count', () => {
  const isOfPolicy = ({ path }: { readonly path: string }) => path.includes(':policy_id');
  expect(nearest('/api/v1/polcies', isOfPolicy)).toBe('/api/v1/policies/{policy_id}');
});

test('a long path costs no more than a short one', () => {
  const paths = Array.from({ length: 100 }, (_, index) => `/api/v1/resource${index}/:id/part${index}`);
  const find = nearestPathFinder(paths.map((path) => ({ path })));
  const cpuOf = (path: string): number => {
    const before = process.cpuUsage();
    for (let run = 0; run < 10; run += 1) find(path);
    return process.cpuUsage(before).user;
  };
  const similar = '/api/v1/resource/1/parts';
  cpuOf(similar);
  expect(cpuOf(`${similar}${'s'.repeat(100_000)}`)).toBeLessThan(3 * cpuOf(similar) + 20_000);
  expect(cpuOf(similar.repeat(4000))).toBeLessThan(3 * cpuOf(similar) + 20_000);
});
