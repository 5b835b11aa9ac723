import { expect, test } from '@jest/globals';
import { originForm } from './request-line.ts';

test.each([
  ['/api/v1/merchants?limit=1', '/api/v1/merchants?limit=1'],
  ['http://h:3000/livez', '/livez'],
  ['HTTPS://h?a=b', '/?a=b'],
  ['http://h', '/'],
  ['/api/v1/merchants#x?limit=1', '/api/v1/merchants%23x?limit=1'],
  ['/api/v1/ merchants', '/api/v1/%20merchants'],
  ['ftp://h/api/v1/merchants', '/ftp%3A%2F%2Fh%2Fapi%2Fv1%2Fmerchants'],
  ['foo://', '/foo%3A%2F%2F'],
  ['*', '/*'],
])('converts the request target %s to %s', (target, expected) => {
  expect(originForm(target)).toBe(expected);
});
