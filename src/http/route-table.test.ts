import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { Refusal } from '../domain/refusals.ts';
import type { Method, Route } from './route.ts';
import { filledPath, RouteTable } from './route-table.ts';

function route(method: Method, path: string): Route {
  const reference = { search: z.unknown(), body: undefined, answer: z.unknown(), status: 200, paged: false };
  const handle = async () => ({ status: 200, headers: {}, body: path });
  return { name: path, summary: '', method, path, kind: 'page', roles: 'anyone', reference, handle };
}

const table = new RouteTable([
  route('GET', '/things'),
  route('GET', '/things/:id'),
  route('POST', '/things/special'),
  route('GET', '/things/:id/parts/:part'),
]);

describe('find', () => {
  test.each([
    ['/things', '/things', {}],
    ['/things/', '/things', {}],
    ['/things/7', '/things/:id', { id: '7' }],
    ['/things/7/', '/things/:id', { id: '7' }],
    ['/things/a%2Fb', '/things/:id', { id: 'a/b' }],
    ['/things/constructor', '/things/:id', { id: 'constructor' }],
    ['/things/7/parts/9', '/things/:id/parts/:part', { id: '7', part: '9' }],
  ])('given %s, then %s with its parameters', (pathname, path, parameters) => {
    const match = table.find(pathname);
    expect(match?.routes.get('GET')?.path).toBe(path);
    expect(match?.parameters).toEqual(parameters);
  });

  test('given a path of another method, then its routes, and not those of a parameter', () => {
    expect([...(table.find('/things/special')?.routes.keys() ?? [])]).toEqual(['POST']);
  });

  test.each(['', '/', '//', '*', '/thing', '/things//', '/things/7/parts', '/things/7/parts/9/x', 'things'])(
    'given %p, then nothing',
    (pathname) => {
      expect(table.find(pathname)).toBeUndefined();
    },
  );

  test('given a parameter that is not well encoded, then it is refused', () => {
    expect(() => table.find('/things/%zz')).toThrow(Refusal);
  });

  test('given the same route twice, then the table is not made', () => {
    expect(() => new RouteTable([route('GET', '/a'), route('GET', '/a')])).toThrow('GET /a is there twice');
  });
});

test('given values of parameters, then the path is filled with them', () => {
  expect(filledPath({ path: '/things/:id/parts/:part' }, { id: '$&', part: 'x' })).toBe('/things/$&/parts/x');
});
